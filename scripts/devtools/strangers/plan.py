"""What is done with each model: a run of every capability that works on models, and what is measured of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

BIPED, QUADRUPED, OTHERS = "biped", "quadruped", "others"

SOURCE = "source"
"""The model's own file, as Blender alone reads it."""

CHECK, RIG, WALK = "rig check", "rig", "walk"
IMPORT, DECIMATE, DECIMATE_FEW, TEXTURE = "import", "decimate", "500 faces", "texture"
SEGMENT, SMART_SEGMENT, CONVERT = "segment", "smart segment", "convert"

PARTS = 6
"""How many parts Smart Segment is asked for."""


class Step(NamedTuple):
    """One run of a capability.

    Attributes:
        key: Its column in the table.
        capability: What is run, by its name.
        fields: The request's fields beside the task that is worked on.
        after: The step whose task is worked on; empty for the file.
        compared: What the result is compared with: :data:`SOURCE` or a step; empty for nothing.
        measures: What is measured of the result, see ``in_blender/look.py``.
        drawn: How the result is drawn: ``plain``, ``bones``, ``walk`` or ``parts``; empty for words alone.
        bodies_only: Whether it is for bodies alone, as far as expected or found.
    """

    key: str
    capability: str
    fields: Mapping[str, Any]
    after: str
    compared: str
    measures: tuple[str, ...]
    drawn: str
    bodies_only: bool = False


STEPS = (
    Step(IMPORT, "import_model", {}, "", SOURCE, ("seen", "pieces", "visible"), "plain"),
    Step(CHECK, "rig_check", {}, IMPORT, "", (), ""),
    Step(DECIMATE, "decimate", {"face_limit": 2000}, IMPORT, IMPORT, ("faces", "box", "deviation", "open"), "plain"),
    Step(
        *(DECIMATE_FEW, "decimate", {"face_limit": 500}, IMPORT, IMPORT),
        *(("faces", "box", "deviation", "open"), "plain", True),
    ),
    Step(
        *(TEXTURE, "texture", {"texture_prompt": {"text": "terracotta"}}, IMPORT, IMPORT),
        *(("box", "uv", "colour"), "plain"),
    ),
    Step(RIG, "rig", {}, IMPORT, IMPORT, ("box", "joints", "weights"), "bones", True),
    Step(WALK, "retarget", {}, RIG, "", ("walk",), "walk", True),
    Step(SEGMENT, "segment", {}, IMPORT, IMPORT, ("box", "parts"), "parts"),
    Step(SMART_SEGMENT, "smart_segment", {"parameters": {"parts": PARTS}}, IMPORT, IMPORT, ("box", "parts"), "parts"),
    Step(CONVERT, "convert", {"format": "FBX"}, IMPORT, IMPORT, ("box", "deviation", "visible"), "plain"),
)

KEYS = tuple(step.key for step in STEPS)

RIG_TYPE = "rig_type"
WALKS = {BIPED: {"animation": "preset:walk"}, QUADRUPED: {"animation": "preset:quadruped:walk"}}

ENDINGS = (".glb", ".gltf", ".fbx", ".obj", ".stl", ".ply", ".usdz")


def with_what_they_need(keys: tuple[str, ...]) -> tuple[Step, ...]:
    """The steps of these keys and all that come before them, in order; all where none is named."""
    needed = set(keys or KEYS)
    for step in reversed(STEPS):
        if step.key in needed:
            needed |= {name for name in (step.after, step.compared) if name and name != SOURCE}
            if step.key == RIG:
                needed.add(CHECK)  # it says what kind of body to ask for
    return tuple(step for step in STEPS if step.key in needed)
