"""The parts of a body: which of its bones each part is around, coarse or fine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..array_types import Array
from ..body.classify import BIPED, QUADRUPED, Body
from ..rigging.skeleton import Bone, bones_for

_Limb = tuple[str, tuple[str, ...]]

_LEG, _ARM = ("thigh", "shin", "foot", "toe"), ("arm", "forearm", "hand")
_FRONT, _HIND = (tuple(f"{end}_{part}" for part in ("upper", "lower", "foot")) for end in ("front", "hind"))
_STEPS: dict[str, tuple[tuple[_Limb, ...], ...]] = {
    BIPED: (
        (("leg", _LEG),),
        (("arm", _ARM),),
        (("head", ("neck", "head")),),
        (("shin", _LEG[1:]),),
        (("forearm", _ARM[1:]),),
        (("chest", ("chest", "upper_chest", "shoulder")),),
        (("foot", _LEG[2:]),),
        (("hand", _ARM[2:]),),
        (("skull", ("head",)),),
        (("waist", ("spine",)),),
        (("shoulders", ("upper_chest", "shoulder")),),
        (("toes", _LEG[3:]),),
    ),
    QUADRUPED: (
        (("leg_front", _FRONT), ("leg_hind", _HIND)),
        (("head", ("neck", "head")),),
        (("tail", ("tail1", "tail2")),),
        (("shin_front", _FRONT[1:]), ("shin_hind", _HIND[1:])),
        (("skull", ("head",)),),
        (("chest", ("chest",)),),
        (("foot_front", _FRONT[2:]), ("foot_hind", _HIND[2:])),
        (("tail_tip", ("tail2",)),),
        (("waist", ("spine",)),),
    ),
}
"""What is taken off the rest one after the other, in this order; limbs with a side are taken off on both at once."""

NAMED = 3
"""Steps that make the parts of a body as people name them."""

_TRUNK = {BIPED: "torso", QUADRUPED: "body"}
_WORDS = {"": "", "L": "_left", "R": "_right"}


def limbs(body: Body, *, most: int = 99, steps: int = 99) -> dict[str, Array]:
    """The parts of a body: points along the middle of each, shape (n, 3).

    Args:
        body: A biped or quadruped, at least likely.
        most: How many parts; no pair is taken apart for the last one.
        steps: How many of the steps are gone; :data:`NAMED` for the parts that people name.
    """
    bones = bones_for(body.likely, body.joints)
    part = {bone.role: _TRUNK[body.likely] for bone in bones}
    for step in _STEPS[body.likely][:steps]:
        taken = {}
        for role in part:
            plain, _, side = role.partition(".")
            for name, roles in step:
                if plain in roles:
                    taken[role] = name + ("" if plain == "shoulder" else _WORDS[side])
        if len(set(part.values()) | set(taken.values())) <= most:
            part |= taken
    return {name: _lines(bones, part, name, body.inside.volume.cell) for name in dict.fromkeys(part.values())}


def _lines(bones: Sequence[Bone], part: dict[str, str], name: str, step: float) -> Array:
    """Points along the bones of a part, and from each to where the next ones begin: the hips reach to the thighs."""
    head = {bone.role: bone.head for bone in bones}
    ends = [(bone.head, bone.tail) for bone in bones if part[bone.role] == name]
    ends += [(head[bone.parent], bone.head) for bone in bones if bone.parent and part[bone.parent] == name]
    return np.concatenate(
        [
            start + np.linspace(0.0, 1.0, max(int(np.linalg.norm(end - start) / step * 2), 2))[:, None] * (end - start)
            for start, end in ends
        ]
    )
