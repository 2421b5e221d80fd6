"""A motion before it is put on a figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .stance import Stance


@dataclass(frozen=True, slots=True)
class Clip:
    """A motion of a biped.

    Attributes:
        name: Of the preset, without ``preset:``.
        seconds: How long it takes once.
        at: Phase from 0 to 1 → how the body stands, and how far it has travelled forwards, in lengths of a leg.
    """

    name: str
    seconds: float
    at: Callable[[float], tuple[Stance, float]]
