"""The key behind the preferences' password field: kept by the core's key store, never by Blender.

A keyring may wait for its user and a data folder for its drive, so a thread asks and stores. Blender asks for the
field's value at every drawing: what the thread last said is remembered here.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NamedTuple

from ..core.log import logger
from ..core.service.api_keys import KeyOrigin, KeyStore, file_words
from ..core.settings import KEY_VARIABLE
from . import prefs

MASK = "\u2022" * 12
"""What the field holds when there is a key: it can be seen that there is one, and nothing else."""

CHECKING = "Checking..."
_STORING = "Storing..."

_ENVIRONMENT_TEXT = "Taken from the environment"
_ORIGIN_TEXTS = {KeyOrigin.ENVIRONMENT: _ENVIRONMENT_TEXT, KeyOrigin.KEYRING: "Kept in the system's keyring"}
_LOOK_SECONDS = 0.01
_PATIENCE_SECONDS = 10.0


Stored = Callable[[str, str], None]
"""Is told why a key could not be kept, and what else the user should know; both are empty when all is well."""


class _Place(NamedTuple):
    """What a key is looked for by."""

    folder: Path
    host: str


class _Answer(NamedTuple):
    """What the thread has to say.

    ``words`` say where the key is kept, ``error`` why it could not be, ``warning`` what else the user should know, and
    ``stored`` is told of a key that was typed.
    """

    place: _Place
    origin: KeyOrigin
    words: str
    error: str
    warning: str
    stored: Stored | None


class _Asked(NamedTuple):
    """What the thread is asked for: to store ``typed``, or to look for a key where that is None."""

    place: _Place
    typed: str | None = None
    stored: Stored | None = None


class _State:
    """What is known, and what is being asked for."""

    def __init__(self) -> None:
        self.origins: dict[_Place, KeyOrigin] = {}
        self.words: dict[_Place, str] = {}
        self.asked: dict[_Place, str] = {}
        self.answers: SimpleQueue[_Answer] = SimpleQueue()
        self.questions: deque[_Asked] = deque()
        self.lock = threading.Lock()  # held for no more than a look at the two around it
        self.is_running = False


_state = _State()


def origin(host: str) -> KeyOrigin | None:
    """Where the key for a host is kept; None while that is being asked for."""
    if not host:
        return KeyOrigin.NOWHERE
    if os.environ.get(KEY_VARIABLE):
        return KeyOrigin.ENVIRONMENT
    place = _Place(prefs.settings().data_dir, host)
    if place not in _state.origins and place not in _state.asked:
        _ask(_Asked(place), CHECKING)
    return None if place in _state.asked else _state.origins[place]


def known_origin(host: str, seconds: float = _PATIENCE_SECONDS) -> KeyOrigin | None:
    """Like :func:`origin`, with a wait for the answer: for scripts, where nobody looks on."""
    until = time.monotonic() + seconds
    while (found := origin(host)) is None and time.monotonic() < until:
        time.sleep(_LOOK_SECONDS)
        take_answers()
    return found


def origin_text(host: str) -> str:
    """Where the key for a host is kept, in words; empty when there is none."""
    found = origin(host)
    place = _Place(prefs.settings().data_dir, host)
    if found is None:
        return _state.asked.get(place, CHECKING)
    return _ENVIRONMENT_TEXT if found is KeyOrigin.ENVIRONMENT else _state.words.get(place, "")


def is_missing(host: str) -> bool:
    """Whether it is known that there is no key for a host."""
    return origin(host) is KeyOrigin.NOWHERE


def is_asking() -> bool:
    """Whether an answer is awaited."""
    return bool(_state.asked)


def store(host: str, typed: str, stored: Stored) -> None:
    """Has what was typed into the field kept; nothing typed forgets the key.

    Args:
        host: What the key is for.
        typed: What the field holds now.
        stored: Called by :func:`take_answers` when it is done.
    """
    key = typed.replace(MASK[0], "").strip()
    if not host or (typed and not key):
        return  # the field was entered and left without typing
    _ask(_Asked(_Place(prefs.settings().data_dir, host), key, stored), _STORING)


def take_answers() -> bool:
    """Remembers what the thread has found out; whether there was anything."""
    taken = False
    while True:
        try:
            answer = _state.answers.get_nowait()
        except Empty:
            return taken
        taken = True
        _state.origins[answer.place] = answer.origin
        _state.words[answer.place] = answer.words
        _state.asked.pop(answer.place, None)
        if answer.stored is not None:
            answer.stored(answer.error, answer.warning)


def clear_cache() -> None:
    """Asks anew at the next look: the folder or the environment has changed."""
    _state.origins.clear()


def _ask(question: _Asked, words: str) -> None:
    _state.asked[question.place] = words
    with _state.lock:
        _state.questions.append(question)
        start, _state.is_running = not _state.is_running, True
    if start:
        threading.Thread(target=_answer, daemon=True, name="assetgen-keys").start()


def _answer() -> None:
    while (question := _next_question()) is not None:
        place, words, error, found = question.place, "", "", KeyOrigin.NOWHERE
        keys = KeyStore(place.folder)
        try:
            if question.typed is not None:
                keys.store(place.host, question.typed)
            found = keys.find(place.host)[1]
            words = file_words(place.folder) if found is KeyOrigin.FILE else _ORIGIN_TEXTS.get(found, "")
        except OSError as failure:
            error = failure.strerror or str(failure)
        except Exception as failure:  # whatever a keyring does: the field must not say "checking" for ever
            logger(__name__).exception("the key store")
            error = str(failure)
        _state.answers.put(_Answer(place, found, words, error, ". ".join(keys.warnings), question.stored))


def _next_question() -> _Asked | None:
    """What is to be done next; None ends the thread: one that is left at exit hangs Blender 4.5 as a module."""
    with _state.lock:
        _state.is_running = bool(_state.questions)
        return _state.questions.popleft() if _state.questions else None
