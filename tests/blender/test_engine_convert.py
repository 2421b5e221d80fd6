from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asset_generation.vendor.background_blender import BlenderFailed
from support.engine_run import needs_bpy, run_engine
from support.meshes import Glb, box, cube_sphere, png, read_glb, torus, uv_overlap, write_glb

pytestmark = needs_bpy

ORANGE = (230, 120, 20)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A textured ball of radius 1 around (3, 5, -2)."""
    texture = png(np.full((64, 64, 3), ORANGE, np.uint8))
    path = tmp_path_factory.mktemp("source") / "in.glb"
    return write_glb(path, [cube_sphere(8)], texture=texture, offset=(3, 5, -2))


def convert(folder: Path, model: Path, **body: Any) -> Path:
    answer = run_engine("convert", folder, body, model=model)
    return folder / answer["files"]["model_url"]


def back(folder: Path, model: Path) -> Glb:
    """What the engine itself reads from the converted file."""
    run_engine("import_model", folder, model=model)
    return read_glb(folder / "model.glb")


FORMATS = {"GLTF": b"glTF", "USDZ": b"PK", "FBX": b"Kaydara", "OBJ": b"PK", "STL": None, "3MF": b"PK"}


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_holds_the_shape_where_it_was(tmp_path: Path, source: Path, kind: str) -> None:
    result = convert(tmp_path / "out", source, format=kind, scale_factor=2)
    magic = FORMATS[kind]
    assert magic is None or result.read_bytes().startswith(magic)
    assert (tmp_path / "out" / "model.glb").is_file(), "what later tasks work on"
    if kind == "OBJ":
        with zipfile.ZipFile(result) as archive:
            assert sorted(archive.namelist()) == ["colors.png", "model.mtl", "model.obj"]
            assert b"map_Kd colors.png" in archive.read("model.mtl")
            archive.extract("model.obj", tmp_path)
        result = tmp_path / "model.obj"
    again = back(tmp_path / "again", result)
    assert again.triangles == 12 * 64
    assert np.allclose(again.bounds, read_glb(source).bounds * 2, atol=2e-3)
    assert ("color" in again.images) == (kind in ("GLTF", "USDZ", "FBX")), "textures, where the file holds them"


def test_pivot_orientation_texture_size_and_format(tmp_path: Path, source: Path) -> None:
    result = convert(
        tmp_path,
        source,
        format="gltf",
        pivot_to_center_bottom=True,
        export_orientation="+y",
        texture_size=16,
        texture_format="JPEG",
    )
    glb = read_glb(result)
    assert np.allclose(glb.bounds, [[-1, 0, -1], [1, 2, 1]], atol=1e-3)
    assert glb.images["color"].startswith(b"\xff\xd8"), "a JPEG"
    assert not any(node.get("translation") for node in glb.document["nodes"]), "the part's own origin moved as well"


def test_orientation_turns_around_the_up_axis(tmp_path: Path) -> None:
    model = write_glb(tmp_path / "in.glb", [box((4, 1, 1), (2, 0, 0))])
    glb = read_glb(convert(tmp_path / "out", model, format="GLTF", export_orientation="+y"))
    # What pointed to +X points to Blender's +Y now, which is glTF's -Z.
    assert np.allclose(glb.bounds, [[-0.5, -0.5, -4], [0.5, 0.5, 0]], atol=1e-5)


def test_fewer_faces_and_one_packed_texture(tmp_path: Path) -> None:
    shapes = [cube_sphere(12), cube_sphere(12, centre=(3, 0, 0), name="second")]
    model = write_glb(tmp_path / "in.glb", shapes, texture=png(np.full((8, 8, 3), ORANGE, np.uint8)))
    result = read_glb(convert(tmp_path / "out", model, format="GLTF", face_limit=1500, pack_uv=True, texture_size=512))
    assert 1200 <= result.triangles <= 1500
    assert uv_overlap(result.parts) < 0.01
    assert result.picture("color").shape[:2] == (512, 512)
    assert np.abs(result.picture("color")[..., :3].reshape(-1, 3).mean(axis=0) - ORANGE).max() < 8
    assert len(result.document["materials"]) == 1


def test_a_flat_bottom_and_symmetry(tmp_path: Path) -> None:
    model = write_glb(tmp_path / "in.glb", [cube_sphere(8)])
    glb = read_glb(convert(tmp_path / "flat", model, format="GLTF", flatten_bottom=True, flatten_bottom_threshold=0.25))
    assert np.allclose(glb.bounds[:, 1], [-0.5, 1], atol=1e-3)
    low = glb.parts[0].positions[glb.parts[0].triangles][:, :, 1]
    assert (np.abs(low + 0.5) < 1e-4).all(axis=1).any(), "the cut is closed"

    lopsided = cube_sphere(8)
    lopsided.positions[lopsided.positions[:, 0] < 0] *= (0.5, 0.8, 1)
    model = write_glb(tmp_path / "lopsided.glb", [lopsided])
    glb = read_glb(convert(tmp_path / "symmetric", model, format="GLTF", force_symmetry=True))
    points = glb.parts[0].positions
    middle = glb.bounds[:, 0].mean()
    mirrored = points * (-1, 1, 1) + (2 * middle, 0, 0)
    nearest = np.linalg.norm(points[None] - mirrored[:, None], axis=2).min(axis=1)
    assert nearest.max() < 1e-3


def test_vertex_colors_are_made_from_the_texture_where_there_are_none(tmp_path: Path, source: Path) -> None:
    result = convert(tmp_path, source, format="OBJ", export_vertex_colors=True)
    with zipfile.ZipFile(result) as archive:
        lines = archive.read("model.obj").decode().splitlines()
    vertices = np.array([line.split()[1:] for line in lines if line.startswith("v ")], float)
    assert vertices.shape[1] == 6
    assert np.abs(vertices[:, 3:].mean(axis=0) * 255 - ORANGE).max() < 8


def test_quads(tmp_path: Path) -> None:
    model = write_glb(tmp_path / "in.glb", [torus(40, (0.2, 0.4, 0.9))])
    result = convert(tmp_path / "out", model, format="OBJ", quad=True, face_limit=600, texture_size=256)
    with zipfile.ZipFile(result) as archive:
        faces = [line.split()[1:] for line in archive.read("model.obj").decode().splitlines() if line.startswith("f ")]
    assert 480 <= len(faces) <= 600
    assert sum(len(face) == 4 for face in faces) >= 0.95 * len(faces)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"format": "STL", "with_animation": True}, "cannot hold animations"),
        ({"format": "FBX", "animate_in_place": True}, "animate_in_place"),
        ({"format": "USDZ", "export_vertex_colors": True}, "OBJ and GLTF only"),
        ({"format": "GLTF", "flatten_bottom": True, "flatten_bottom_threshold": 3.0}, "below 1"),
    ],
)
def test_what_it_cannot_do_is_refused(tmp_path: Path, source: Path, body: dict[str, Any], words: str) -> None:
    with pytest.raises(BlenderFailed, match=words) as caught:
        convert(tmp_path, source, **body)
    assert caught.value.kind == "EngineError"
