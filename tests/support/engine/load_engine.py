"""Run by the fork server: loads all modules of the engine, under the names that its entry gives them."""

from __future__ import annotations

import importlib
import runpy
import sys
from pathlib import Path

MAIN = Path(__file__).resolve().parents[3] / "vendor" / "assetgen_local" / "engine" / "main.py"
PACKAGES = ("assetgen_engine", "background_blender")


def load() -> None:
    """Loads them."""
    sys.path.insert(0, str(MAIN.parents[2]))
    runpy.run_path(str(MAIN))["_load_package"]()
    importlib.import_module("background_blender.child")
    for file in sorted(MAIN.parent.rglob("*.py")):
        if file != MAIN and file.name != "__init__.py":
            parts = file.relative_to(MAIN.parent).with_suffix("").parts
            importlib.import_module(".".join((PACKAGES[0], *parts)))


if __name__ == "__main__":
    load()
