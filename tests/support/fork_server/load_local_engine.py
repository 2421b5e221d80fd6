"""Run by the fork server: loads what the local engine's process runs with, under the names that it imports."""

from __future__ import annotations

import importlib
import runpy
from pathlib import Path

_MAIN = Path(__file__).resolve().parents[3] / "vendor" / "assetgen_local" / "__main__.py"

if __name__ == "__main__":
    main = runpy.run_path(str(_MAIN))
    main["_load_vendor"]()
    for name in ("host.process", "host.service"):
        importlib.import_module(f"{main['_PACKAGE']}.assetgen_local.{name}")
