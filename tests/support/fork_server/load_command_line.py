"""Run by the fork server: loads what the command line runs with."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))

from load_extension import PACKAGE, load_package

if __name__ == "__main__":
    load_package()
    for name in ("cli.main", "core.runtime.started_runtime"):
        importlib.import_module(f"{PACKAGE}.addon.{name}")
