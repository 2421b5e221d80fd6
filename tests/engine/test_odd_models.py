"""Models that few people mean to send: without area, height or thickness, and millions of units large."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asset_generation.vendor.background_blender import BlenderFailed
from support.engine.engine_run import needs_bpy, run_engine
from support.models.meshes import Glb, Shape, cube_sphere, png, read_glb, write_glb

pytestmark = needs_bpy


def result(folder: Path, kind: str, shape: Shape, images: dict[str, Any] | None = None, **body: Any) -> Glb:
    run_engine(kind, folder, body, model=write_glb(folder / "in.glb", [shape]), images=images)
    return read_glb(folder / "model.glb")


def test_faces_without_area_are_refused_before_a_remesher_takes_all_memory(tmp_path: Path) -> None:
    line = Shape(np.array([(0, 0, 0), (1, 0, 0), (2, 0, 0)], float), np.array([(0, 1, 2)]))
    with pytest.raises(BlenderFailed, match="no area") as caught:
        result(tmp_path, "decimate", line, quad=True, face_limit=500)
    assert caught.value.kind == "EngineError"


def test_a_sliver_is_no_reason_to_fill_the_memory_with_voxels(tmp_path: Path) -> None:
    sliver = Shape(np.array([(0, 0, 0), (1, 0, 0), (2, 1e-5, 0)], float), np.array([(0, 1, 2)]))
    glb = result(tmp_path, "decimate", sliver, quad=True, face_limit=500)
    assert np.allclose(np.ptp(glb.parts[0].positions, axis=0), (2, 1e-5, 0), atol=1e-4)


def test_a_few_faces_become_a_few_quads(tmp_path: Path) -> None:
    """The pages of a book: no remesher takes a surface of more than two sides at an edge."""
    edge = np.array([(0, 0, 0), (0, 1, 0)], float)
    corners = [(np.cos(turn), 0.5, np.sin(turn)) for turn in np.linspace(0, 5, 9)]
    book = Shape(np.concatenate((edge, corners)), np.array([(0, 1, 2 + page) for page in range(9)]))
    glb = result(tmp_path, "decimate", book, quad=True, face_limit=1000)
    assert 27 <= glb.triangles // 2 <= 1000
    assert np.allclose(np.ptp(glb.parts[0].positions, axis=0), np.ptp(book.positions, axis=0), atol=1e-4)


def test_a_model_of_a_million_units_has_its_islands_in_the_map(tmp_path: Path) -> None:
    ball = cube_sphere(8)
    huge = Shape(ball.positions * 1e6, ball.triangles)
    glb = result(tmp_path, "texture", huge, texture_prompt={"text": "red bricks"}, pbr=False)
    uvs = glb.parts[0].uvs
    assert uvs is not None and uvs.min() >= 0 and uvs.max() <= 1
    assert glb.picture("color").astype(float).std() > 5, "there are bricks on it"
    assert np.allclose(np.ptp(glb.parts[0].positions, axis=0), 2e6, rtol=1e-4)


@pytest.mark.slow
def test_an_image_can_follow_a_plate_that_has_no_height(tmp_path: Path) -> None:
    corners = np.array([(-1, 0, -1), (1, 0, -1), (1, 0, 1), (-1, 0, 1)], float)
    image = tmp_path / "red.png"
    image.write_bytes(png(np.full((16, 16, 3), (200, 30, 30), np.uint8)))
    glb = result(
        tmp_path,
        "texture",
        Shape(corners, np.array([(0, 2, 1), (0, 3, 2)])),
        {"image": str(image)},
        texture_prompt={"image": "file_x"},
        texture_alignment="geometry",
    )
    red, green, blue = glb.picture("color")[..., :3].reshape(-1, 3).mean(axis=0)
    assert red > 150 and green < 80 and blue < 80


@pytest.mark.slow
def test_a_magnet_of_a_flat_thing_has_a_back(tmp_path: Path) -> None:
    flat = Shape(np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], float), np.array([(0, 1, 2)]))
    glb = result(tmp_path, "stylize", flat, style="fridge_magnet")
    size = np.ptp(np.concatenate([part.positions for part in glb.parts]), axis=0)
    assert size[0] > 0.9 and size[1] > 0.9 and 0.005 < size[2] < 0.1
