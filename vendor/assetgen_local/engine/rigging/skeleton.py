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


_TRUNK = (
    ("hips", "", "hips", "spine"),
    ("spine", "hips", "spine", "chest"),
    ("chest", "spine", "chest", "upper_chest"),
    ("upper_chest", "chest", "upper_chest", "neck"),
    ("neck", "upper_chest", "neck", "head"),
    ("head", "neck", "head", "head_top"),
)
_LIMBS = (
    ("shoulder", "upper_chest", "shoulder", "arm"),
    ("arm", "shoulder", "arm", "forearm"),
    ("forearm", "arm", "forearm", "hand"),
    ("hand", "forearm", "hand", "hand_tip"),
    ("thigh", "hips", "thigh", "shin"),
    ("shin", "thigh", "shin", "foot"),
    ("foot", "shin", "foot", "toe"),
    ("toe", "foot", "toe", "toe_tip"),
)
_BEAST = (
    ("hips", "", "hips", "spine"),
    ("spine", "hips", "spine", "chest"),
    ("chest", "spine", "chest", "neck"),
    ("neck", "chest", "neck", "head"),
    ("head", "neck", "head", "head_top"),
    ("tail1", "hips", "tail1", "tail2"),
    ("tail2", "tail1", "tail2", "tail_tip"),
)
_BEAST_LEG = (("upper", "", "upper", "lower"), ("lower", "upper", "lower", "foot"), ("foot", "lower", "foot", "toe"))
_BEAST_LEGS = (("hind", "hips"), ("front", "chest"))

_PLAIN = {
    "mixamo": {
        "hips": "Hips",
        "spine": "Spine",
        "chest": "Spine1",
        "upper_chest": "Spine2",
        "neck": "Neck",
        "head": "Head",
    },
    "tripo": {
        "hips": "Hip",
        "spine": "Waist",
        "chest": "Spine01",
        "upper_chest": "Spine02",
        "neck": "Neck",
        "head": "Head",
        "tail1": "Tail01",
        "tail2": "Tail02",
    },
}
_SIDED = {
    "mixamo": {
        "shoulder": "Shoulder",
        "arm": "Arm",
        "forearm": "ForeArm",
        "hand": "Hand",
        "thigh": "UpLeg",
        "shin": "Leg",
        "foot": "Foot",
        "toe": "ToeBase",
    },
    "tripo": {
        "shoulder": "Clavicle",
        "arm": "Upperarm",
        "forearm": "Forearm",
        "hand": "Hand",
        "thigh": "Thigh",
        "shin": "Calf",
        "foot": "Foot",
        "toe": "ToeBase",
        "front_upper": "FrontUpperleg",
        "front_lower": "FrontLowerleg",
        "front_foot": "FrontFoot",
        "hind_upper": "HindUpperleg",
        "hind_lower": "HindLowerleg",
        "hind_foot": "HindFoot",
    },
}

SPECS = ("mixamo", "tripo")
"""Conventions of bone names. Mixamo has bipeds only; a quadruped's names are ours, in the style of the other one."""


def bones_for(kind: str, joints: Mapping[str, Array]) -> list[Bone]:
    """The skeleton of a body, parents before children.

    Args:
        kind: ``biped`` or ``quadruped``.
        joints: Places of the joints, as :mod:`..body` names them.
    """
    if kind == BIPED:
        rows = list(_TRUNK)
        for side in "LR":
            hung = {
                role: f"{role}.{side}" for role, *_ in _LIMBS
            }  # what hangs on the trunk has a parent without a side
            rows += [
                (hung[role], hung.get(parent, parent), f"{head}.{side}", f"{tail}.{side}")
                for role, parent, head, tail in _LIMBS
            ]
    elif kind == QUADRUPED:
        rows = [row for row in _BEAST if row[2] in joints]
        for name, root in _BEAST_LEGS:
            for side in "LR":
                rows += [
                    (
                        f"{name}_{role}.{side}",
                        f"{name}_{parent}.{side}" if parent else root,
                        *(f"{name}_{end}.{side}" for end in ends),
                    )
                    for role, parent, *ends in _BEAST_LEG
                ]
    else:
        raise ValueError(f"no skeleton for {kind!r}")
    return [Bone(role, parent, *_ends(joints[head], joints[tail])) for role, parent, head, tail in rows]


def _ends(head: Array, tail: Array) -> tuple[Array, Array]:
    """Both ends; a bone without length would be removed by Blender."""
    if np.linalg.norm(tail - head) < 1e-6:
        tail = head + np.array([0.0, 0.0, 1e-3])
    return head, tail


def name_of(role: str, spec: str) -> str:
    """A bone's name."""
    plain, _, side = role.partition(".")
    if spec == "mixamo":
        name = {"L": "Left", "R": "Right"}.get(side, "") + (_SIDED if side else _PLAIN)["mixamo"][plain]
        return f"mixamorig:{name}"
    name = (_SIDED if side else _PLAIN)["tripo"][plain]
    return f"{side}_{name}" if side else name


def roles_of(names: Iterable[str]) -> dict[str, str]:
    """Role → name, for all bones that one of our conventions names; the one that knows the most of them."""
    present = set(names)
    best: dict[str, str] = {}
    for spec in SPECS:
        variants: dict[str, str] = {}
        for role in _all_roles(spec):
            name = name_of(role, spec)
            for variant in (name, name.replace(":", "_"), name.removeprefix("mixamorig:")):
                if variant in present:
                    variants.setdefault(role, variant)
        best = max(best, variants, key=len)
    return best


def kind_of(roles: Iterable[str]) -> str | None:
    """What kind of body has these roles; None where too many are missing to move it."""
    present = set(roles)
    for kind, needed in _NEEDED.items():
        if present >= needed:
            return kind
    return None


def _all_roles(spec: str) -> list[str]:
    return [*_PLAIN[spec], *(f"{role}.{side}" for role in _SIDED[spec] for side in "LR")]


_NEEDED = {
    BIPED: {row[0] for row in _TRUNK} | {f"{row[0]}.{side}" for row in _LIMBS for side in "LR"},
    QUADRUPED: {"hips", "spine", "chest", "neck", "head"}
    | {f"{name}_{row[0]}.{side}" for name, _ in _BEAST_LEGS for row in _BEAST_LEG for side in "LR"},
}
