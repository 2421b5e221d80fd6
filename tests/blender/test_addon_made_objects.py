"""Of a result with many objects those that are plain are made anew, one after the other, and are what they would be."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from asset_generation.addon.bridge.results import append, assembly, naming
from asset_generation.addon.core.jobs.job import (
    Delivery,
    JobPlan,
    JobView,
    Placement,
    Source,
    SourceKind,
    Stage,
    StepPlan,
    StepView,
)
from asset_generation.addon.headless import mesh_notes, mesh_slices
from asset_generation.addon.headless.plain_objects import plain_objects
from support.assembly import begin, count_blocks, own_collection

PLAIN = 40


def _stone(number: int, materials: list[bpy.types.Material]) -> bpy.types.Object:
    """A plain object: triangles, quads or faces of more corners, by turns with layers, materials and a turned place."""
    sides = 3 + number % 5
    bpy.ops.mesh.primitive_cone_add(vertices=sides, radius1=1 + number / PLAIN, radius2=0.5)
    item = bpy.context.active_object
    item.name = item.data.name = f"Stone {number}"
    mesh = item.data
    if number % 2:
        layer = mesh.uv_layers.new(name="Second")
        layer.uv.foreach_set("vector", np.arange(2 * len(mesh.loops), dtype=np.float32) / 100)
        mesh.uv_layers["Second"].active_render = True
        mesh.uv_layers.active_index = 1
        mesh.materials.append(materials[0])
        mesh.materials.append(None)
        mesh.materials.append(materials[number % 3])
        mesh.polygons.foreach_set("material_index", np.arange(len(mesh.polygons)) % 3)
    if number % 3 == 0:
        mesh.polygons.foreach_set("use_smooth", np.arange(len(mesh.polygons)) % 2 == 0)
        mesh.color_attributes.new("Tint", "FLOAT_COLOR", "POINT")
    item.rotation_mode = ("XYZ", "QUATERNION", "AXIS_ANGLE", "ZXY")[number % 4]
    item.location, item.scale = (number, 0.1 * number, -1), (1, 2 - number / PLAIN, 0.5)
    item.rotation_euler, item.rotation_quaternion = (0.1 * number, 0.2, 0.3), (0.5, 0.5, -0.5, 0.5)
    item.rotation_axis_angle = (0.3, 0, 1, 0)
    return item


def _modified(item: bpy.types.Object) -> None:
    item.modifiers.new("Thick", "SOLIDIFY")


def _hidden(item: bpy.types.Object) -> None:
    item.hide_render = True


def _noted(item: bpy.types.Object) -> None:
    item["price"] = 3


def _painted(item: bpy.types.Object) -> None:
    item.data.color_attributes.new("Paint", "BYTE_COLOR", "CORNER")


def _grouped(item: bpy.types.Object) -> None:
    item.vertex_groups.new(name="Top").add([0, 1], 0.5, "REPLACE")


def _animated(item: bpy.types.Object) -> None:
    item.keyframe_insert("location", frame=1)


def _held(item: bpy.types.Object) -> None:
    """Is the parent of another one."""
    bpy.data.objects["Stone 0"].parent = item


def _shared(item: bpy.types.Object) -> None:
    """Its mesh is that of one with a modifier."""
    item.data = bpy.data.objects["_modified"].data


SPECIAL: tuple[Callable[[bpy.types.Object], None], ...] = (
    *(_modified, _hidden, _noted, _painted, _grouped, _animated, _held, _shared),
)
"""What an object can be that is read and not made."""

READ = {"Cart", *(make.__name__ for make in SPECIAL)}


@pytest.fixture
def blend(tmp_path: Path) -> Path:
    """A prepared result: stones, some of them on a cart that stands aslant, two of one mesh, and special ones."""
    return _prepare(tmp_path, SPECIAL)


@pytest.fixture
def plain_blend(tmp_path: Path) -> Path:
    """The same without special ones: of its objects Blender reads the cart only."""
    return _prepare(tmp_path, ())


@pytest.fixture
def bare_blend(tmp_path: Path) -> Path:
    """The same without the cart: of objects Blender reads none."""
    return _prepare(tmp_path, (), with_cart=False)


def _prepare(folder: Path, kinds: Sequence[Callable[[bpy.types.Object], None]], *, with_cart: bool = True) -> Path:
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    materials = [bpy.data.materials.new(f"Paint {number}") for number in range(3)]
    stones = [_stone(number, materials) for number in range(PLAIN)]
    carts = [bpy.data.objects.new("Cart", None)] if with_cart else []
    for cart in carts:
        cart.rotation_euler = (0.2, 0.4, 0.6)
        bpy.context.collection.objects.link(cart)
        for stone in stones[5:15]:
            stone.parent = cart
            stone.matrix_parent_inverse = cart.matrix_basis.inverted()
    twin = stones[1].copy()
    bpy.context.collection.objects.link(twin)
    special = []
    for number, make in enumerate(kinds):
        special.append(_stone(PLAIN + number, materials))
        special[-1].name = make.__name__
        make(special[-1])
    bpy.context.view_layer.update()
    collection = bpy.data.collections.new("result")
    for item in [*carts, *stones, twin, *special]:
        collection.objects.link(item)
    mesh_notes.write_notes([*stones, twin, *special])
    path = folder / "result.blend"
    bpy.data.libraries.write(str(path), {collection}, fake_user=False, compress=False)
    mesh_slices.write_slices(path, collection, plain_objects(collection))
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    return path


def _seen(objects: list[bpy.types.Object]) -> dict[str, dict[str, Any]]:
    """All that can be told of objects, by their names."""
    bpy.context.view_layer.update()
    return {item.name: _facts(item) for item in objects}


def _facts(item: bpy.types.Object) -> dict[str, Any]:
    facts = {name: str(getattr(item, name)) for name in mesh_slices.CHANNELS}
    facts["parent"] = item.parent.name if item.parent else ""
    facts["world"] = [value for row in item.matrix_world for value in row]
    facts["notes"] = {name: value.to_dict() if hasattr(value, "to_dict") else value for name, value in item.items()}
    mesh = item.data
    if mesh is not None:
        facts["mesh"] = mesh.name
        facts["layers"] = mesh_notes.checksum(item)
        facts["faces"] = [face.loop_start for face in mesh.polygons]
        facts["normals"] = [value for face in mesh.polygons for value in face.normal]
        facts["materials"] = [material.name if material else "" for material in mesh.materials]
        facts["active"] = (mesh.uv_layers.active_index, mesh.color_attributes.active_color_index)
        facts["keys"] = sorted(mesh.keys())
        facts["hide_render"] = item.hide_render
    return facts


def _in_one_piece(blend: Path) -> tuple[dict[str, dict[str, Any]], int]:
    """What comes where Blender appends all of it, and how many datablocks there are then; leaves an empty file."""
    whole = _seen(append.append(blend, bpy.context.scene.collection))
    blocks = count_blocks()
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    return whole, blocks


def _differences(found: dict[str, dict[str, Any]], wanted: dict[str, dict[str, Any]]) -> list[str]:
    """What of which object is not as wanted, each by itself: pytest cuts short what it tells of a large dictionary.

    What Blender computes, and nobody stored, need not be the same to the last bit.
    """
    assert found.keys() == wanted.keys()
    differences = []
    for name, facts in wanted.items():
        for fact, value in facts.items():
            like = pytest.approx(value, abs=1e-5) if fact in ("world", "normals") else value
            if found[name][fact] != like:
                differences.append(f"{name}, {fact}: {found[name][fact]} instead of {value}")
    return differences


def test_they_are_what_comes_in_one_piece(blend: Path) -> None:
    whole, blocks = _in_one_piece(blend)
    coming = begin(blend)
    while coming.step():
        assert not bpy.context.scene.objects
    assert bpy.data.objects, "it was read before it is placed"
    found = append.append(blend, bpy.context.scene.collection)
    assert coming.is_over
    assert not _differences(_seen(found), whole)
    assert len(whole) == PLAIN + 1 + len(READ)
    assert bpy.data.objects["Stone 1.001"].data == bpy.data.objects["Stone 1"].data
    assert not any(mesh.validate(verbose=True) for mesh in bpy.data.meshes)
    assert not bpy.data.libraries and not bpy.data.collections
    assert count_blocks() == blocks


def test_only_what_is_not_plain_is_read_by_blender(blend: Path) -> None:
    lean = mesh_slices.slices_of(blend)[0]
    with bpy.data.libraries.load(str(lean)) as (there, _):
        assert set(there.objects) == READ
        assert len(there.materials) == 3


def test_no_more_than_one_is_made_at_a_time(blend: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tick goes on while it has time; here it has for one piece, whatever that takes."""
    coming = begin(blend)
    assert coming.step()
    coming.end()
    ticks = itertools.cycle([0.0, 0.0, 1.0])  # the beginning of a step, the look before the piece and the one after it
    monkeypatch.setattr(assembly.time, "perf_counter", lambda: next(ticks))
    coming = begin(blend)
    made = []
    while coming.step():
        made.append(len(bpy.data.objects))
    assert made[0] == len(READ), "those that are read come in one piece"
    assert {after - before for before, after in itertools.pairwise(made)} <= {0, 1}
    assert made[-1] == PLAIN + 1 + len(READ)


def test_nothing_has_the_scene_be_looked_through_before_all_is_made(blend: Path) -> None:
    """To give an object a collection, a parent or a material has Blender build its graph of the whole scene anew."""
    coming = begin(blend)
    while coming.step():
        pass
    made = [item for item in bpy.data.objects if item.name not in READ]
    assert len(made) == PLAIN + 1
    assert not any(item.users_collection or item.parent or item.data.materials for item in made)
    append.append(blend, bpy.context.scene.collection)
    assert all(item.users_collection for item in made)
    assert bpy.data.objects["Stone 7"].parent == bpy.data.objects["Cart"]
    assert "Paint 1" in bpy.data.objects["Stone 7"].data.materials
    assert mesh_slices.INDEX not in bpy.data.objects["Cart"]


def test_a_rest_of_empties_and_materials_is_read_when_it_is_placed(plain_blend: Path) -> None:
    """To read anything has Blender build its graph of the whole scene anew, as placing has."""
    whole, blocks = _in_one_piece(plain_blend)
    coming = begin(plain_blend)
    while coming.step():
        assert not bpy.data.collections and not bpy.data.materials
    assert len(bpy.data.objects) == PLAIN + 1
    found = append.append(plain_blend, bpy.context.scene.collection)
    assert not _differences(_seen(found), whole)
    assert bpy.data.objects["Stone 7"].parent == bpy.data.objects["Cart"]
    assert mesh_slices.INDEX not in bpy.data.objects["Cart"]
    assert not bpy.data.libraries and not bpy.data.collections
    assert count_blocks() == blocks


def test_where_the_rest_is_gone_all_comes_in_one_piece(plain_blend: Path) -> None:
    coming = begin(plain_blend)
    while coming.step():
        pass
    mesh_slices.slices_of(plain_blend)[0].unlink()
    found = append.append(plain_blend, bpy.context.scene.collection)
    assert coming.is_over
    assert len(found) == len(bpy.data.objects) == PLAIN + 2


def test_what_was_removed_on_the_way_comes_in_one_piece(blend: Path) -> None:
    for name in ("Stone 7", "Cart"):
        coming = begin(blend)
        while coming.step():
            pass
        bpy.data.objects.remove(bpy.data.objects[name])
        found = append.append(blend, bpy.context.scene.collection)
        assert coming.is_over
        assert len(found) == len(bpy.data.objects) == PLAIN + 1 + len(READ)
        bpy.data.batch_remove([*bpy.data.objects, *bpy.data.meshes, *bpy.data.materials])


def test_what_was_begun_and_given_up_leaves_nothing(blend: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.cycle([0.0, 0.0, 1.0])
    monkeypatch.setattr(assembly.time, "perf_counter", lambda: next(ticks))
    before = count_blocks()
    coming = begin(blend)
    for _ in range(PLAIN // 2):
        assert coming.step()
    assert len(bpy.data.objects) > len(READ)
    coming.end()
    assert count_blocks() == before


def test_undo_takes_them_away(blend: Path) -> None:
    own_collection()
    bpy.ops.ed.undo_push(message="Before")
    _brought_in_and_undone(blend)
    assert not bpy.data.objects


def test_redo_brings_back_what_was_made(bare_blend: Path) -> None:
    """Of what Blender reads a redo loses something now and then, or crashes (docs/platform.md)."""
    own_collection()
    bpy.ops.ed.undo_push(message="Before")
    whole = _brought_in_and_undone(bare_blend)
    assert len(whole) == PLAIN + 1
    bpy.ops.ed.redo()
    assert not _differences(_seen(list(bpy.data.objects)), whole)


def _brought_in_and_undone(blend: Path) -> dict[str, dict[str, Any]]:
    """Brings a prepared file in piece by piece and undoes that; returns what there was in between."""
    coming = begin(blend)
    while coming.step():
        pass
    whole = _seen(append.append(blend, bpy.data.collections["Collection"]))
    bpy.ops.ed.undo_push(message="Result")
    bpy.ops.ed.undo()
    return whole


def test_names_that_are_taken_are_counted_on(blend: Path) -> None:
    bpy.data.objects.new("Stone 7", None)
    coming = begin(blend)
    while coming.step():
        pass
    names = {item.name for item in append.append(blend, bpy.context.scene.collection)}
    assert "Stone 7" not in names and "Stone 7.001" in names


def _job_on_stones(plain_blend: Path) -> JobView:
    """A job on all stones of a file, whose result has come; the sources are there."""
    sources = [bpy.data.objects.new(f"Stone {number}", bpy.data.meshes.new("Rock")) for number in range(PLAIN)]
    for item in sources:
        bpy.context.scene.collection.objects.link(item)
    placement = Placement((), (), "", tuple((item.name, item.session_uid) for item in sources))
    plan = JobPlan("Decimate", Source(SourceKind.NOTHING), (StepPlan("decimate"),), Delivery(placement=placement))
    step = StepView("decimate", "some-task", "success")
    return JobView("job", "Decimate", Stage.READY, 1.0, "", steps=(step,), blend=str(plain_blend), plan=plan)


def _name(found: list[bpy.types.Object], job: JobView) -> None:
    """Names what has come as placing does."""
    meshes = [item for item in found if item.type == "MESH"]
    own = {item: str(item[mesh_notes.NOTE]["name"]) for item in meshes}
    assert job.plan is not None
    placement = job.plan.delivery.placement
    assert placement is not None
    by_uid = {item.session_uid: item for item in bpy.data.objects}
    sources = {name: by_uid[uid] for name, uid in placement.sources}
    naming.name_result(found, [(item, sources.get(own[item])) for item in meshes], job, placement, own)


def test_they_are_made_under_the_names_that_they_get(plain_blend: Path) -> None:
    """For each renaming Blender goes through all that there is, so there is none when the result is placed."""
    job = _job_on_stones(plain_blend)
    coming = begin(plain_blend, naming.likely_titles(job))
    while coming.step():
        pass
    made = {
        item.session_uid: (item.name, item.data.name) for item in bpy.data.objects if item.name.endswith("decimated")
    }
    assert len(made) == PLAIN, "its twin has no source"
    found = append.append(plain_blend, bpy.context.scene.collection)
    _name(found, job)
    named = {item.session_uid: (item.name, item.data.name) for item in found if item.type == "MESH"}
    assert made.items() <= named.items()
    assert named.keys() - made.keys() == {bpy.data.objects["Stone 1.001"].session_uid}
    assert sorted(name for name, _ in made.values()) == sorted(f"Stone {number} decimated" for number in range(PLAIN))


def test_they_are_named_after_what_their_sources_are_called_in_the_end(plain_blend: Path) -> None:
    job = _job_on_stones(plain_blend)
    bpy.data.objects.new("Stone 3 decimated", None)
    coming = begin(plain_blend, naming.likely_titles(job))
    while coming.step():
        pass
    bpy.data.objects["Stone 5"].name = "Boulder"
    found = append.append(plain_blend, bpy.context.scene.collection)
    _name(found, job)
    names = {item.name for item in found}
    assert {"Stone 3 decimated 2", "Boulder decimated", "Stone 7 decimated"} <= names
    assert "Stone 5 decimated" not in bpy.data.objects


def test_nothing_is_foretold_of_names_that_sources_give_up(plain_blend: Path) -> None:
    job = _job_on_stones(plain_blend)
    assert job.plan is not None
    placement = job.plan.delivery.placement
    assert placement is not None
    delivery = job.plan.delivery._replace(placement=placement._replace(takes_name=True))
    plan = replace(job.plan, delivery=delivery)
    assert naming.likely_titles(job)("Stone 1") is not None
    assert naming.likely_titles(job)("Cart") is None
    assert naming.likely_titles(job._replace(plan=plan))("Stone 1") is None
    assert naming.likely_titles(job._replace(gives_parts=True))("Stone 1") is None


def test_few_objects_come_in_one_piece(tmp_path: Path) -> None:
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    collection = bpy.data.collections.new("result")
    for number in range(10):
        collection.objects.link(_stone(number, [bpy.data.materials.new("Paint")] * 3))
    assert plain_objects(collection) == []


def test_a_table_is_read_in_lines(blend: Path) -> None:
    """No other thread goes on while Python reads one text of JSON."""
    first, *others = mesh_slices.slices_of(blend)[1].read_text(encoding="utf-8").splitlines()
    assert json.loads(first)["meshes"] == []
    assert len(others) == PLAIN + 1
    assert {row["mesh"] for row in map(json.loads, others)} == {n for n, row in enumerate(others) if '"own"' in row}
