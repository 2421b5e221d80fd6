"""Results as assets: what Blender finds in the library afterwards, and what is left as it was."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from asset_generation.addon.core.library import catalogs
from support.addon import add_mesh

MINE = "a1a1a1a1-0000-4000-8000-000000000001:Props/Chairs:Props-Chairs"
NOBODY = os.name == "nt" or os.geteuid() == 0
"""Whether the user of these tests may write everywhere."""


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Path]:
    """A folder that is an asset library of Blender's."""
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / catalogs.FILE_NAME).write_text(f"# mine\nVERSION 1\n{MINE}\n", encoding="utf-8")
    listed = bpy.context.preferences.filepaths.asset_libraries
    known = listed.new(name="Mine", directory=str(folder))
    yield folder
    listed.remove(known)


def decimated(addon: Any, **transform: Any) -> Any:
    add_mesh("Chair", **transform)
    bpy.ops.assetgen.decimate(face_limit=700)
    return addon.scripting.last_job()


def assets_of(path: Path) -> list[Any]:
    """What Blender finds in a .blend that is marked as an asset, loaded."""
    with bpy.data.libraries.load(str(path), assets_only=True) as (there, here):
        here.objects, here.collections = list(there.objects), list(there.collections)
    return [*here.objects, *here.collections]


def save(job: Any, library: str = "Mine") -> None:
    assert bpy.ops.assetgen.save_as_asset(job_id=job.id, library=library) == {"FINISHED"}


def blends(folder: Path) -> list[str]:
    return sorted(item.name for item in folder.glob("*.blend"))


def test_a_result_becomes_one_asset_with_picture_tags_and_catalog(service: Any, addon: Any, library: Path) -> None:
    job = decimated(addon)
    (item,) = addon.scripting.result_objects(job.id)
    save(job)
    assert blends(library) == [f"{item.name}.blend"]
    (asset,) = assets_of(library / f"{item.name}.blend")
    assert len(asset.data.vertices) == len(item.data.vertices)
    assert {tag.name for tag in asset.asset_data.tags} >= {"Decimate"}
    assert (asset.asset_data.author, asset.asset_data.license) == ("", "")
    wanted = catalogs.catalog_of("decimate", "Decimate")
    assert asset.asset_data.catalog_id == wanted.id
    lines = (library / catalogs.FILE_NAME).read_text(encoding="utf-8").splitlines()
    assert lines == ["# mine", "VERSION 1", MINE, wanted.line]
    pixels = np.empty(len(asset.preview.image_pixels_float), dtype=np.float32)
    asset.preview.image_pixels_float.foreach_get(pixels)
    assert min(asset.preview.image_size) >= 64
    assert pixels.max() > 0.5 and pixels.std() > 0.05, "the picture shows something"


def test_what_is_in_the_scene_is_saved_as_it_is_now(service: Any, addon: Any, library: Path) -> None:
    job = decimated(addon, location=(10, 0, 0))
    (item,) = addon.scripting.result_objects(job.id)
    parent = bpy.data.objects.new("Holder", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.location = (0, 0, 5)
    bpy.context.view_layer.update()
    item.parent = parent
    image = bpy.data.images.new("Painted", 8, 8)
    image.pixels.foreach_set(np.tile(np.array((0.0, 1.0, 0.0, 1.0), dtype=np.float32), 64))
    material = bpy.data.materials.new("Paint")
    if not material.node_tree:
        material.use_nodes = True
    material.node_tree.nodes.new("ShaderNodeTexImage").image = image
    item.data.materials.append(material)
    item.modifiers.new("Bevel", "BEVEL")
    item.name = "My chair"
    bpy.context.view_layer.update()
    world = [list(row) for row in item.matrix_world]
    save(job)
    bpy.ops.wm.read_homefile(use_empty=True)
    (asset,) = assets_of(library / "My chair.blend")
    assert asset.name == "My chair" and asset.parent is None
    assert [modifier.name for modifier in asset.modifiers] == ["Bevel"]
    bpy.context.scene.collection.objects.link(asset)
    bpy.context.view_layer.update()
    assert np.allclose(world, [list(row) for row in asset.matrix_world], atol=1e-5)
    nodes = next(slot.material for slot in asset.material_slots if slot.material.name == "Paint").node_tree.nodes
    painted = next(node.image for node in nodes if node.type == "TEX_IMAGE")
    assert painted.packed_file is not None
    assert np.allclose(list(painted.pixels)[:4], (0, 1, 0, 1), atol=0.02)


def test_several_objects_are_one_collection_that_stands_where_it_is_dropped(
    service: Any, addon: Any, library: Path
) -> None:
    job = decimated(addon, location=(10, 0, 0))
    (item,) = addon.scripting.result_objects(job.id)
    other = item.copy()
    bpy.context.scene.collection.objects.link(other)
    addon.open_file.objects[job.id].append(other.session_uid)
    save(job)
    (name,) = blends(library)
    (asset,) = assets_of(library / name)
    assert isinstance(asset, bpy.types.Collection) and len(asset.objects) == 2
    assert asset.instance_offset.x == pytest.approx(10, abs=0.5)


def test_a_result_that_is_not_in_the_scene_is_saved_as_it_arrived(service: Any, addon: Any, library: Path) -> None:
    job = decimated(addon)
    (item,) = addon.scripting.result_objects(job.id)
    vertices = len(item.data.vertices)
    bpy.data.objects.remove(item)
    save(job)
    (name,) = blends(library)
    (asset,) = assets_of(library / name)
    assert len(asset.data.vertices) == vertices


def test_saved_again_it_replaces_its_own_file_and_no_changed_one(service: Any, addon: Any, library: Path) -> None:
    job = decimated(addon)
    save(job)
    (name,) = blends(library)
    save(job)
    assert blends(library) == [name]
    path = library / name
    path.write_bytes(path.read_bytes() + b"changed")
    changed = path.read_bytes()
    save(job)
    assert blends(library) == sorted([name, f"{path.stem}-2.blend"])
    assert path.read_bytes() == changed
    save(job)
    assert blends(library) == sorted([name, f"{path.stem}-2.blend"])
    assert not list(library.glob(".*")), "nothing half is left"


def test_a_library_is_made_on_a_press_and_once(service: Any, addon: Any, tmp_path: Path) -> None:
    listed = bpy.context.preferences.filepaths.asset_libraries
    before = len(listed)
    job = decimated(addon)
    assert len(listed) == before, "never unasked"
    folder = tmp_path / "new" / "folder"
    with pytest.raises(RuntimeError, match=r"No asset library is chosen\. Choose one in the preferences"):
        bpy.ops.assetgen.save_as_asset(job_id=job.id)
    try:
        assert bpy.ops.assetgen.make_library(directory=str(folder), job_id=job.id) == {"FINISHED"}
        assert len(blends(folder)) == 1
        bpy.ops.assetgen.make_library(directory=str(folder))
        assert [item.name for item in listed][before:] == ["Generated"]
        bpy.ops.assetgen.save_as_asset(job_id=job.id)  # the library that was made is chosen
        assert len(blends(folder)) == 1
    finally:
        listed.remove(listed["Generated"])
        addon.prefs.preferences().asset_library = ""


def test_what_cannot_be_saved_is_a_sentence(service: Any, addon: Any, library: Path) -> None:
    job = decimated(addon)
    with pytest.raises(RuntimeError, match='There is no asset library "Nowhere"'):
        bpy.ops.assetgen.save_as_asset(job_id=job.id, library="Nowhere")
    moved = library.rename(library.with_name("moved"))
    with pytest.raises(RuntimeError, match="is not there"):
        save(job)
    moved.rename(library)
    if not NOBODY:
        library.chmod(0o500)
        with pytest.raises(RuntimeError, match="nothing may be written in"):
            save(job)
        library.chmod(0o700)
    assert blends(library) == []


def test_a_press_does_not_wait_and_is_told_how_it_ended(service: Any, addon: Any, library: Path) -> None:
    job = decimated(addon)
    module = __import__(f"{addon.package}.addon.bridge.library", fromlist=["library"])
    future = module.save(job, "Mine")
    assert module.is_saving(job.id)
    with pytest.raises(Exception, match="being saved already"):
        module.save(job, "Mine")
    assert future.result(60).is_file()
    assert not module.is_saving(job.id)


def test_the_active_object_says_which_job_it_is_the_result_of(service: Any, addon: Any, library: Path) -> None:
    job = decimated(addon)
    (item,) = addon.scripting.result_objects(job.id)
    add_mesh("Other")
    bpy.ops.assetgen.decimate(face_limit=600)
    bpy.context.view_layer.objects.active = item
    assert bpy.ops.assetgen.save_as_asset(library="Mine") == {"FINISHED"}
    assert blends(library) == [f"{item.name}.blend"]
