"""Textures every mesh of a .blend, each as a job of its own, and saves the scene with the results in their places.

blender --background --python scripts/examples/texture_scene.py -- IN.blend OUT.blend --prompt "weathered oak"
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))  # Blender does not look beside a script

from blender_script import arguments, meshes, run, scripting, show


def main() -> None:
    """Starts all jobs, then waits for them: the service works on as many at a time as the account may have."""
    parser = argparse.ArgumentParser(prog="texture_scene.py", description=__doc__)
    parser.add_argument("input", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--prompt", required=True)
    options = parser.parse_args(arguments())

    bpy.ops.wm.open_mainfile(filepath=str(options.input.absolute()))
    sources = meshes()
    # SAME: the result is called what its source was called.
    jobs = {
        scripting.start("texture", objects=[item], text=options.prompt, result_names="SAME"): item for item in sources
    }
    scripting.wait(jobs, show)

    for source in jobs.values():  # they are hidden behind their results
        bpy.data.objects.remove(source)
    bpy.ops.wm.save_as_mainfile(filepath=str(options.output.absolute()))
    print(f"{len(jobs)} meshes textured in {options.output}")


run(main)
