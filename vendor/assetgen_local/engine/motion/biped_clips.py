"""The motions of bipeds by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from . import biped_acts, biped_cycles
from .stance import Stance, between_keys


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


def _at(keys: Mapping[float, Stance], phase: float) -> tuple[Stance, float]:
    return between_keys(keys, phase), 0.0


CLIPS = {
    clip.name: clip
    for clip in (
        Clip("idle", 3.0, biped_cycles.idle),
        Clip("walk", 1.1, biped_cycles.walk),
        Clip("run", 0.7, biped_cycles.run),
        Clip("jump", 1.4, partial(_at, biped_acts.JUMP)),
        Clip("turn", 1.4, biped_cycles.turn),
        Clip("climb", 1.6, biped_cycles.climb),
        Clip("slash", 1.1, partial(_at, biped_acts.SLASH)),
        Clip("shoot", 1.4, partial(_at, biped_acts.SHOOT)),
        Clip("hurt", 0.9, partial(_at, biped_acts.HURT)),
        Clip("fall", 1.6, partial(_at, biped_acts.FALL)),
        Clip("dive", 1.6, partial(_at, biped_acts.DIVE)),
    )
}
"""Preset (without ``preset:``) → motion. Idle, walk, run and climb repeat; fall, dive and turn end in another pose."""
