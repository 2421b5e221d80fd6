"""Results are named after their source and what was done to it."""

from __future__ import annotations

import pytest
from asset_generation.addon.core.status.result_names import LONGEST, sensible, title_of_result, title_of_several
from hypothesis import given
from hypothesis import strategies as st


def name(source: str, capability: str, *taken: str) -> str:
    return title_of_result(source, capability).free(taken.__contains__)


@pytest.mark.parametrize(
    ("source", "capability", "expected"),
    [
        ("Knight", "texture", "Knight textured"),
        ("Knight textured", "texture", "Knight textured"),
        ("Knight textured 2", "texture", "Knight textured"),
        ("Knight textured", "decimate", "Knight textured decimated"),
        ("Knight textured decimated", "texture", "Knight decimated textured"),
        ("Knight 3", "rig", "Knight 3 rigged"),
        ("Cube.001", "decimate", "Cube.001 decimated"),
        ("textured", "texture", "textured textured"),
        ("Knight", "import_model", "Knight"),
        ("Knight", "of_another_version", "Knight"),
    ],
)
def test_a_name_says_what_was_done_once(source: str, capability: str, expected: str) -> None:
    assert name(source, capability) == expected


def test_the_second_of_a_kind_gets_a_number() -> None:
    assert name("Knight", "texture", "Knight", "Knight textured") == "Knight textured 2"
    assert name("Knight textured", "texture", "Knight textured", "Knight textured 2") == "Knight textured 3"


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=90), st.integers(0, 12))
def test_a_long_name_is_cut_and_what_was_done_is_not(source: str, taken: int) -> None:
    title = title_of_result(source, "texture")
    names: list[str] = []
    for _ in range(taken + 1):
        names.append(title.free(names.__contains__, "Base Color"))
    assert len(set(names)) == taken + 1
    assert all(len(found.encode()) <= LONGEST for found in names)
    assert all(" textured Base Color" in found for found in names)


def test_several_sources_have_a_name_in_common() -> None:
    assert title_of_several(["Sphere", "Torus", "Monkey"], "decimate").named() == "Sphere and 2 more decimated"
    assert title_of_several(["Sphere"], "decimate").named() == "Sphere decimated"


@pytest.mark.parametrize(
    ("given_name", "expected"),
    [
        ("Baked", ""),
        ("Material.003", ""),
        ("Material_0", ""),
        ("tripo_node_3f2a9c1e-11aa_material", ""),
        ("lambert1", ""),
        ("Skin.001", "Skin"),
        ("Knight Skin", "Skin"),
        ("Knight", ""),
        ("Dark Metal", "Dark Metal"),
    ],
)
def test_a_name_that_says_nothing_is_left_out(given_name: str, expected: str) -> None:
    assert sensible(given_name, "Knight", "Knight textured") == expected
