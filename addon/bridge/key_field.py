"""The key behind the preferences' password field: kept by the core's key store, never by Blender.

Blender asks for the field's value at every drawing, so what the store said is remembered here.
"""

from __future__ import annotations

import os

from ..core.service.api_keys import KeyOrigin, KeyStore, file_words
from ..core.settings import KEY_VARIABLE
from . import prefs

MASK = "\u2022" * 12
"""What the field holds when there is a key: it can be seen that there is one, and nothing else."""

_ORIGIN_TEXTS = {
    KeyOrigin.ENVIRONMENT: "Taken from the environment",
    KeyOrigin.KEYRING: "Kept in the system's keyring",
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
    found = origin(host)
    return file_words(prefs.settings().data_dir) if found is KeyOrigin.FILE else _ORIGIN_TEXTS.get(found, "")


def store(host: str, typed: str) -> str:
    """Keeps what was typed into the field; nothing typed forgets the key.

    Returns:
        What the user should know of the file with the keys; mostly nothing.

    Raises:
        OSError: It could not be written.
    """
    key = typed.replace(MASK[0], "").strip()
    if typed and not key:
        return ""  # the field was entered and left without typing
    folder = prefs.settings().data_dir
    _origins.clear()
    if not host:
        return ""
    keys = KeyStore(folder)
    keys.store(host, key)
    return ". ".join(keys.warnings)


def clear_cache() -> None:
    """Reads anew at the next look: the folder or the environment has changed."""
    _origins.clear()
