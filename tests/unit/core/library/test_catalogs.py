"""The catalogs of an asset library: found, added, and what the user has there kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from asset_generation.addon.core.errors import NotSaved
from asset_generation.addon.core.library import catalogs

TEXTURE = catalogs.catalog_of("texture", "Texture")
MINE = "a1a1a1a1-0000-4000-8000-000000000001:Props/Chairs:Props-Chairs"


def test_a_new_file_is_one_that_blender_reads(tmp_path: Path) -> None:
    catalogs.add(tmp_path, TEXTURE)
    lines = (tmp_path / catalogs.FILE_NAME).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line and not line.startswith("#")] == ["VERSION 1", TEXTURE.line]
    assert TEXTURE.line.endswith(":Generated/Texture:Generated-Texture")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_of_the_user_stay_as_they_are(tmp_path: Path, end: str) -> None:
    before = end.join(["# my own remark", "", "VERSION 1", "", MINE, "no catalog at all", "# last"]).encode()
    path = tmp_path / catalogs.FILE_NAME
    path.write_bytes(before)
    catalogs.add(tmp_path, TEXTURE)
    assert path.read_bytes() == before + f"{end}{TEXTURE.line}{end}".encode()
    written = path.read_bytes()
    catalogs.add(tmp_path, TEXTURE)
    assert path.read_bytes() == written, "it is there already"
    assert [item.name for item in tmp_path.iterdir()] == [catalogs.FILE_NAME]


def test_a_catalog_that_the_user_has_moved_or_made_is_used(tmp_path: Path) -> None:
    moved = f"VERSION 1\n{TEXTURE.id.upper()}:Surfaces/Old:Surfaces-Old\n"
    assert catalogs.found_catalog(moved, TEXTURE) == catalogs.Catalog(TEXTURE.id, "Surfaces/Old")
    own = f"VERSION 1\n{MINE.replace('Props/Chairs', TEXTURE.path)}\n"
    found = catalogs.found_catalog(own, TEXTURE)
    assert found is not None and found.id == MINE.partition(":")[0]
    (tmp_path / catalogs.FILE_NAME).write_text(own, encoding="utf-8")
    catalogs.add(tmp_path, TEXTURE)
    assert (tmp_path / catalogs.FILE_NAME).read_text(encoding="utf-8") == own


@pytest.mark.parametrize("content", [b"VERSION 2\nnobody knows\n", b"\xff\xfe\x00"])
def test_a_file_of_an_unknown_form_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / catalogs.FILE_NAME
    path.write_bytes(content)
    with pytest.raises(NotSaved, match="catalogs"):
        catalogs.add(tmp_path, TEXTURE)
    assert path.read_bytes() == content


def test_a_file_that_is_a_link_stays_one(tmp_path: Path) -> None:
    shared = tmp_path / "shared.txt"
    shared.write_text("VERSION 1\n", encoding="utf-8")
    library = tmp_path / "library"
    library.mkdir()
    (library / catalogs.FILE_NAME).symlink_to(shared)
    catalogs.add(library, TEXTURE)
    assert (library / catalogs.FILE_NAME).is_symlink()
    assert TEXTURE.line in shared.read_text(encoding="utf-8")
