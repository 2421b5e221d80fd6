"""Registers everything in one order and unregisters it in exactly the opposite one."""

from __future__ import annotations

from types import ModuleType

import bpy

from . import preferences
from .bridge import handlers, previews, startup
from .cli import command
from .core.log import logger
from .ops import (
    again,
    assets,
    capabilities,
    clean_up,
    examples,
    frame_range,
    history,
    inputs,
    job_rows,
    jobs,
    open_guide,
    pictures,
    placeholders,
    recipes,
    results,
    select_result,
    service,
    show,
    show_tab,
    status_reports,
    stop_jobs,
    storage,
    use_result,
    vary,
)
from .props import job_list_settings, recipe_settings, scene_settings
from .translation import interface as translation
from .ui import (
    credits_panel,
    drops,
    fields,
    history_panel,
    image_panel,
    job_list,
    job_panel,
    keymap,
    main_panel,
    manual_links,
    menus,
    operation,
    presets,
    progress_overlay,
    prompt_menu,
    recipes_panel,
    status_bar,
    tab_note,
)

MODULES: tuple[ModuleType, ...] = (
    translation,
    preferences,
    scene_settings,
    job_list_settings,
    recipe_settings,
    previews,
    results,
    placeholders,
    capabilities,
    again,
    vary,
    history,
    inputs,
    pictures,
    examples,
    use_result,
    job_rows,
    jobs,
    show,
    frame_range,
    clean_up,
    assets,
    select_result,
    stop_jobs,
    status_reports,
    service,
    recipes,
    storage,
    show_tab,
    open_guide,
    prompt_menu,
    fields,
    operation,
    presets,
    main_panel,
    credits_panel,
    job_list,
    job_panel,
    history_panel,
    recipes_panel,
    image_panel,
    menus,
    drops,
    keymap,
    tab_note,
    manual_links,
    status_bar,
    progress_overlay,
    command,
    handlers,
    startup,
)
"""What a module has to register: ``CLASSES``, and ``register``/``unregister`` for the rest. Both are optional."""


def register() -> None:
    """Registers all modules; when one fails, those before it are unregistered again."""
    done: list[ModuleType] = []
    try:
        for module in MODULES:
            done.append(module)
            for cls in getattr(module, "CLASSES", ()):
                bpy.utils.register_class(cls)
            if hasattr(module, "register"):
                module.register()
    except Exception:
        _unregister(done)
        raise


def unregister() -> None:
    """Unregisters all modules, the last one first."""
    _unregister(list(MODULES))


def _unregister(modules: list[ModuleType]) -> None:
    for module in reversed(modules):
        try:
            if hasattr(module, "unregister"):
                module.unregister()
        except Exception:  # one module's trouble must not leave the others registered
            logger(__name__).exception("unregistering %s", module.__name__)
        for cls in reversed(getattr(module, "CLASSES", ())):
            if cls.is_registered:
                bpy.utils.unregister_class(cls)
