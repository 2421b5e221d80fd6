"""The key of a service: from the environment, else the OS keyring if there is one, else a file of the user's.

A key is stored under the host that it is for and is never given out for another one. Nothing here logs or prints.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import time
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from ..log import logger
from ..paths import APP_NAME, make_private
from ..settings import KEY_VARIABLE

_OTHERS = 0o077


class KeyOrigin(StrEnum):
    """Where a key was found."""

    ENVIRONMENT = "environment"
    KEYRING = "keyring"
    FILE = "file"
    NOWHERE = "nowhere"


class KeyStore:
    """Keys of all services.

    A file that is damaged is set aside and never overwritten: the keys of other services may be read in it by a person.

    Args:
        data_dir: Where the file is, if it comes to that.
        environment: Read for ``ASSETGEN_API_KEY``, which wins over everything.
        keyring: A module or object with the interface of the ``keyring`` package; the package itself, where it is
            installed, when left out; None for none.

    Attributes:
        warnings: Sentences about the file, from the last time that a key was stored.
    """

    def __init__(
        self, data_dir: Path, *, environment: Mapping[str, str] = os.environ, keyring: Any | None = ...
    ) -> None:
        self._path = data_dir / "keys.json"
        self._environment = environment
        self._keyring = _installed_keyring() if keyring is ... else keyring
        self.warnings: list[str] = []

    def find(self, host: str) -> tuple[str, KeyOrigin]:
        """The key for ``host`` and where it came from; an empty key when there is none."""
        if key := self._environment.get(KEY_VARIABLE):
            return key, KeyOrigin.ENVIRONMENT
        if key := self._ask_keyring(host):
            return key, KeyOrigin.KEYRING
        if key := self._read().get(host, ""):
            return key, KeyOrigin.FILE
        return "", KeyOrigin.NOWHERE

    def store(self, host: str, key: str) -> KeyOrigin:
        """Keeps a key and says where; an empty one is forgotten instead.

        Raises:
            OSError: The file could not be written.
        """
        self.warnings.clear()
        key = key.strip()
        if not key:
            self.forget(host)
            return KeyOrigin.NOWHERE
        if self._keyring is not None:
            # A keyring can be there and refuse: no session bus, locked, denied by the user. The file is the fallback.
            with contextlib.suppress(Exception):
                self._keyring.set_password(APP_NAME, host, key)
                if self._keyring.get_password(APP_NAME, host) == key:
                    self._remove_from_file(host)
                    return KeyOrigin.KEYRING
        self._write({**self._read_to_rewrite(), host: key})
        return KeyOrigin.FILE

    def forget(self, host: str) -> None:
        """Removes the key of ``host`` wherever it is stored."""
        if self._keyring is not None:
            with contextlib.suppress(Exception):
                self._keyring.delete_password(APP_NAME, host)
        self._remove_from_file(host)

    def _ask_keyring(self, host: str) -> str:
        if self._keyring is None:
            return ""
        try:
            return self._keyring.get_password(APP_NAME, host) or ""
        except Exception:  # every backend has errors of its own, and none of them may keep the user from working
            return ""

    def _read(self) -> dict[str, str]:
        try:
            return _parse(self._path.read_bytes())
        except (OSError, ValueError):
            return {}

    def _read_to_rewrite(self) -> dict[str, str]:
        """The keys of the file, which is set aside when it is damaged.

        Raises:
            OSError: It is there and cannot be read, or not be set aside. Writing it now would lose what is in it.
        """
        try:
            return _parse(self._path.read_bytes())
        except FileNotFoundError:
            return {}
        except ValueError:
            kept = self._path.with_name(f"{self._path.name}.broken-{time.strftime('%Y%m%d-%H%M%S')}")
            if kept.exists():
                raise FileExistsError(errno.EEXIST, "Another damaged file was set aside just now", str(kept)) from None
            self._path.rename(kept)
            self._warn(f"The file with the keys was damaged. It is kept as {kept}; other keys have to be entered again")
            return {}

    def _warn(self, sentence: str) -> None:
        self.warnings.append(sentence)
        logger(__name__).warning("%s", sentence)

    def _remove_from_file(self, host: str) -> None:
        keys = self._read()
        if keys.pop(host, None) is not None:
            self._write(keys)

    def _write(self, keys: Mapping[str, str]) -> None:
        make_private(self._path.parent)
        part = self._path.with_name(self._path.name + ".part")
        part.unlink(missing_ok=True)
        # The mode is given at creation, so that there is no moment in which others could read the file.
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(keys, file)
            file.flush()
            os.fsync(descriptor)
            if os.name == "posix" and os.fstat(descriptor).st_mode & _OTHERS:
                self._warn(
                    f"Other users of this computer may be able to read {self._path}: its drive knows no permissions"
                )
        part.replace(self._path)


def file_words(data_dir: Path, *, windows: bool = os.name == "nt") -> str:
    """Who can read the file in a data folder, in words.

    Windows knows no modes: there a file has the permissions of its folder, and those of a user's own folder keep all
    others out, except administrators.
    """
    if not windows:
        return "Kept in a file that only you can read"
    if data_dir.is_relative_to(Path.home()):
        return "Kept in a file in your user folder"
    return "Kept in a file that all can read who can read the data folder"


def _parse(content: bytes) -> dict[str, str]:
    """The keys in a file.

    Raises:
        ValueError: It is damaged.
    """
    try:
        keys = json.loads(content)
    except RecursionError as error:
        raise ValueError("the keys are nested without end") from error
    if not isinstance(keys, dict):
        raise ValueError("the keys are no object")
    return {str(host): str(key) for host, key in keys.items()}


def _installed_keyring() -> Any | None:
    try:
        import keyring  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    return keyring
