"""What the examples that run in Blender share: the extension, the arguments, and an end with an exit code.

In a script of your own, in a Blender that has the extension, one line does instead:

    from bl_ext.user_default.asset_generation.addon.bridge import scripting
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from load_extension import enable_extension

if TYPE_CHECKING:
    from asset_generation.addon.bridge import scripting
    from asset_generation.addon.core.jobs.job import JobView

_package = enable_extension().__name__

if not TYPE_CHECKING:  # of the installed extension where there is one, else of this clone
    scripting = importlib.import_module(f"{_package}.addon.bridge.scripting")


def arguments() -> list[str]:
    """What stands behind ``--``; all arguments where a Python with bpy runs the script."""
    return sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]


def meshes() -> list[bpy.types.Object]:
    """The meshes with faces that can be selected in the open scene."""
    items = bpy.context.view_layer.objects
    return [item for item in items if item.type == "MESH" and item.data.polygons and item.visible_get()]


def show(job: JobView) -> None:
    """Prints how far a job is; for ``wait(jobs, show)``."""
    print(f"{job.progress:4.0%} {job.name}: {job.text}", flush=True)


def run(main: Callable[[], None]) -> NoReturn:
    """Runs the script and ends the process, as the command line would: an error is a sentence and an exit code."""
    code = 0
    try:
        main()
    except scripting.CoreError as error:
        print(f"{error}. {error.advice}".strip(), file=sys.stderr)
        code = getattr(error, "exit_code", 2)
    finally:
        importlib.import_module(f"{_package}.addon.bridge.startup").shut_down()
    sys.stdout.flush()
    sys.stderr.flush()
    # Not sys.exit: Blender would print it as an error, and the bpy module can hang at its own exit.
    os._exit(code)
