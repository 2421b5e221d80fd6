"""The prompts that a person used last, and those that are kept as favourites."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..paths import make_private

RECENT = 12
"""So many of the prompts that were used last are offered."""

MOST_FAVOURITES = 50
_FILE = "favourite_prompts.json"


def recent_prompts(asked: Iterable[Mapping[str, Any]], name: str) -> list[str]:
    """The texts of a field in what was asked for, the latest first, each of them once."""
    texts = (fields.get(name) for fields in asked)
    return list(dict.fromkeys(text for text in texts if isinstance(text, str) and text.strip()))[:RECENT]


def read_favourites(data_dir: Path) -> list[str]:
    """The favourites; none where their file is missing or is not one of ours."""
    try:
        texts = json.loads((data_dir / _FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [text for text in texts if isinstance(text, str)] if isinstance(texts, list) else []


def change_favourites(data_dir: Path, text: str, *, add: bool) -> list[str]:
    """Adds a favourite in front or takes one away; returns those there are now. The file is whole, or as before.

    Raises:
        OSError: It cannot be written.
    """
    others = [item for item in read_favourites(data_dir) if item != text]
    texts = [text, *others][:MOST_FAVOURITES] if add else others
    make_private(data_dir)
    path = data_dir / _FILE
    part = path.with_name(f"{_FILE}.{os.getpid()}.part")
    try:
        part.write_text(json.dumps(texts, ensure_ascii=False, indent=1), encoding="utf-8")
        part.replace(path)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
    return texts
