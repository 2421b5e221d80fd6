"""Sizes of kinds of cars, as data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Build:
    """Sizes of a kind of car, metres. Roof and hood are (front y, rear y, height)."""

    long: float = 4.3
    wide: float = 1.8
    floor: float = 0.3
    waist: float = 0.86
    roof: float = 1.42
    cabin: tuple[float, float] = (-0.75, 1.55)
    slope: tuple[float, float] = (0.85, 0.6)
    wheel: float = 0.34
    axles: tuple[float, ...] = (-1.35, 1.3)
    bed: bool = False


KINDS = {
    "sports car": Build(4.3, 1.9, 0.2, 0.76, 1.17, (-0.35, 1.5), (1.0, 1.0), 0.295),
    "racing car": Build(4.4, 1.95, 0.18, 0.72, 1.08, (-0.25, 1.4), (0.95, 1.1), 0.28),
    "van": Build(4.9, 1.95, 0.32, 1.0, 2.05, (-1.8, 2.35), (0.7, 0.1), 0.35, (-1.6, 1.5)),
    "bus": Build(8.5, 2.4, 0.4, 1.15, 2.9, (-4.15, 4.15), (0.18, 0.08), 0.48, (-2.7, 2.4)),
    "truck": Build(5.6, 2.0, 0.48, 1.15, 1.9, (-1.3, 0.45), (0.6, 0.12), 0.42, (-1.75, 1.75), True),
    "pickup": Build(5.2, 1.95, 0.42, 1.02, 1.72, (-1.05, 0.6), (0.75, 0.2), 0.39, (-1.6, 1.55), True),
    "jeep": Build(4.0, 1.8, 0.45, 1.1, 1.8, (-0.6, 1.85), (0.3, 0.1), 0.41, (-1.2, 1.2)),
    "suv": Build(4.6, 1.9, 0.4, 1.0, 1.72, (-0.9, 2.15), (0.75, 0.35), 0.38, (-1.4, 1.4)),
}
