"""The interface's language: what Blender looks up itself, and what is looked up here for it.

Nothing is read while Blender speaks English, or a language that has no catalogue here; without a window all stays
English, so that scripts and logs can rely on it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy

from .context import CONTEXT

if TYPE_CHECKING:
    from .catalogue import Catalogue

_FOLDER = Path(__file__).parent
_NAME = __package__ or __name__
_CONTEXTS = ("*", "Operator", CONTEXT)
"""Where Blender looks for the texts of properties, panels and menus, for those of operators, and for words of ours."""

_owner = object()
"""Of the wish to be told of another language."""


class _Language:
    """The language that was spoken last, its catalogue, and what Blender was given of it."""

    def __init__(self) -> None:
        self.locale = ""
        self.catalogue: Catalogue | None = None
        self.registered: Catalogue | None = None


_language = _Language()


def translated(text: str) -> str:
    """A text as the interface shows it: in its language, where that has one for it.

    For texts that are put together; those that stand in a call of Blender's as they are, Blender looks up itself. Give
    the result with ``translate=False``, so that it is not looked up again.
    """
    catalogue = _current()
    return text if catalogue is None else catalogue.translated(text)


def catalogue_path(locale: str) -> Path:
    """The file of a language's catalogue, whether it is there or not."""
    return _FOLDER / f"{locale}.po"


def load(locale: str) -> Catalogue | None:
    """A language's catalogue; None where there is none."""
    path = catalogue_path(locale)
    if not locale or not path.exists():
        return None
    from . import catalogue, po_file  # here: who speaks English never needs it

    return catalogue.Catalogue(po_file.read(path.read_text(encoding="utf-8")).entries)


def _current() -> Catalogue | None:
    locale = bpy.app.translations.locale
    if locale != _language.locale:
        _follow(locale)
    if _language.catalogue is None:
        return None
    context: Any = bpy.context
    return _language.catalogue if context.preferences.view.use_translate_interface else None


def _take_language() -> None:
    """What Blender calls when the language was chosen: something that returns nothing, else it prints an error."""
    _current()


def _follow(locale: str) -> None:
    """Takes another language; Blender gets its part of it a moment later, since this may be a drawing."""
    _language.locale = locale
    _language.catalogue = None if bpy.app.background else load(locale)
    if _language.catalogue is not _language.registered and not bpy.app.timers.is_registered(_tell_blender):
        bpy.app.timers.register(_tell_blender, first_interval=0.0, persistent=True)


def _tell_blender() -> None:
    """Gives Blender the texts that it looks up itself, in the place of those that it had."""
    _current()
    if _language.catalogue is _language.registered:
        return
    if _language.registered is not None:
        bpy.app.translations.unregister(_NAME)
    _language.registered = _language.catalogue
    if _language.catalogue is not None:
        texts: Any = {
            (context, text): translation
            for text, translation in _language.catalogue.messages.items()
            for context in _CONTEXTS
        }
        bpy.app.translations.register(_NAME, {_language.locale: texts})
    context: Any = bpy.context
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            area.tag_redraw()


def register() -> None:
    """Takes the interface's language, and every other one that it gets.

    Blender tells of it until a file is opened; from then on the next drawing of ours notices.
    """
    if bpy.app.background:
        return
    # Later: enabling the extension need not wait for it. A file that is opened meanwhile would take the timer with it.
    bpy.app.timers.register(_tell_blender, first_interval=0.0, persistent=True)
    language: Any = (bpy.types.PreferencesView, "language")
    bpy.msgbus.subscribe_rna(key=language, owner=_owner, args=(), notify=_take_language, options={"PERSISTENT"})


def unregister() -> None:
    """Takes the texts back from Blender."""
    bpy.msgbus.clear_by_owner(_owner)
    if bpy.app.timers.is_registered(_tell_blender):
        bpy.app.timers.unregister(_tell_blender)
    if _language.registered is not None:
        bpy.app.translations.unregister(_NAME)
    _language.locale, _language.catalogue, _language.registered = "", None, None
