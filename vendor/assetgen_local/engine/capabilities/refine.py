"""Refine: the draft's prompt built again with finer geometry and larger maps; the same shape at the same size.

The shape comes from the draft's words and seeds, so it stays where the draft was; limits on faces are left behind.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..errors import EngineError
from ..task import Task
from . import text_to_model

_FINER = 1.8
"""How much finer lines are cut than in the draft: about three times the faces."""

_COARSE = ("face_limit", "smart_low_poly", "geometry_quality", "texture_quality", "texture", "pbr", "export_uv")
_BETTER = {"standard": "detailed", "detailed": "extreme", "extreme": "extreme"}


def run(task: Task) -> dict[str, Any]:
    """Builds the draft again, finer and with a texture.

    Raises:
        EngineError: The task referred to is not a draft from words.
    """
    if task.previous is None or task.previous.capability != "text_to_model":
        raise EngineError("Only a model that was made from words can be refined.")
    draft = task.previous.body
    body = {name: value for name, value in draft.items() if name not in _COARSE}
    body["texture_quality"] = _BETTER[draft.get("texture_quality") or "standard"]
    again = replace(task, body=body)
    was_fine = draft.get("geometry_quality") == "detailed"
    spec = text_to_model.spec_of(again).finer(_FINER * (text_to_model.DETAILED if was_fine else 1.0))
    return text_to_model.make_model(again, spec)
