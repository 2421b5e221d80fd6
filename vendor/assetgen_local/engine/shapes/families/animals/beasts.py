"""Measures of four-legged animals, as data."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Beast:
    """Measures of a four-legged animal; the height of the back is 1."""

    fur: str = "brown fur"
    long: float = 1.05
    chest: float = 0.21
    belly: float = 0.18
    leg: float = 0.62
    thick: float = 0.07
    neck: float = 0.28
    rise: float = 50.0
    head: float = 0.15
    snout: float = 0.17
    muzzle: float = 0.075
    ears: str = "pointed"
    ear: float = 0.13
    tail: str = "long"
    extra: tuple[str, ...] = ()
    hoof: bool = False
    second: str = ""


_HORSE = Beast(
    "brown pelt", 1.1, 0.23, 0.21, 0.72, 0.055, 0.6, 50, 0.13, 0.34, 0.07, "pointed", 0.1, "brush", ("mane",), True
)


_CAT = Beast("orange pelt", 1.45, 0.21, 0.2, 0.5, 0.058, 0.12, 42, 0.21, 0.025, 0.075, "pointed", 0.15, "upright")


_DEER = Beast(
    "tan fur", 0.95, 0.19, 0.16, 0.72, 0.042, 0.45, 62, 0.12, 0.17, 0.055, "pointed", 0.14, "stub", ("antlers",), True
)


BEASTS: dict[str, Beast] = {
    "dog": Beast("brown fur", 1.05, 0.25, 0.18, 0.58, 0.075, 0.24, 46, 0.18, 0.22, 0.085, "flop", 0.19),
    "puppy": Beast("tan fur", 0.9, head=0.21, ears="flop", ear=0.18, snout=0.1, thick=0.085),
    "cat": _CAT,
    "kitten": replace(_CAT, head=0.27, long=1.1, fur="grey pelt"),
    "horse": _HORSE,
    "pony": replace(_HORSE, leg=0.56, thick=0.08, fur="tan fur"),
    "unicorn": replace(_HORSE, fur="white pelt", extra=("mane", "horn")),
    "donkey": replace(_HORSE, fur="grey fur", ear=0.22),
    "zebra": replace(_HORSE, fur="white pelt", extra=("mane", "stripes")),
    "cow": Beast(
        "white pelt", 1.2, 0.29, 0.28, 0.55, 0.075, 0.26, 32, 0.16, 0.2, 0.1, "side", 0.13, "brush",
        ("horns", "udder", "patches"), True,
    ),
    "bull": Beast(
        "dark brown fur", 1.2, 0.33, 0.28, 0.55, 0.085, 0.24, 30, 0.17, 0.2, 0.11, "side", 0.13, "brush",
        ("horns",), True,
    ),
    "pig": Beast("pink skin", 1.15, 0.3, 0.32, 0.4, 0.075, 0.1, 15, 0.22, 0.16, 0.1, "flop", 0.13, "curl", (), True),
    "sheep": Beast(
        "white wool", 1.05, 0.34, 0.34, 0.45, 0.055, 0.18, 35, 0.15, 0.16, 0.08, "side", 0.13, "stub", ("wool",),
        True,
    ),
    "goat": Beast(
        "white pelt", 1.0, 0.22, 0.23, 0.6, 0.052, 0.3, 48, 0.13, 0.18, 0.07, "side", 0.13, "stub",
        ("horns", "beard"), True,
    ),
    "elephant": Beast(
        "grey leather", 1.15, 0.42, 0.42, 0.5, 0.14, 0.12, 25, 0.27, 0.04, 0.13, "fan", 0.42, "thin",
        ("trunk", "tusks"),
    ),
    "giraffe": Beast(
        "tan fur", 0.9, 0.2, 0.17, 0.74, 0.05, 1.05, 66, 0.12, 0.2, 0.06, "side", 0.12, "brush",
        ("knobs", "patches"), True,
    ),
    "lion": Beast(
        "tan fur", 1.15, 0.23, 0.18, 0.6, 0.075, 0.2, 35, 0.18, 0.12, 0.09, "round", 0.08, "brush", ("ruff",),
    ),
    "tiger": Beast(
        "orange pelt", 1.2, 0.23, 0.19, 0.58, 0.075, 0.2, 32, 0.18, 0.11, 0.09, "round", 0.08, "long", ("stripes",),
    ),
    "leopard": replace(_CAT, fur="tan fur", tail="long", ears="round", ear=0.07, extra=("patches",)),
    "bear": Beast("dark brown fur", 1.1, 0.36, 0.36, 0.5, 0.12, 0.16, 22, 0.23, 0.16, 0.1, "round", 0.1, "stub"),
    "wolf": Beast("grey fur", 1.1, 0.22, 0.17, 0.62, 0.06, 0.28, 38, 0.16, 0.2, 0.065, "pointed", 0.13, "bushy"),
    "fox": Beast("orange pelt", 1.05, 0.17, 0.15, 0.55, 0.045, 0.24, 40, 0.15, 0.18, 0.045, "pointed", 0.16, "bushy"),
    "deer": _DEER,
    "reindeer": replace(_DEER, chest=0.22, fur="brown fur", thick=0.05),
    "camel": Beast(
        "tan fur", 1.05, 0.25, 0.22, 0.68, 0.06, 0.5, 55, 0.13, 0.2, 0.08, "round", 0.06, "thin", ("humps",),
    ),
    "rabbit": Beast("grey fur", 0.75, 0.2, 0.27, 0.36, 0.06, 0.1, 50, 0.2, 0.08, 0.08, "tall", 0.4, "puff"),
    "bunny": Beast("white pelt", 0.72, 0.2, 0.27, 0.36, 0.06, 0.1, 50, 0.22, 0.08, 0.08, "tall", 0.42, "puff"),
    "mouse": Beast("grey fur", 0.85, 0.18, 0.26, 0.3, 0.045, 0.08, 20, 0.19, 0.2, 0.045, "disc", 0.2, "thin"),
}  # fmt: skip
