"""What a job says while it is held back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

_ENDINGS: Mapping[int, str] = MappingProxyType({1: "st", 2: "nd", 3: "rd"})


def queue_text(number: int) -> str:
    """All places in the pool of the job's category are taken; ``number`` counts from 1."""
    return f"Waiting for a free slot ({ordinal(number)} in line)"


def slot_text(number: int) -> str:
    """As many background Blenders run as may run at once; ``number`` counts from 1."""
    return f"Waiting for the background Blender ({ordinal(number)} in line)"


def rate_text(seconds: float) -> str:
    """The service takes no more requests of this group for ``seconds``."""
    return f"Waiting: the service takes only so many requests a minute (about {math.ceil(seconds)} s)"


def upload_text(seconds: float) -> str:
    """The service takes no more uploads for ``seconds``."""
    return f"Waiting to upload: the service takes only so many files a minute (about {math.ceil(seconds)} s)"


def ordinal(number: int) -> str:
    """A number as a place: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    teens = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teens else _ENDINGS.get(number % 10, 'th')}"
