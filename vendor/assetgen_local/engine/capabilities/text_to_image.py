"""Text to Image: the parametric model of the prompt's thing, rendered before a transparent or plain background; no AI.

Larger pictures than a render of bounded size are scaled up. Words after ``--no`` are left out of the model. Templates:
``t_pose`` and ``character_completion`` show a whole person from the front, ``variants`` four versions on one sheet,
``figure`` the thing on a round base, ``asset_extraction`` the thing alone and as large as it fits.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from mathutils import Vector

from ..array_types import Picture
from ..errors import EngineError
from ..files import model_io
from ..materials.prompt import surface_of
from ..materials.shading import Shader
from ..mesh import measure
from ..output import preview
from ..output.understood import of_thing
from ..picture_edits import canvas
from ..shapes import catalog, scene
from ..shapes.model import ModelPart, part
from ..shapes.prompt_spec import PromptSpec, read_prompt
from ..shapes.solids import lathe
from ..task import Task

_LARGEST_RENDER = 768
_FRONT = Vector((0.0, -1.0, 0.06)).normalized()
_VERSIONS = ((0, (1.0, 1.0, 1.0)), (7919, (0.85, 0.85, 1.12)), (104729, (1.15, 1.15, 0.95)), (1299709, (1.0, 1.0, 0.8)))
"""What is added to the seed, and factors on the proportions."""


def run(task: Task) -> dict[str, Any]:
    """Renders what the prompt names.

    Raises:
        EngineError: There is no prompt, or the size is none.
    """
    prompt, _, unwanted = str(task.body.get("prompt") or "").partition("--no")
    if not prompt.strip():
        raise EngineError("A picture needs a prompt that says what it shows.")
    width, height = canvas.size_of(task.body)
    spec = read_prompt(prompt, unwanted)
    template = task.body.get("template")
    side = min(max(64, min(width, height)), _LARGEST_RENDER)
    task.report(0.1, "Building the shape")
    if template == "variants":
        tiles = []
        for number, (shift, factors) in enumerate(_VERSIONS):
            task.report(0.1 + 0.2 * number, f"Rendering version {number + 1}")
            stretch = tuple(a * b for a, b in zip(spec.stretch, factors, strict=True))
            version = replace(spec, seed=spec.seed + shift, stretch=stretch)
            tiles.append(canvas.placed(_rendered(version, side // 2, preview.VIEW), side // 2, side // 2, 0.92))
        picture, share = canvas.sheet(tiles), 1.0
    else:
        being = template in ("t_pose", "character_completion")
        if being and spec.family not in ("character", "robot"):
            spec = replace(spec, family="character", noun="character")
        task.report(0.3, "Rendering")
        picture = _rendered(spec, side, _FRONT if being else preview.VIEW, flat=being, base=template == "figure")
        tight = template == "asset_extraction" or being
        picture, share = (preview.cropped(picture), 0.97) if tight else (picture, 0.94)
    task.report(0.85, "Writing the picture")
    answer = canvas.write_answer(task, canvas.placed(picture, width, height, share))
    answer["values"] |= of_thing(spec)
    return answer


def _rendered(spec: PromptSpec, size: int, view: Vector, *, flat: bool = False, base: bool = False) -> Picture:
    model_io.reset()
    parts = catalog.build_parts(spec)
    if base:
        parts = [*parts, _plinth(parts)]
    scene_object = scene.one_object(parts)
    box = measure.bounds([scene_object])
    for index, words in enumerate(scene.surfaces(parts)):
        shader = Shader(surface_of(words), box, spec.seed % 2**31 + index)
        shader.show_lit()  # a picture needs no baked textures
        scene_object.data.materials[index] = shader.material
    return preview.render_shot([scene_object], size, view, flat=flat)


def _plinth(parts: list[ModelPart]) -> ModelPart:
    """A round base that everything stands on."""
    feet = np.concatenate([entry.solid.points[entry.solid.points[:, 2] < 0.25] for entry in parts])[:, :2]
    middle = (feet.min(axis=0) + feet.max(axis=0)) / 2
    radius = max(float(np.linalg.norm(feet - middle, axis=1).max()) * 1.15, 0.2)
    line = np.array([(0, 0), (1.06, 0), (1.06, -0.03), (1.12, -0.06), (1.12, -0.09), (0, -0.09)]) * (radius, 1)
    return part("base", "black plastic", lathe(line, 72, 0.012).moved(float(middle[0]), float(middle[1])))
