"""What the fork server loads for scripts that run with bpy, and what each of their processes begins with.

Half of a short test was the loading of Blender's importers and exporters, so they are loaded here too. Blender's start
makes threads for OpenEXR, which are ended; on one core, TBB and OpenBLAS make none.
"""

from __future__ import annotations

import ctypes
import importlib
import tempfile
from pathlib import Path

import bpy
import numpy as np

_ADDONS = ("io_scene_gltf2", "io_scene_fbx")


def load() -> None:
    """Gets Blender ready to be forked."""
    _stop_threads_of_openexr()
    _load_addons()


def begin() -> None:
    """Has a forked Blender be one of its own."""
    bpy.context.preferences.filepaths.temporary_directory = tempfile.gettempdir()
    np.random.seed()


def _load_addons() -> None:
    """Loads all modules of the importers and exporters that Blender has in Python, which it does at their first use."""
    for name in _ADDONS:
        folder = Path(importlib.import_module(name).__path__[0])
        for file in sorted(folder.rglob("*.py")):  # folders without an __init__.py too
            importlib.import_module(".".join((name, *file.relative_to(folder).with_suffix("").parts)))


def _stop_threads_of_openexr() -> None:
    """Ends the threads that Blender's start makes for its images; a forked process would wait for them for ever.

    Raises:
        LookupError: This Blender's library is an unknown one.
    """
    maps = Path("/proc/self/maps").read_text()
    paths = {line.split(maxsplit=5)[5] for line in maps.splitlines() if "/libOpenEXR.so" in line}
    for library in map(ctypes.CDLL, paths):
        for space in (f"Imf_3_{minor}" for minor in range(20)):
            function = getattr(library, f"_ZN{len(space)}{space}20setGlobalThreadCountEi", None)
            if function is not None:
                function(0)
                return
    raise LookupError(f"no function to end OpenEXR's threads in {paths or 'any library'}")
