"""The key behind the preferences' password field: kept by the core's key store, never by Blender.

Blender asks for the field's value at every drawing, so what the store said is remembered here.
"""

from __future__ import annotations

import os

from ..core.service.api_keys import KeyOrigin, KeyStore
from ..core.settings import KEY_VARIABLE
from . import prefs

MASK = "\u2022" * 12
"""What the field holds when there is a key: it can be seen that there is one, and nothing else."""

_ORIGIN_TEXTS = {
    KeyOrigin.ENVIRONMENT: "Taken from the environment",
    KeyOrigin.KEYRING: "Kept in the system's keyring",
    KeyOrigin.FILE: "Kept in a file that only you can read",
}


_origins: dict[tuple[str, str, bool], KeyOrigin] = {}
"""Where the key of each host was found, by data folder, host, and whether the environment has one."""


def origin(host: str) -> KeyOrigin:
    """Where the key for a host is kept."""
    folder = prefs.settings().data_dir
    entry = (str(folder), host, os.environ.get(KEY_VARIABLE, "") != "")
    if entry not in _origins:
        _origins[entry] = KeyStore(folder).find(host)[1] if host else KeyOrigin.NOWHERE
    return _origins[entry]


def origin_text(host: str) -> str:
    """Where the key for a host is kept, in words; empty when there is none."""
    return _ORIGIN_TEXTS.get(origin(host), "")


def store(host: str, typed: str) -> None:
    """Keeps what was typed into the field; nothing typed forgets the key.

    Raises:
        OSError: It could not be written.
    """
    key = typed.replace(MASK[0], "").strip()
    if typed and not key:
        return  # the field was entered and left without typing
    folder = prefs.settings().data_dir
    _origins.clear()
    if host:
        KeyStore(folder).store(host, key)


def clear_cache() -> None:
    """Reads anew at the next look: the folder or the environment has changed."""
    _origins.clear()
