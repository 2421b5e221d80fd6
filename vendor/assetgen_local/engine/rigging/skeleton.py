"""The bones of our skeletons: what each is for (its role), what it hangs on, from where to where it goes, its name.

Everything that works with a rig asks for roles; only here are they turned into the names of a convention and back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from ..array_types import Array
from ..body.classify import BIPED, QUADRUPED


@dataclass(frozen=True, slots=True)
class Bone:
    """A bone: its role, the role that it hangs on (empty for the root), and its two ends."""

    role: str
    parent: str
    head: Array
    tail: Array


_Chains = tuple[tuple[str, ...], ...]

_TRUNKS: dict[str, _Chains] = {
    BIPED: (("", "hips", "spine", "chest", "upper_chest", "neck", "head", "head_top"),),
    QUADRUPED: (("", "hips", "spine", "chest", "neck", "head", "head_top"), ("hips", "tail1", "tail2", "tail_tip")),
}
"""The bones in the middle, as chains of joints: first what it hangs on; a bone is called like the joint at its head."""

_LIMBS: dict[str, _Chains] = {
    BIPED: (
        ("upper_chest", "shoulder", "arm", "forearm", "hand", "hand_tip"),
        ("hips", "thigh", "shin", "foot", "toe", "toe_tip"),
    ),
    QUADRUPED: (
        ("hips", "hind_upper", "hind_lower", "hind_foot", "hind_toe"),
        ("chest", "front_upper", "front_lower", "front_foot", "front_toe"),
    ),
}
"""The bones that both sides have, likewise."""

SPECS = ("mixamo", "tripo")
"""Conventions of bone names. Mixamo has bipeds only; a quadruped's names are ours, in the style of the other one."""

_NAMES = {
    "hips": ("Hips", "Hip"),
    "spine": ("Spine", "Waist"),
    "chest": ("Spine1", "Spine01"),
    "upper_chest": ("Spine2", "Spine02"),
    "neck": ("Neck", "Neck"),
    "head": ("Head", "Head"),
    "tail1": ("", "Tail01"),
    "tail2": ("", "Tail02"),
    "shoulder": ("Shoulder", "Clavicle"),
    "arm": ("Arm", "Upperarm"),
    "forearm": ("ForeArm", "Forearm"),
    "hand": ("Hand", "Hand"),
    "thigh": ("UpLeg", "Thigh"),
    "shin": ("Leg", "Calf"),
    "foot": ("Foot", "Foot"),
    "toe": ("ToeBase", "ToeBase"),
    "hind_upper": ("", "HindUpperleg"),
    "hind_lower": ("", "HindLowerleg"),
    "hind_foot": ("", "HindFoot"),
    "front_upper": ("", "FrontUpperleg"),
    "front_lower": ("", "FrontLowerleg"),
    "front_foot": ("", "FrontFoot"),
}
"""What each convention calls a role, without the side."""

_SIDES = {"": "", "L": "Left", "R": "Right"}


def bones_for(kind: str, joints: Mapping[str, Array]) -> list[Bone]:
    """The skeleton of a body, parents before children.

    Args:
        kind: ``biped`` or ``quadruped``.
        joints: Places of the joints, as :mod:`..body` names them.
    """
    if kind not in _TRUNKS:
        raise ValueError(f"no skeleton for {kind!r}")
    return [
        Bone(role, parent, *_ends(joints[role], joints[tail])) for role, parent, tail in _rows(kind) if role in joints
    ]


def _rows(kind: str) -> list[tuple[str, str, str]]:
    """Role, parent and joint at the tail of all bones, with their sides."""
    chains = list(_TRUNKS[kind])
    for side in "LR":
        chains += [(root, *(f"{joint}.{side}" for joint in joints)) for root, *joints in _LIMBS[kind]]
    return [row for chain in chains for row in zip(chain[1:], chain, chain[2:], strict=False)]


def _ends(head: Array, tail: Array) -> tuple[Array, Array]:
    """Both ends; a bone without length would be removed by Blender."""
    if np.linalg.norm(tail - head) < 1e-6:
        tail = head + np.array([0.0, 0.0, 1e-3])
    return head, tail


def name_of(role: str, spec: str) -> str:
    """A bone's name; nothing where the convention has none for it."""
    plain, _, side = role.partition(".")
    name = _NAMES[plain][SPECS.index(spec)]
    if spec == "mixamo":
        return f"mixamorig:{_SIDES[side]}{name}" if name else ""
    return f"{side}_{name}" if side else name


def roles_of(names: Iterable[str]) -> dict[str, str]:
    """Role → name, for all bones that one of our conventions names; the one that knows the most of them."""
    present = set(names)
    best: dict[str, str] = {}
    for spec in SPECS:
        variants: dict[str, str] = {}
        for role in (row[0] for kind in _TRUNKS for row in _rows(kind)):
            name = name_of(role, spec)
            for variant in (name, name.replace(":", "_"), name.removeprefix("mixamorig:")):
                if variant and variant in present:
                    variants.setdefault(role, variant)
        best = max(best, variants, key=len)
    return best


def kind_of(roles: Iterable[str]) -> str | None:
    """What kind of body has these roles; None where too many are missing to move it."""
    present = {*roles, "tail1", "tail2"}  # a tail need not be there
    return next((kind for kind in _TRUNKS if present.issuperset(role for role, *_ in _rows(kind))), None)
