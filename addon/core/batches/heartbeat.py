"""Shows that this program lives, to those who would take its rows over otherwise."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from ..claims import claim_file
from ..claims.claim_file import Claim
from ..log import logger

log = logger(__name__)

_BEATS = 6.0
"""In the time after which a program counts as dead."""


class Heartbeat:
    """One thread that touches the claims of this program. Thread-safe.

    Args:
        claim_seconds: After how long without a sign of life a program counts as dead.
    """

    def __init__(self, claim_seconds: float) -> None:
        self._pause = claim_seconds / _BEATS
        self._lock = threading.Lock()
        self._held: dict[Path, Claim] = {}
        self._lost: list[Path] = []
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._loop, daemon=True, name="assetgen-claims")

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Ends it; claims that are still held grow old."""
        self._end.set()
        if self._thread.is_alive():
            self._thread.join(2.0)

    def hold(self, folder: Path, claim: Claim) -> None:
        """Touches a claim from now on."""
        with self._lock:
            self._held[folder] = claim

    def let_go(self, folder: Path) -> Claim | None:
        """Touches a claim no more; None where it was not held."""
        with self._lock:
            return self._held.pop(folder, None)

    def take_lost(self) -> list[Path]:
        """The rows that others have taken since this was asked last: this program slept, or its drive was away."""
        with self._lock:
            lost, self._lost = self._lost, []
        return lost

    def _loop(self) -> None:
        while not self._end.wait(self._pause):
            began = time.monotonic()
            with self._lock:
                held = dict(self._held)
            for folder, claim in held.items():
                try:
                    if claim_file.touch(folder, claim):
                        continue
                except OSError as error:  # it may be back before the claim is old
                    log.warning("%s: %s", folder, error)
                    continue
                with self._lock:
                    if self._held.get(folder) == claim:
                        del self._held[folder]
                        self._lost.append(folder)
            if (took := time.monotonic() - began) > self._pause:
                log.warning("the drive took %.1f s to show that %d rows are being worked off", took, len(held))
