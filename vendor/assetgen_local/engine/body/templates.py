"""The bodies that can be rigged, as data: what their limbs look like, and how much they may differ.

Lengths are parts of the body's height where nothing else is said.
"""

from __future__ import annotations

from typing import NamedTuple


class ArmLimits(NamedTuple):
    """What the arms of a biped are like, and how sure each way of finding them is."""

    shortest: float = 0.1
    usual: float = 0.3
    longest: float = 0.45
    out: float = 0.05  # of a tip, from the middle
    ahead: float = 0.2  # the hips, of a tip whose limb may reach across the middle
    inner: float = 0.22  # of the way from the middle to the tip of an arm that stands out: no joint is there
    beyond: float = 1.4  # half the width of the trunk below: no shoulder is so far out
    lowest: float = 0.25  # of a shoulder, from the ground
    at_hips: float = 0.22  # of the way from the hips to the neck: a shoulder is higher
    level: float = 0.1  # the other shoulder
    lowest_hand: float = 0.2
    above_neck: float = 0.12
    free: float = 0.02  # of what hangs beside the trunk, from the middle
    behind: float = 0.1  # the hips, of what hangs
    thickest: float = 0.09
    flattest: float = 5.6  # cross-section in parts of that of a round arm as thick: more is a plate
    apart: float = 0.2  # from the mirror image of the other one
    alike: float = 0.25
    covered: float = 0.85  # of a mirror image that lies in the body
    radius: float = 0.035
    below_neck: float = 0.15  # of the way to the hips: the shoulder
    standing_out: float = 1.0
    hanging: float = 0.9
    mirrored: float = 0.7
    merged: float = 0.5


LEGS = {2: 0.35, 4: 0.3}
"""For each number of legs: the smaller one of a pair has at least this part of the larger one's volume."""

BIPED_ARMS = ArmLimits()

WEIGHTS = {"slender": 0.6, "neck": 0.7, "arms": 1.25, "head": 1.3, "upright": 1.3, "alone": 1.5, "mirror": 1.5}
"""Exponents of what speaks for a body, where not 1, as they part bodies from things best (docs/decisions.md)."""

LEAST_CONFIDENCE = 0.24
"""What is less sure to be a body is none."""

LEAST_LIKELY = 0.15
"""What is at least so sure has limbs that can be named: to cut at them by mistake costs less than to walk on them."""

DOUBTS = {
    "legs": "are too short or too unlike each other for legs",
    "slender": "are as wide as they are long, as wheels and tracks are",
    "long": "are too long for what they carry",
    "arms": "carry something without arms that stand out",
    "neck": "carry something without a neck",
    "mirror": "carry something whose sides are no mirror images",
    "upright": "carry something that lies more than it stands",
    "thick": "carry something that is nowhere as thick as a body",
    "trunk": "carry something that is no trunk",
    "head": "carry something without a head that stands out",
    "plate": "carry a plate and no body",
    "feet": "grow out of one base, to be cut off first if they are legs",
    "alone": "are not all that it stands on",
    "gown": "are hidden, if there are any",
}
"""What a body lacks, as the end of a sentence about its legs."""
