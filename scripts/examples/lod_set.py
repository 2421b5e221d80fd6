"""A level-of-detail set: one model, uploaded once, at several sizes that are made at the same time.

blender --background --python scripts/examples/lod_set.py -- statue.glb FOLDER --faces 8000 2000 500
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))  # Blender does not look beside a script

from blender_script import arguments, run, scripting, show


def main() -> None:
    """Writes NAME_LOD0.glb (the finest), NAME_LOD1.glb and so on."""
    parser = argparse.ArgumentParser(prog="lod_set.py", description=__doc__)
    parser.add_argument("input", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--faces", type=int, nargs="+", default=[8000, 2000, 500])
    options = parser.parse_args(arguments())
    options.folder.mkdir(parents=True, exist_ok=True)

    whole = scripting.start("import_model", file=options.input.absolute())
    scripting.wait(whole, show)
    task = scripting.results(whole).task_id
    levels = [scripting.start("decimate", input=task, face_limit=faces) for faces in sorted(options.faces)[::-1]]
    scripting.wait(levels, show)

    for number, job in enumerate(levels):
        target = options.folder / f"{options.input.stem}_LOD{number}.glb"
        shutil.copyfile(scripting.results(job).files["model"], target)
        print(target)


run(main)
