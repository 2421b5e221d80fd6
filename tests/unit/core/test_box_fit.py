"""Boxes on spots, beside boxes and in boxes."""

from __future__ import annotations

import math

import pytest
from asset_generation.addon.core.box_fit import GAP, BoxFit, fit_into, stand_beside, stand_on
from hypothesis import given
from hypothesis import strategies as st

UNIT = (-1.0, -1.0, 0.0, 1.0, 1.0, 2.0)


def put(box: tuple[float, ...], fit: BoxFit) -> tuple[float, ...]:
    """The box around a box after a fit, corner by corner."""
    points = []
    for x in (box[0], box[3]):
        for y in (box[1], box[4]):
            for z in (box[2], box[5]):
                place = (x, y, z)
                for _ in range(fit.turns):
                    place = (-place[1], place[0], place[2])
                points.append([place[axis] * fit.scale[axis] + fit.offset[axis] for axis in range(3)])
    return (*map(min, zip(*points, strict=True)), *map(max, zip(*points, strict=True)))


def boxes(least: float = 0.01) -> st.SearchStrategy[tuple[float, ...]]:
    corner = st.tuples(*[st.floats(-50, 50)] * 3)
    size = st.tuples(*[st.floats(least, 50)] * 3)
    return st.builds(lambda low, side: (*low, *(a + b for a, b in zip(low, side, strict=True))), corner, size)


def test_it_stands_on_the_spot_in_the_middle_of_its_underside() -> None:
    assert stand_on((0, 0, 0, 2, 4, 6), (10, 20, 30)) == (9, 18, 30)


def test_it_stands_beside_another_in_one_row_and_on_one_floor() -> None:
    assert stand_beside((0, 0, 5, 2, 4, 6), UNIT) == (1 + 2 * GAP, -2, -5)


def test_it_is_as_large_as_there_is_room_for_and_stands_on_the_floor() -> None:
    fit = fit_into((0, 0, 0, 1, 1, 4), UNIT)
    assert fit == BoxFit(0, (0.5, 0.5, 0.5), (-0.25, -0.25, 0))
    assert put((0, 0, 0, 1, 1, 4), fit) == (-0.25, -0.25, 0, 0.25, 0.25, 2)


def test_what_is_long_where_the_room_is_wide_is_turned() -> None:
    fit = fit_into((0, 0, 0, 1, 4, 1), (0, 0, 0, 8, 2, 3))
    assert (fit.turns, fit.scale) == (1, (2, 2, 2))
    assert put((0, 0, 0, 1, 4, 1), fit) == (0, 0, 0, 8, 2, 2)


@pytest.mark.parametrize(
    ("box", "room"),
    [
        ((0, 0, 0, 4, 1, 1), (0, 0, 0, 8, 2, 3)),
        ((0, 0, 0, 1, 4, 1), UNIT),
        ((0, 0, 0, 1, 1, 1), (0, 0, 0, 8, 2, 3)),
        ((0, 0, 0, 1.04, 1, 1), (0, 0, 0, 2, 8, 3)),
    ],
)
def test_what_lies_as_the_room_does_or_has_no_direction_stays(box: tuple[float, ...], room: tuple[float, ...]) -> None:
    assert fit_into(box, room).turns == 0


def test_stretched_it_fills_the_room() -> None:
    box, room = (0, 0, 0, 1, 4, 1), (-4, 3, 1, 4, 5, 4)
    assert put(box, fit_into(box, room, stretch=True)) == pytest.approx(room)


@pytest.mark.parametrize(
    ("box", "room", "wanted"),
    [
        ((0, 0, 0, 1, 2, 0), (0, 0, 0, 2, 4, 9), (2, 2, 2)),
        ((0, 0, 0, 1, 1, 5), (0, 0, 0, 2, 2, 0), (2, 2, 2)),
        ((1, 1, 1, 1, 1, 1), UNIT, (1, 1, 1)),
        ((0, 0, 0, 1, 1, 1), (3, 3, 3, 3, 3, 3), (1, 1, 1)),
    ],
)
def test_a_side_without_extent_limits_nothing(
    box: tuple[float, ...], room: tuple[float, ...], wanted: tuple[float, ...]
) -> None:
    assert fit_into(box, room).scale == wanted
    assert all(map(math.isfinite, fit_into(box, room, stretch=True).scale))


@given(boxes(), boxes())
def test_whatever_is_fitted_is_inside_touches_a_wall_and_stands_in_the_middle(
    box: tuple[float, ...], room: tuple[float, ...]
) -> None:
    placed = put(box, fit_into(box, room))
    near = 1e-6 * max(map(abs, (*room, *placed, 1.0)))
    assert all(placed[axis] >= room[axis] - near and placed[axis + 3] <= room[axis + 3] + near for axis in range(3))
    assert any(abs((placed[axis + 3] - placed[axis]) - (room[axis + 3] - room[axis])) <= 4 * near for axis in range(3))
    assert placed[2] == pytest.approx(room[2], abs=near)
    for axis in (0, 1):
        assert placed[axis] + placed[axis + 3] == pytest.approx(room[axis] + room[axis + 3], abs=4 * near)
