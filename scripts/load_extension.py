"""Makes the extension importable and usable outside Blender's own installation of it: for scripts, the demo and tests.

The folder of a clone can have any name, so the package gets its name, ``asset_generation``, here.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

PACKAGE = "asset_generation"
ROOT = Path(__file__).resolve().parent.parent


def load_package(root: Path = ROOT) -> ModuleType:
    """Imports the clone's root as the package ``asset_generation`` (no bpy needed)."""
    if PACKAGE in sys.modules:
        return sys.modules[PACKAGE]
    path = root / "__init__.py"
    spec = importlib.util.spec_from_file_location(PACKAGE, path, submodule_search_locations=[str(root)])
    if spec is None or spec.loader is None:
        raise ImportError(f"no package at {root}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = module
    spec.loader.exec_module(module)
    return module


def enable_extension(root: Path = ROOT) -> ModuleType:
    """Enables the extension in this Blender: the installed one where there is one, else the clone at ``root``.

    Raises:
        RuntimeError: The extension could not be enabled; Blender printed why.
    """
    import addon_utils
    import bpy

    for addon in bpy.context.preferences.addons:
        if addon.module.startswith("bl_ext.") and addon.module.endswith("." + PACKAGE):
            return sys.modules[addon.module]
    module = load_package(root)
    # addon_utils takes a module that is already imported only when these say that it is up to date.
    module.__time__ = Path(str(module.__file__)).stat().st_mtime  # type: ignore[attr-defined]
    module.__addon_enabled__ = False  # type: ignore[attr-defined]
    if addon_utils.enable(PACKAGE, default_set=True) is None:
        raise RuntimeError("the extension could not be enabled; what Blender printed above says why")
    return module
