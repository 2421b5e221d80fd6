"""Which paths inside a model file lead out of the folder that came with it.

Judged by their letters alone: to ask the system about ``\\\\host\\share`` is to sign in there. A path is judged as
every system reads it, since a result can be opened on another one later.
"""

from __future__ import annotations

import re

MOST_LETTERS = 4096
"""What is longer is no path on any system."""

_ELSEWHERE = re.compile(r"\s*(?:[/\\]|[A-Za-z]:|[A-Za-z][\w+.-]*:[/\\])")
"""Absolute, on another drive or host, or an address."""

_SEPARATORS = re.compile(r"[/\\]")


def leads_outside(path: str, depth: int = 0) -> bool:
    """Whether a path leaves the folder.

    Args:
        path: As it is written in the file.
        depth: How many folders below the model's own folder the file lies.
    """
    if len(path) > MOST_LETTERS:
        return False
    if _ELSEWHERE.match(path) or _is_made_up(path):
        return True
    level = depth
    for part in _SEPARATORS.split(path):
        if part.strip() == "..":
            level -= 1
        elif part not in ("", "."):
            level += 1
        if level < 0:
            return True
    return False


def last_name(path: str) -> str:
    """The file's name alone, as it may lie beside the model; empty where a path ends in none."""
    name = _SEPARATORS.split(path.rstrip("\0 ").rstrip())[-1].strip()
    return "" if name in (".", "..") or _ELSEWHERE.match(name) or _is_made_up(name) else name


def _is_made_up(path: str) -> bool:
    """Whether it is put together from variables (USD), or goes on behind an end that only some readers see."""
    return "`" in path or "\0" in path
