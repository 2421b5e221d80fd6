"""Which part that came back is the result of which part that went out: told by names and boxes, or not at all."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import pytest
from asset_generation.addon.headless.part_matching import Part, match
from hypothesis import given
from hypothesis import strategies as st

Box = tuple[float, ...]


def box(x: float, y: float = 0.0, size: float = 1.0) -> Box:
    return (x - size, y - size, -size, x + size, y + size, size)


KNIGHT, TORUS, MONKEY = Part("Knight", box(0)), Part("Torus", box(3)), Part("Monkey", box(0, 3))
ALL = (KNIGHT, TORUS, MONKEY)


def named(*names: str) -> list[Part]:
    return [Part(name) for name in names]


def moved(parts: Sequence[Part], *, scale: float = 1.0, by: float = 0.0, names: str = "") -> list[Part]:
    """The parts as a service gives them back that has a size and place of its own."""
    return [Part(names or part.name, tuple(value * scale + by for value in part.bounds)) for part in parts]


def test_names_tell_in_any_order() -> None:
    assert match(ALL, [MONKEY, KNIGHT, TORUS]) == [2, 0, 1]
    assert match(named("A", "B"), named("B", "A")) == [1, 0]


def test_one_is_the_result_of_one_whatever_it_is_called() -> None:
    assert match(named("Knight"), named("mesh_0")) == [0]


@pytest.mark.parametrize(
    ("sources", "results"),
    [
        (["Ein Stuhl", "Süd.001"], ["Süd001", "Ein_Stuhl"]),
        (["Kn\u00e4he", "Rabe"], ["Rabe", "Kna\u0308he"]),
        (["x" * 61 + "äöü" + "1", "short"], ["short", "x" * 61 + "ä"]),
        (["Knight", "Torus.001"], ["Torus.002", "Knight.001"]),
        (["Cube", "Cube.001"], ["Cube.001", "Cube"]),
    ],
    ids=["no dots and spaces", "another form of Unicode", "cut at 63 bytes", "numbered anew", "numbered before"],
)
def test_names_that_came_back_changed_are_known_again(sources: list[str], results: list[str]) -> None:
    found = match(named(*sources), named(*results))
    assert found == [1, 0]


@pytest.mark.parametrize(
    ("sources", "results"),
    [
        (["Knight", "Torus"], ["Knight"]),
        (["Knight", "Torus"], ["Knight", "Torus", "Part"]),
        (["Knight", "Torus"], ["Knight", "mesh_1"]),
        (["Knight", "Torus"], ["", ""]),
        (["Thing", "Thing"], ["Thing", "Thing.001"]),
        (["Cube.001", "Cube.002"], ["Cube.003", "Cube.004"]),
        (["x" * 63 + "1", "x" * 63 + "2"], ["x" * 63, "x" * 60 + ".001"]),
        ([], ["Knight"]),
    ],
    ids=["joined", "split", "one lost", "all lost", "the same twice", "only numbers", "cut to the same", "no sources"],
)
def test_what_names_do_not_tell_is_not_guessed(sources: list[str], results: list[str]) -> None:
    assert match(named(*sources), named(*results)) == [None] * len(results)


def test_boxes_tell_where_names_are_lost() -> None:
    came = moved((MONKEY, KNIGHT, TORUS), names="mesh")
    assert match(ALL, came) == [2, 0, 1]
    assert match(ALL, moved((MONKEY, KNIGHT, TORUS), names="mesh", scale=0.1, by=-7.0)) == [2, 0, 1]


def test_boxes_that_are_hardly_apart_tell_nothing() -> None:
    shell, core, far = Part("Shell", box(0)), Part("Core", box(0, size=0.97)), Part("Far", box(5))
    assert match((shell, core, far), moved((core, shell, far), names="mesh")) == [None] * 3


def test_turned_boxes_tell_nothing() -> None:
    flat = (Part("A", (0, 0, 0, 4, 1, 1)), Part("B", (6, 0, 0, 7, 1, 1)))
    turned = [Part("", (0, 0, 0, 1, 4, 1)), Part("", (0, 6, 0, 1, 7, 1))]
    assert match(flat, turned) == [None, None]


def test_names_against_boxes_tell_nothing() -> None:
    """As when a service calls its parts mesh_0, mesh_1 in an order of its own, and so did the user."""
    sources = (Part("mesh_0", box(0)), Part("mesh_1", box(3)))
    assert match(sources, [Part("mesh_0", box(3)), Part("mesh_1", box(0))]) == [None, None]
    assert match(sources, [Part("mesh_1", box(3)), Part("mesh_0", box(0))]) == [1, 0]


PLACES = st.lists(
    st.tuples(st.integers(-4, 4), st.integers(-4, 4), st.sampled_from([0.2, 0.5, 1.0])), min_size=2, max_size=5
)


@given(PLACES, st.randoms(use_true_random=False), st.floats(0.01, 50), st.floats(-100, 100))
def test_lost_names_never_lead_to_the_wrong_source(
    places: list[tuple[int, int, float]], order: random.Random, scale: float, by: float
) -> None:
    parts = [Part(str(number), box(*place)) for number, place in enumerate(places)]
    indices = list(range(len(parts)))
    order.shuffle(indices)
    came = moved([parts[index] for index in indices], scale=scale, by=by, names="mesh")
    found = match(parts, came)
    if len(set(places)) < len(places):
        assert found == [None] * len(parts)
    else:
        assert found == indices


def test_thousands_of_parts_are_told_apart_in_a_moment() -> None:
    parts = [Part("", box(3.0 * (number % 60), 3.0 * (number // 60))) for number in range(3600)]
    order = random.Random(1).sample(range(len(parts)), len(parts))
    began = time.process_time()
    assert match(parts, moved([parts[index] for index in order], scale=0.1, by=5.0)) == order
    assert time.process_time() - began < 5, "not each with each: that takes minutes"
