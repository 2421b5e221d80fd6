"""Motions for a rig that is in the file: they become its actions, with their range, going on where they are cycles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import pytest
from mathutils import Matrix
from support.addon import add_mesh, select, world_box
from support.models.posts import FRAMES, WAY, PostService, write_post
from support.services.local_engine import KEY, local_engine


@pytest.fixture(scope="module")
def posts(tmp_path_factory: pytest.TempPathFactory) -> PostService:
    return PostService(tmp_path_factory.mktemp("posts"))


@pytest.fixture
def service(posts: PostService, addon: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PostService]:
    """A service that rigs and moves posts."""
    before = (posts.rig, dict(posts.motions))
    with local_engine(tmp_path, runner=posts) as running:
        monkeypatch.setenv("ASSETGEN_BASE_URL", running.base_url)
        monkeypatch.setenv("ASSETGEN_API_KEY", KEY)
        yield posts
        addon.session.shutdown()
    posts.rig, posts.motions = before


@pytest.fixture
def rig(service: PostService) -> bpy.types.Object:
    """A rigged result in the scene, turned, doubled and moved."""
    add_mesh("Knight", "cube", location=(3, 1, 2))
    assert bpy.ops.assetgen.rig() == {"FINISHED"}
    found = next(item for item in bpy.context.scene.objects if item.type == "ARMATURE")
    found.matrix_world = Matrix.Translation((5, 1, 2)) @ Matrix.Rotation(0.7, 4, "Z") @ Matrix.Scale(2, 4)
    bpy.context.view_layer.update()
    return found


def retarget(addon: Any, animation: str = "preset:walk") -> list[bpy.types.Object]:
    assert bpy.ops.assetgen.retarget(animation=animation) == {"FINISHED"}
    return list(addon.scripting.result_objects())


def counts() -> dict[str, int]:
    tables = ("objects", "meshes", "armatures", "materials", "images", "collections")
    return {table: len(getattr(bpy.data, table)) for table in tables}


def body_of(rig: bpy.types.Object) -> bpy.types.Object:
    return next(item for item in bpy.data.objects if item.type == "MESH" and item.find_armature() == rig)


def pose_at(rig: bpy.types.Object, frame: float) -> tuple[Matrix, Matrix]:
    """Where the bones are at a frame, as matrices of the armature."""
    bpy.context.scene.frame_set(int(frame), subframe=frame % 1)
    hips, top = (rig.pose.bones[name].matrix.copy() for name in ("hips", "top"))
    return hips, top


def difference(one: Matrix, other: Matrix) -> float:
    return max(abs(one[row][column] - other[row][column]) for row in range(3) for column in range(4))


def test_a_motion_becomes_an_action_of_the_rig_that_is_there(service: Any, addon: Any, rig: Any) -> None:
    body, before, place = body_of(rig), counts(), rig.matrix_world.copy()
    hidden = {item.name for item in bpy.data.objects if item.hide_get()}
    select(body)
    objects = retarget(addon)
    assert counts() == before, "no second mesh, rig, material or image"
    assert objects == [body, rig]
    assert {item.name for item in bpy.data.objects if item.hide_get()} == hidden
    action = rig.animation_data.action
    assert action.name == "Knight walk"
    assert list(bpy.data.actions) == [action] and action.use_fake_user
    assert (action.use_frame_range, action.frame_start, action.frame_end) == (True, 1.0, FRAMES + 1.0)
    assert len(rig.data.bones) == 2
    bpy.context.scene.frame_set(1)
    assert difference(rig.matrix_world, place) < 1e-6
    assert list(bpy.context.view_layer.objects.selected) == [body]
    known = addon.provenance.common_task([body])
    assert (known.capability, known.source_capability) == ("retarget", "rig")


def test_a_walk_goes_on_and_further_on(service: Any, addon: Any, rig: Any) -> None:
    select(body_of(rig))
    retarget(addon)
    assert rig.animation_data.action.use_cyclic
    end = FRAMES + 1
    first, later = pose_at(rig, end + 5), pose_at(rig, end + 11)
    assert difference(first[1], later[1]) > 0.1, "it does not freeze"
    assert first[0].translation.y == pytest.approx(-WAY * (FRAMES + 5) / FRAMES, abs=0.02)
    again = pose_at(rig, 6)
    assert difference(Matrix.Translation((0, -WAY, 0)) @ again[1], first[1]) < 1e-4, "the next step is the same step"
    assert difference(pose_at(rig, end - 1e-3)[1], pose_at(rig, end + 1e-3)[1]) < 0.01, "without a jump"


def test_what_ends_elsewhere_than_it_began_stays_there(service: Any, addon: Any, rig: Any) -> None:
    select(body_of(rig))
    retarget(addon, "preset:fall")
    action = rig.animation_data.action
    assert action.use_frame_range and not action.use_cyclic
    end = FRAMES + 1
    assert difference(pose_at(rig, end)[1], pose_at(rig, end + 9)[1]) < 1e-6


def test_a_second_motion_leaves_the_first_and_the_users_own(service: Any, addon: Any, rig: Any) -> None:
    rig.animation_data_create().action = bpy.data.actions.new("my own")
    rig.pose.bones["top"].keyframe_insert("location", frame=1)
    body = body_of(rig)
    for name in ("walk", "nod", "walk"):
        select(body)
        before = counts()
        assert retarget(addon, f"preset:{name}") == [body, rig]
        assert counts() == before
    data = rig.animation_data
    assert data.action.name == "Knight walk.001"
    tracks = {track.name: track for track in data.nla_tracks}
    named = [f"Knight {name}" for name in ("walk", "nod", "walk.001")]
    assert list(tracks) == ["[Action Stash]", *named]
    assert all(track.mute for track in data.nla_tracks)
    stash = tracks["[Action Stash]"]
    assert stash.lock and stash.strips[0].action.name == "my own"
    assert all(tracks[name].strips[0].action.name == name for name in named)
    for name in named:  # each moves the rig when a person chooses it
        data.action = bpy.data.actions[name]
        if hasattr(data, "action_slot"):
            assert data.action_slot is not None
        assert difference(pose_at(rig, 4)[1], pose_at(rig, 16)[1]) > 0.1
    first = addon.scripting.last_job().plan.source
    assert first.capability == "rig", "all are made from the rig"


def test_a_strip_that_is_being_edited_is_left(service: Any, addon: Any, rig: Any) -> None:
    body = body_of(rig)
    select(body)
    retarget(addon)
    data = rig.animation_data
    data.action = None
    track = data.nla_tracks[0]
    track.mute = False
    bpy.context.scene.frame_set(3)
    data.nla_tracks.active = track
    track.strips[0].select = True
    data.use_tweak_mode = True
    select(body)
    retarget(addon, "preset:nod")
    assert data.action.name == "Knight nod" and not data.use_tweak_mode
    assert len(data.nla_tracks) == 2


@pytest.mark.parametrize("change", ["renamed", "moved", "mode"])
def test_a_rig_whose_bones_were_changed_gets_company(service: Any, addon: Any, rig: Any, change: str) -> None:
    body = body_of(rig)
    if change == "renamed":
        rig.data.bones["top"].name = "head"
    elif change == "mode":
        rig.pose.bones["top"].rotation_mode = "XYZ"
    else:
        select(rig)
        bpy.ops.object.mode_set(mode="EDIT")
        rig.data.edit_bones["top"].head.x += 0.1
        bpy.ops.object.mode_set(mode="OBJECT")
    select(body)
    before = counts()
    objects = retarget(addon)
    assert counts()["armatures"] == before["armatures"] + 1
    other = next(item for item in objects if item.type == "ARMATURE")
    assert other != rig and rig.animation_data is None
    assert body.hide_get() and rig.hide_get()
    assert other.animation_data.action.use_cyclic
    assert difference(pose_at(other, FRAMES + 6)[1], pose_at(other, FRAMES + 12)[1]) > 0.1


def test_a_rig_that_is_gone_is_brought_again(service: Any, addon: Any, rig: Any) -> None:
    body = body_of(rig)
    task = addon.provenance.common_task([body]).task_id
    for item in (body, rig):
        bpy.data.objects.remove(item)
    assert bpy.ops.assetgen.retarget(original_model_task_id=task, animation="preset:walk") == {"FINISHED"}
    objects = addon.scripting.result_objects()
    assert sorted(item.type for item in objects) == ["ARMATURE", "MESH"]


def test_a_named_task_finds_its_rig_too(service: Any, addon: Any, rig: Any) -> None:
    body = body_of(rig)
    task = addon.provenance.common_task([body]).task_id
    select()
    before = counts()
    assert bpy.ops.assetgen.retarget(original_model_task_id=task, animation="preset:walk") == {"FINISHED"}
    assert counts() == before
    assert rig.animation_data.action is not None


def test_a_rig_that_travels_as_an_object_comes_with_its_motion(
    service: Any, addon: Any, rig: Any, tmp_path: Path
) -> None:
    blend = bpy.data.filepath
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "work.blend"))
    service.motions["walk"] = write_post(tmp_path / "drive.glb", "walk", drive=True)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "work.blend"))
    assert not blend
    rig = next(item for item in bpy.data.objects if item.type == "ARMATURE")
    place = rig.matrix_world.copy()
    select(body_of(rig))
    objects = retarget(addon)
    other = next(item for item in objects if item.type == "ARMATURE")
    assert other != rig
    bpy.context.scene.frame_set(int(other.animation_data.action.frame_start))
    assert difference(other.matrix_world, place) < 1e-3, "it begins where the other stands"


def test_after_an_error_the_rig_moves_as_before(
    service: Any, addon: Any, rig: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = bpy.data.actions.new("my own")
    rig.animation_data_create().action = own
    rig.pose.bones["top"].keyframe_insert("location", frame=1)
    before, known = counts(), addon.provenance.common_task([body_of(rig)])
    monkeypatch.setattr(addon.motion_actions, "_activate", lambda *_: 1 / 0)
    select(body_of(rig))
    with pytest.raises(RuntimeError, match="could not be brought in"):
        bpy.ops.assetgen.retarget(animation="preset:walk")
    assert counts() == before
    assert rig.animation_data.action == own and not rig.animation_data.nla_tracks
    assert list(bpy.data.actions) == [own]
    assert addon.provenance.common_task([body_of(rig)]) == known


def test_the_range_is_offered_and_set_on_a_press_only(service: Any, addon: Any, rig: Any) -> None:
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 10, 250
    select(body_of(rig))
    retarget(addon)
    assert (scene.frame_start, scene.frame_end) == (10, 250)
    job = addon.scripting.last_job()
    retarget(addon, "preset:fall")
    assert bpy.ops.assetgen.use_frame_range(job_id=job.id) == {"FINISHED"}
    assert (scene.frame_start, scene.frame_end) == (1, FRAMES), "the last pose of a cycle is its first one"
    select(body_of(rig))
    assert bpy.ops.assetgen.use_frame_range() == {"FINISHED"}
    assert (scene.frame_start, scene.frame_end) == (1, FRAMES + 1), "that of the active object"


def test_a_moved_rig_keeps_its_place(service: Any, addon: Any, rig: Any) -> None:
    body = body_of(rig)
    select(body)
    retarget(addon)
    rig.matrix_world = Matrix.Translation((-4, 0, 0)) @ Matrix.Scale(0.5, 4)
    bpy.context.view_layer.update()
    place = rig.matrix_world.copy()
    select(body)
    retarget(addon, "preset:nod")
    bpy.context.scene.frame_set(1)
    assert difference(rig.matrix_world, place) < 1e-6
    low, high = world_box(body)
    assert (low.x + high.x) / 2 == pytest.approx(-4, abs=0.01) and high.z - low.z == pytest.approx(1, abs=0.01)
