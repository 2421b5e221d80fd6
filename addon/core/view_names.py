"""Which side of an object an image shows, as far as the name of its file says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

_FEWEST = 2
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def views_by_name(paths: Sequence[str], views: Sequence[str]) -> dict[str, str]:
    """The path of each view, such as of ``01_left.png`` or ``chairBack.jpg``.

    Args:
        paths: Image files.
        views: What the sides are called, the one first that a set of views needs.

    Returns:
        By view; empty unless every file names one view, no two the same, and they are a set of views.
    """
    found: dict[str, str] = {}
    for path in paths:
        stem = PurePath(path.replace("\\", "/")).stem
        named = {word.lower() for word in _WORDS.findall(stem)}.intersection(views)
        if len(named) != 1 or (view := named.pop()) in found:
            return {}
        found[view] = path
    return {view: found[view] for view in views if view in found} if _is_set(found, views) else {}


def views_in_order(paths: Sequence[str], views: Sequence[str]) -> dict[str, str]:
    """The views as their names say, else the files in their order; those beyond the last view are left out."""
    return views_by_name(paths, views) or dict(zip(views, paths, strict=False))


def _is_set(found: dict[str, str], views: Sequence[str]) -> bool:
    return len(found) >= _FEWEST and views[0] in found
