"""glTF written out as JSON, with its data and pictures beside it."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import unquote

from ...errors import BrokenResult
from ..separate_check import LARGE, run_check
from .paths import leads_outside

_MAX_BYTES = 256 * 1024**2


def clean_gltf(path: Path, depth: int) -> list[str]:
    """Takes away the links of a glTF's pictures that lead outside, in place, and returns them.

    Raises:
        BrokenResult: It cannot be read, or its data is to come from outside: without that there is no model.
    """
    if path.stat().st_size > LARGE:
        found: list[str] = run_check("own_files.gltf", "clean_here", path, path.parents[depth])
        return found
    return clean_here(path, path.parents[depth])


def clean_here(path: Path, folder: Path) -> list[str]:
    """As :func:`clean_gltf`, in this process however large the file is. ``folder`` is the one to stay in."""
    depth = len(path.relative_to(folder).parts) - 1
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
    found = [str(item.pop("uri")) for item in pictures]
    if found:
        path.write_text(json.dumps(document), encoding="utf-8")
    return found


def _leaves(link: object, depth: int) -> bool:
    if not isinstance(link, str) or (link.startswith("data:") and ";base64," in link):
        return False
    return leads_outside(link, depth) or leads_outside(unquote(link), depth)
