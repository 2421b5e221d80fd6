"""A place for one background Blender."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .context import JobContext, Postponed

_LOOK_AGAIN_SECONDS = 0.3


@contextmanager
def blender_slot(context: JobContext) -> Iterator[None]:
    """Keeps a place for the time of a conversion.

    Raises:
        Postponed: All are taken. The thread is better used for something else than for waiting.
    """
    if not context.conversions.acquire(blocking=False):
        raise Postponed("Waiting for the background Blender", _LOOK_AGAIN_SECONDS)
    try:
        yield
    finally:
        context.conversions.release()
