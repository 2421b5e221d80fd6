"""Which models an import only copies, and that it then says the same of them as when it reads them."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from asset_generation.vendor import background_blender
from asset_generation.vendor.background_blender import BlenderFailed
from support.engine.engine_run import needs_bpy, run_engine
from support.models.meshes import Shape, box, cube_sphere, pack_glb, png, write_glb

pytestmark = needs_bpy

BLENDER = "Khronos glTF Blender I/O v4.5.48"
SHAPES = [cube_sphere(6), box((1, 2, 3), (4, 0, 0))]


@pytest.fixture
def plain_glb(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(Path(background_blender.__file__).parents[1]))
    from asset_generation.vendor.assetgen_local.engine.files import plain_glb

    return plain_glb


def by_blender(path: Path, change: Callable[[dict[str, Any]], object] = lambda _: None) -> Path:
    """Has the file say that Blender wrote it, and changes its JSON."""
    content = path.read_bytes()
    length = struct.unpack_from("<I", content, 12)[0]
    document = json.loads(content[20 : 20 + length])
    document["asset"]["generator"] = BLENDER
    change(document)
    path.write_bytes(pack_glb(document, content[20 + length + 8 :]))
    return path


def moved(shape: Shape, index: int, place: tuple[float, float, float]) -> Shape:
    """The shape with one of its points elsewhere."""
    positions = shape.positions.copy()
    positions[index] = place
    return replace(shape, positions=positions)


def with_triangles(*more: tuple[int, int, int]) -> Shape:
    """A sphere with further triangles."""
    sphere = cube_sphere(6)
    return replace(sphere, triangles=np.concatenate((sphere.triangles, np.array(more, sphere.triangles.dtype))))


def test_what_blender_wrote_is_copied_and_counted_as_if_it_was_read(tmp_path: Path) -> None:
    """Written by Blender: the result of another import."""
    texture = png(np.full((8, 8, 3), 90, np.uint8))
    source = write_glb(tmp_path / "in.glb", SHAPES, texture=texture, offset=(0, 5, 0))
    run_engine("import_model", tmp_path / "first", model=source)
    first = tmp_path / "first" / "model.glb"
    read = run_engine("import_model", tmp_path / "read", model=first)
    copied = run_engine("import_model", tmp_path / "copied", model=first, preview="later")
    assert copied["facts"] == read["facts"]
    assert copied["files"] == {"model_url": "model.glb", "rendered_image_url": "preview.png"}
    assert (tmp_path / "copied" / "model.glb").read_bytes() == first.read_bytes()
    assert {path.name for path in (tmp_path / "copied").iterdir()} == {"model.glb"}
    assert (tmp_path / "copied" / "model.glb").samefile(first), "not a byte was written"
    first.unlink()
    assert (tmp_path / "copied" / "model.glb").stat().st_size, "it does not need the other name"


def test_another_program_s_model_is_read_and_written(tmp_path: Path) -> None:
    source = write_glb(tmp_path / "in.glb", SHAPES)
    answer = run_engine("import_model", tmp_path / "out", model=source, preview="later")
    assert BLENDER.encode()[:24] in (tmp_path / "out" / "model.glb").read_bytes()
    assert answer["files"]["rendered_image_url"] == "preview.png"
    assert not (tmp_path / "out" / "preview.png").exists()


def test_a_plain_model_is_known(tmp_path: Path, plain_glb: ModuleType) -> None:
    path = by_blender(write_glb(tmp_path / "in.glb", SHAPES))
    corners = sum(len(shape.positions) for shape in SHAPES)
    triangles = sum(len(shape.triangles) for shape in SHAPES)
    assert plain_glb.facts_of(path) == {"faces": triangles, "triangles": triangles, "vertices": corners}


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "another program": lambda document: document["asset"].pop("generator"),
    "animated": lambda document: document.update(animations=[]),
    "skinned": lambda document: document.update(skins=[]),
    "with a camera": lambda document: document.update(cameras=[{}]),
    "with lights": lambda document: document.update(extensionsUsed=["KHR_lights_punctual"]),
    "compressed": lambda document: document.update(extensionsRequired=["KHR_draco_mesh_compression"]),
    "two scenes": lambda document: document["scenes"].append({"nodes": [0]}),
    "a mesh used twice": lambda document: document["nodes"][1].update(mesh=0),
    "mirrored": lambda document: document["nodes"][0].update(scale=[-1, 1, 1]),
    "with notes": lambda document: document["nodes"][0].update(extras={"a": 1}),
    "with shape keys": lambda document: document["meshes"][0]["primitives"][0].update(targets=[{}]),
    "lines": lambda document: document["meshes"][0]["primitives"][0].update(mode=1),
    "without indices": lambda document: document["meshes"][0]["primitives"][0].pop("indices"),
    "with colours": lambda document: document["meshes"][0]["primitives"][0]["attributes"].update(COLOR_0=0),
    "interleaved": lambda document: document["bufferViews"][0].update(byteStride=16),
    "cut off": lambda document: document["accessors"][0].update(count=10**9),
    "far apart": lambda document: document["nodes"][0].update(translation=[1e6, 0, 0]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_reading_may_change_is_read(tmp_path: Path, plain_glb: ModuleType, name: str) -> None:
    assert plain_glb.facts_of(by_blender(write_glb(tmp_path / "in.glb", SHAPES), CHANGES[name])) is None


SHAPES_TO_READ = {
    "a folded triangle": with_triangles((3, 3, 5)),
    "a triangle twice": with_triangles(tuple(cube_sphere(6).triangles[7][[1, 2, 0]].tolist())),
    "a corner that is not there": with_triangles((0, 1, 10_000)),
    "a point nowhere": moved(cube_sphere(6), 4, (float("nan"), 0.0, 0.0)),
    "a point that no triangle uses": replace(cube_sphere(6), triangles=cube_sphere(6).triangles[12:]),
    "no area": replace(cube_sphere(6), positions=cube_sphere(6).positions * (1, 0, 0)),
}


@pytest.mark.parametrize("name", SHAPES_TO_READ)
def test_a_mesh_with_something_to_clean_up_is_read(tmp_path: Path, plain_glb: ModuleType, name: str) -> None:
    assert plain_glb.facts_of(by_blender(write_glb(tmp_path / "in.glb", [SHAPES_TO_READ[name]]))) is None


def test_other_formats_are_none_of_its_business_and_broken_files_are_told(
    tmp_path: Path, plain_glb: ModuleType
) -> None:
    other = tmp_path / "a.obj"
    other.write_text("v 0 0 0\n")
    assert plain_glb.facts_of(other) is None
    cut = tmp_path / "cut.glb"
    cut.write_bytes(write_glb(tmp_path / "in.glb", SHAPES).read_bytes()[:500])
    with pytest.raises(ValueError, match="cut off"):  # at once, without reading it
        plain_glb.facts_of(cut)
    with pytest.raises(BlenderFailed, match="cut off"):
        run_engine("import_model", tmp_path / "out", model=cut, preview="later")
