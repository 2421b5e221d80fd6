"""Run by the fork server: loads what scripts/process_model.py runs with, and enables nothing."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(_ROOT / "scripts"))

from load_extension import PACKAGE, load_package  # noqa: E402

if __name__ == "__main__":
    load_package(_ROOT)
    for name in ("registration", "cli.process", "core.runtime.started_runtime"):
        importlib.import_module(f"{PACKAGE}.addon.{name}")
