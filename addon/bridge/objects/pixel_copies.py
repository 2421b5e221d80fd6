"""Copies of painted pixels for one press, made one after the other, into memory that a thread has taken before.

Most of what such a copy takes is the first touch of its memory: for an image of 4096 x 4096, which are 268 MB, 0.02 to
0.6 s. Into memory that is there, Blender gives the same pixels out in 35 ms (docs/platform.md).
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Iterable
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, Self

import bpy
import numpy as np

from ...core.jobs.late_files import late_files
from . import unsaved_images
from .pixel_files import Pixels

LARGE_BYTES = 4 << 20
"""From how many on copies are made before a press goes on; fewer take a millisecond within it, and at worst ten."""

_STEP_SECONDS = 0.01
_PAGE = 4096 // 4  # floats
_FLOAT_BYTES = 4


class _Wanted(NamedTuple):
    """An image: what stays the same of it whatever becomes of its name, and how many numbers its pixels have."""

    uid: int
    size: int


class PixelCopies:
    """The copies that one press needs. Made and asked on the main thread."""

    @classmethod
    def of(cls, images: Iterable[bpy.types.Image]) -> Self | None:
        """Those of some images; None where they are small enough to be made at once."""
        wanted = [_Wanted(image.session_uid, image.size[0] * image.size[1] * image.channels) for image in images]
        return cls(wanted) if _FLOAT_BYTES * sum(size for _, size in wanted) >= LARGE_BYTES else None

    def __init__(self, wanted: Iterable[_Wanted]) -> None:
        self._wanted = deque(wanted)
        self._bytes = _FLOAT_BYTES * sum(size for _, size in self._wanted)
        self._memory: SimpleQueue[Any] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._made: dict[int, Pixels] = {}

    def step(self) -> bool:
        """Goes on for a moment; whether all are there. No other work comes into the tick of a copy."""
        if self._thread is None:
            if not late_files.has_room(self._bytes):
                return False
            task = (tuple(size for _, size in self._wanted), self._memory)
            self._thread = threading.Thread(target=_take, args=task, name="assetgen-memory", daemon=True)
            self._thread.start()
        if not self._wanted:
            return True
        until = time.perf_counter() + _STEP_SECONDS
        with contextlib.suppress(Empty):
            while self._wanted and time.perf_counter() < until:
                self._copy(self._memory.get_nowait())
        return False

    def used(self) -> contextlib.AbstractContextManager[None]:
        """As long as it is open, whoever asks for pixels gets these copies."""
        return unsaved_images.use_copies(self._made)

    def _copy(self, values: Any) -> None:
        """What cannot be copied is left to the press, which says why."""
        wanted = self._wanted.popleft()
        image = next((image for image in bpy.data.images if image.session_uid == wanted.uid), None)
        if values is None or image is None:
            return
        width, height = image.size
        if width * height * image.channels != values.size:
            return
        with contextlib.suppress(RuntimeError):
            image.pixels.foreach_get(values)
            self._made[wanted.uid] = Pixels(values, width, height, image.channels, image.is_float)


def _take(sizes: Iterable[int], taken: SimpleQueue[Any]) -> None:
    """Takes memory for arrays of floats and touches each of its pages; None for one that there is no memory for."""
    for size in sizes:
        try:
            values = np.empty(size, dtype=np.float32)
        except MemoryError:
            taken.put(None)
        else:
            values[::_PAGE] = 0.0
            taken.put(values)
