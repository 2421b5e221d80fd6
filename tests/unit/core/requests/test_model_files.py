"""Which model files are taken, and which of them become a GLB first."""

from __future__ import annotations

from pathlib import Path

import pytest
from asset_generation.addon.core.errors import BadRequest
from asset_generation.addon.core.requests.build import build, check
from asset_generation.addon.core.requests.model_files import (
    CONVERTED,
    check_model,
    needs_conversion,
    split_object,
    upload_type,
)

GOOD = {
    "ply": b"ply\nformat ascii 1.0\n",
    "gltf": b'{"scene": 0, "asset": {"version": "2.0"}}',
    "usd": b"PXR-USDC",
    "usda": b"#usda 1.0",
    "usdc": b"PXR-USDC",
    "blend": b"BLENDER-v405",
    "abc": b"Ogawa",
    "dae": b"<?xml version='1.0'?>",
}


@pytest.mark.parametrize("extension", CONVERTED)
def test_what_blender_opens_is_taken(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"chair.{extension.upper()}"
    path.write_bytes(GOOD[extension])
    assert check_model(str(path)) == str(path)
    assert needs_conversion(str(path)) and upload_type(str(path)) == "glb"
    check("import_model", {"file": str(path)})
    path.write_bytes(b"\0<html>not that</html>")
    if CONVERTED[extension]:
        with pytest.raises(BadRequest, match="whatever its name says"):
            check_model(str(path))


@pytest.mark.parametrize("head", [b"BLENDER-v405", b"\x28\xb5\x2f\xfd....", b"\x1f\x8b...."])
def test_an_object_of_a_blend_is_named_behind_a_colon(tmp_path: Path, head: bytes) -> None:
    path = tmp_path / "house.blend"
    path.write_bytes(head)
    assert check_model(f"{path}:Tür: 2") == f"{path}:Tür: 2"
    assert split_object(f"{path}:Tür: 2") == (str(path), "Tür: 2")


def test_a_drive_is_no_object() -> None:
    assert split_object(r"C:\models\house.blend") == (r"C:\models\house.blend", "")
    assert split_object(r"C:\models\house.blend:Door") == (r"C:\models\house.blend", "Door")
    assert not needs_conversion(r"C:\models\house.glb")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("model.txt", b"x", r"\.txt file; this takes glb, .*ply"),
        ("gone.ply", None, "There is no file"),
        ("empty.ply", b"", "is empty"),
        ("gone.blend:Cube", None, "There is no file"),
    ],
)
def test_what_cannot_become_a_model_is_refused(tmp_path: Path, name: str, content: bytes | None, words: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(BadRequest, match=words):
        check_model(str(tmp_path / name))


@pytest.mark.parametrize("first", ["g f_arm\n", "# f\ng f_arm\n", "o f\n", "mtllib f.mtl\ng f f_arm\n"])
def test_a_group_that_is_called_like_a_face_is_none(tmp_path: Path, first: str) -> None:
    path = tmp_path / "arm.obj"
    path.write_text(f"{first}v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl f_skin\nf 1 2 3\n")
    assert check_model(str(path)) == str(path)


def test_a_converted_model_is_sent_as_the_glb_that_it_became(tmp_path: Path) -> None:
    body = build("import_model", {}, file_token="file_x", file_type=upload_type("/a/chair.ply")).body()
    assert body == {"file": {"type": "glb", "file_token": "file_x"}}
