"""Measures of birds, as data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Feathers:
    """Measures of a bird: body radii, where the head is, its size, beak, legs, tail, surfaces."""

    color: str = "blue wool"
    body: tuple[float, float, float] = (0.13, 0.2, 0.14)
    tilt: float = 25.0
    neck: float = 0.12
    head: float = 0.095
    beak: tuple[float, float, float] = (0.03, 0.09, 0.03)
    leg: float = 0.14
    tail: float = 0.24
    belly: str = "cream wool"
    bill: str = "orange plastic"


BIRDS: dict[str, Feathers] = {
    "owl": Feathers(
        "brown fur", (0.17, 0.15, 0.22), 75, 0.13, 0.145, (0.022, 0.04, 0.04), 0.07, 0.14, "tan fur",
        "yellow plastic",
    ),
    "duck": Feathers("yellow wool", (0.16, 0.24, 0.14), 10, 0.17, 0.1, (0.05, 0.1, 0.016), 0.09, 0.12, "yellow wool"),
    "goose": Feathers(
        "white wool", (0.17, 0.28, 0.16), 12, 0.36, 0.085, (0.035, 0.1, 0.025), 0.14, 0.14, "white wool",
    ),
    "swan": Feathers("white wool", (0.17, 0.3, 0.15), 8, 0.45, 0.08, (0.03, 0.1, 0.022), 0.08, 0.16, "white wool"),
    "eagle": Feathers(
        "dark brown fur", (0.14, 0.24, 0.15), 30, 0.13, 0.095, (0.03, 0.09, 0.04), 0.12, 0.3, "dark brown fur",
        "yellow plastic",
    ),
    "penguin": Feathers(
        "black fur", (0.17, 0.15, 0.27), 88, 0.16, 0.11, (0.02, 0.08, 0.02), 0.03, 0.06, "white wool",
    ),
    "chicken": Feathers(
        "white wool", (0.16, 0.21, 0.17), 20, 0.18, 0.08, (0.022, 0.05, 0.022), 0.13, 0.2, "white wool",
        "yellow plastic",
    ),
    "rooster": Feathers(
        "orange wool", (0.16, 0.2, 0.17), 30, 0.22, 0.08, (0.022, 0.05, 0.022), 0.16, 0.3, "red wool",
        "yellow plastic",
    ),
    "parrot": Feathers(
        "red wool", (0.12, 0.18, 0.14), 60, 0.12, 0.1, (0.035, 0.06, 0.055), 0.06, 0.42, "red wool", "grey plastic",
    ),
    "crow": Feathers("black fur", bill="black plastic", belly="black fur"),
    "raven": Feathers("black fur", bill="black plastic", belly="black fur", beak=(0.03, 0.12, 0.035)),
    "robin": Feathers("brown fur", belly="orange wool", bill="black plastic"),
    "sparrow": Feathers("brown fur", belly="tan fur", bill="black plastic"),
    "pigeon": Feathers("grey fur", belly="grey fur"),
    "hen": Feathers(
        "brown fur", (0.16, 0.21, 0.17), 20, 0.18, 0.08, (0.022, 0.05, 0.022), 0.13, 0.2, "brown fur",
        "yellow plastic",
    ),
}  # fmt: skip
