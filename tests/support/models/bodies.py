"""Made bodies, each with one thing that makes its limbs hard to find. glTF axes: +Y up, facing +Z."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from .figures import beast, joined, limb, person
from .meshes import Shape, box, cube_sphere

_STEPS = 6
_Row = tuple[Sequence[float], Sequence[float], float]


def _standing(
    arms: Sequence[_Row], soles: float = 0.045, thighs: float = 0.1, shins: float = 0.1, knees: float = 0.01
) -> Shape:
    """A figure of 1.75 with arms as given; wider soles or nearer legs touch, and knees farther ahead are bent."""
    rows: list[_Row] = [
        ((0, 0.95, 0), (0, 1.35, 0), 0.15),
        ((-0.12, 1.38, 0), (0.12, 1.38, 0), 0.07),
        ((0, 1.4, 0), (0, 1.52, 0), 0.06),
        ((0, 1.56, 0.01), (0, 1.66, 0.01), 0.11),
    ]
    for side in (1, -1):
        rows += [
            ((side * thighs, 0.95, 0), (side * thighs, 0.5, knees), 0.085),
            ((side * shins, 0.5, knees), (side * shins, 0.09, 0), 0.06),
            ((side * shins, 0.045, -0.02), (side * shins, 0.035, 0.15), soles),
        ]
    return joined([limb(*row) for row in [*rows, *arms]], "body")


def _both(rows: Sequence[_Row]) -> list[_Row]:
    """Rows of the left side, and their mirror images."""
    other = [((-a[0], *a[1:]), (-b[0], *b[1:]), radius) for a, b, radius in rows]
    return [*rows, *other]


_OUT: list[_Row] = [((0.12, 1.38, 0), (0.42, 1.38, 0), 0.055), ((0.42, 1.38, 0), (0.76, 1.38, 0.01), 0.045)]
_DOWN: list[_Row] = [((0.2, 1.38, 0), (0.2, 1.1, 0), 0.055), ((0.2, 1.12, 0), (0.19, 0.78, 0.02), 0.045)]


def soles_touching() -> list[Shape]:
    """A figure whose soles join its legs at the ground."""
    return [_standing(_both(_OUT), soles=0.11)]


def arms_down() -> list[Shape]:
    """A figure whose arms hang along its body and touch it."""
    return [_standing(_both(_DOWN))]


def in_sleeves() -> list[Shape]:
    """A figure whose arms are thin below the elbow and twice as thick above."""
    rows = [((0.12, 1.38, 0), (0.45, 1.38, 0), 0.06), ((0.42, 1.38, 0), (0.78, 1.38, 0.01), 0.02)]
    return [_standing(_both(rows))]


def waving() -> list[Shape]:
    """A figure with one arm stretched out and the other one raised, bent at the elbow."""
    raised = [((-0.12, 1.38, 0), (-0.34, 1.5, 0), 0.06), ((-0.34, 1.5, 0), (-0.24, 1.88, 0.01), 0.035)]
    return [_standing([*_OUT, *raised])]


def hands_on_hips() -> list[Shape]:
    """A figure of one surface from its trunk to its hands, which lie on its hips."""
    rows = [((0.12, 1.38, 0), (0.42, 1.2, 0), 0.055), ((0.42, 1.2, 0), (0.14, 1.06, 0.08), 0.045)]
    body = _standing(_both(rows))
    parts = np.arange(len(body.positions)).reshape(-1, len(cube_sphere(6).positions))
    trunk, upper, lower = parts[[0, 0]], parts[[-4, -2]], parts[[-3, -1]]
    seams = []
    for one, other in [*zip(trunk, upper, strict=True), *zip(upper, lower, strict=True)]:
        apart = np.linalg.norm(body.positions[one][:, None] - body.positions[other], axis=2)
        nearest = int(apart.min(axis=1).argmin())
        seams.append((one[nearest], *other[np.argsort(apart[nearest])[:2]]))
    return [replace(body, triangles=np.concatenate((body.triangles, seams)))]


def turret() -> list[Shape]:
    """A trunk and a head on two legs, without arms."""
    rows: list[_Row] = [((0, 0.8, 0), (0, 1.1, 0), 0.24), ((0, 1.45, 0), (0, 1.6, 0), 0.17)]
    for side in (1, -1):
        rows += [
            ((side * 0.16, 0.75, 0), (side * 0.16, 0.08, 0), 0.08),
            ((side * 0.16, 0.05, -0.02), (side * 0.16, 0.05, 0.15), 0.06),
        ]
    return [joined([limb(*row) for row in rows], "body")]


def with_staff() -> list[Shape]:
    """A figure with a staff in its left hand that stands on the ground."""
    return [_standing(_both(_OUT)), limb((0.78, 0.0, 0.05), (0.78, 1.7, 0.05), 0.03, name="staff")]


def with_sword() -> list[Shape]:
    """A figure with a long thing in its right hand."""
    return [_standing(_both(_OUT)), limb((-0.78, 1.38, 0.0), (-1.5, 1.38, 0.0), 0.03, name="sword")]


def with_cape() -> list[Shape]:
    """A figure with a cape that nearly reaches the ground behind it."""
    return [_standing(_both(_OUT)), box((0.4, 1.3, 0.02), (0, 0.72, -0.2), name="cape")]


def thighs_touching() -> list[Shape]:
    """A figure whose legs are apart below the knees only."""
    return [_standing(_both(_OUT), thighs=0.07)]


def legs_touching() -> list[Shape]:
    """A figure whose legs reach into each other from the soles up: nothing but a cleft tells them apart."""
    return [_standing(_both(_OUT), thighs=0.07, shins=0.045)]


def knees_bent() -> list[Shape]:
    """A figure whose shins lean so far forwards that its feet seem to point backwards."""
    return [_standing(_both(_OUT), knees=0.18)]


_UNEVEN: list[_Row] = [  # the left hand is held forwards, the right one out
    ((0.12, 1.38, 0), (0.42, 1.38, 0), 0.055),
    ((0.42, 1.38, 0), (0.5, 1.2, 0.3), 0.045),
    ((-0.12, 1.38, 0), (-0.42, 1.38, 0), 0.055),
    ((-0.42, 1.38, 0), (-0.76, 1.38, 0.01), 0.045),
]


def feet_apart() -> list[Shape]:
    """A figure whose feet are pieces of their own, a little below its shins; its legs are more alike than its arms."""
    standing = _standing(_UNEVEN)
    middles = standing.positions[standing.triangles].mean(axis=1)
    low = middles[:, 1] < 0.09
    body, feet = (replace(standing, triangles=standing.triangles[part]) for part in (~low, low))
    return [body, replace(feet, positions=feet.positions - (0, 0.03, 0), name="feet")]


def with_straps() -> list[Shape]:
    """A figure behind whose shoulders two ribbons hang, more alike than its arms."""
    ribbons = [limb((side * 0.13, 1.4, -0.27), (side * 0.16, 1.0, -0.29), 0.055, name="ribbon") for side in (1, -1)]
    return [_standing(_UNEVEN), *ribbons]


def one_armed() -> list[Shape]:
    """A figure with ears on a large head, and nothing where the left arm would be."""
    rows: list[_Row] = [((0, 1.6, 0), (0, 1.75, 0), 0.25), *_both([((0.2, 1.75, 0), (0.32, 1.9, 0), 0.06)])]
    return [_standing([*rows, *_UNEVEN[2:]])]


def chibi() -> list[Shape]:
    """A figure whose head is half of it, on legs as short as they are thick."""
    rows: list[_Row] = [((0, 0.17, 0), (0, 0.38, 0), 0.15), ((0, 0.66, 0), (0, 0.7, 0), 0.25)]
    rows += _both(
        [
            ((0.12, 0.4, 0), (0.36, 0.33, 0), 0.06),
            ((0.11, 0.15, 0), (0.11, 0.06, 0), 0.1),
            ((0.11, 0.05, 0), (0.11, 0.05, 0.08), 0.06),
        ]
    )
    return [joined([limb(*row) for row in rows], "chibi")]


def on_stilts() -> list[Shape]:
    """A figure with arms and a head whose legs are two thirds of it: they are too long to walk on."""
    rows: list[_Row] = [((0, 1.3, 0), (0, 1.65, 0), 0.15), ((0, 1.6, 0), (0, 1.8, 0), 0.06)]
    rows += [((0, 1.8, 0), (0, 1.85, 0), 0.12)]
    rows += _both([((0.12, 1.68, 0), (0.5, 1.6, 0), 0.05), ((0.12, 1.3, 0), (0.14, 0.06, 0), 0.06)])
    return [joined([limb(*row) for row in rows], "stilts")]


def toy() -> list[Shape]:
    """A figure that is mostly head, on legs half as long as they are wide, its arms on its body."""
    rows: list[_Row] = [((0, 0.2, 0), (0, 0.38, 0), 0.16), ((0, 0.72, 0), (0, 0.78, 0), 0.3)]
    rows += _both(
        [
            ((0.13, 0.4, 0), (0.23, 0.2, 0), 0.07),
            ((0.11, 0.12, 0), (0.11, 0.07, 0), 0.1),
            ((0.11, 0.05, 0), (0.11, 0.05, 0.07), 0.08),
        ]
    )
    return [joined([limb(*row) for row in rows], "toy")]


def running() -> list[Shape]:
    """A figure that runs: one leg is on the ground, the shin of the other one is held up behind it."""
    rows: list[_Row] = [
        ((0, 0.95, 0), (0, 1.35, 0.06), 0.15),
        ((0, 1.4, 0.07), (0, 1.52, 0.08), 0.06),
        ((0, 1.56, 0.09), (0, 1.66, 0.1), 0.11),
        ((0.1, 0.95, 0), (0.1, 0.5, 0.1), 0.085),
        ((0.1, 0.5, 0.1), (0.08, 0.09, -0.02), 0.06),
        ((0.08, 0.045, -0.04), (0.08, 0.035, 0.13), 0.045),
        ((-0.1, 0.95, 0), (-0.1, 0.5, -0.02), 0.085),
        ((-0.1, 0.52, -0.04), (-0.1, 0.58, -0.42), 0.055),
    ]
    for side in (1, -1):
        elbow = (side * 0.3, 1.16, -side * 0.14)
        rows += [((side * 0.14, 1.38, 0.06), elbow, 0.055), (elbow, (side * 0.26, 1.14, 0.16 - side * 0.1), 0.045)]
    return [joined([limb(*row) for row in rows], "runner")]


def striding() -> list[Shape]:
    """A figure in mid stride: its feet are farther apart one behind the other than side by side."""
    rows: list[_Row] = [
        ((0, 0.88, 0), (0, 1.28, 0), 0.15),
        ((0, 1.32, 0), (0, 1.44, 0), 0.06),
        ((0, 1.48, 0.01), (0, 1.58, 0.01), 0.11),
    ]
    for side in (1, -1):
        step = side * 0.38
        rows += [
            ((side * 0.1, 0.88, 0.1 * side), (side * 0.1, 0.09, step), 0.075),
            ((side * 0.1, 0.045, step - 0.02), (side * 0.1, 0.035, step + 0.15), 0.045),
            ((side * 0.14, 1.3, 0), (side * 0.3, 0.85, -step), 0.05),
        ]
    return [joined([limb(*row) for row in rows], "stride")]


def behind_shield() -> list[Shape]:
    """A toy behind a shield that covers one half of it."""
    (body,) = toy()
    return [body, box((0.5, 0.6, 0.08), (0.35, 0.42, 0.28), name="shield")]


def behind_book() -> list[Shape]:
    """A figure without arms that are seen, with something before its neck that is as wide as its head."""
    return [_standing([]), box((0.4, 0.5, 0.2), (0.05, 1.5, 0.16), name="book")]


def leaning() -> list[Shape]:
    """A figure on short legs that leans forwards, one arm with a gun ahead of it and the other one behind."""
    rows: list[_Row] = [
        ((0, 0.42, -0.12), (0, 0.8, 0.08), 0.2),
        ((0, 0.9, 0.14), (0, 1.0, 0.22), 0.19),
        ((-0.2, 0.85, 0.1), (-0.24, 0.7, 0.4), 0.07),
        ((-0.24, 0.7, 0.4), (-0.2, 0.75, 1.1), 0.09),
        ((0.2, 0.85, 0.05), (0.34, 0.6, -0.3), 0.07),
        ((0.34, 0.6, -0.3), (0.34, 0.5, -0.75), 0.07),
    ]
    rows += _both([((0.11, 0.4, -0.1), (0.11, 0.08, 0), 0.09), ((0.11, 0.05, 0), (0.11, 0.05, 0.1), 0.06)])
    return [joined([limb(*row) for row in rows], "leaning")]


def aiming_across() -> list[Shape]:
    """A figure that aims at what is before its left side with its right arm; the left one is not to be seen."""
    return [_standing([((-0.14, 1.38, 0), (-0.2, 1.3, 0.3), 0.055), ((-0.2, 1.3, 0.3), (0.12, 1.32, 0.62), 0.045)])]


def with_club() -> list[Shape]:
    """A toy whose one arm is stretched out and holds a club, thicker than its legs, that stands on the ground."""
    (body,) = toy()
    arm = limb((-0.2, 0.36, 0), (-0.55, 0.3, 0.05), 0.07, name="arm")
    return [body, arm, limb((-0.55, 0.3, 0.05), (-0.55, 0.05, 0.05), 0.16, name="club")]


def of_blocks() -> list[Shape]:
    """A figure of six blocks, side on side: nothing but the walls between them tells limbs from the trunk."""
    sizes = [((8, 8, 8), (0, 28, 0)), ((8, 12, 4), (0, 18, 0))]
    sizes += [((4, 12, 4), (side * out, up, 0)) for side in (1, -1) for out, up in ((2, 6), (6, 18))]
    return [joined([box(size, place) for size, place in sizes], "blocks")]


def beast_of_blocks() -> list[Shape]:
    """A beast of blocks whose legs, left and right, stand side on side."""
    legs = [box((2, 6, 2), (x, 3, z)) for x in (-1, 1) for z in (-6, 6)]
    rest = [box((4, 6, 16), (0, 9, 0)), box((5, 4, 5), (0, 11, 9)), box((1, 1, 8), (0, 11, -11))]
    return [joined([*legs, *rest], "blocks")]


def with_gun() -> list[Shape]:
    """A figure on short legs with arms half down, in one of whose hands is a gun that reaches the ground."""
    rows: list[_Row] = [((0, 0.45, 0), (0, 0.85, 0), 0.19), ((0, 1.15, 0), (0, 1.25, 0), 0.2)]
    rows += _both(
        [
            ((0.2, 0.9, 0), (0.62, 0.62, 0), 0.11),
            ((0.11, 0.4, 0), (0.11, 0.08, 0), 0.1),
            ((0.11, 0.06, 0), (0.11, 0.06, 0.1), 0.09),
        ]
    )
    return [joined([limb(*row) for row in rows], "body"), limb((0.55, 0.62, 0), (0.75, 0.06, 0), 0.14, name="gun")]


def knees_backwards() -> list[Shape]:
    """A figure with legs that are bent as a bird's seem to be."""
    return [_standing(_both(_OUT), knees=-0.14)]


def askew(shapes: list[Shape], degrees: float) -> list[Shape]:
    """The shapes turned about the vertical."""
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
    return [replace(shape, positions=shape.positions @ turn.T) for shape in shapes]


def face_on_face() -> list[Shape]:
    """A figure whose every face has one on it that looks the other way."""
    body = _standing(_both(_DOWN))
    return [replace(body, triangles=np.concatenate((body.triangles, body.triangles[:, ::-1])))]


def long_and_low() -> list[Shape]:
    """A beast that is far longer than it is high."""
    rows: list[_Row] = [
        ((0, 0.3, -0.6), (0, 0.3, 0.6), 0.14),
        ((0, 0.34, 0.65), (0, 0.52, 0.8), 0.08),
        ((0, 0.52, 0.8), (0, 0.48, 1.0), 0.09),
        ((0, 0.34, -0.7), (0, 0.45, -0.95), 0.03),
    ]
    for place in (0.5, -0.5):
        rows += _both([((0.09, 0.25, place), (0.09, 0.04, place), 0.045)])
    return [joined([limb(*row) for row in rows], "dachshund")]


def crocodile() -> list[Shape]:
    """A beast that is so long between its short legs that its head is little of it."""
    rows: list[_Row] = [
        ((0, 0.24, -0.7), (0, 0.24, 0.7), 0.12),
        ((0, 0.28, 0.75), (0, 0.26, 0.95), 0.1),
        ((0, 0.24, -0.8), (0, 0.18, -1.5), 0.06),
    ]
    for place in (0.65, -0.65):
        rows += _both([((0.1, 0.2, place), (0.14, 0.05, place), 0.045)])
    return [joined([limb(*row) for row in rows], "crocodile")]


def head_aside() -> list[Shape]:
    """A beast that grazes with its head a little to one side."""
    body = low_head()[0].positions
    (shape,) = low_head()
    aside = np.clip(body[:, 2] - 0.5, 0, None) * 0.2
    return [replace(shape, positions=body + aside[:, None] * (1, 0, 0))]


def butting() -> list[Shape]:
    """A beast whose large head is at the ground, far to one side."""
    (body,) = low_head()
    places = body.positions
    ahead = np.clip(places[:, 2:] - 0.62, 0, None)
    large = (places - (0, 0.16, 0.88)) * (places[:, 2:] > 0.62)
    return [replace(body, positions=places + ahead * (0.45, 0, 0) + large * 0.5)]


def galloping() -> list[Shape]:
    """A beast whose fore legs are off the ground and its hind legs far behind it."""
    rows: list[_Row] = [
        ((0, 0.75, -0.4), (0, 0.85, 0.4), 0.19),
        ((0, 0.9, 0.45), (0, 1.15, 0.7), 0.1),
        ((0, 1.15, 0.7), (0, 1.1, 0.95), 0.1),
    ]
    rows += _both(
        [
            ((0.12, 0.75, 0.42), (0.12, 0.42, 0.52), 0.075),
            ((0.12, 0.42, 0.52), (0.12, 0.3, 0.32), 0.05),
            ((0.12, 0.7, -0.4), (0.12, 0.4, -0.42), 0.09),
            ((0.12, 0.4, -0.42), (0.12, 0.05, -0.6), 0.055),
        ]
    )
    return [joined([limb(*row) for row in rows], "gallop")]


def low_head() -> list[Shape]:
    """A beast that grazes: its head is at the ground, and its tail as well."""
    rows: list[_Row] = [
        ((0, 0.75, -0.45), (0, 0.75, 0.45), 0.2),
        ((0, 0.75, 0.5), (0, 0.3, 0.8), 0.1),
        ((0, 0.2, 0.78), (0, 0.12, 0.98), 0.11),
        ((0, 0.75, -0.55), (0, 0.05, -0.95), 0.04),
    ]
    for side in (1, -1):
        for place, radius in ((0.4, 0.06), (-0.4, 0.1)):  # hind legs are much thicker
            rows += [
                ((side * 0.13, 0.7, place), (side * 0.13, 0.36, place), radius * 1.3),
                ((side * 0.13, 0.38, place), (side * 0.13, 0.05, place), radius),
            ]
    return [joined([limb(*row) for row in rows], "beast")]


def _on_stubs(*extra: Shape) -> Shape:
    """A cube on four legs that are half as long as they are wide, and what else is on it."""
    stubs = [box((0.26, 0.16, 0.26), (x, 0.08, z)) for x in (-0.37, 0.37) for z in (-0.37, 0.37)]
    return joined([*stubs, box((1, 1, 1), (0, 0.66, 0)), *extra], "cube")


def head_on_legs() -> list[Shape]:
    """A beast that is nothing but a head on stubs, with ears, a snout and a tail that is larger than both."""
    ears = [box((0.2, 0.16, 0.1), (side * 0.3, 1.2, 0.3)) for side in (-1, 1)]
    snout, tail = box((0.3, 0.24, 0.2), (0, 0.55, 0.55)), box((0.3, 0.5, 0.3), (0, 0.9, -0.6))
    return [_on_stubs(*ears, snout, tail)]


def broad_hips() -> list[Shape]:
    """A long beast with a stub of a tail, and hips that stand out from it: they are no face."""
    legs = [box((0.2, 0.5, 0.2), (x, 0.25, z)) for x in (-0.2, 0.2) for z in (-0.7, 0.7)]
    hips = [box((0.1, 0.4, 0.4), (side * 0.34, 0.85, -0.4)) for side in (-1, 1)]
    rest = [
        box((0.6, 0.6, 1.8), (0, 0.8, 0)),
        box((0.4, 0.4, 0.5), (0, 0.9, 1.1)),
        box((0.15, 0.15, 0.15), (0, 0.9, -0.95)),
    ]
    return [joined([*legs, *hips, *rest], "beast")]


def with_antlers() -> list[Shape]:
    """A beast with antlers that stand higher than everything else."""
    (body,) = beast()
    rows = _both([((0.05, 1.25, 0.7), (0.35, 1.7, 0.55), 0.025), ((0.2, 1.48, 0.62), (0.2, 1.75, 0.8), 0.02)])
    return [joined([body, *(limb(*row) for row in rows)], "beast")]


def chair() -> list[Shape]:
    """Four legs, a seat and a back."""
    legs = [box((0.06, 0.5, 0.06), (x, 0.25, z)) for x in (-0.22, 0.22) for z in (-0.22, 0.22)]
    return [joined([*legs, box((0.5, 0.06, 0.5), (0, 0.53, 0)), box((0.5, 0.6, 0.05), (0, 0.85, -0.22))], "chair")]


def cart() -> list[Shape]:
    """A box on four wheels, with a pole in front."""
    disc = cube_sphere(8)
    wheels = [
        Shape(disc.positions * (0.05, 0.2, 0.2) + (x, 0.2, z), disc.triangles)
        for x in (-0.45, 0.45)
        for z in (-0.5, 0.5)
    ]
    return [joined([*wheels, box((0.8, 0.5, 1.5), (0, 0.55, 0)), limb((0, 0.5, 0.75), (0, 0.6, 1.6), 0.04)], "cart")]


def cannon() -> list[Shape]:
    """A barrel between two wheels with spokes: the rim before the hub and the rim behind it are no legs."""
    rows: list[_Row] = [((-0.4, 0.35, 0), (0.4, 0.35, 0), 0.06), ((0, 0.45, -0.35), (0, 0.65, 0.9), 0.2)]
    turns = np.linspace(0, 2 * np.pi, 25)
    rim = [(0.4, 0.35 + 0.3 * np.sin(turn), 0.3 * np.cos(turn)) for turn in turns]
    wheel = [(start, end, 0.05) for start, end in pairwise(rim)] + [((0.4, 0.35, 0), end, 0.03) for end in rim[:24:4]]
    return [joined([limb(*row) for row in [*rows, *_both(wheel)]], "cannon")]


def armchair() -> list[Shape]:
    """A chair with rests for arms: its two ends are unlike each other."""
    (seat,) = chair()
    rests = [box((0.05, 0.04, 0.5), (side * 0.25, 0.72, 0)) for side in (-1, 1)]
    posts = [box((0.04, 0.2, 0.04), (side * 0.25, 0.62, 0.2)) for side in (-1, 1)]
    return [joined([seat, *rests, *posts], "armchair")]


def stove() -> list[Shape]:
    """A cube on four feet, with a bar at its front and two pots over it: they are no snout and no ears."""
    pots = [box((0.3, 0.2, 0.3), (side * 0.25, 1.26, 0.25)) for side in (-1, 1)]
    return [_on_stubs(box((0.5, 0.05, 0.1), (0, 0.8, 0.55)), *pots)]


def television() -> list[Shape]:
    """A cube on four feet, with two aerials on it and nothing at its front."""
    return [_on_stubs(*(limb((side * 0.1, 1.15, 0.2), (side * 0.4, 1.6, 0.2), 0.03) for side in (-1, 1)))]


def coffer() -> list[Shape]:
    """A cube on four feet, with a lock at its front and a handle in the middle of each side."""
    handles = [box((0.1, 0.1, 0.3), (side * 0.54, 0.86, 0)) for side in (-1, 1)]
    return [_on_stubs(box((0.2, 0.2, 0.12), (0, 0.86, 0.55)), *handles)]


def urn() -> list[Shape]:
    """A cube on four feet, with a tap at its front and a rail across its top near it."""
    return [_on_stubs(box((0.3, 0.24, 0.2), (0, 0.55, 0.55)), box((0.9, 0.16, 0.1), (0, 1.24, 0.3)))]


def cooker() -> list[Shape]:
    """A cube on four feet, with two pots on it and a tap at one side of its front."""
    pots = [box((0.3, 0.2, 0.3), (side * 0.25, 1.26, 0.25)) for side in (-1, 1)]
    return [_on_stubs(box((0.2, 0.2, 0.2), (0.38, 0.6, 0.55)), *pots)]


def boiler() -> list[Shape]:
    """A cube on four feet, with a tap at its front and a pipe at one corner of its top."""
    return [_on_stubs(box((0.3, 0.24, 0.2), (0, 0.55, 0.55)), box((0.2, 0.5, 0.2), (0.35, 1.4, 0.3)))]


def sign() -> list[Shape]:
    """A board on two posts."""
    posts = [box((0.08, 1.0, 0.08), (side * 0.3, 0.5, 0)) for side in (-1, 1)]
    return [joined([*posts, box((1.0, 0.5, 0.06), (0, 0.85, 0)), box((0.3, 0.2, 0.06), (0, 1.2, 0))], "sign")]


def scissors() -> list[Shape]:
    """Two blades that point down below what is like a trunk, arms and a head: all of it is flat."""
    rows: list[_Row] = [((0, 0.75, 0), (0, 1.2, 0), 0.15), ((0, 1.3, 0), (0, 1.45, 0), 0.06)]
    trunk = joined([limb(*row) for row in [*rows, ((0, 1.5, 0), (0, 1.6, 0), 0.12)]], "handles")
    rows = _both([((0.1, 0.85, 0), (0.13, 0.05, 0), 0.03), ((0.12, 1.25, 0), (0.5, 1.0, 0), 0.03)])
    flat = replace(trunk, positions=trunk.positions * (1, 1, 0.2))
    return [joined([flat, *(limb(*row) for row in rows)], "scissors")]


def crab() -> list[Shape]:
    """A body low above six legs, with claws."""
    rows: list[_Row] = []
    for place in (-0.1, 0.05, 0.2):
        rows += [
            ((0.35, 0.3, -place), (0.65, 0.4, -1.5 * place), 0.03),
            ((0.65, 0.4, -1.5 * place), (0.8, 0.03, -1.8 * place), 0.03),
        ]
    rows += [((0.3, 0.3, 0.25), (0.5, 0.35, 0.5), 0.05), ((0.5, 0.35, 0.5), (0.32, 0.35, 0.85), 0.1)]
    disc = cube_sphere(8)
    body = Shape(disc.positions * (0.45, 0.15, 0.3) + (0, 0.3, 0), disc.triangles)
    return [joined([body, *(limb(*row) for row in _both(rows))], "crab")]


def lamp() -> list[Shape]:
    """A lamp on three legs."""
    feet = ((0.26, 0.14), (-0.26, 0.14), (0, -0.3))
    legs = [limb((x, 0.02, z), (0, 0.9, 0), 0.025) for x, z in feet]
    disc = cube_sphere(8)
    shade = Shape(disc.positions * (0.28, 0.18, 0.28) + (0, 1.4, 0), disc.triangles)
    return [joined([*legs, limb((0, 0.9, 0), (0, 1.3, 0), 0.02), shade], "lamp")]


def tripod() -> list[Shape]:
    """Three legs and a head."""
    legs = [limb((0, 1.0, 0), (x, 0.0, z), 0.03) for x, z in ((0.4, -0.25), (-0.4, -0.25), (0, 0.5))]
    return [joined([*legs, box((0.2, 0.2, 0.3), (0, 1.1, 0))], "tripod")]


def tanks() -> list[Shape]:
    """Two cylinders side by side, from each of which a pipe comes at its foot and at its top."""
    rows = _both(
        [
            ((0.18, 0.35, 0), (0.18, 1.1, 0), 0.2),
            ((0.18, 1.2, 0), (0.18, 1.4, 0), 0.06),
            ((0.18, 1.4, 0), (0.18, 1.4, 0.5), 0.06),
            ((0.18, 0.25, 0), (0.18, 0.08, 0), 0.06),
            ((0.18, 0.06, 0), (0.18, 0.06, 0.5), 0.06),
        ]
    )
    return [joined([limb(*row) for row in rows], "tanks")]


def one_surface(shapes: Sequence[Shape], cell: float) -> Shape:
    """One closed surface around overlapping ellipsoids, of squares of this size."""
    places = np.concatenate([shape.positions for shape in shapes])
    low = places.min(axis=0) - 1.5 * cell
    grid = np.stack(np.meshgrid(*(np.arange(n) for n in np.ptp(places, axis=0) / cell + 4), indexing="ij"), axis=-1)
    solid = np.zeros(grid.shape[:3], bool)
    for shape in shapes:
        middle = (shape.positions.min(axis=0) + shape.positions.max(axis=0)) / 2
        frame = np.linalg.pinv(cube_sphere(_STEPS).positions) @ (shape.positions - middle)
        solid |= (np.square((low + grid * cell - middle) @ np.linalg.inv(frame)) @ np.ones(3)) < 1
    points, triangles = [], []
    for axis in range(3):
        for sign in (1, -1):
            rim = np.argwhere(solid & ~np.roll(solid, -sign, axis)) + np.eye(3)[axis] * sign / 2
            first, second = np.eye(3)[(axis + 1) % 3] / 2, np.eye(3)[(axis + 2) % 3] / 2 * sign
            corners = [rim - first - second, rim + first - second, rim + first + second, rim - first + second]
            start = sum(map(len, points)) + np.arange(len(rim))[:, None] * 4
            points.append(np.stack(corners, axis=1).reshape(-1, 3))
            triangles += [start + np.array(corner) for corner in ((0, 1, 2), (0, 2, 3))]
    return Shape(low + np.concatenate(points) * cell, np.concatenate(triangles), name=shapes[0].name)


def bird() -> list[Shape]:
    """Two thin legs, a body that lies on them, and wings that do not stand out from it."""
    return [joined(_of_a_bird(), "bird")]


def bird_of_one_surface() -> list[Shape]:
    """The same without anything inside, on thinner legs and with hardly a neck."""
    return [one_surface(_of_a_bird(legs=0.018, head=(0.61, 0.12)), 0.009)]


def _of_a_bird(legs: float = 0.022, head: tuple[float, float] = (0.68, 0.2)) -> list[Shape]:
    rows = [
        ((0, 0.45, 0.1), (0, 0.42, -0.15), 0.15),
        ((0, 0.42, -0.2), (0, 0.33, -0.55), 0.05),
        ((0, head[0], head[1]), (0, head[0] + 0.02, head[1] + 0.02), 0.1),
        ((0, head[0], head[1] + 0.1), (0, head[0] - 0.02, head[1] + 0.2), 0.02),
    ]
    rows += _both([((0.07, 0.35, 0), (0.07, 0.04, 0), legs), ((0.07, 0.02, -0.02), (0.07, 0.02, 0.1), 0.02)])
    return [limb(*row, _STEPS, "bird") for row in rows]


BIPEDS = {
    "soles touching": soles_touching,
    "arms down": arms_down,
    "sleeves": in_sleeves,
    "waving": waving,
    "hands on hips": hands_on_hips,
    "turret": turret,
    "staff": with_staff,
    "sword": with_sword,
    "cape": with_cape,
    "person": person,
    "thighs touching": thighs_touching,
    "legs touching": legs_touching,
    "knees bent": knees_bent,
    "knees backwards": knees_backwards,
    "askew": lambda: askew(person(), 33),
    "face on face": face_on_face,
    "chibi": chibi,
    "gun": with_gun,
    "feet apart": feet_apart,
    "straps": with_straps,
    "one armed": one_armed,
    "toy": toy,
    "blocks": of_blocks,
    "running": running,
    "striding": striding,
    "shield": behind_shield,
    "book": behind_book,
    "leaning": leaning,
    "aiming across": aiming_across,
    "club": with_club,
}
QUADRUPEDS = {
    "low head": low_head,
    "antlers": with_antlers,
    "beast askew": lambda: askew(beast(), 25),
    "long and low": long_and_low,
    "crocodile": crocodile,
    "head aside": head_aside,
    "beast of blocks": beast_of_blocks,
    "butting": butting,
    "head on legs": head_on_legs,
    "broad hips": broad_hips,
    "galloping": galloping,
}
OTHERS = {
    "chair": chair,
    "armchair": armchair,
    "stove": stove,
    "television": television,
    "coffer": coffer,
    "urn": urn,
    "boiler": boiler,
    "cooker": cooker,
    "cart": cart,
    "tripod": tripod,
    "lamp": lamp,
    "sign": sign,
    "crab": crab,
    "bird": bird,
    "tanks": tanks,
    "cannon": cannon,
    "scissors": scissors,
}
