"""Edit Multiview: the named views get the colours and materials of their prompts by picture arithmetic; no AI.

The other views stay byte for byte as they were.
"""

from __future__ import annotations

import shutil
from typing import Any

from ..errors import EngineError
from ..images.foreground import subject_of
from ..images.picture_files import read_rgba, write_picture
from ..materials.projection import VIEWS
from ..output import understood
from ..picture_edits.restyle import restyled, taken_words
from ..task import Task


def run(task: Task) -> dict[str, Any]:
    """Changes the views that ``prompts`` names.

    Raises:
        EngineError: A view is missing in the task referred to, or cannot be read.
    """
    prompts = {entry["view"]: str(entry["prompt"]) for entry in task.body.get("prompts") or []}
    files = {}
    for index, side in enumerate(VIEWS):
        source = task.image(side)
        if source is None:
            if side in prompts:
                raise EngineError(f"The task referred to has no {side} view to change.")
            continue
        task.report(0.1 + 0.2 * index, f"Changing the {side} view")
        target = task.folder / f"{side}_view{source.suffix if side not in prompts else '.png'}"
        if side in prompts:
            picture = read_rgba(source)
            write_picture(target, restyled(picture, subject_of(picture), prompts[side]))
        else:
            shutil.copyfile(source, target)
        files[f"{side}_view_url"] = target.name
    said = " ".join(prompts.values())
    taken = {word for prompt in prompts.values() for word in taken_words(prompt)}
    return {"files": files, "values": understood.answer(said, taken), "facts": {}}
