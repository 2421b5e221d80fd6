"""What comes in beside plain meshes: images, answers, splats, and models with bones and motions."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from asset_generation.vendor.background_blender import run
from mathutils import Matrix
from support.addon import add_mesh, block_names, box_error, export_glb, is_under_way, select, world_box
from support.fork_server.command import forked_python
from support.models.animated import WALK_SECONDS, WAVE_SECONDS, write_animated_glb
from support.services.local_engine import instant_runner, recorded, tiny_png

TO_BLEND = Path(__file__).resolve().parents[2] / "addon" / "headless" / "to_blend.py"
TASK = "11111111-2222-3333-4444-555555555555"
VERSION = "v3.1-20260211"
INSTANT = {"runner": instant_runner}

instant = pytest.mark.parametrize("service", [INSTANT], indirect=True)


@pytest.fixture
def picture(tmp_path: Path) -> str:
    path = tmp_path / "chair.png"
    path.write_bytes(tiny_png())
    return str(path)


def info_of(capfd: pytest.CaptureFixture[str]) -> str:
    return capfd.readouterr().out


# Images


@instant
def test_a_generated_image_is_packed_and_kept(service: Any, addon: Any) -> None:
    assert bpy.ops.assetgen.text_to_image(prompt="a lighthouse, seen from the sea") == {"FINISHED"}
    (image,) = addon.scripting.result_images()
    assert image.name == "a lighthouse, seen from the sea"
    assert bytes(image.packed_file.data) == tiny_png()
    assert image.use_fake_user, "or saving the file would drop it"
    assert not bpy.data.objects
    job = addon.scripting.last_job()
    assert (job.stage, job.blend) == ("applied", "")
    assert Path(job.result).is_file()


@instant
def test_views_are_named_and_lead_to_the_next_operation(service: Any, addon: Any, picture: str) -> None:
    assert bpy.ops.assetgen.image_to_multiview(file=picture) == {"FINISHED"}
    images = addon.scripting.result_images()
    assert [image.name for image in images] == ["chair Front", "chair Left", "chair Back", "chair Right"]
    job = addon.scripting.last_job()
    chaining = importlib.import_module(f"{addon.package}.addon.ops.use_result")
    assert chaining.next_capabilities(job) == ("multiview_to_model", "edit_multiview")
    settings = bpy.context.scene.asset_generation
    assert bpy.ops.assetgen.use_result(job_id=job.id, capability="edit_multiview") == {"FINISHED"}
    assert (chosen(addon), settings.group) == ("edit_multiview", "Images")
    settings.edit_multiview.front = "a hat"
    assert bpy.ops.assetgen.edit_multiview(use_panel_settings=True) == {"FINISHED"}
    assert addon.scripting.last_job().name == "Edit Multiview chair"
    uploads = len(recorded(service, "/v3/files", "POST"))
    bpy.ops.assetgen.use_result(job_id=job.id, capability="multiview_to_model")
    assert chosen(addon) == "multiview_to_model"
    assert bpy.ops.assetgen.multiview_to_model(use_panel_settings=True) == {"FINISHED"}
    assert len(recorded(service, "/v3/files", "POST")) == uploads, "the views are there already"
    assert bpy.ops.assetgen.forget_views(capability="multiview_to_model") == {"FINISHED"}
    assert not settings.multiview_to_model.original_model_task_id
    assert [found.name for found in chaining.views_of("edit_multiview")] == ["Image to Multiview: chair"]
    assert len(chaining.views_of("multiview_to_model")) == 2, "edited views are views as well"
    bpy.ops.assetgen.choose_views(capability="multiview_to_model", task_id=job.steps[-1].task_id)
    assert settings.multiview_to_model.original_model_task_id == job.steps[-1].task_id


@instant
def test_views_of_another_service_are_sent_as_files(service: Any, addon: Any, picture: str) -> None:
    bpy.ops.assetgen.image_to_multiview(file=picture)
    job = addon.scripting.last_job()
    addon.state.jobs[job.id] = job._replace(service_id="elsewhere.example")
    bpy.ops.assetgen.use_result(job_id=job.id, capability="multiview_to_model")
    group = bpy.context.scene.asset_generation.multiview_to_model
    assert group.original_model_task_id == ""
    assert (group.front, group.right) == ("image:chair Front", "image:chair Right")


@instant
def test_an_image_leads_to_a_model(service: Any, addon: Any) -> None:
    bpy.ops.assetgen.text_to_image(prompt="a chair")
    job = addon.scripting.last_job()
    bpy.ops.assetgen.use_result(job_id=job.id, capability="image_to_model")
    settings = bpy.context.scene.asset_generation
    assert (chosen(addon), settings.image_to_model.file) == ("image_to_model", "image:a chair")
    assert bpy.ops.assetgen.image_to_model(use_panel_settings=True) == {"FINISHED"}
    (item,) = addon.scripting.result_objects()
    assert item.name == "a chair"


def test_a_preview_is_not_an_image_of_the_result(service: Any, addon: Any, picture: str) -> None:
    images_in = importlib.import_module(f"{addon.package}.addon.bridge.results.apply_images")
    job = importlib.import_module(f"{addon.package}.addon.core.jobs.job")
    files = (("rendered_image", picture), ("generated_image", picture), ("model", "/x/model.glb"))
    view = job.JobView("id", "name", job.Stage.READY, 1.0, "", files=files)
    assert images_in.fetched_images(view) == [("generated_image", picture)]


@instant
def test_an_image_that_is_gone_leaves_nothing_and_can_be_retried(
    service: Any, addon: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = block_names()
    show = importlib.import_module(f"{addon.package}.addon.bridge.results.show")
    monkeypatch.setattr(show, "image_editor", lambda: 1 / 0)
    with pytest.raises(RuntimeError, match="could not be brought in"):
        bpy.ops.assetgen.text_to_image(prompt="a chair")
    assert block_names() == before
    monkeypatch.undo()
    job = addon.scripting.last_job()
    assert "retry" in job.actions


# Answers


@instant
def test_an_answer_is_reported_and_kept(service: Any, addon: Any, capfd: pytest.CaptureFixture[str]) -> None:
    source = add_mesh("Hero")
    before = block_names()
    assert bpy.ops.assetgen.rig_check() == {"FINISHED"}
    assert "Rig Check Hero: Riggable: biped" in info_of(capfd)
    assert addon.scripting.last_job().answer == "Riggable: biped"
    assert block_names() == before and not source.hide_get()
    service_id = addon.session.settings.service_id
    assert addon.provenance.probable_task([source], service_id), "the next operation uploads nothing"


@instant
def test_an_answer_waits_for_no_file_and_no_mode(service: Any, addon: Any) -> None:
    add_mesh("Hero")

    def open_another(job: Any) -> None:
        if is_under_way(job) and "Hero" in bpy.data.objects:
            bpy.ops.wm.read_homefile(use_empty=True)
            add_mesh("Other")
            bpy.ops.object.mode_set(mode="EDIT")

    addon.arrivals.OTHERS_FIRST_SECONDS, patience = 0.0, addon.arrivals.OTHERS_FIRST_SECONDS
    try:
        with addon.scripting.watching(open_another):
            assert bpy.ops.assetgen.rig_check() == {"FINISHED"}
    finally:
        addon.arrivals.OTHERS_FIRST_SECONDS = patience
    assert addon.scripting.last_job().stage == "applied"


# Splats


@instant
def test_a_splat_comes_in_as_points(service: Any, addon: Any, picture: str) -> None:
    assert bpy.ops.assetgen.image_to_splat(file=picture) == {"FINISHED"}
    (item,) = addon.scripting.result_objects()
    count = len(item.data.vertices if item.type == "MESH" else item.data.points)
    assert count == 1
    assert addon.scripting.last_job().result.endswith(".ply")


# Bones and motions


def hero() -> tuple[Any, Any]:
    """A box on two bones, with two actions on its armature."""
    data = bpy.data.armatures.new("Bones")
    rig = bpy.data.objects.new("Rig", data)
    bpy.context.scene.collection.objects.link(rig)
    select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    for number, name in enumerate(("lower", "upper")):
        bone = data.edit_bones.new(name)
        bone.head, bone.tail = (0, 0, number), (0, 0, number + 1)
        bone.parent = data.edit_bones.get("lower") if number else None
    bpy.ops.object.mode_set(mode="OBJECT")
    body = add_mesh("Body", "cube", location=(0, 0, 1))
    for name, places in (("lower", range(0, 4)), ("upper", range(4, 8))):
        body.vertex_groups.new(name=name).add(list(places), 1.0, "REPLACE")
    body.parent = rig
    body.modifiers.new("Armature", "ARMATURE").object = rig
    for name, turn in (("walk", 0.5), ("run", 1.0)):
        rig.animation_data_create().action = bpy.data.actions.new(name)
        bone = rig.pose.bones["upper"]
        bone.rotation_mode = "XYZ"
        for frame, angle in ((1, 0.0), (20, turn)):
            bone.rotation_euler = (angle, 0, 0)
            bone.keyframe_insert("rotation_euler", frame=frame)
        track = rig.animation_data.nla_tracks.new()
        track.name = name
        track.strips.new(name, 1, rig.animation_data.action)
        rig.animation_data.action = None
    return rig, body


def chosen(addon: Any) -> str:
    """The capability that the panel shows."""
    module = importlib.import_module(f"{addon.package}.addon.props.scene_settings")
    return str(module.chosen_capability(bpy.context.scene.asset_generation))


@pytest.fixture
def prepared(addon: Any, tmp_path: Path) -> Path:
    """The .blend that a background Blender makes of a model with bones and two motions."""
    hero()
    export_glb(tmp_path / "hero.glb")
    bpy.ops.wm.read_homefile(use_empty=True)
    request = {"model": str(tmp_path / "hero.glb"), "out": str(tmp_path / "hero.blend"), "name": "Retarget Hero"}
    run(forked_python(), TO_BLEND, request)
    return tmp_path / "hero.blend"


def job_with(addon: Any, blend: Path, capability: str, source: Any, placement: Any) -> Any:
    """A finished job whose result is a prepared .blend."""
    job = importlib.import_module(f"{addon.package}.addon.core.jobs.job")
    origin = job.Origin(bpy.context.scene.name, "", addon.open_file.token)
    plan = job.JobPlan(
        f"{capability} Hero", source, (job.StepPlan(capability),), job.Delivery(origin=origin, placement=placement)
    )
    return job.JobView(
        *("job", plan.name, job.Stage.READY, 1.0, ""),
        steps=(job.StepView(capability, TASK, "success"),),
        blend=str(blend),
        plan=plan,
        service_id="local",
    )


def test_bones_and_motions_arrive_whole_and_in_place(addon: Any, prepared: Path) -> None:
    job = importlib.import_module(f"{addon.package}.addon.core.jobs.job")
    place = Matrix.Translation((5, 0, 2)) @ Matrix.Rotation(0.6, 4, "Z") @ Matrix.Scale(2, 4)
    placement = job.Placement(addon.transforms.to_numbers(place), (), "", (("Hero", 12345),))
    source = job.Source(job.SourceKind.TASK, task_id="rig-task", capability="rig")
    assert addon.apply_result.apply(job_with(addon, prepared, "retarget", source, placement), bpy.context)
    objects = addon.open_file.objects_of("job")
    (rig,) = [item for item in objects if item.type == "ARMATURE"]
    (body,) = [item for item in objects if item.type == "MESH"]
    assert (body.name, rig.name) == ("Hero animated", "Hero Rig")
    assert body.find_armature() == rig
    assert sorted(bone.name for bone in rig.data.bones) == ["lower", "upper"]
    assert {track.name for track in rig.animation_data.nla_tracks} == {"walk", "run"}
    assert len(bpy.data.actions) == 2
    bpy.context.view_layer.update()
    low, high = world_box(body)
    assert (low + high)[:] == pytest.approx((10, 0, 8), abs=0.05), "centre of the rest pose, moved, turned and doubled"
    assert high.z - low.z == pytest.approx(4, abs=0.01)
    known = addon.provenance.common_task([body])
    assert (known.task_id, known.capability) == (TASK, "retarget")
    assert (known.source_task, known.source_capability) == ("rig-task", "rig")
    assert bpy.context.view_layer.objects.active == body


def test_a_motion_lasts_as_long_in_a_scene_of_another_frame_rate(tmp_path: Path) -> None:
    model = write_animated_glb(tmp_path / "post.glb")
    out = tmp_path / "post.blend"
    request = {"model": str(model), "out": str(out), "name": "Post", "frame_rate": 29.97}
    run(forked_python(), TO_BLEND, request)
    with bpy.data.libraries.load(str(out)) as (found, wanted):
        wanted.actions = list(found.actions)
    lengths = sorted(action.frame_range[1] - action.frame_range[0] for action in wanted.actions)
    assert lengths == pytest.approx([WAVE_SECONDS * 29.97, WALK_SECONDS * 29.97], abs=0.1)


def test_the_rig_of_the_source_is_hidden_with_it(addon: Any, prepared: Path) -> None:
    job = importlib.import_module(f"{addon.package}.addon.core.jobs.job")
    rig, body = hero()
    sources = ((body.name, body.session_uid),)
    placement = job.Placement(addon.transforms.to_numbers(Matrix.Identity(4)), (), "", sources)
    source = job.Source(job.SourceKind.TASK, task_id="rig-task")
    addon.apply_result.apply(job_with(addon, prepared, "retarget", source, placement), bpy.context)
    assert body.hide_get() and rig.hide_get()
    assert not any(item.hide_get() for item in addon.open_file.objects_of("job"))


def test_what_moves_by_itself_gets_a_place_of_its_own(addon: Any, tmp_path: Path) -> None:
    job = importlib.import_module(f"{addon.package}.addon.core.jobs.job")
    walker = add_mesh("Walker", "cube")
    for frame, x in ((1, 0.0), (20, 3.0)):
        walker.location.x = x
        walker.keyframe_insert("location", frame=frame)
    collection = bpy.data.collections.new("Result")
    collection.objects.link(walker)
    bpy.data.libraries.write(str(tmp_path / "walker.blend"), {collection})
    bpy.ops.wm.read_homefile(use_empty=True)
    placement = job.Placement(addon.transforms.to_numbers(Matrix.Translation((0, 10, 0))), (), "", ())
    nothing = job.Source(job.SourceKind.NOTHING, title="a walker")
    blend = tmp_path / "walker.blend"
    addon.apply_result.apply(job_with(addon, blend, "text_to_model", nothing, placement), bpy.context)
    item = next(item for item in addon.open_file.objects_of("job") if item.type == "MESH")
    for frame, x in ((1, 0.0), (20, 3.0)):
        bpy.context.scene.frame_set(frame)
        assert item.matrix_world.translation[:] == pytest.approx((x, 10, 0), abs=1e-4)


@instant
def test_words_become_a_model_at_the_cursor(service: Any, addon: Any) -> None:
    bpy.context.scene.cursor.location = (4, 0, 0)
    assert bpy.ops.assetgen.text_to_model(prompt="a red chair", model_version=VERSION) == {"FINISHED"}
    (item,) = addon.scripting.result_objects()
    assert item.name == "a red chair"
    assert item.users_collection[0].name == "Work"
    wanted = (Matrix.Translation((3.5, 0, 0)).translation, Matrix.Translation((4.5, 0, 1)).translation)
    assert box_error(world_box(item), wanted) < 0.01, "the middle of its underside is on the cursor"
    # The draft that it is can be refined, without an upload.
    assert bpy.ops.assetgen.refine() == {"FINISHED"}
    assert [step.capability for step in addon.scripting.last_job().steps] == ["refine"]
    assert item.hide_get()


def test_the_first_image_of_a_session_is_read_before_a_result_comes_in(
    addon: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blender takes its time for that once, whatever the image."""
    images = importlib.import_module(f"{addon.package}.addon.bridge.results.apply_images")
    monkeypatch.setattr(images, "_state", images._State())
    monkeypatch.setattr(images, "bpy", SimpleNamespace(app=SimpleNamespace(background=False)))
    assert not images.prepare(SimpleNamespace(files=[("model", "model.glb")])), "there is none in it"
    job = SimpleNamespace(files=[("image", str(tmp_path / "not read here.png"))])
    assert [images.prepare(job), images.prepare(job)] == [True, False]
    assert not bpy.data.images
