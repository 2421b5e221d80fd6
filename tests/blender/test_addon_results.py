"""A selection goes out and its result comes in: where it lands, what is hidden, what is marked, what is sent."""

from __future__ import annotations

from typing import Any

import bpy
import pytest
from mathutils import Matrix, Vector
from support.addon import (
    add_mesh,
    block_names,
    box_error,
    is_under_way,
    normalising_runner,
    place_on_points,
    select,
    shear_of,
    volume,
    world_box,
)
from support.core import wait_until
from support.services.local_engine import ask, recorded

Turned = {"location": (3.0, -2.0, 1.5), "rotation_euler": (0.4, -0.7, 1.9)}


MADE_BY_JOB = ("input", "client_request_id")
"""Fields of a request that nobody sets: what it works on, and its marker."""


def decimate(addon: Any, **fields: Any) -> list[bpy.types.Object]:
    assert bpy.ops.assetgen.decimate(**fields) == {"FINISHED"}
    return list(addon.scripting.result_objects())


def uploads(service: Any) -> int:
    return len(recorded(service, "/v3/files", "POST"))


@pytest.mark.parametrize(
    "transform",
    [
        Turned,
        {**Turned, "scale": (2.0, 2.0, 2.0)},
        {**Turned, "scale": (0.5, 3.0, 1.2)},
        {**Turned, "scale": (-1.0, 1.5, 1.0)},
    ],
    ids=["turned", "scaled", "stretched", "mirrored"],
)
def test_the_result_stands_where_the_source_stands(service: Any, addon: Any, transform: dict[str, Any]) -> None:
    source = add_mesh("Thing", **transform)
    wanted, size = world_box(source), volume(source)
    (result,) = decimate(addon)
    assert box_error(world_box(result), wanted) < 0.001
    assert volume(result) == pytest.approx(size, rel=0.01), "the faces look as those of the source do"
    assert shear_of(result.matrix_world) < 1e-5
    if "scale" not in transform:
        assert (result.matrix_world.to_3x3() - source.matrix_world.to_3x3()).median_scale < 1e-5


def test_a_child_of_a_stretched_parent_arrives_without_shear(service: Any, addon: Any) -> None:
    parent = add_mesh("Parent", "cube", scale=(1.0, 4.0, 0.5), rotation_euler=(0, 0, 0.6))
    child = add_mesh("Child", **Turned)
    child.parent = parent
    bpy.context.view_layer.update()
    select(child)
    wanted = world_box(child)
    (result,) = decimate(addon)
    assert result.parent == parent
    assert box_error(world_box(result), wanted) < 0.001
    assert shear_of(result.matrix_world) < 1e-5


def test_modifiers_and_the_frame_are_applied(service: Any, addon: Any) -> None:
    source = add_mesh("Array", "cube", **Turned)
    source.modifiers.new("Array", "ARRAY").count = 3
    source.keyframe_insert("location", frame=1)
    source.location.x += 5
    source.keyframe_insert("location", frame=10)
    bpy.context.scene.frame_set(10)
    wanted = world_box(source)
    (result,) = decimate(addon)
    assert len(result.data.polygons) == 36
    assert box_error(world_box(result), wanted) < 0.001


def test_nothing_of_a_snapshot_is_left_when_the_job_is_done(service: Any, addon: Any) -> None:
    item = add_mesh("Painted", "cube")
    item.data.materials.append(bpy.data.materials.new("Skin"))
    image = bpy.data.images.new("Paint", 8, 8)
    image.pixels[0] = 0.5
    image.update()
    if not item.active_material.node_tree:
        item.active_material.use_nodes = True
    item.active_material.node_tree.nodes.new("ShaderNodeTexImage").image = image
    taken: list[int] = []

    def look(job: Any) -> None:
        if job.stage == "upload":
            taken.append(len(list(addon.data.glob("snapshots/*"))))

    with addon.scripting.watching(look):
        decimate(addon)
    assert max(taken) == 2, "the objects, and the pixels that they lack"
    assert list(addon.data.glob("snapshots/*")) == []


def test_several_objects_keep_their_places(service: Any, addon: Any) -> None:
    first = add_mesh("First", "cube", location=(1, 0, 0))
    second = add_mesh("Second", "uv_sphere", location=(-3, 1, 2), scale=(1, 2, 1))
    select(first, second)
    wanted = world_box(first, second)
    results = decimate(addon)
    assert len(results) == 2
    assert box_error(world_box(*results), wanted) < 0.001


@pytest.mark.parametrize("service", [{"runner": normalising_runner}], indirect=True)
def test_a_service_with_a_size_of_its_own_is_fitted(service: Any, addon: Any) -> None:
    source = add_mesh("Thing", **Turned, scale=(2.0, 2.0, 2.0))
    wanted = world_box(source)
    (result,) = decimate(addon)
    assert box_error(world_box(result), wanted) < 0.01
    assert shear_of(result.matrix_world) < 1e-5
    # And so is the next result, which is made from the one that was fitted, without an upload.
    before = uploads(service)
    bpy.ops.assetgen.texture(text="rusty iron")
    (textured,) = addon.scripting.result_objects()
    assert uploads(service) == before
    assert box_error(world_box(textured), wanted) < 0.01


@pytest.mark.parametrize("service", [{"runner": normalising_runner}], indirect=True)
@pytest.mark.parametrize("joined", [False, True], ids=["placed", "joined"])
def test_what_geometry_nodes_place_counts_for_the_size(service: Any, addon: Any, joined: bool) -> None:
    source = add_mesh("Field", "plane", **Turned, scale=(2.0, 2.0, 2.0))
    place_on_points(source, joined=joined)
    wanted = instances_box(source)
    (result,) = decimate(addon)
    assert box_error(world_box(result), wanted) < 0.01


def instances_box(item: bpy.types.Object) -> tuple[Vector, Vector]:
    """Lowest and highest corner of what an object places."""
    points = [
        instance.matrix_world @ vertex.co
        for instance in bpy.context.evaluated_depsgraph_get().object_instances
        if instance.is_instance
        for vertex in instance.object.data.vertices
    ]
    return Vector(map(min, zip(*points, strict=True))), Vector(map(max, zip(*points, strict=True)))


def test_the_result_takes_the_place_of_the_source(service: Any, addon: Any) -> None:
    inner = bpy.data.collections.new("Inner")
    bpy.data.collections["Work"].children.link(inner)
    source = add_mesh("Thing")
    inner.objects.link(source)
    bpy.data.collections["Work"].objects.unlink(source)
    (result,) = decimate(addon)
    assert [collection.name for collection in result.users_collection] == ["Inner"]
    assert source.hide_get() and source.hide_render
    assert not result.hide_get() and not result.hide_render
    assert list(bpy.context.view_layer.objects.selected) == [result]
    assert bpy.context.view_layer.objects.active == result
    assert result.name == "Thing decimated"
    assert not bpy.data.libraries, "appending leaves no library behind"
    assert set(bpy.data.collections.keys()) == {"Work", "Inner"}


def test_a_source_that_is_gone_does_not_matter(service: Any, addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    source = add_mesh("Thing", **Turned)
    wanted = world_box(source)

    def remove_source(job: Any) -> None:
        if is_under_way(job) and "Thing" in bpy.data.objects:
            bpy.data.objects.remove(bpy.data.objects["Thing"])

    with addon.scripting.watching(remove_source):
        (result,) = decimate(addon)
    assert box_error(world_box(result), wanted) < 0.001


def test_only_what_was_set_is_sent(service: Any, addon: Any) -> None:
    add_mesh()
    decimate(addon, face_limit=700)
    sent = ask(service, "GET", f"/v3/tasks/{addon.scripting.last_job().steps[-1].task_id}")["input"]
    assert {key: value for key, value in sent.items() if key not in MADE_BY_JOB} == {"face_limit": 700}


def test_a_second_operation_uploads_nothing(service: Any, addon: Any) -> None:
    add_mesh("Thing", **Turned)
    (result,) = decimate(addon)
    result.location.x += 10
    result.rotation_euler.z += 1
    bpy.context.view_layer.update()
    wanted = world_box(result)
    first, before = addon.scripting.last_job(), uploads(service)
    assert bpy.ops.assetgen.texture(text="rusty iron") == {"FINISHED"}
    (textured,) = addon.scripting.result_objects()
    assert uploads(service) == before
    job = addon.scripting.last_job()
    assert [step.capability for step in job.steps] == ["texture"]
    assert ask(service, "GET", f"/v3/tasks/{job.steps[0].task_id}")["input"]["original_model_task_id"] == (
        first.steps[-1].task_id
    )
    assert box_error(world_box(textured), wanted) < 0.001


def test_the_source_is_not_uploaded_twice_either(service: Any, addon: Any) -> None:
    source = add_mesh("Thing", **Turned)
    decimate(addon)
    select(source)
    before = uploads(service)
    (again,) = decimate(addon, face_limit=900)
    assert uploads(service) == before
    assert box_error(world_box(again), world_box(source)) < 0.001


def test_import_marks_the_source_and_brings_nothing_in(service: Any, addon: Any) -> None:
    source = add_mesh("Thing", **Turned)
    objects = set(bpy.data.objects)
    assert bpy.ops.assetgen.import_model() == {"FINISHED"}
    assert set(bpy.data.objects) == objects
    assert not source.hide_get()
    task_id = addon.scripting.last_job().steps[0].task_id
    assert addon.provenance.unmodified_task([source], addon.session.settings.service_id).task_id == task_id


def test_a_named_task_is_used_and_lands_at_the_cursor(service: Any, addon: Any) -> None:
    add_mesh("Thing", "cube")
    bpy.ops.assetgen.import_model()
    task_id = addon.scripting.last_job().steps[0].task_id
    select()
    bpy.context.scene.cursor.location = (7, 0, 0)
    (result,) = decimate(addon, original_model_task_id=task_id)
    assert tuple(round(value, 3) for value in result.matrix_world.translation) == (7, 0, 1), "on the floor there"


def test_linked_objects_go_out_too(service: Any, addon: Any, tmp_path: Any) -> None:
    item = add_mesh("Remote", "cube", location=(1, 2, 3))
    library = tmp_path / "library.blend"
    bpy.data.libraries.write(str(library), {item})
    bpy.data.objects.remove(item)
    with bpy.data.libraries.load(str(library), link=True) as (there, here):
        here.objects = list(there.objects)
    linked = here.objects[0]
    bpy.data.collections["Work"].objects.link(linked)
    bpy.context.view_layer.update()
    select(linked)
    wanted = world_box(linked)
    before = block_names()["objects"]
    (result,) = decimate(addon)
    assert block_names()["objects"] - before == {result.name_full}, "the temporary local copy is gone"
    assert box_error(world_box(result), wanted) < 0.001


def test_a_linked_source_is_left_as_its_library_has_it(service: Any, addon: Any, tmp_path: Any) -> None:
    item = add_mesh("Remote", "cube")
    library = tmp_path / "library.blend"
    bpy.data.libraries.write(str(library), {item})
    bpy.data.objects.remove(item)
    with bpy.data.libraries.load(str(library), link=True) as (there, here):
        here.objects = list(there.objects)
    (linked,) = here.objects
    bpy.data.collections["Work"].objects.link(linked)
    bpy.context.view_layer.update()
    select(linked)
    decimate(addon)
    assert linked.hide_get(), "hidden in this view layer, which is the file's own"
    assert not linked.hide_render, "what is set of it is forgotten with the next opening"
    # What overrides it is the file's own again.
    override = linked.override_create(remap_local_usages=True)
    select(override)
    decimate(addon, face_limit=700)
    assert override.hide_get() and override.hide_render


def test_a_source_that_another_scene_shows_is_rendered_there(service: Any, addon: Any) -> None:
    source = add_mesh("Thing")
    other = bpy.data.scenes.new("Other")
    other.collection.objects.link(source)
    decimate(addon)
    assert source.hide_get()
    assert not source.hide_get(view_layer=other.view_layers[0])
    assert not source.hide_render, "or it would be gone from the other scene's pictures"


def test_a_result_for_another_file_waits_for_its_button(service: Any, addon: Any) -> None:
    source = add_mesh("Thing", **Turned)
    wanted = world_box(source)

    def open_another(job: Any) -> None:
        if is_under_way(job) and "Thing" in bpy.data.objects:
            bpy.ops.wm.read_homefile(use_empty=True)

    with addon.scripting.watching(open_another), pytest.raises(RuntimeError, match="Ready"):
        bpy.ops.assetgen.decimate()
    job = addon.scripting.last_job()
    assert job.stage == "ready"
    assert not bpy.data.objects
    assert bpy.ops.assetgen.job_action(job_id=job.id, action="apply") == {"FINISHED"}
    assert box_error(world_box(*addon.scripting.result_objects()), wanted) < 0.001


def test_a_result_waits_for_object_mode(service: Any, addon: Any) -> None:
    add_mesh("Thing")
    seen: list[str] = []

    def leave(job: Any) -> None:
        if job.stage == "ready":
            seen.append(bpy.context.mode)
            assert len(bpy.data.objects) == 1
            bpy.ops.object.mode_set(mode="OBJECT")

    job_id = addon.scripting.start("decimate")
    bpy.ops.object.mode_set(mode="EDIT")
    addon.scripting.wait(job_id, leave)
    assert seen == ["EDIT_MESH"]
    assert len(bpy.data.objects) == 2


def test_a_script_in_edit_mode_does_not_wait_for_ever(
    service: Any, addon: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    add_mesh("Thing")

    def edit(job: Any) -> None:
        if is_under_way(job) and bpy.context.mode == "OBJECT":
            bpy.ops.object.mode_set(mode="EDIT")

    with addon.scripting.watching(edit), pytest.raises(RuntimeError, match="Ready"):
        bpy.ops.assetgen.decimate()
    job = addon.scripting.last_job()
    assert job.stage == "ready"
    # And its button says why it cannot come in, in a sentence.
    with pytest.raises(RuntimeError) as caught:
        bpy.ops.assetgen.job_action(job_id=job.id, action="apply")
    assert str(caught.value).strip() == "Error: The result of Decimate Thing cannot come in now: waits for Object Mode"
    assert "Traceback" not in capfd.readouterr().err
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.assetgen.job_action(job_id=job.id, action="apply") == {"FINISHED"}
    assert len(addon.scripting.result_objects()) == 1


def test_the_same_job_is_not_brought_in_twice_by_two_ticks(service: Any, addon: Any) -> None:
    add_mesh("Thing")
    decimate(addon)
    count = len(bpy.data.objects)
    for _ in range(3):
        addon.pump.tick()
    assert len(bpy.data.objects) == count
    wait_until(lambda: addon.pump.tick() is None)  # nothing is going on, so no timer is wanted


def test_what_cannot_be_appended_leaves_no_trace(service: Any, addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    source = add_mesh("Thing")
    before = block_names()
    monkeypatch.setattr(addon.apply_model.task_records, "record", lambda *_: 1 / 0)
    with pytest.raises(RuntimeError, match="could not be brought in"):
        bpy.ops.assetgen.decimate()
    assert block_names() == before
    assert not source.hide_get() and not source.hide_render
    monkeypatch.undo()
    # Paid is paid: Retry brings the same result in, without another request.
    job = addon.scripting.last_job()
    assert job.stage == "failed"


def test_the_panel_sends_what_it_suggests_and_what_differs(service: Any, addon: Any) -> None:
    add_mesh("Thing")
    bpy.context.scene.asset_generation.decimate.quad = False
    bpy.context.scene.asset_generation.decimate.part_names = ""
    assert bpy.ops.assetgen.decimate(use_panel_settings=True) == {"FINISHED"}
    sent = ask(service, "GET", f"/v3/tasks/{addon.scripting.last_job().steps[-1].task_id}")["input"]
    assert {key: value for key, value in sent.items() if key not in MADE_BY_JOB} == {"face_limit": 5000}


def test_test_service_reports_the_balance(service: Any, addon: Any) -> None:
    assert bpy.ops.assetgen.test_service() == {"FINISHED"}
    assert addon.state.service.ok
    assert addon.state.service.balance


def test_matrices_survive_their_storage(addon: Any) -> None:
    matrix = Matrix.LocRotScale((1, 2, 3), Matrix.Rotation(0.3, 3, "X").to_quaternion(), (1, 2, 3))
    assert addon.transforms.from_numbers(addon.transforms.to_numbers(matrix)) == matrix
