"""Image to Image: the first image's subject changed with picture arithmetic: colours, materials, light, symmetry.

There is no AI in it. Colour and material words of the prompt are put onto the subject; further images lend their
colours. Templates: ``t_pose`` makes the subject symmetric with arms to both sides, ``character_completion`` symmetric,
``3d_enhance`` lights it as a round body, ``variants`` shows it in four hues, ``figure`` on a round base.
``sketch_to_render`` fills a drawing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..array_types import Picture
from ..images.arrays import recolored
from ..images.foreground import subject_of
from ..images.picture_files import read_rgba
from ..images.resample import at_most
from ..output import understood
from ..picture_edits import canvas, poses
from ..picture_edits.restyle import enclosed, restyled, taken_words, turned
from ..task import Task

_WORKING_SIZE = 1280


def run(task: Task) -> dict[str, Any]:
    """Makes the picture.

    Raises:
        EngineError: There is no image, or it cannot be read.
    """
    first, *others = task.images.get("files") or [task.only_image()]
    width, height = canvas.size_of(task.body)
    template, prompt = task.body.get("template"), str(task.body.get("prompt") or "").partition("--no")[0]
    task.report(0.1, "Reading the image")
    picture = _read(first)
    sketch = task.flag("sketch_to_render")
    mask = enclosed(subject_of(picture)) if sketch else subject_of(picture)
    if others:
        task.report(0.25, "Matching the colours")
        like = np.concatenate([p[..., :3][subject_of(p)] for p in map(_read, others)])
        picture[..., :3] = recolored(picture[..., :3], mask, like)
    task.report(0.4, "Changing the picture")
    if prompt.strip():
        picture = restyled(picture, mask, prompt)
    subject = poses.cut_out(picture, mask)
    if sketch:
        subject = poses.rendered_sketch(subject)
    if template == "t_pose" or task.flag("t_pose"):
        subject = poses.with_arms_out(subject)
    elif template == "character_completion":
        subject = poses.symmetric(subject)
    if template == "3d_enhance":
        subject = poses.shaded(subject)
    elif template == "figure":
        subject = poses.on_base(subject)
    elif template == "variants":
        side = max(subject.shape[:2])
        turns = [turned(subject, subject[..., 3] > 0.5, turn / 4) for turn in range(4)]
        subject = canvas.sheet([canvas.placed(variant, side, side, 0.9) for variant in turns])
    arranged = template is not None or task.flag("t_pose") or sketch
    task.report(0.8, "Writing the picture")
    result = canvas.placed(subject if arranged else picture, width, height, 0.94 if arranged else 1.0)
    answer = canvas.write_answer(task, result)
    answer["values"] |= understood.answer(prompt, taken_words(prompt))
    return answer


def _read(path: Path) -> Picture:
    """A picture at a size that it can be worked on quickly with."""
    return at_most(read_rgba(path), _WORKING_SIZE)
