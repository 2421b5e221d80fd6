"""The command line without Blender, in any Python that has the extension's packages.

    python3 scripts/assetgen.py text-to-model --prompt "a wooden chair" --model-version P2-20260801 --out chairs
    python3 scripts/assetgen.py --help

Inside Blender the same is ``blender --command assetgen ...``. ``scripts/dev.py setup`` prepares a Python for it.
"""

from __future__ import annotations

import gc
import importlib.util
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

BAD_INPUT = 2
NEEDED = ("httpx", "pydantic", "tqdm", "platformdirs")


def main() -> int:
    """Loads the clone that this script lies in and hands over to its command line."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        print(
            f"This Python has no {', '.join(missing)}: run `python3 scripts/dev.py setup` and use .venv's Python.",
            file=sys.stderr,
        )
        return BAD_INPUT
    from load_extension import PACKAGE, load_package

    gc.disable()  # nothing that is loaded is garbage, and to look for some in it was a seventh of the start
    load_package()
    cli = importlib.import_module(f"{PACKAGE}.addon.cli.main")
    gc.enable()
    return int(cli.main(sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())
