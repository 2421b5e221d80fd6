"""A large result comes into the file piece by piece, and is what it would be in one piece."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from asset_generation.addon.bridge.results import append, assembly
from asset_generation.addon.core.errors import BrokenResult
from asset_generation.addon.core.jobs import job
from asset_generation.addon.core.stages import download
from asset_generation.addon.core.status.messages import JobChanged
from asset_generation.addon.headless import mesh_notes, mesh_slices
from support.assembly import begin, count_blocks, own_collection
from support.waits import looks

SIDE = 150
LARGE_SIDE = 500
"""Of meshes that are large by the numbers that users have."""
PARTS = 3


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Meshes of ``SIDE`` count as large."""
    for name in ("_LEAST_MESH", "_LEAST_WHOLE"):
        monkeypatch.setattr(mesh_slices, name, getattr(mesh_slices, name) * SIDE**2 // LARGE_SIDE**2)


def _large_mesh(name: str, height: float, side: int = SIDE) -> bpy.types.Object:
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=side, y_subdivisions=side // PARTS, calc_uvs=True)
    item = bpy.context.active_object
    item.name = item.data.name = name
    mesh = item.data
    places = np.empty(len(mesh.vertices) * 3, dtype=np.float32)
    mesh.vertices.foreach_get("co", places)
    places[2::3] = height * np.sin(9 * places[::3])
    mesh.vertices.foreach_set("co", places)
    mesh.uv_layers.new(name="Second")
    mesh.uv_layers["Second"].active_render = True
    mesh.attributes.new("Wear", "FLOAT", "POINT").data.foreach_set("value", np.ascontiguousarray(places[::3]))
    mesh.color_attributes.new("Tint", "FLOAT_COLOR", "POINT")
    mesh.polygons.foreach_set("use_smooth", np.arange(len(mesh.polygons)) % 2 == 0)
    mesh.materials.append(bpy.data.materials.new(f"Paint of {name}"))
    return item


def _add_byte_colours(item: bpy.types.Object) -> None:
    """Two layers of every byte that there is, in place of the colours of another kind."""
    mesh = item.data
    mesh.color_attributes.remove(mesh.color_attributes["Tint"])
    for name in ("Paint", "Dirt"):
        values = np.arange(4 * len(mesh.loops), dtype=np.float32) % (256 if name == "Paint" else 83) / 255
        mesh.color_attributes.new(name, "BYTE_COLOR", "CORNER").data.foreach_set("color_srgb", values)
    mesh.color_attributes.active_color_index, mesh.color_attributes.render_color_index = 1, 0


def _add_shapes(item: bpy.types.Object) -> None:
    """A basis and two shape keys, the second one relative to the first; one is animated."""
    item.shape_key_add(name="Basis")
    places = np.empty(len(item.data.vertices) * 3, dtype=np.float32)
    item.data.vertices.foreach_get("co", places)
    for number, name in enumerate(("Smile", "Frown"), 1):
        moved = places.copy()
        moved[2::3] += 0.1 * number * np.cos(5 * places[1::3])
        key = item.shape_key_add(name=name)
        key.points.foreach_set("co", moved)
        key.slider_min, key.slider_max, key.value = -2.0, 2.0, 1.5 * number - 1
        key.mute = number == 2
    keys = item.data.shape_keys
    keys.key_blocks["Frown"].relative_key = keys.key_blocks["Smile"]
    for frame, value in ((1, 0.0), (10, 1.0)):
        keys.key_blocks["Smile"].value = value
        keys.key_blocks["Smile"].keyframe_insert("value", frame=frame)
    item.active_shape_key_index = 2


def _add_bones(item: bpy.types.Object) -> None:
    """Bones that hold on to a mesh: weights of many values and of none, some vertices in no group, a group of nothing;
    one is locked, and their order is not that of the vertices' own lists.
    """
    data = bpy.data.armatures.new("Bones")
    rig = bpy.data.objects.new("Bones", data)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name in ("Tip", "Root", "Wear", "Free"):
        bone = data.edit_bones.new(name)
        bone.head, bone.tail = (0, 0, 0), (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    count = len(item.data.vertices)
    groups = [item.vertex_groups.new(name=name) for name in ("Tip", "Root", "Wear", "Nothing", "Free")]
    for number in (2, 0, 1):
        for step in range(7):
            groups[number].add(list(range(number * count // 9, count // 2, 7 + step)), 0.1 + 0.1 * step, "REPLACE")
    groups[1].add(list(range(count // 3, count // 3 + count // 9)), 0.0, "REPLACE")
    groups[4].add([count - 1], 1.0, "REPLACE")
    groups[2].lock_weight, item.vertex_groups.active_index = True, 1
    item.modifiers.new("Bones", "ARMATURE").object = rig
    item.parent = rig
    rig.pose.bones["Tip"].location = (0, 0, 2)


@pytest.fixture
def blend(small: None, tmp_path: Path) -> Path:
    """A prepared result of three large meshes, one of them shared by two objects, and a small one."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    items = [_large_mesh(f"Part {number}", 0.1 * (1 + number)) for number in range(PARTS)]
    _add_shapes(items[0])
    _add_byte_colours(items[1])
    _add_bones(items[2])
    twin = items[0].copy()
    bpy.context.collection.objects.link(twin)
    bpy.ops.mesh.primitive_cube_add()
    cube = bpy.context.active_object
    cube.parent = items[0]
    collection = bpy.data.collections.new("result")
    for item in [*items, twin, cube, bpy.data.objects["Bones"]]:
        collection.objects.link(item)
    mesh_notes.write_notes([*items, twin, cube])
    path = tmp_path / "result.blend"
    bpy.data.libraries.write(str(path), {collection}, fake_user=False, compress=False)
    mesh_slices.write_slices(path, collection)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    return path


def _facts(objects: list[bpy.types.Object]) -> list[Any]:
    bpy.context.scene.frame_set(7)
    rows = []
    for item in sorted((item for item in objects if item.type == "MESH"), key=lambda item: item.name):
        mesh = item.data
        rows.append(
            (
                item.name,
                mesh_notes.checksum(item),
                [layer.name for layer in mesh.uv_layers],
                mesh.uv_layers.active.name,
                [material.name for material in mesh.materials],
                item.parent.name if item.parent else "",
                sorted(mesh.keys()),
                [round(value, 5) for corner in item.bound_box for value in corner],
                tuple(round(value, 5) for value in mesh.polygons[7 % len(mesh.polygons)].normal),
                _shapes(item),
                _groups(item),
            )
        )
    return rows


def _groups(item: bpy.types.Object) -> Any:
    """The vertex groups with all weights, and where the bones take some vertices."""
    seen = item.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    return (
        [(group.name, group.lock_weight) for group in item.vertex_groups],
        item.vertex_groups.active_index,
        [sorted((one.group, one.weight) for one in vertex.groups) for vertex in item.data.vertices],
        [round(value, 5) for index in range(0, len(seen.vertices), 97) for value in seen.vertices[index].co],
    )


def _shapes(item: bpy.types.Object) -> Any:
    keys = item.data.shape_keys
    if keys is None:
        return None
    seen = item.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    blocks = keys.key_blocks
    settings = [
        (
            key.name,
            key.relative_key.name,
            key.slider_min,
            key.slider_max,
            round(key.value, 5),
            key.mute,
            key.vertex_group,
        )
        for key in blocks
    ]
    action = keys.animation_data.action.name
    return settings, keys.name, action, item.active_shape_key_index, [round(v, 5) for v in seen.vertices[77].co]


def test_it_is_what_comes_in_one_piece(blend: Path) -> None:
    objects = append.append(blend, bpy.context.scene.collection)
    bpy.context.view_layer.update()
    whole = _facts(objects)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    coming = begin(blend)
    steps = 0
    while coming.step():
        steps += 1
        assert not bpy.context.scene.objects
    objects = append.append(blend, bpy.context.scene.collection)
    assert steps, "it came in more than one piece"
    assert coming.is_over
    bpy.context.view_layer.update()
    assert _facts(objects) == whole
    assert not any(mesh.validate(verbose=True) for mesh in bpy.data.meshes)
    assert not bpy.data.libraries
    assert not bpy.data.collections


def test_undo_takes_it_away_and_redo_brings_all_of_it_back(blend: Path) -> None:
    collection = own_collection()
    bpy.ops.ed.undo_push(message="Before")
    coming = begin(blend)
    while coming.step():
        pass
    whole = _facts(append.append(blend, collection))
    bpy.ops.ed.undo_push(message="Result")
    bpy.ops.ed.undo()
    assert not bpy.data.objects and not bpy.data.shape_keys
    bpy.ops.ed.redo()
    assert _facts(list(bpy.data.objects)) == whole


def test_the_notes_of_the_background_blender_still_hold(blend: Path) -> None:
    coming = begin(blend)
    while coming.step():
        pass
    for item in append.append(blend, bpy.context.scene.collection):
        if item.type != "MESH":
            continue
        notes = mesh_notes.pop_notes(item)
        assert notes is not None
        assert notes.checksum == mesh_notes.checksum(item)


def test_what_was_begun_and_given_up_leaves_nothing(blend: Path) -> None:
    before = count_blocks()
    coming = begin(blend)
    coming.step()
    assert count_blocks() > before
    assembly.stop()
    assert count_blocks() == before
    assert append.append(blend, bpy.context.scene.collection)  # in one piece


def test_an_undo_on_the_way_has_it_come_in_one_piece(blend: Path) -> None:
    coming = begin(blend)
    coming.step()
    for handler in list(bpy.app.handlers.undo_post):
        handler(bpy.context.scene)
    assert coming.is_over
    assert not bpy.data.objects
    assert not [handler for handler in bpy.app.handlers.undo_post if handler.__module__ == assembly.__name__]
    assert len(append.append(blend, bpy.context.scene.collection)) == PARTS + 3


def test_no_saved_file_has_half_a_result_in_it(blend: Path, tmp_path: Path) -> None:
    coming = begin(blend)
    coming.step()
    assert bpy.data.meshes
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "work.blend"), copy=True)
    assert coming.is_over
    with bpy.data.libraries.load(str(tmp_path / "work.blend")) as (found, _):
        assert not [*found.meshes, *found.objects, *found.collections]
    assert not [handler for handler in bpy.app.handlers.save_pre if handler.__module__ == assembly.__name__]
    assert len(append.append(blend, bpy.context.scene.collection)) == PARTS + 3


def test_what_was_removed_on_the_way_comes_in_one_piece(blend: Path) -> None:
    coming = begin(blend)
    coming.step()
    bpy.data.batch_remove(list(bpy.data.meshes))
    while coming.step():
        pass
    assert coming.is_over
    assert not bpy.data.objects
    assert len(append.append(blend, bpy.context.scene.collection)) == PARTS + 3


def test_an_error_while_it_is_placed_removes_what_came_before(blend: Path) -> None:
    before = count_blocks()
    coming = begin(blend)
    while coming.step():
        pass
    with pytest.raises(ZeroDivisionError), append.all_or_nothing():
        append.append(blend, bpy.context.scene.collection)
        raise ZeroDivisionError
    assert count_blocks() == before


def test_a_file_that_was_written_again_is_not_read_by_an_old_table(blend: Path) -> None:
    blend.write_bytes(blend.read_bytes())
    assert assembly.read_table(blend, bpy.app.version[:2]) is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', '{"format": 4}', '{"format": 3, "meshes": []}'])
def test_a_table_that_is_broken_is_passed_over(blend: Path, text: str) -> None:
    assembly.slices_of(blend)[1].write_text(text)
    assert assembly.read_table(blend, bpy.app.version[:2]) is None


def test_a_table_of_another_blender_is_passed_over(blend: Path) -> None:
    assert assembly.read_table(blend, (1, 0)) is None


def test_both_sides_mean_the_same_files() -> None:
    blend = Path("a", "result.blend")
    assert [blend.with_suffix(suffix) for suffix in download.SLICES] == list(mesh_slices.slices_of(blend))


def test_a_result_that_is_brought_in_comes_piece_by_piece(
    addon: Any, service: Any, blend: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = []
    take = assembly.Assembly.take

    def note(coming: assembly.Assembly) -> Any:
        taken.append(take(coming))
        return taken[-1]

    monkeypatch.setattr(assembly.Assembly, "take", note)
    plan = job.JobPlan("Tower", job.Source(job.SourceKind.NOTHING), (), job.Delivery())
    step = job.StepView("decimate", task_id="task")
    view = job.JobView("tower", "Tower", job.Stage.APPLIED, 1.0, "", steps=(step,), plan=plan, blend=str(blend))
    addon.state.update(JobChanged(view))
    coming = addon.arrivals.arrivals.bring_in(view, None)
    pieces = 0
    for _ in range(1000):
        addon.pump.tick()
        if coming.done():
            break
        pieces += assembly.current() is not None
        assert not bpy.context.scene.objects
        time.sleep(0.005)
    coming.result(0)
    assert taken[0] is not None
    assert pieces
    assert len(bpy.context.scene.objects) == PARTS + 3
    (action,) = addon.open_file.actions_of("tower")
    assert action == bpy.data.objects["Part 0"].data.shape_keys.animation_data.action
    assert assembly.current() is None


def _small_result(folder: Path) -> Path:
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.mesh.primitive_cube_add()
    path, collection = folder / "small.blend", bpy.data.collections.new("result")
    collection.objects.link(bpy.context.active_object)
    bpy.data.libraries.write(str(path), {collection}, fake_user=False, compress=False)
    mesh_slices.write_slices(path, collection)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    return path


def test_a_small_result_is_read_at_one_time_and_placed_at_another(tmp_path: Path) -> None:
    path = _small_result(tmp_path)
    coming = begin(path)
    assert coming.step(), "it is read now and placed later"
    assert len(bpy.data.objects) == 1 and not bpy.context.scene.objects
    assert not coming.step()
    assert append.append(path, bpy.context.scene.collection) == list(bpy.data.objects)
    assert coming.is_over and not bpy.data.collections and not bpy.data.libraries


def test_no_tick_reads_and_places(addon: Any, service: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _small_result(tmp_path)
    happened: list[tuple[str, int]] = []
    tick = 0

    def note(name: str) -> None:
        call = getattr(assembly.Assembly, name)

        def noted(coming: assembly.Assembly) -> Any:
            happened.append((name, tick))
            return call(coming)

        monkeypatch.setattr(assembly.Assembly, name, noted)

    note("step")
    note("take")
    plan = job.JobPlan("Box", job.Source(job.SourceKind.NOTHING), (), job.Delivery())
    step = job.StepView("decimate", task_id="task")
    view = job.JobView("box", "Box", job.Stage.APPLIED, 1.0, "", steps=(step,), plan=plan, blend=str(path))
    addon.state.update(JobChanged(view))
    coming = addon.arrivals.arrivals.bring_in(view, None)
    while not coming.done() and tick < 1000:
        tick += 1
        addon.pump.tick()
        time.sleep(0.005)
    coming.result(0)
    read, *_, (last, placed) = happened
    assert (read[0], last) == ("step", "take")
    assert placed > read[1]
    assert len(bpy.context.scene.objects) == 1


def test_a_result_comes_in_when_what_places_it_is_loaded(
    addon: Any, service: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _small_result(tmp_path)
    plan = job.JobPlan("Box", job.Source(job.SourceKind.NOTHING), (), job.Delivery())
    step = job.StepView("decimate", task_id="task")
    view = job.JobView("box", "Box", job.Stage.APPLIED, 1.0, "", steps=(step,), plan=plan, blend=str(path))
    addon.state.update(JobChanged(view))
    loaded = False
    monkeypatch.setattr(addon.preload, "is_ready", lambda: loaded)
    coming = addon.arrivals.arrivals.bring_in(view, None)
    for _ in range(20):
        addon.pump.tick()
        time.sleep(0.005)
    assert not coming.done() and assembly.current() is None and not bpy.data.objects
    loaded = True
    for _ in looks(60):
        addon.pump.tick()
        if coming.done():
            break
    coming.result(0)
    assert len(bpy.context.scene.objects) == 1


def test_many_objects_are_read_when_they_are_placed(tmp_path: Path) -> None:
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    path, collection = tmp_path / "many.blend", bpy.data.collections.new("result")
    mesh = bpy.data.meshes.new("Stone")
    for number in range(60):
        collection.objects.link(bpy.data.objects.new(f"Stone {number}", mesh))
    bpy.data.libraries.write(str(path), {collection}, fake_user=False, compress=False)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    coming = begin(path)
    assert not coming.step()
    assert coming.is_over and not bpy.data.objects and not bpy.data.libraries
    assert len(append.append(path, bpy.context.scene.collection)) == 60


def test_a_result_whose_file_is_gone_is_left_to_what_places_it(tmp_path: Path) -> None:
    coming = begin(tmp_path / "gone.blend")
    while coming.step():
        pass
    assert coming.is_over
    with pytest.raises(BrokenResult, match="not on the disk any more"):
        append.append(tmp_path / "gone.blend", bpy.context.scene.collection)


@pytest.mark.usefixtures("small")
def test_driven_shape_keys_and_mixed_colours_come_in_one_piece(tmp_path: Path) -> None:
    for spoil in (
        lambda item: item.shape_key_add(name="Basis").driver_add("value"),
        lambda item: item.data.color_attributes.new("Paint", "BYTE_COLOR", "CORNER"),  # beside those of another kind
    ):
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        collection = bpy.data.collections.new("result")
        for number in range(PARTS):
            item = _large_mesh(f"Part {number}", 0.1)
            spoil(item)
            collection.objects.link(item)
        path = tmp_path / "result.blend"
        bpy.data.libraries.write(str(path), {collection}, fake_user=False, compress=False)
        mesh_slices.write_slices(path, collection)
        assert assembly.read_table(path, bpy.app.version[:2]) is None


def test_what_has_few_bytes_and_many_weights_comes_in_pieces(tmp_path: Path) -> None:
    """What holds Blender up are the weights: it reads those of every vertex by themselves."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    item, path = _large_mesh("Body", 0.1, LARGE_SIDE), tmp_path / "result.blend"
    collection = bpy.data.collections.new("result")
    collection.objects.link(item)
    for weighted in (False, True):
        if weighted:
            item.vertex_groups.new(name="Bone").add(range(len(item.data.vertices)), 0.5, "REPLACE")
        bpy.data.libraries.write(str(path), {collection}, fake_user=False, compress=False)
        mesh_slices.write_slices(path, collection)
        assert (assembly.read_table(path, bpy.app.version[:2]) is not None) == weighted


def test_weights_that_are_cut_off_have_it_come_in_one_piece(blend: Path) -> None:
    weights = assembly.slices_of(blend)[2]
    weights.write_bytes(weights.read_bytes()[:-8])
    assert assembly.read_table(blend, bpy.app.version[:2]) is None
    weights.unlink()
    assert assembly.read_table(blend, bpy.app.version[:2]) is None


def test_what_blender_reads_at_once_has_no_corners(small: None, tmp_path: Path) -> None:
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    collection = bpy.data.collections.new("result")
    collection.objects.link(_large_mesh("Part", 0.1, PARTS * SIDE))
    corners = len(bpy.data.meshes["Part"].loops)
    blend = tmp_path / "result.blend"
    bpy.data.libraries.write(str(blend), {collection}, fake_user=False, compress=False)
    mesh_slices.write_slices(blend, collection)
    with bpy.data.libraries.load(str(mesh_slices.slices_of(blend)[0])) as (_, wanted):
        wanted.collections = ["result"]
    (lean,) = (mesh for mesh in bpy.data.meshes if mesh.name != "Part")
    assert (len(lean.vertices), len(lean.edges), len(lean.loops)) == (0, 0, 0)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    coming = begin(blend)
    while coming.step():
        pass
    (item,) = append.append(blend, bpy.context.scene.collection)
    assert len(item.data.loops) == corners
    assert sum(face.loop_total for face in item.data.polygons) == corners
    assert not item.data.validate(verbose=True)


def test_the_table_says_where_things_are(blend: Path) -> None:
    facts = json.loads(assembly.slices_of(blend)[1].read_text(encoding="utf-8"))
    assert len(facts["meshes"]) == PARTS
    places = [row.get("at") for row in facts["meshes"][0]["attributes"]]
    assert any(places)
