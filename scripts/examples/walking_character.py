"""From words to a walking character: an FBX with mesh, skeleton and animation.

blender --background --python scripts/examples/walking_character.py -- "a robot" robot.fbx
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))  # Blender does not look beside a script

from blender_script import arguments, run, scripting, show

VERSION = "v3.1-20260211"


def main() -> None:
    """Four tasks; each works on what the one before has at the service, so nothing is uploaded."""
    parser = argparse.ArgumentParser(prog="walking_character.py", description=__doc__)
    parser.add_argument("prompt")
    parser.add_argument("output", type=Path)
    parser.add_argument("--motion", default="preset:walk")
    options = parser.parse_args(arguments())

    made = scripting.start("text_to_model", prompt=options.prompt, model_version=VERSION, face_limit=5000)
    scripting.wait(made, show)
    # The objects know which task they came from; as long as they are as they came, that is what is worked on.
    body = scripting.results(made).objects

    checked = scripting.start("rig_check", objects=body)
    scripting.wait(checked, show)
    print(scripting.results(checked).answer)  # "Riggable: biped"

    rigged = scripting.start("rig", objects=body)
    scripting.wait(rigged, show)
    moved = scripting.start(
        "retarget", objects=scripting.results(rigged).objects, animation=options.motion, out_format="fbx"
    )
    scripting.wait(moved, show)
    shutil.copyfile(scripting.results(moved).files["model"], options.output)
    print(f"{options.prompt}, {options.motion}, in {options.output}")


run(main)
