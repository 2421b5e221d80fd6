"""Bodies of unusual proportions walk all the same. Blender's axes: +Z up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from devtools.strangers.made.bodies import Array, Line, beast, person, surface
from support.engine.engine_run import needs_bpy
from support.models.bodies import QUADRUPEDS, scissors
from support.models.meshes import Shape, box

pytestmark = [needs_bpy, pytest.mark.each_python]


def solid(lines: Sequence[Line]) -> Array:
    """The surface of some lines as triangles (m, 3, 3)."""
    points, quads = surface(lines)
    return points[np.concatenate((quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]))]


def both(*lines: Line) -> list[Line]:
    """The lines and their mirror images."""
    sides = [Line((-a[0], *a[1:]), (-b[0], *b[1:]), thick, thin) for a, b, thick, thin in lines]
    return [*lines, *sides]


def even_person(radius: float) -> list[Line]:
    """One whose trunk, neck and head are no thicker than the limbs, as of edges with a Skin modifier."""
    return [
        Line((0, 0, 0.95), (0, 0, 1.75), radius, radius),
        *both(
            Line((0, 0, 0.95), (0.12, 0, 0.9), radius, radius),
            Line((0.12, 0, 0.9), (0.15, 0, 0.05), radius, radius),
            Line((0, 0, 1.4), (0.8, 0, 1.4), radius, radius),
        ),
    ]


def even_beast(out: float, radius: float) -> list[Line]:
    """The same on four legs, whose feet are so far from the middle."""
    return [
        Line((0, 0.5, 0.6), (0, -0.5, 0.6), radius, radius),
        Line((0, -0.5, 0.6), (0, -0.75, 0.85), radius, radius),
        Line((0, -0.75, 0.85), (0, -0.95, 0.85), radius, radius),
        Line((0, 0.5, 0.6), (0, 0.75, 0.7), radius, 0.6 * radius),
        *both(*(Line((out, y, 0.02), (0.6 * out, y, 0.6), 0.8 * radius, radius) for y in (-0.45, 0.45))),
    ]


def ball_on_legs(radius: float) -> list[Line]:
    """A sheep in its wool: hardly anything of it is legs."""
    return [
        Line((0, -0.2, 0.75), (0, 0.25, 0.75), 0.5, 0.5),
        Line((0, -0.7, 0.8), (0, -0.95, 0.75), 0.2, 0.14),
        *both(*(Line((0.2, y, 0.02), (0.2, y, 0.4), radius, radius) for y in (-0.3, 0.3))),
    ]


def slender(lines: Sequence[Line], part: float) -> list[Line]:
    """The same with thinner limbs and trunk; the head, the third line, stays."""
    parts = [1.0 if at == 2 else part for at in range(len(lines))]
    return [line._replace(thick=line.thick * k, thin=line.thin * k) for line, k in zip(lines, parts, strict=True)]


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (slender(person(45), 0.5), "biped"),
        (person(20, stance=0.3), "biped"),
        (even_person(0.08), "biped"),
        (beast(front=0.05, hind=0.05), "quadruped"),
        (even_beast(0.12, 0.06), "quadruped"),
        (even_beast(0.2, 0.08), "quadruped"),
        (ball_on_legs(0.035), "quadruped"),
    ],
    ids=[
        "slender",
        "legs apart",
        "evenly thick",
        "thin legs",
        "evenly thin beast",
        "evenly thick beast",
        "a ball on legs",
    ],
)
def test_bodies_of_unusual_proportions_walk(lines: list[Line], kind: str) -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    assert examine(solid(lines)).kind == kind


@pytest.mark.parametrize("arms", [0, 45, 80])
@pytest.mark.parametrize("radius", [0.05, 0.08])
def test_the_waist_of_a_mannequin_is_no_neck(arms: float, radius: float) -> None:
    """Joined by balls, as mannequins are, it may be narrower than the neck: their arms were looked for below it."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    hips, chest = Line((0, 0, 0.95), (0, 0, 0.98), 0.15, 0.15), Line((0, 0, 1.3), (0, 0, 1.35), 0.15, 0.15)
    waist = Line((0, 0, 1.0), (0, 0, 1.25), radius, radius)
    body = examine(solid([hips, waist, chest, *person(arms)[1:]]))
    shoulders = [float(body.joints[f"arm.{side}"][2]) for side in "LR"]
    assert (body.kind, body.unseen) == ("biped", frozenset())
    assert min(shoulders) > 1.25, shoulders


def coat_rack(radius: float) -> list[Line]:
    """Round bars on two posts, with hooks to all sides."""
    hooks = [((0, 0.3, 1.7), (0, -0.3, 1.7)), ((0.3, 0, 1.7), (-0.3, 0, 1.7)), ((0, 0.2, 1.1), (0, -0.2, 1.1))]
    feet = [((side * 0.15, 0.1, 0.05), (side * 0.15, -0.2, 0.05)) for side in (1, -1)]
    return [*even_person(radius), *(Line(*ends, radius, radius) for ends in (*hooks, *feet))]


@pytest.mark.parametrize(
    ("lines", "legs"),
    [
        (coat_rack(0.025), "the two"),
        (even_beast(0.2, 0.03), "the four"),
    ],
    ids=["coat rack", "rack on four legs"],
)
def test_what_is_of_thin_bars_alone_does_not_walk(lines: list[Line], legs: str) -> None:
    """As frames of windows, radiators, chairs and trees are; the voxels of leaves are no thicker."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    body = examine(solid(lines))
    assert body.kind == "others", body.confidence
    assert body.reason == f"{legs} things that it stands on carry something that is nowhere as thick as a body"


def test_a_railing_with_nothing_behind_its_posts_is_told_to_be_no_body() -> None:
    """It was an AxisError: arms that are not to be seen were looked for in the outline of a side without any."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    posts = [((0.02, 0.016, 0.8), (side * 0.825, 0, 0.4)) for side in (1, -1)]
    feet = [((0.04, 0.11, 0.02), (side * 0.825, 0.055, 0.01)) for side in (1, -1)]
    rails = [((1.65, 0.016, 0.02), (0, 0, z)) for z in (0.06, 0.75)]
    body = examine(triangles(*posts, *feet, *rails, ((1.65, 0.11, 0.02), (0, 0.055, 0.79))))
    assert (body.kind, body.reason) == ("others", "it stands on two legs that carry no trunk")


def jacket() -> list[Line]:
    """One on two posts: even in front and behind, and nothing above the shoulders."""
    return [
        Line((0, 0, 0.5), (0, 0, 1.0), 0.24, 0.25),
        *both(
            Line((0.25, 0, 1.1), (0.55, 0, 0.7), 0.09, 0.07),
            Line((0.12, 0, 0.2), (0.12, 0, 0.5), 0.1, 0.1),
        ),
    ]


def letter() -> list[Line]:
    """An X: it is the same upside down."""
    return both(Line((-0.3, 0, 0.1), (0.3, 0, 1.1), 0.09, 0.09))


def gingerbread() -> list[Line]:
    """A figure that is as even, without a neck, whose head is larger than its trunk."""
    return [
        Line((0, 0, 0.6), (0, 0, 0.85), 0.12, 0.1),
        Line((0, 0, 1.08), (0, 0, 1.1), 0.17, 0.17),
        *both(Line((0.02, 0, 0.6), (0.14, 0, 0.08), 0.09, 0.08), Line((0.02, 0, 0.85), (0.4, 0, 0.9), 0.08, 0.07)),
    ]


@pytest.mark.parametrize(
    ("lines", "kind"),
    [(jacket(), "others"), (letter(), "others"), (gingerbread(), "biped")],
    ids=["jacket", "letter", "gingerbread"],
)
def test_what_is_the_same_in_front_and_behind_or_upside_down_needs_a_head(lines: list[Line], kind: str) -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    body = examine(solid(lines))
    assert body.kind == kind, (body.confidence, body.reason)


Box = tuple[Sequence[float], Sequence[float]]


def triangles(*boxes: Box) -> Array:
    """Boxes, each by its size and its middle, as triangles (m, 3, 3)."""
    shapes = [box(*each) for each in boxes]
    return np.concatenate([shape.positions[shape.triangles] for shape in shapes]).astype(float)


def block_figure(heels: float = 0.0) -> Array:
    """A toy of blocks: a large head, arms that are ridges of the trunk, hardly any legs; heels stand out so far."""
    return triangles(
        ((0.72, 0.5, 0.6), (0, 0, 1.25)),
        ((0.5, 0.4, 0.12), (0, 0, 0.9)),
        ((0.6, 0.4, 0.68), (0, 0, 0.51)),
        *(((0.06, 0.2, 0.53), (side * 0.31, 0, 0.585)) for side in (1, -1)),
        *(((0.25, 0.2, 0.22), (side * 0.175, 0, 0.11)) for side in (1, -1)),
        *(((0.25, 0.2 + heels, 0.03), (side * 0.175, heels / 2, 0.015)) for side in (1, -1) if heels),
    )


@pytest.mark.parametrize(("heels", "front"), [(0.018, -1), (0.05, 1), (0.1, 1)])
def test_feet_of_a_voxel_turn_nobody_round(heels: float, front: int) -> None:
    """A voxel, 0.016 here, is a seventh of such a leg: toys walked backwards."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    body = examine(block_figure(heels))
    assert body.kind == "biped", (body.confidence, body.reason)
    assert np.allclose(body.to_world(np.array([0.0, -1.0, 0.0])), (0, front, 0))


def test_a_toy_without_neck_and_arms_on_short_legs_walks() -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    body = examine(block_figure())
    assert body.kind == "biped", (body.confidence, body.reason)


def hall(width: float) -> Array:
    """A building on two pillars, with a tower in its middle and a balcony at each end."""
    return triangles(
        ((width, 0.6, 0.7), (0, 0, 1.05)),
        ((0.3, 0.3, 0.35), (0, 0, 1.55)),
        ((0.6, 0.5, 0.5), (0, 0, 1.9)),
        *(((0.3, 0.4, 0.75), (side * 0.4, 0, 0.37)) for side in (1, -1)),
        *(((0.25, 0.3, 0.3), (side * (width / 2 + 0.1), 0, 1.2)) for side in (1, -1)),
    )


def stall(width: float) -> Array:
    """A market stall on four posts, with a box that stands out in front."""
    return triangles(
        ((width, 1.0, 0.5), (0, 0, 1.05)),
        ((0.35 * width, 0.4, 0.3), (0, -0.65, 1.2)),
        *(
            ((0.12, 0.12, 0.85), (right * (width / 2 - 0.1), ahead * 0.4, 0.42))
            for right in (1, -1)
            for ahead in (1, -1)
        ),
    )


@pytest.mark.parametrize(
    ("shape", "kind"),
    [(hall(1.2), "biped"), (hall(2.0), "others"), (stall(0.5), "quadruped"), (stall(1.2), "others")],
    ids=["broad robot", "hall", "beast of boxes", "stall"],
)
def test_what_is_far_too_wide_for_a_trunk_does_not_walk(shape: Array, kind: str) -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    body = examine(shape)
    assert body.kind == kind, (body.confidence, body.reason)


def armchair(wide: float) -> Array:
    """A seat with a back and two armrests, on four short legs that stand near its middle."""
    return triangles(
        ((wide, 0.8, 0.45), (0, 0, 0.5)),
        ((wide, 0.2, 1.0), (0, 0.3, 1.0)),
        *(((0.12, 0.7, 0.25), (side * (wide / 2 - 0.06), -0.05, 0.8)) for side in (1, -1)),
        *(((0.07, 0.07, 0.28), (x * (wide / 2 - 0.15), y * 0.2, 0.14)) for x in (1, -1) for y in (1, -1)),
    )


def test_an_armchair_does_not_walk() -> None:
    """Its front was a head before legs, and as wide as it is long it was a trunk for all that."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    body = examine(armchair(0.75))
    assert body.kind == "others" and body.reason.endswith("no trunk"), (body.confidence, body.reason)


def on_stubs(long: float, wide: float, *more: Box) -> Array:
    """A trunk of a block on four legs as long and as wide, with more blocks; its front is 0.7 before its middle."""
    legs = (
        ((wide, wide, long + 0.1), (0.4 * x - wide / 2 * x, 0.4 * y, long / 2 + 0.05)) for x in (1, -1) for y in (1, -1)
    )
    return triangles(((0.8, 1.4, 0.7), (0, 0, long + 0.35)), *legs, *more)


@pytest.mark.parametrize(("long", "wide"), [(0.06, 0.3), (0.1, 0.4)])
def test_below_a_clear_head_legs_may_be_as_wide_as_they_are_long(long: float, wide: float) -> None:
    """So does a hippopotamus stand, and a crocodile. What is as wide as the trunk is a hood, and stands on wheels."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    body = examine(on_stubs(long, wide, ((0.4, 0.6, 0.4), (0, -0.95, long + 0.45))))
    assert body.kind == "quadruped" and body.confidence > 0.4, (body.confidence, body.reason)
    hood = examine(on_stubs(long, wide, ((0.8, 0.6, 0.35), (0, -0.95, long + 0.45))))
    assert hood.kind == "others", hood.confidence


def test_a_sheep_of_blocks_has_a_head_though_its_tail_is_hardly_smaller() -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    tail = ((0.3, 0.4, 0.3), (0, 0.85, 0.85))
    body = examine(on_stubs(0.4, 0.25, ((0.35, 0.45, 0.35), (0, -0.85, 0.85)), tail))
    assert body.kind == "quadruped" and body.turn[0, 0] > 0.9, (body.confidence, body.reason)
    ends = (((0.8, 0.45, 0.35), (0, 0.85 * side, 0.85)) for side in (1, -1))
    bench = examine(on_stubs(0.4, 0.25, *ends))
    assert bench.reason == "it stands on four legs, but has no end with a head"


def pushchair() -> Array:
    """Two tubes from the ground to a handle, a bar between them, and below where they meet a seat with armrests."""
    return solid(
        [
            Line((-0.25, -0.1, 0.52), (0.25, -0.1, 0.52), 0.05, 0.05),
            Line((0, 0.1, 0.56), (0, 0.1, 0.86), 0.17, 0.15),
            Line((0, 0.15, 0.91), (0, 0.15, 1.2), 0.13, 0.16),
            *both(
                Line((0.27, 0.3, 1.3), (0.25, -0.1, 0.1), 0.04, 0.04),
                Line((0.25, -0.16, 0.06), (0.25, 0, 0.06), 0.05, 0.05),
                Line((0.26, 0.1, 0.66), (0.1, 0.1, 0.66), 0.05, 0.05),
            ),
        ]
    )


def test_whose_spine_would_hang_from_its_hips_does_not_walk() -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    body = examine(pushchair())
    assert body.kind == "others", body.confidence
    assert body.reason == "the two things that it stands on are too long for what they carry"


def test_who_stands_on_a_plinth_is_told_to_come_down() -> None:
    """As miniatures for games do: a foot that is lifted would pull the plinth along."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    plinth = triangles(((0.8, 0.8, 0.2), (0, 0, -0.08)))
    body = examine(np.concatenate((plinth, solid(person(45)))))
    expected = "the two things that it stands on grow out of one base, to be cut off first if they are legs"
    assert (body.kind, body.reason) == ("others", expected)
    assert examine(solid(person(45))).kind == "biped"


def test_legs_that_begin_in_one_place_are_no_two() -> None:
    """As a ring is that a lampshade stands on, cut in two: its halves have one middle."""
    from asset_generation.vendor.assetgen_local.engine.body.biped import measure
    from asset_generation.vendor.assetgen_local.engine.body.legs import find_legs
    from asset_generation.vendor.assetgen_local.engine.body.slices import Slices
    from asset_generation.vendor.assetgen_local.engine.body.voxel_paths import VoxelGraph
    from asset_generation.vendor.assetgen_local.engine.body.voxels import Volume

    inside = VoxelGraph.from_volume(Volume.from_triangles(solid(person(75))))
    slices = Slices.from_graph(inside)
    legs = find_legs(inside, slices)[2]
    one = replace(legs, members=[np.logical_or(*legs.members)] * 2)
    feet = [measure(inside, each, slices, slices)[1]["feet"] for each in (legs, one)]
    assert feet == [1.0, 0.0]


@pytest.mark.parametrize(("wide", "long", "high"), [(0.4, 0.25, 0.25), (0.36, 0.22, 0.2), (0.45, 0.3, 0.3)])
def test_who_stands_on_stubs_that_are_wider_than_long_faces_across_them(wide: float, long: float, high: float) -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    body = examine(
        triangles(
            ((0.9, 0.6, 0.8), (0, 0, high + 0.4)),
            ((1.1, 0.9, 0.9), (0, 0, high + 1.25)),
            *(((0.7, 0.25, 0.25), (side * 0.75, 0, high + 0.55)) for side in (1, -1)),
            *(((wide, long, high), (side * 0.28, 0, high / 2)) for side in (1, -1)),
        )
    )
    assert (body.kind, np.round(body.turn[1]).tolist()) == ("biped", [0, 1, 0]), body.confidence


def fat_beast(feet: Callable[[float, float], Array]) -> Array:
    """One whose trunk is on the ground nearly, on four things of that kind, each made at a place (x, y)."""
    body = [Line((0, -0.3, 0.65), (0, 0.35, 0.65), 0.45, 0.45), Line((0, -0.85, 0.9), (0, -1.05, 0.85), 0.3, 0.22)]
    return np.concatenate((solid(body), *(feet(side * 0.3, y) for y in (-0.45, 0.45) for side in (1, -1))))


def stub(x: float, y: float) -> Array:
    """A leg about as wide as what is to be seen of it is long, on a broad sole."""
    return triangles(((0.38, 0.38, 0.5), (x, y, 0.25)))


def wheel(x: float, y: float) -> Array:
    """As wide as that half way up, and narrow on the ground."""
    return solid([Line((x - 0.1, y, 0.15), (x + 0.1, y, 0.15), 0.15, 0.15)])


@pytest.mark.parametrize(("feet", "kind"), [(stub, "quadruped"), (wheel, "others")])
def test_stubs_carry_a_beast_and_wheels_do_not(feet: Callable[[float, float], Array], kind: str) -> None:
    """Rhinos, hippos and most animals that are toys stand on legs as wide as long."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    body = examine(fat_beast(feet))
    assert body.kind == kind, body.confidence


def lizard(length: float) -> list[Line]:
    """One that is so long, head and tail included, on short legs that it stretches out to its sides."""
    return [
        Line((0, -0.25, 0.18), (0, 0.3, 0.18), 0.1, 0.1),
        Line((0, -0.25, 0.18), (0, -0.55, 0.2), 0.07, 0.06),
        Line((0, 0.3, 0.18), (0, length - 0.6, 0.06), 0.08, 0.03),
        *both(*(Line((0.05, y, 0.15), (0.25, y - 0.03, 0.02), 0.04, 0.03) for y in (-0.22, 0.28))),
    ]


@pytest.mark.parametrize("length", [1.6, 3.0])
def test_the_legs_of_what_is_low_and_long_are_some_voxels_high(length: float) -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    body = examine(solid(lizard(length)))
    assert body.kind == "quadruped", (body.confidence, body.reason)
    assert {"head", "tail_tip", "front_foot.L", "hind_foot.R"} <= body.joints.keys()


@pytest.mark.parametrize(
    ("third", "kind"),
    [
        ([Line((0, 0.15, 0.5), (0, 0.7, 0.16), 0.2, 0.15), Line((0, 0.7, 0.15), (0, 1.3, 0.1), 0.14, 0.08)], "biped"),
        ([Line((0, 0.15, 0.55), (0, 0.4, 0.2), 0.22, 0.2)], "others"),
    ],
    ids=["tail", "leg"],
)
def test_a_tail_that_lies_on_the_ground_is_no_third_leg(third: list[Line], kind: str) -> None:
    """Dragons and dinosaurs that stand upright rest on theirs."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    trunk_and_head = [Line((0, 0, 0.62), (0, 0, 1.0), 0.32, 0.24), Line((0, -0.05, 1.42), (0, -0.12, 1.42), 0.22, 0.22)]
    limbs = both(
        Line((0.2, 0, 1.1), (0.7, 0, 1.0), 0.09, 0.08),
        Line((0.2, 0, 0.5), (0.24, 0, 0.1), 0.13, 0.1),
        Line((0.24, 0.02, 0.07), (0.24, -0.16, 0.07), 0.07, 0.07),
    )
    body = examine(solid([*trunk_and_head, *limbs, *third]))
    assert body.kind == kind, body.confidence
    if kind == "others":
        assert body.reason == "the two things that it stands on are not all that it stands on"
    else:
        assert np.round(body.turn[1]).tolist() == [0, 1, 0]


def test_four_posts_with_nothing_in_their_middle_are_told_to_be_no_body() -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    posts = [((0.3, 0.3, 1.2), (*place, 0.6)) for place in ((4.5, 2.8), (-4.2, 2.5), (-4.3, -1.3), (-3.9, -1.3))]
    body = examine(triangles(*posts, ((0.8, 4, 1.5), (0, 0.6, 7)), ((0.6, 0.6, 0.6), (0, 0.6, 12))))
    assert (body.kind, bool(body.reason)) == ("others", True)


def striding(step: float, apart: float) -> list[Line]:
    """Somebody whose feet are so far ahead of the middle and behind it, and so far from it to the sides."""
    lines = [line for line in person(75) if line.start[2] > 0.97]
    for side, ahead in ((1, -step), (-1, step)):
        lines += [
            Line((0.09 * side, 0, 0.95), (apart * side, ahead / 2, 0.5), 0.13, 0.1),
            Line((apart * side, ahead / 2, 0.5), (apart * side, ahead, 0.1), 0.1, 0.05),
            Line((apart * side, ahead + 0.02, 0.06), (apart * side, ahead - 0.28, 0.06), 0.06, 0.055),
        ]
    return lines


@pytest.mark.parametrize(
    ("make", "degrees", "kind"),
    [(scissors, 37, "others"), (scissors, 45, "others"), (QUADRUPEDS["head on legs"], 37, "quadruped")],
    ids=["scissors", "scissors across", "head on legs"],
)
def test_what_stands_askew_is_what_it_is_when_it_stands_straight(
    make: Callable[[], list[Shape]], degrees: int, kind: str
) -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), np.sin(angle), 0], [-np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    corners = np.concatenate([shape.positions[shape.triangles] for shape in make()])
    body = examine(np.stack((corners[..., 0], -corners[..., 2], corners[..., 1]), axis=-1) @ turn)
    assert body.kind == kind, body.confidence


@pytest.mark.parametrize("make", QUADRUPEDS.values(), ids=QUADRUPEDS)
def test_a_head_is_before_the_chest_however_fat_the_trunk_is(make: Callable[[], list[Shape]]) -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    corners = np.concatenate([shape.positions[shape.triangles] for shape in make()])
    body = examine(np.stack((corners[..., 0], -corners[..., 2], corners[..., 1]), axis=-1))
    ahead = body.joints["chest"][1] - body.joints["head"][1]
    assert ahead > 0.05 * body.inside.volume.height


def test_what_only_the_places_of_voxels_have_made_is_no_body() -> None:
    """A washstand with a mirror: its sides are legs at one resolution, and are not at another."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import _examine, examine

    washstand = triangles(
        *(((0.114, 0.45, 0.58), (side * 0.124, 0, 0.29)) for side in (1, -1)),
        ((0.39, 0.45, 0.12), (0, 0, 0.64)),
        ((0.094, 0.06, 0.04), (0, 0.195, 0.72)),
        ((0.221, 0.06, 0.542), (0, 0.195, 1.011)),
        *(((0.06, 0.225, 0.05), (side * 0.245, 0, 0.745)) for side in (1, -1)),
    )
    assert _examine(washstand, np.eye(3)).kind == "biped", "or this tests nothing"
    assert examine(washstand).kind == "others"


@pytest.mark.parametrize("quarters", [0, 1])
@pytest.mark.parametrize(("step", "apart"), [(0.2, 0.03), (0.3, 0.05), (0.35, 0.03)])
def test_who_strides_faces_where_the_feet_point(step: float, apart: float, quarters: int) -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    corners = solid(striding(step, apart))
    for _ in range(quarters):
        corners = np.stack((-corners[..., 1], corners[..., 0], corners[..., 2]), axis=-1)
    body = examine(corners)
    ahead = ((0, -1, 0), (1, 0, 0))[quarters]
    assert (body.kind, tuple(body.to_world(np.array([0.0, -1.0, 0.0])).round(3))) == ("biped", ahead)
    assert body.joints["foot.L"] @ (1, 0, 0) > body.joints["foot.R"] @ (1, 0, 0), "its left is +X"


@pytest.mark.parametrize("drop", [0.2, 0.3, 0.4])
def test_what_hangs_from_a_belt_is_no_arm_where_there_are_arms(drop: float) -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    body = examine(
        solid(
            [
                Line((0, 0, 0.88), (0, 0, 1.38), 0.17, 0.17),
                Line((0, 0, 1.4), (0, 0, 1.55), 0.06, 0.06),
                Line((0, -0.01, 1.62), (0, -0.01, 1.7), 0.11, 0.11),
                *both(
                    Line((0.1, 0, 0.9), (0.1, 0, 0.08), 0.085, 0.06),
                    Line((0.1, 0, 0.05), (0.1, -0.15, 0.05), 0.05, 0.05),
                    Line((0.19, 0, 1.38), (0.27, 0, 0.75), 0.05, 0.045),
                    Line((0.1, -0.1, 0.93), (0.6, -0.12, 0.93 - drop), 0.05, 0.04),
                ),
            ]
        )
    )
    assert body.kind == "biped"
    assert all(body.joints[f"arm.{side}"][2] > 1.2 for side in "LR"), body.joints["arm.L"]
    assert body.joints["neck"][2] > 1.2


def with_one_arm(*right: Line) -> Array:
    """Somebody whose left arm hangs free, and what is at the other side."""
    return solid(
        [
            Line((0, 0, 0.88), (0, 0, 1.38), 0.17, 0.17),
            Line((0, 0, 1.4), (0, 0, 1.55), 0.06, 0.06),
            Line((0, -0.01, 1.62), (0, -0.01, 1.7), 0.11, 0.11),
            Line((0.19, 0, 1.38), (0.3, 0, 0.75), 0.05, 0.045),
            *both(Line((0.1, 0, 0.9), (0.1, 0, 0.08), 0.085, 0.06)),
            *both(Line((0.1, 0, 0.05), (0.1, -0.15, 0.05), 0.05, 0.05)),
            *right,
        ]
    )


def test_an_arm_in_the_trunk_goes_from_its_shoulder_to_what_stands_out_at_the_hip() -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    arm = [Line((-0.14, 0, 1.3), (-0.16, 0, 0.95), 0.05, 0.045), Line((-0.16, 0, 0.95), (-0.6, 0, 0.8), 0.05, 0.05)]
    body = examine(with_one_arm(*arm))
    shoulders = [body.joints[f"arm.{side}"][2] for side in "LR"]
    assert body.kind == "biped"
    assert abs(shoulders[0] - shoulders[1]) < 0.1, "at the hip, before, where what he holds leaves the trunk"
    assert body.joints["hand.R"][0] < -0.25, "it goes there all the same"


def test_a_horn_is_no_arm_beside_one_that_is_below_the_neck() -> None:
    from asset_generation.vendor.assetgen_local.engine.body.arms import Arm, Trunk, _level
    from asset_generation.vendor.assetgen_local.engine.body.voxel_paths import VoxelGraph
    from asset_generation.vendor.assetgen_local.engine.body.voxels import Volume

    inside = VoxelGraph.from_volume(Volume.from_triangles(with_one_arm()))
    trunk = Trunk(np.zeros(len(inside.volume.cells), bool), 0.0, np.array((0, 0, 0.78)), 1.54)
    seen, horn = Arm(np.array([(0.2, 0, 1.36), (0.3, 0, 0.8)]), 0.05, 0.9), np.array([(-0.1, 0, 1.7), (-0.4, 0, 1.9)])
    left, right = _level(inside, trunk, [seen, Arm(horn, 0.05, 1.0)])
    assert left == seen
    assert right.certainty == 0.5, "it is only where arms usually are"
    assert right.line[0, 2] < 1.54


@pytest.mark.parametrize("gap", [0.02, 0.04])
@pytest.mark.parametrize("thigh", [0.0, 0.36], ids=["legs whole", "thighs loose"])
def test_blocks_beside_each_other_are_the_limbs_that_they_look_like(gap: float, thigh: float) -> None:
    """Where a loose arm is next to the trunk is chance: its shoulder was at its hand, and the hips in a leg."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    shin = 0.74 - thigh
    body = examine(
        triangles(
            ((0.5, 0.45, 0.45), (0, 0, 1.62)),
            ((0.5, 0.28, 0.48), (0, 0, 1.13)),
            *(((0.16, 0.2, 0.6), (side * (0.33 + gap), 0, 1.06)) for side in (1, -1)),
            *(((0.2, 0.24, shin), (side * 0.14, 0, shin / 2)) for side in (1, -1)),
            *(((0.2, 0.24, thigh - 0.04), (side * 0.14, 0, 0.74 - thigh / 2 + 0.02)) for side in (1, -1) if thigh),
            *(((0.2, 0.34, 0.08), (side * 0.14, -0.05, 0.04)) for side in (1, -1)),
        )
    )
    assert body.kind == "biped", (body.confidence, body.reason)
    assert abs(body.joints["hips"][0]) < 0.02, body.joints["hips"]
    for side, sign in (("L", 1), ("R", -1)):
        arm, hand = body.joints[f"arm.{side}"], body.joints[f"hand_tip.{side}"]
        assert arm[2] - hand[2] > 0.4, (arm, hand)
        assert sign * hand[0] > 0.25, hand


def loose_blocks(gap: float, feet: float) -> Array:
    """A figure of blocks with gaps at its joints, and feet that stand out in front."""
    return triangles(
        ((0.5, 0.45, 0.45), (0, 0, 1.78)),
        ((0.5, 0.3, 0.56), (0, 0, 1.2)),
        *(((0.14, 0.2, 0.3), (side * (0.32 + gap / 2), 0, 1.33)) for side in (1, -1)),
        *(((0.1, 0.16, 0.3), (side * (0.32 + gap / 2), 0, 0.98)) for side in (1, -1)),
        *(((0.17, 0.2, 0.36), (side * 0.13, 0, 0.7)) for side in (1, -1)),
        *(((0.17, 0.2, 0.42), (side * 0.13, 0, 0.21)) for side in (1, -1)),
        *(((0.17, 0.2 + abs(feet), 0.08), (side * 0.13, -feet / 2, 0.04)) for side in (1, -1)),
    )


@pytest.mark.parametrize("resolution", [84, 90, 93, 96, 99, 102])
@pytest.mark.parametrize("gap", [0.02, 0.05], ids=["sleeves touch", "sleeves hang free"])
def test_blocks_one_above_the_other_are_one_limb_wherever_voxels_lie(gap: float, resolution: int) -> None:
    """Legs ended at the knee, thighs were arms, or hands were shoulders."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import _examine

    body = _examine(loose_blocks(gap, 0.1), np.eye(3), resolution)
    assert body.kind == "biped", (body.confidence, body.reason)
    assert body.joints["hips"][2] > 0.8, body.joints["hips"]
    for side, sign in (("L", 1), ("R", -1)):
        arm, hand, knee = (body.joints[f"{name}.{side}"] for name in ("arm", "hand_tip", "shin"))
        assert arm[2] > 1.2, arm
        assert 0.7 < hand[2] < 1, hand
        assert sign * hand[0] > 0.25, hand
        assert 0.35 < knee[2] < 0.6, knee


@pytest.mark.parametrize("resolution", [84, 90, 93, 96, 99, 102])
def test_an_arm_that_touches_nothing_begins_at_its_top_and_not_where_it_is_next_to_a_belt(resolution: int) -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import _examine

    belt = triangles(((0.56, 0.36, 0.06), (0, 0, 1.3)))
    body = _examine(np.concatenate((loose_blocks(0.13, 0.1), belt)), np.eye(3), resolution)
    assert body.kind == "biped", (body.confidence, body.reason)
    for side in "LR":
        arm, hand = body.joints[f"arm.{side}"], body.joints[f"hand_tip.{side}"]
        assert arm[2] > 1.38, arm
        assert hand[2] < 1, hand


@pytest.mark.parametrize(("feet", "front"), [(0.0, -1), (-0.15, 1)], ids=["none", "behind"])
@pytest.mark.parametrize("lean", [0.2, 0.35])
def test_shins_that_lean_back_are_no_feet(lean: float, feet: float, front: int) -> None:
    """In mid-step both shins of a figure without feet are bent: it walked on backwards."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    corners = loose_blocks(0.05, feet)
    corners[..., 1] += lean * np.maximum(0.47 - corners[..., 2], 0)
    body = examine(corners)
    assert body.kind == "biped", (body.confidence, body.reason)
    assert body.to_world(np.array([0.0, -1.0, 0.0])).round(3).tolist() == [0, front, 0]


def test_the_edge_of_a_rump_is_no_tail() -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    body = examine(
        triangles(
            *(((0.26, 0.26, 0.16), (x, y, 0.08)) for x in (-0.37, 0.37) for y in (-0.37, 0.37)),
            ((1, 1, 1), (0, 0, 0.66)),
            ((0.3, 0.2, 0.24), (0, -0.55, 0.55)),
            *(((0.2, 0.1, 0.16), (side * 0.3, -0.3, 1.2)) for side in (1, -1)),
        )
    )
    assert body.kind == "quadruped", (body.confidence, body.reason)
    assert "tail1" not in body.joints, "it swung with every step"


def head_on_stubs(*more: Box) -> Array:
    """A beast that is a head on four stubs, with a snout, ears, and what else is on it."""
    return triangles(
        *(((0.26, 0.26, 0.16), (x, y, 0.08)) for x in (-0.37, 0.37) for y in (-0.42, 0.42)),
        ((1, 1.1, 1), (0, 0, 0.66)),
        ((0.3, 0.2, 0.24), (0, -0.6, 0.55)),
        *(((0.2, 0.1, 0.16), (side * 0.3, -0.3, 1.2)) for side in (1, -1)),
        *more,
    )


@pytest.mark.parametrize(
    "more",
    [
        [((1.05, 0.25, 0.5), (0, 0.3, 0.81))],
        [((0.12, 0.4, 0.12), (side * 0.35, -0.62, 1.1)) for side in (1, -1)],
    ],
    ids=["in a belt", "ears lean ahead"],
)
def test_a_belt_is_no_pair_of_ears_and_ears_are_no_snout(more: list[Box]) -> None:
    """The belt, behind, had the snout looked for there; ears beyond the snout's root made a bar of it."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    body = examine(head_on_stubs(*more))
    assert body.kind == "quadruped", (body.confidence, body.reason)
    assert np.allclose(body.to_world(np.array([0.0, -1.0, 0.0])), (0, -1, 0))


def caped(cape: float) -> Array:
    """A round knight with a visor and horns and with a sword in one hand, whose cape ends so far behind in two tips."""
    limbs = both(
        Line((0.15, 0, 0.08), (0.15, 0, 0.4), 0.09, 0.1),
        Line((0.15, 0, 0.08), (0.15, -0.08, 0.08), 0.09, 0.09),
        Line((0.2, 0, 0.78), (0.5, -0.05, 0.5), 0.08, 0.08),
    )
    trunk, head = Line((0, 0, 0.5), (0, 0, 0.8), 0.25, 0.25), Line((0, 0, 1.25), (0, 0, 1.4), 0.42, 0.42)
    blocks = triangles(
        ((0.2, 0.3, 0.2), (0, -0.545, 1.25)),
        *(((0.12, 0.12, 0.3), (side * 0.25, -0.15, 1.75)) for side in (1, -1)),
        ((0.5, 0.1, 0.34), (0, cape, 0.53)),
        *(((0.1, 0.08, 0.3), (side * 0.2, cape, 0.25)) for side in (1, -1)),
    )
    return np.concatenate(
        (solid([trunk, head, *limbs, Line((-0.5, -0.05, 0.5), (-0.5, -0.9, 0.5), 0.05, 0.03)]), blocks)
    )


@pytest.mark.parametrize("cape", [0.2, 0.28])
def test_the_ends_of_a_cape_are_no_hind_legs(cape: float) -> None:
    """Two of four legs are never asked about where those are a beast's; a visor and horns made its face."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    body = examine(caped(cape))
    assert body.kind == "biped", (body.kind, body.confidence)


def looking_aside(degrees: float) -> list[Line]:
    """A horse that turns neck and head so far to its side."""
    aside, ahead = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
    nape = (0.25 * aside, -0.62 - 0.15 * ahead, 1.55)
    muzzle = (nape[0] + 0.42 * aside, nape[1] - 0.42 * ahead, 1.35)
    return [
        Line((0, 0.55, 1.0), (0, -0.5, 1.0), 0.22, 0.22),
        Line((0, -0.5, 1.05), nape, 0.15, 0.11),
        Line(nape, muzzle, 0.12, 0.07),
        Line((0, 0.7, 1.0), (0, 0.85, 0.6), 0.05, 0.04),
        *both(*(Line((0.13, y, 0.02), (0.13, y, 0.9), 0.05, 0.09) for y in (-0.5, 0.5))),
    ]


@pytest.mark.parametrize("degrees", [0.0, 40.0, 60.0])
def test_a_head_that_is_turned_aside_stands_out(degrees: float) -> None:
    """Only what was right between the front legs' middles did."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    body = examine(solid(looking_aside(degrees)))
    assert body.kind == "quadruped", (body.confidence, body.reason)
    assert body.joints["head"][1] < body.joints["chest"][1]


@pytest.mark.parametrize("width", [0.8, 1.3, 1.6])
def test_a_cloak_makes_no_trunk_wider(width: float) -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    cloak = triangles(((width, 0.06, 1.0), (0, 0.17, 0.95)))
    body = examine(np.concatenate((solid(person(60)), cloak)))
    assert body.kind == "biped", (body.confidence, body.reason)


def test_arms_of_blocks_side_on_side_with_a_trunk_are_found_though_its_legs_are_apart() -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    body = examine(
        triangles(
            ((0.62, 0.5, 0.5), (0, 0, 1.0)),
            ((0.7, 0.5, 0.6), (0, 0, 0.46)),
            *(((0.14, 0.24, 0.5), (side * 0.42, 0, 0.5)) for side in (1, -1)),
            *(((0.15, 0.15, 0.18), (side * 0.18, 0, 0.09)) for side in (1, -1)),
        )
    )
    assert body.kind == "biped", (body.confidence, body.reason)
    assert not body.unseen
    assert min(abs(body.joints[f"hand_tip.{side}"][0]) for side in "LR") > 0.35


def skeleton() -> list[Line]:
    """One whose spine is thinner than the boots that it stands in."""
    spine = 0.05
    return [
        Line((0, 0, 0.95), (0, 0, 1.6), spine, spine),
        Line((0, 0, 1.68), (0, -0.02, 1.75), 0.12, 0.14),
        *both(
            Line((0, 0, 0.95), (0.12, 0, 0.95), spine, spine),
            Line((0.12, 0, 0.95), (0.14, 0, 0.28), 0.04, 0.04),
            Line((0.14, 0, 0.35), (0.14, 0, 0.05), 0.12, 0.12),
            Line((0, 0, 1.45), (0.2, 0, 1.45), spine, spine),
            Line((0.2, 0, 1.45), (0.6, 0, 0.95), 0.035, 0.035),
            *(Line((0, 0.04, z), (0.16, -0.04, z - 0.05), 0.02, 0.02) for z in (1.15, 1.25, 1.35)),
        ),
    ]


def galloping() -> list[Line]:
    """A beast with one leg far ahead and one far behind."""
    ahead, behind = -0.75, 0.8
    return [
        Line((0, 0.55, 0.95), (0, -0.5, 0.95), 0.18, 0.18),
        Line((0, -0.5, 0.98), (0, -0.7, 1.35), 0.12, 0.09),
        Line((0, -0.7, 1.35), (0, -0.85, 1.25), 0.09, 0.06),
        Line((0, 0.65, 1.0), (0, 1.1, 0.95), 0.05, 0.03),
        Line((0.1, -0.45, 0.9), (0.1, ahead, 0.5), 0.08, 0.05),
        Line((0.1, ahead, 0.5), (0.1, ahead - 0.15, 0.05), 0.05, 0.05),
        Line((-0.1, -0.45, 0.9), (-0.1, -0.5, 0.5), 0.08, 0.05),
        Line((-0.1, -0.5, 0.5), (-0.1, -0.35, 0.05), 0.05, 0.05),
        Line((0.1, 0.5, 0.9), (0.1, 0.6, 0.05), 0.09, 0.05),
        Line((-0.1, 0.5, 0.9), (-0.1, behind, 0.5), 0.09, 0.05),
        Line((-0.1, behind, 0.5), (-0.1, behind + 0.2, 0.05), 0.05, 0.05),
    ]


def stepping() -> list[Line]:
    """A beast whose legs are nearly as far from each other sideways as along its trunk, and which takes a step."""
    legs = [(side * 0.12, end * 0.2, side * -end * 0.08) for side in (1, -1) for end in (1, -1)]
    return [
        Line((0, 0.35, 0.55), (0, -0.35, 0.55), 0.22, 0.22),
        Line((0, 0.4, 0.55), (0, 1.0, 0.5), 0.15, 0.03),
        Line((0, -0.4, 0.6), (0, -0.8, 0.6), 0.15, 0.12),
        *(Line((x, y - end_step, 0.03), (x, y, 0.5), 0.08, 0.08) for x, y, end_step in legs),
    ]


@pytest.mark.parametrize(
    ("make", "kind"),
    [(skeleton, "biped"), (galloping, "quadruped"), (stepping, "quadruped")],
    ids=["skeleton in boots", "gallop", "step with legs in a square"],
)
def test_a_thin_spine_and_a_step_are_no_reason_against_a_body(make: Callable[[], list[Line]], kind: str) -> None:
    """A spine was thinner than a leg; a leg ahead was before the head; legs in a square lay along a beast's length."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    body = examine(solid(make()))
    assert body.kind == kind, (body.confidence, body.reason)
    assert np.allclose(body.to_world(np.array([0.0, -1.0, 0.0])), (0, -1, 0))


@pytest.mark.parametrize("waist", [0.09, 0.12])
def test_of_a_bull_neck_nothing_is_narrow_and_a_waist_is_none(waist: float) -> None:
    """The waist was the neck, and arms were looked for below it; they stood out, and hung unseen at the hips."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    body = examine(
        solid(
            [
                Line((0, 0, 0.95), (0, 0, 0.98), 0.16, 0.15),
                Line((0, 0, 1.0), (0, 0, 1.2), waist, waist),
                Line((0, 0, 1.3), (0, 0, 1.45), 0.22, 0.24),
                Line((0, 0, 1.45), (0, 0, 1.65), 0.24, 0.16),
                Line((0, 0, 1.65), (0, -0.01, 1.8), 0.15, 0.13),
                *both(
                    Line((0.1, 0, 0.95), (0.18, 0, 0.05), 0.11, 0.07),
                    Line((0.18, 0, 0.05), (0.18, -0.15, 0.05), 0.06, 0.05),
                    Line((0.15, 0, 1.4), (0.9, 0, 1.4), 0.1, 0.07),
                ),
            ]
        )
    )
    assert (body.kind, body.unseen) == ("biped", frozenset())
    assert min(float(body.joints[f"arm.{side}"][2]) for side in "LR") > 1.3


def test_what_floats_about_is_no_end_of_a_limb() -> None:
    """Crumbs of what a model was made of lie beside it: who shows no arms had some that went as far as there."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    whole = person()
    armless = solid([*whole[:4], *whole[7:10], *whole[13:]])
    places = [(-0.6, -0.3, 1.3), (-0.62, -0.32, 1.4), (0.6, 0.4, 1.0), (0.3, -0.6, 1.5), (0.36, -0.6, 1.55)]
    crumbs = triangles(*[((0.03, 0.03, 0.03), place) for place in places])
    alone, body = examine(armless), examine(np.concatenate((armless, crumbs)))
    assert (body.kind, body.unseen) == (alone.kind, alone.unseen)
    for name, place in alone.joints.items():
        assert np.linalg.norm(body.joints[name] - place) < 0.1, name
