"""Files dropped onto the viewport: Blender calls these operators with a folder and names, as it is done here."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from support.services.local_engine import instant_runner, tiny_png

pytestmark = pytest.mark.parametrize("service", [{"runner": instant_runner}], indirect=True)


def drop(command: str, folder: Path, *names: str, **more: str) -> set[str]:
    for name in names:
        if not (folder / name).exists():
            (folder / name).write_bytes(tiny_png())
    operator = getattr(bpy.ops.assetgen, command)
    return set(operator("EXEC_DEFAULT", directory=str(folder), files=[{"name": name} for name in names], **more))


def module(addon: Any, name: str) -> Any:
    return importlib.import_module(f"{addon.package}.addon.{name}")


def test_an_image_becomes_a_model(service: Any, addon: Any, tmp_path: Path) -> None:
    assert drop("drop_images", tmp_path, "chair.png") == {"FINISHED"}
    assert addon.scripting.last_job().name == "Image to Model: chair"
    assert bpy.context.scene.asset_generation.image_to_model.file == str(tmp_path / "chair.png")


def test_several_images_become_a_model_each(service: Any, addon: Any, tmp_path: Path) -> None:
    assert drop("drop_images", tmp_path, "b.png", "a.png") == {"FINISHED"}
    assert sorted(item.name for item in bpy.data.objects) == ["a", "b"]


def test_views_become_one_model(service: Any, addon: Any, tmp_path: Path) -> None:
    group = bpy.context.scene.asset_generation.multiview_to_model
    group.original_model_task_id, group.back = "an-earlier-task", "old.png"
    assert drop("drop_images", tmp_path, "02_left.png", "01_front.png", purpose="VIEWS") == {"FINISHED"}
    job = addon.scripting.last_job()
    assert job.plan.steps[0].capability == "multiview_to_model"
    fields = job.plan.steps[0].fields
    assert (Path(fields["front"]).name, Path(fields["left"]).name) == ("01_front.png", "02_left.png")
    assert not {"back", "right", "original_model_task_id"} & set(fields)


def test_a_model_goes_into_the_service_and_comes_into_the_scene(service: Any, addon: Any, tmp_path: Path) -> None:
    bpy.context.scene.cursor.location = (5, 0, 0)
    (tmp_path / "thing.stl").write_text(
        "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
        "vertex 0 1 0\nendloop\nendfacet\nendsolid x\n"
    )
    assert drop("drop_models", tmp_path, "thing.stl") == {"FINISHED"}
    job = addon.scripting.last_job()
    assert (job.plan.steps[0].capability, Path(job.plan.source.path).name) == ("import_model", "thing.stl")
    (item,) = addon.scripting.result_objects()
    assert (item.type, tuple(item.matrix_world.translation)) == ("MESH", (0, 0, 0)), "where the file has it"


def test_a_refusal_is_said_and_starts_no_more(service: Any, addon: Any, tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"no image")
    with pytest.raises(RuntimeError, match=r"a\.png"):
        drop("drop_images", tmp_path, "a.png", "b.png")


def test_blender_knows_which_files_can_be_dropped_where(service: Any, addon: Any) -> None:
    drops = module(addon, "ui.drops")
    contract = importlib.import_module(f"{addon.package}.vendor.assetgen.contract")
    readable = module(addon, "core.requests.model_files").READABLE
    assert {f".{name}" for name in contract.MODEL_FORMATS} <= drops.MODEL_SUFFIXES <= {f".{name}" for name in readable}
    images, models = bpy.types.ASSETGEN_FH_images, bpy.types.ASSETGEN_FH_models
    assert ".png" in images.bl_file_extensions.split(";") and ".glb" in models.bl_file_extensions.split(";")
    assert hasattr(bpy.types, "ASSETGEN_OT_drop_images") and hasattr(bpy.types, "ASSETGEN_OT_drop_models")
    viewport = SimpleNamespace(area=SimpleNamespace(type="VIEW_3D"), region=SimpleNamespace(type="WINDOW"))
    elsewhere = SimpleNamespace(area=SimpleNamespace(type="IMAGE_EDITOR"), region=SimpleNamespace(type="WINDOW"))
    side_bar = SimpleNamespace(area=SimpleNamespace(type="VIEW_3D"), region=SimpleNamespace(type="UI"))
    for handler in (drops.ASSETGEN_FH_images, drops.ASSETGEN_FH_models):
        assert [handler.poll_drop(context) for context in (viewport, elsewhere, side_bar)] == [True, False, False]
    preferences = addon.prefs.preferences()
    preferences.asks_about_models = False
    try:
        assert not drops.ASSETGEN_FH_models.poll_drop(viewport), "Blender then imports a model without a question"
    finally:
        preferences.asks_about_models = True
