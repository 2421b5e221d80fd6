"""Enables the extension and, for comparison, an add-on of Blender's own, in a fresh process, and times both."""

from __future__ import annotations

import gc
import json
import sys
import time

import bpy

# isort: split
import addon_utils  # only there once bpy is
from load_extension import enable_extension

_REFERENCE = "node_wrangler"
_HEAVY = ("httpx", "pydantic", "pydantic_core", "starlette", "uvicorn")


def _milliseconds_to_enable_reference() -> float:
    gc.collect()
    started = time.perf_counter()
    if addon_utils.enable(_REFERENCE) is None:
        raise RuntimeError(f"Blender's own add-on {_REFERENCE} could not be enabled")
    return (time.perf_counter() - started) * 1000


def _milliseconds_to_enable_extension() -> float:
    gc.collect()  # or the one full collection that is due about now, of all that Blender has, is counted as ours
    started = time.perf_counter()
    enable_extension()
    return (time.perf_counter() - started) * 1000


def main() -> None:
    """Prints the figures."""
    before = set(sys.modules)
    reference = _milliseconds_to_enable_reference()
    own = _milliseconds_to_enable_extension()
    heavy = sorted(name for name in _HEAVY if name in sys.modules and name not in before)
    modules = sum(name.split(".")[0] == "asset_generation" for name in sys.modules)
    addon_utils.disable("asset_generation")  # what is left registered at exit hangs some Blenders
    version = bpy.app.version_string
    print(json.dumps({"own": own, "reference": reference, "heavy": heavy, "modules": modules, "blender": version}))


main()
