"""Runs operations on a model file without a window, through the extension's own operators.

    blender --background --python scripts/process_model.py -- IN.glb OUT.glb --decimate 5000 --texture "rusty iron"
    python3 scripts/process_model.py -- IN.glb OUT.glb --decimate 5000 --texture "rusty iron"

The second form needs a Python that has bpy. Where the extension is installed and enabled, that one is used; else the
clone that this script lies in, which needs httpx and pydantic (``scripts/dev.py setup`` prepares an environment).
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

BAD_INPUT = 2
NEEDED = ("httpx", "pydantic", "tqdm", "platformdirs")


def main() -> int:
    """Enables the extension and hands over to its command line."""
    if importlib.util.find_spec("bpy") is None:
        print("This Python has no bpy: run `python3 scripts/dev.py setup` and use .venv's Python.", file=sys.stderr)
        return BAD_INPUT
    import bpy
    from load_extension import PACKAGE, ROOT, enable_extension

    modules = [addon.module for addon in bpy.context.preferences.addons]
    installed = any(name.startswith("bl_ext.") and name.endswith("." + PACKAGE) for name in modules)
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if not installed and missing:
        print(
            f"The extension is not installed in this Blender, and its Python has no {', '.join(missing)}. "
            f'Install the zip that `python3 "{ROOT / "scripts" / "dev.py"}" build` makes.',
            file=sys.stderr,
        )
        return BAD_INPUT
    package = enable_extension()
    process = importlib.import_module(f"{package.__name__}.addon.cli.process")
    return int(process.main(_arguments()))


def _arguments() -> list[str]:
    """What stands behind ``--``; all arguments when a Python runs this without one."""
    if "--" in sys.argv:
        return sys.argv[sys.argv.index("--") + 1 :]
    return sys.argv[1:]


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    # Not sys.exit: in Blender it would be printed as an error, and bpy's own exit has been seen to hang and to crash.
    os._exit(code)
