"""glTF written out as JSON, with its data and pictures beside it."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import unquote

from ...errors import BrokenResult
from .paths import leads_outside

_MAX_BYTES = 256 * 1024**2


def clean_gltf(path: Path, depth: int) -> list[str]:
    """Takes away the links of a glTF's pictures that lead outside, in place, and returns them.

    Raises:
        BrokenResult: It cannot be read, or its data is to come from outside: without that there is no model.
    """
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise ValueError("too large")
        document = json.loads(path.read_text(encoding="utf-8"))
        data = [item.get("uri") for item in document.get("buffers", [])]
        pictures = [item for item in document.get("images", []) if _leaves(item.get("uri"), depth)]
    except (ValueError, AttributeError, TypeError, RecursionError):
        raise BrokenResult("The description inside the model that came back cannot be read") from None
    if any(_leaves(link, depth) for link in data):
        raise BrokenResult("The model that came back refers to files outside itself, which is not allowed")
    if pictures:
        found = [item.pop("uri") for item in pictures]
        path.write_text(json.dumps(document), encoding="utf-8")
        return found
    return []


def _leaves(link: object, depth: int) -> bool:
    if not isinstance(link, str) or (link.startswith("data:") and ";base64," in link):
        return False
    return leads_outside(link, depth) or leads_outside(unquote(link), depth)
