"""Takes a model apart and closes the parts: one object each, ready to be moved, printed or hidden by themselves.

blender --background --python scripts/examples/segment_and_complete.py -- toy.glb parts.blend
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))  # Blender does not look beside a script

from blender_script import arguments, run, scripting, show


def main() -> None:
    """Two tasks, and a .blend with nothing but the closed parts."""
    parser = argparse.ArgumentParser(prog="segment_and_complete.py", description=__doc__)
    parser.add_argument("input", type=Path)
    parser.add_argument("output", type=Path)
    options = parser.parse_args(arguments())

    bpy.ops.wm.read_homefile(use_empty=True)
    whole = scripting.start("import_model", file=options.input.absolute())
    scripting.wait(whole, show)
    cut = scripting.start("segment", original_model_task_id=scripting.results(whole).task_id)
    scripting.wait(cut, show)
    # The parts are objects now. They know which task they came from, so they are not uploaded either.
    closed = scripting.start("complete", objects=scripting.results(cut).objects)
    scripting.wait(closed, show)

    parts = scripting.results(closed).objects
    bpy.data.libraries.write(str(options.output.absolute()), set(parts), fake_user=True)
    print(f"{len(parts)} objects in {options.output}: {', '.join(item.name for item in parts)}")


run(main)
