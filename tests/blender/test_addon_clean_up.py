"""Clean Up: the hidden objects that a result was made from go, with what only they use; everything else stays."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import pytest
from support.addon import add_mesh, select
from support.models.posts import PostService
from support.services.local_engine import KEY, local_engine

TABLES = ("objects", "meshes", "armatures", "materials", "images", "actions", "collections")


@pytest.fixture(scope="module")
def posts(tmp_path_factory: pytest.TempPathFactory) -> PostService:
    return PostService(tmp_path_factory.mktemp("posts"))


@pytest.fixture
def service(posts: PostService, addon: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A service that gives posts: painted ones, and with bones where a rig is asked for."""
    with local_engine(tmp_path, runner=posts) as running:
        monkeypatch.setenv("ASSETGEN_BASE_URL", running.base_url)
        monkeypatch.setenv("ASSETGEN_API_KEY", KEY)
        yield running
        addon.session.shutdown()


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keeps the chain of jobs for all tests of the file, as a .blend and the data folder that belongs to it."""
    return tmp_path_factory.mktemp("chain")


@pytest.fixture
def chain(service: Any, addon: Any, once: Path) -> list[bpy.types.Object]:
    """Text, texture, rig, retarget: the meshes that came, the last one with its rig and its motion."""
    if not (once / "chain.json").exists():
        assert bpy.ops.assetgen.text_to_model(prompt="a knight", model_version="v3.1-20260211") == {"FINISHED"}
        found = [mesh_of(addon)]
        for name, fields in (("texture", {"text": "iron"}), ("rig", {}), ("retarget", {"animation": "preset:walk"})):
            select(found[-1])
            assert getattr(bpy.ops.assetgen, name)(**fields) == {"FINISHED"}
            found.append(mesh_of(addon))
        bpy.ops.wm.save_as_mainfile(filepath=str(once / "chain.blend"))
        kept = {"job": addon.scripting.last_job().id, "meshes": [item.name for item in found]}
        addon.session.shutdown()
        shutil.copytree(addon.data, once / "data")
        (once / "chain.json").write_text(json.dumps(kept))
    else:
        kept = json.loads((once / "chain.json").read_text())
        shutil.copytree(once / "data", addon.data, dirs_exist_ok=True)
        bpy.ops.wm.open_mainfile(filepath=str(once / "chain.blend"))
    addon.scripting._state.last_job = kept["job"]
    addon.session.runtime()
    while addon.scripting.last_job() is None:
        addon.pump.tick()
        time.sleep(0.01)
    return [bpy.data.objects[name] for name in kept["meshes"]]


def mesh_of(addon: Any) -> bpy.types.Object:
    return next(item for item in addon.scripting.result_objects() if item.type == "MESH")


def names() -> dict[str, set[str]]:
    return {table: {block.name for block in getattr(bpy.data, table)} for table in TABLES}


def sizes() -> dict[str, int]:
    return {table: len(found) for table, found in names().items()}


def clean_up(addon: Any, **settings: Any) -> set[str]:
    return bpy.ops.assetgen.clean_up(job_id=addon.scripting.last_job().id, **settings)


def test_only_the_last_mesh_rig_and_texture_set_are_left(addon: Any, chain: Any) -> None:
    last = chain[-1]
    assert chain[2] == last, "the motion landed on the rig that was there"
    rig = last.find_armature()
    assert (sizes()["objects"], sizes()["meshes"]) == (4, 3)
    select(last)
    assert clean_up(addon) == {"FINISHED"}
    assert list(bpy.data.objects) == sorted([last, rig], key=lambda item: item.name)
    assert sizes() == {
        "objects": 2, "meshes": 1, "armatures": 1, "materials": 1, "images": 1, "actions": 1, "collections": 1,
    }  # fmt: skip
    assert rig.animation_data.action.name.endswith(" walk")
    assert list(bpy.context.view_layer.objects.selected) == [last]
    assert clean_up(addon) == {"CANCELLED"}, "there is nothing more"


def test_it_works_on_what_is_selected_and_in_a_file_that_was_opened_again(
    addon: Any, chain: Any, tmp_path: Path
) -> None:
    name = chain[-1].name
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "work.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "work.blend"))
    assert sizes()["meshes"] == 3
    select(bpy.data.objects[name].find_armature())
    assert bpy.ops.assetgen.clean_up() == {"FINISHED"}
    assert (sizes()["objects"], sizes()["meshes"]) == (2, 1)


def test_the_files_of_the_jobs_stay(addon: Any, chain: Any) -> None:
    before = sorted(path for path in (addon.data / "results").rglob("*"))
    clean_up(addon)
    assert sorted(path for path in (addon.data / "results").rglob("*")) == before


@pytest.mark.parametrize(
    "touch", ["shown", "rendered", "moved_vertex", "repainted", "parented", "modifier", "instance"]
)
def test_what_the_user_needs_stays(addon: Any, chain: Any, touch: str) -> None:
    first, second, last = chain[0], chain[1], chain[-1]
    if touch == "shown":
        first.hide_set(False)
    elif touch == "rendered":
        first.hide_render = False
    elif touch == "moved_vertex":
        first.data.vertices[0].co.x += 0.5
    elif touch == "repainted":
        first.active_material.diffuse_color[0] = 0.123
    elif touch == "parented":
        add_mesh("Hat", "cube").parent = first
    elif touch == "modifier":
        add_mesh("Hat", "cube").modifiers.new("Wrap", "SHRINKWRAP").target = first
    else:
        holder = bpy.data.collections.new("Crowd")
        holder.objects.link(first)
        knights = bpy.data.objects.new("Knights", None)
        knights.instance_type, knights.instance_collection = "COLLECTION", holder
        bpy.context.scene.collection.objects.link(knights)
    material, mesh = first.active_material, first.data
    assert clean_up(addon) == {"FINISHED"}
    assert first in list(bpy.data.objects)
    assert mesh in list(bpy.data.meshes) and material in list(bpy.data.materials)
    assert last in list(bpy.data.objects) and second not in list(bpy.data.objects)


def test_a_copy_that_shares_the_mesh_keeps_it(addon: Any, chain: Any) -> None:
    first = chain[0]
    other = bpy.data.objects.new("Own", first.data)
    bpy.context.scene.collection.objects.link(other)
    mesh, material = first.data, first.active_material
    assert clean_up(addon) == {"FINISHED"}
    assert first not in list(bpy.data.objects)
    assert mesh in list(bpy.data.meshes) and material in list(bpy.data.materials)


def test_what_the_user_wants_kept_is_kept(addon: Any, chain: Any) -> None:
    material = chain[0].active_material
    material.use_fake_user = True
    assert clean_up(addon) == {"FINISHED"}
    assert material in list(bpy.data.materials)


def test_what_nobody_used_before_is_not_touched(addon: Any, chain: Any) -> None:
    bpy.data.materials.new("For later")
    bpy.data.actions.new("For later")
    clean_up(addon)
    assert "For later" in bpy.data.materials and "For later" in bpy.data.actions


def test_the_users_own_model_stays_unless_it_is_ticked(service: Any, addon: Any) -> None:
    own = add_mesh("Knight", "cube")
    bpy.ops.assetgen.texture(text="iron")
    first = mesh_of(addon)
    bpy.ops.assetgen.texture(text="gold")
    last = mesh_of(addon)
    assert own.hide_get() and first.hide_get()
    assert clean_up(addon) == {"FINISHED"}
    assert own in list(bpy.data.objects) and len(bpy.data.objects) == 2
    assert clean_up(addon) == {"CANCELLED"}
    assert clean_up(addon, with_own=True) == {"FINISHED"}
    assert list(bpy.data.objects) == [last]


def test_old_rigs_go_with_their_meshes(service: Any, addon: Any) -> None:
    add_mesh("Knight", "cube")
    bpy.ops.assetgen.rig()
    old = mesh_of(addon)
    select(old)
    bpy.ops.assetgen.retarget(animation="preset:walk")
    select(old)
    bpy.ops.assetgen.rig()
    new = mesh_of(addon)
    rig = old.find_armature()
    assert new != old and old.hide_get() and rig.hide_get()
    assert clean_up(addon) == {"FINISHED"}
    assert sorted(item.name for item in bpy.data.objects) == sorted(["Knight", new.name, new.find_armature().name])
    assert len(bpy.data.armatures) == 1
    assert [action.name for action in bpy.data.actions] == ["Knight walk"], "a motion that was paid for"


@pytest.mark.parametrize("touch", ["shown", "keyed", "constraint", "bone"])
def test_a_rig_that_was_worked_on_stays_with_its_mesh(service: Any, addon: Any, touch: str) -> None:
    add_mesh("Knight", "cube")
    bpy.ops.assetgen.rig()
    old = mesh_of(addon)
    select(old)
    bpy.ops.assetgen.rig()
    rig = old.find_armature()
    if touch == "shown":
        rig.hide_set(False)
    elif touch == "keyed":
        rig.pose.bones["top"].keyframe_insert("location", frame=1)
    elif touch == "constraint":
        rig.pose.bones["top"].constraints.new("LIMIT_ROTATION")
    else:
        rig.data.bones["top"].name = "head"
    assert clean_up(addon) == {"CANCELLED"}
    assert old in list(bpy.data.objects) and rig in list(bpy.data.objects)
