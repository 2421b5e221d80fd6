"""A folder of OBJ files to USDZ files of the same names.

blender --background --python scripts/examples/obj_folder_to_usdz.py -- FOLDER OUT
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))  # Blender does not look beside a script

from blender_script import arguments, run, scripting, show


def main() -> None:
    """Blender reads the OBJ files with their materials; what is selected is uploaded and converted."""
    parser = argparse.ArgumentParser(prog="obj_folder_to_usdz.py", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args(arguments())
    options.out.mkdir(parents=True, exist_ok=True)

    jobs: dict[str, str] = {}
    for path in sorted(options.folder.glob("*.obj")):
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.ops.wm.obj_import(filepath=str(path))
        # The selection is written down at once, so the next file can be opened while this one is worked on.
        jobs[scripting.start("convert", format="USDZ")] = path.stem
    scripting.wait(jobs, show)

    for job, name in jobs.items():
        target = options.out / f"{name}.usdz"
        shutil.copyfile(scripting.results(job).files["model"], target)
        print(target)


run(main)
