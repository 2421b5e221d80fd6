from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asset_generation.vendor.background_blender import run
from devtools.paths import ROOT
from support.engine.engine_run import forked_engine, needs_bpy, run_engine
from support.models.meshes import Shape, cube_sphere, glb_document, read_glb, write_glb

pytestmark = [needs_bpy, pytest.mark.slow]

MANY_OBJECTS = ROOT / "tests" / "support" / "engine" / "many_objects.py"
COUNT = 300
"""More than Blender's operator joins."""


def balls(count: int, colors: bool = False) -> list[Shape]:
    """Balls side by side, each with a name, and one vertex colour of its own."""
    side = int(np.ceil(count**0.5))
    made = []
    for number in range(count):
        ball = cube_sphere(2, 0.4, (number % side, 0.1 * (number % 3), number // side), f"ball {number}")
        color = np.tile([number / count, 0.5, 1 - number / count], (len(ball.positions), 1))
        made.append(replace(ball, colors=color if colors else None))
    return made


def ask(request: dict[str, Any]) -> dict[str, Any]:
    return run(forked_engine(), MANY_OBJECTS, request, timeout=300)


@pytest.mark.each_python
def test_many_objects_are_joined_as_blender_joins_few() -> None:
    assert ask({})["differs"] == []


def operators(folder: Path, capability: str, shapes: list[Shape], **body: Any) -> list[str]:
    """The names of Blender's operators that a capability called for a model."""
    folder.mkdir()
    model = write_glb(folder / "in.glb", shapes)
    request = {"type": capability, "body": body, "model": str(model), "output_dir": str(folder)}
    answer = ask({**request, "images": {}, "preview": False, "task_id": "test"})
    return list(answer["operators"])


@pytest.mark.parametrize(
    ("capability", "body"),
    [
        ("decimate", {"face_limit": 25}),
        ("decimate", {"face_limit": 25, "bake": False}),
        ("convert", {"format": "GLTF", "face_limit": 25}),
        ("segment", {}),
    ],
)
def test_operators_are_not_called_for_each_object(tmp_path: Path, capability: str, body: dict[str, Any]) -> None:
    # Each call works the whole scene out again: for 1,600 objects a quarter of an hour.
    calls = []
    for count in (20, 60):
        asked = body | {name: value * count for name, value in body.items() if name == "face_limit"}  # of each
        calls.append(operators(tmp_path / str(count), capability, balls(count, colors=True), **asked))
    assert calls[0] == calls[1] != []


@pytest.mark.parametrize("count", [0, 60])
def test_the_field_aligned_remesher_is_not_asked_for_pieces_that_its_quads_do_not_hold(
    tmp_path: Path, count: int
) -> None:
    """Of 900 quads each of the small balls, which have a third of the surface, would get five: a try in vain."""
    small = [cube_sphere(4, 0.1, (2 + 0.3 * number, 0, 0), f"small {number}") for number in range(count)]
    called = operators(tmp_path / "out", "convert", [cube_sphere(20), *small], format="GLTF", quad=True, face_limit=900)
    assert ("object.quadriflow_remesh" in called) == (not count)


@pytest.mark.each_python
def test_decimated_objects_keep_names_places_and_colours(tmp_path: Path) -> None:
    shapes = balls(COUNT, colors=True)
    model = write_glb(tmp_path / "in.glb", shapes)
    run_engine("decimate", tmp_path / "out", {"face_limit": 20 * COUNT, "bake": False}, model=model)
    result = read_glb(tmp_path / "out" / "model.glb")
    assert 0.8 * 20 * COUNT <= result.triangles <= 20 * COUNT
    parts = {part.name: part for part in result.parts}
    assert set(parts) == {shape.name for shape in shapes}
    for shape in shapes:
        assert np.allclose(parts[shape.name].positions.mean(axis=0), shape.bounds.mean(axis=0), atol=0.1)
        assert parts[shape.name].has_colors
    assert len({mesh["name"] for mesh in glb_document(tmp_path / "out" / "model.glb")["meshes"]}) == COUNT


def test_many_decimated_objects_get_one_texture(tmp_path: Path) -> None:
    shapes = balls(COUNT, colors=True)
    model = write_glb(tmp_path / "in.glb", shapes)
    run_engine("decimate", tmp_path / "out", {"face_limit": 20 * COUNT}, model=model)
    result = read_glb(tmp_path / "out" / "model.glb")
    assert {part.name for part in result.parts} == {shape.name for shape in shapes}
    assert len(result.all_images) == len(result.images) > 0
    assert all(part.uvs is not None for part in result.parts)


@pytest.mark.each_python
def test_loose_pieces_become_parts_in_order(tmp_path: Path) -> None:
    # Parts are cut off in halves of halves; each gets its own faces, and only these.
    sizes = np.linspace(0.45, 0.2, 12)
    made = [cube_sphere(4, size, (number, 0, 0), f"ball {number}") for number, size in enumerate(sizes)]
    answer = run_engine("segment", tmp_path / "out", model=write_glb(tmp_path / "in.glb", made))
    result = read_glb(tmp_path / "out" / "model.glb")
    names = answer["facts"]["part_names"]
    assert [part.name for part in result.parts] == names
    assert len(names) > 1 and result.triangles == sum(len(shape.triangles) for shape in made)
    of_ball = {part.name: np.round(part.positions[part.triangles].mean(axis=1)[:, 0]) for part in result.parts}
    assert sorted(np.concatenate([np.unique(places) for places in of_ball.values()])) == list(range(12))
