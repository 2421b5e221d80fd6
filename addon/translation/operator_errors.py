"""What an operator says when it fails."""

from __future__ import annotations

from typing import Any

import bpy


def words_of(error: BaseException) -> str:
    """What an operator of Blender's or of ours reported, without the word Error that Blender puts before it, in the
    interface's language.
    """
    translations: Any = bpy.app.translations
    words = str(error).strip()
    for prefix in ("Error", translations.pgettext_rpt("Error")):
        words = words.removeprefix(f"{prefix}: ")
    return words
