"""Run by the fork server: loads what makes uploads and results ready, under the names that these scripts import."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = tuple(sorted((_ROOT / "addon" / "headless").glob("[!_]*.py")))
PACKAGES = ("background_blender", *(script.stem for script in SCRIPTS))


def load() -> None:
    """Loads them."""
    sys.path[:0] = [str(SCRIPTS[0].parent), str(_ROOT / "vendor")]
    for name in ("background_blender.child", *PACKAGES):
        importlib.import_module(name)


if __name__ == "__main__":
    load()
