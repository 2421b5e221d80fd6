"""The ways in beside the panel: what is added to Blender, and that it goes again."""

from __future__ import annotations

import importlib
from typing import Any

import addon_utils
import bpy
import pytest
from support.addon import add_mesh
from support.services.local_engine import instant_runner

MENUS = ("VIEW3D_MT_add", "VIEW3D_MT_object", "VIEW3D_MT_object_context_menu", "OUTLINER_MT_object", "IMAGE_MT_image")


def added(name: str) -> list[str]:
    functions = getattr(getattr(bpy.types, name).draw, "_draw_funcs", ())
    return [function.__name__ for function in functions if ".addon.ui.menus" in function.__module__]


def module(addon: Any, name: str) -> Any:
    return importlib.import_module(f"{addon.package}.addon.{name}")


def test_menus_are_added_once_and_go_again(addon: Any) -> None:
    assert [len(added(name)) for name in MENUS] == [1] * len(MENUS)
    addon_utils.disable(addon.package)
    try:
        assert [len(added(name)) for name in MENUS] == [0] * len(MENUS)
    finally:
        addon_utils.enable(addon.package)
    assert [len(added(name)) for name in MENUS] == [1] * len(MENUS)


def test_every_operation_is_in_a_menu(addon: Any) -> None:
    menus = module(addon, "ui.menus")
    table = module(addon, "props.task_properties").CAPABILITIES
    listed = {info.name for info in (*menus.FROM_NOTHING, *menus.OF_OBJECTS)}
    missing = {info.name for info in table.values() if info.name not in listed}
    assert {table[name].takes for name in missing} == {"multiview_task"}, "it goes on from a job in the list"
    assert not {info.name for info in menus.FROM_NOTHING} & {info.name for info in menus.OF_OBJECTS}


def test_every_pictogram_is_one_of_blenders(addon: Any) -> None:
    icons = bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items
    table = module(addon, "props.task_properties").CAPABILITIES
    used = [info.icon for info in table.values()]
    assert [icon for icon in used if icon == "NONE" or icon not in icons] == []
    assert len(set(used)) == len(used), "and no two look the same"


def test_operators_are_found_by_a_search(addon: Any) -> None:
    table = module(addon, "props.task_properties").CAPABILITIES
    for name, info in table.items():
        operator = getattr(bpy.types, f"ASSETGEN_OT_{name}")
        assert operator.bl_label == info.label
        assert "INTERNAL" not in operator.bl_options


@pytest.mark.parametrize("service", [{"runner": instant_runner}], indirect=True)
def test_without_a_window_nothing_is_asked(service: Any, addon: Any) -> None:
    add_mesh("Thing")
    assert bpy.ops.assetgen.decimate("INVOKE_DEFAULT") == {"FINISHED"}
    assert addon.scripting.last_job().name == "Decimate Thing"


def test_the_tab_cannot_be_shown_without_a_viewport(addon: Any) -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            area.type = "TEXT_EDITOR"
    with pytest.raises(RuntimeError, match="No 3D viewport is open"):
        bpy.ops.assetgen.show_tab()


def test_films_and_tiles_are_refused_with_a_reason(addon: Any) -> None:
    images = module(addon, "bridge.objects.image_files")
    image = bpy.data.images.new("Skin", 4, 4, tiled=True)
    with pytest.raises(Exception, match=r'The image "Skin" is divided into UDIM tiles: open the tile that is wanted'):
        images.refuse_unsendable(image)
