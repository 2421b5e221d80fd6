from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

import pytest
from asset_generation.addon.core.errors import BadRequest
from asset_generation.addon.core.requests.build import build
from asset_generation.addon.core.requests.file_checks import check_file
from asset_generation.vendor.assetgen.contract import IMAGE_FORMATS, MODEL_FORMATS
from support.services.local_engine import tiny_glb


def archive(name: str) -> bytes:
    """A ZIP with one small file of that name."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as content:
        content.writestr(name, "content")
    return packed.getvalue()


GOOD = {
    "glb": tiny_glb(),
    "png": b"\x89PNG\r\n\x1a\n....",
    "jpg": b"\xff\xd8\xff\xe0....",
    "jpeg": b"\xff\xd8\xff\xe0....",
    "webp": b"RIFF\0\0\0\0WEBPVP8 ",
    "bmp": b"BM......",
    "tiff": b"II*\0....",
    "obj": b"v 0 0 0\n",
    "fbx": b"Kaydara FBX Binary  \0",
    "stl": b"solid x\nfacet normal 0 0 1\n",
    "3mf": archive("3D/3dmodel.model"),
    "usdz": archive("scene.usdc"),
}


@pytest.mark.parametrize("extension", sorted({*IMAGE_FORMATS, *MODEL_FORMATS}))
def test_every_format_is_known_by_its_content(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"file.{extension.upper()}"
    path.write_bytes(GOOD[extension])
    assert check_file(str(path), (extension,)) == path
    if extension != "obj":
        path.write_bytes(b"\0<html>not that</html>")
        with pytest.raises(BadRequest, match="whatever its name says") as caught:
            check_file(str(path), (extension,), field="image")
        assert caught.value.field == "image"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("model.txt", b"x", r"\.txt file; this takes glb"),
        ("model", b"x", "without an extension"),
        ("gone.glb", None, "There is no file"),
        ("empty.glb", b"", "is empty"),
    ],
)
def test_what_cannot_be_uploaded_is_refused(tmp_path: Path, name: str, content: bytes | None, words: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadRequest, match=words):
        check_file(str(path), ("glb",))


@pytest.mark.parametrize("name", ["scan.tif", "scan.TIF", "scan.tiff"])
def test_both_names_of_a_tiff_are_taken(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(GOOD["tiff"])
    assert check_file(str(path), IMAGE_FORMATS) == path
    body = build("image_to_image", {"files": [str(path)], "prompt": "a"}, tokens={str(path): "file_i"}).body()
    assert body["files"] == [{"type": "tiff", "file_token": "file_i"}]


@pytest.mark.skipif(sys.platform == "win32", reason="a folder opens differently there")
def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "folder.glb").mkdir()
    with pytest.raises(BadRequest, match="cannot be read"):
        check_file(str(tmp_path / "folder.glb"), ("glb",))
