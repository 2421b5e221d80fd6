"""Pictures taken for the fields of an operation: what is in them, and what is left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gui.window import play


@pytest.fixture(scope="module")
def pictures(home: Path) -> dict[str, Any]:
    return play(home, "pictures_for_input")


def test_an_image_file_whose_path_was_copied_is_taken(pictures: dict[str, Any]) -> None:
    assert pictures["clipboard"]["name"] == "copied chair.png"
    assert pictures["clipboard"]["red"] == 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no_clipboard", "There is no image on the clipboard. Copy an image"),
        ("no_camera", "The scene has no active camera. Add a camera"),
        ("no_render", "Nothing was rendered yet. Render an image first"),
    ],
)
def test_what_cannot_be_taken_says_what_to_do(pictures: dict[str, Any], name: str, words: str) -> None:
    assert words in pictures[name]


def test_the_viewport_is_taken_as_it_is_seen(pictures: dict[str, Any]) -> None:
    taken = pictures["viewport"]
    assert max(taken["size"]) >= 1024
    assert 0.002 < taken["red"] < 0.9
    assert taken["orange"] < 0.0005, "the outline of what is selected is not in it"
    assert pictures["overlays"] is True, "and it is back in the viewport"


def test_the_camera_gives_a_picture_with_the_shape_of_a_render(pictures: dict[str, Any]) -> None:
    assert pictures["camera"]["size"] == [1536, 864]
    assert pictures["camera"]["red"] > 0.005


def test_no_picture_is_encoded_while_the_user_waits(pictures: dict[str, Any]) -> None:
    assert len(pictures["encoded_on"]) == 3 + 4 + 4, "viewport, camera and render, and the views twice"
    assert set(pictures["encoded_on"]) == {"assetgen-late-files"}


def test_the_last_render_is_taken(pictures: dict[str, Any]) -> None:
    assert pictures["render"]["size"] == [64, 64]
    assert pictures["render"]["red"] > 0.005


def test_four_views_show_the_object_alone_from_its_four_sides(pictures: dict[str, Any]) -> None:
    views = pictures["views"]
    assert [view["name"] for view in views] == [f"Teapot {side}.png" for side in ("front", "left", "back", "right")]
    assert [view["spout"] for view in views] == ["right", "", "left", ""]
    assert all(view["size"] == [1024, 1024] and view["red"] > 0.95 for view in views)
    front, left, back, right = (view["box"] for view in views)
    assert all(box[1] == pytest.approx(front[1], abs=0.005) for box in (left, back, right)), "in one scale"
    assert front[2] - front[0] == pytest.approx(2 / 2.16, abs=0.01)
    assert left[2] - left[0] == pytest.approx(1 / 2.16, abs=0.01)


def test_views_are_taken_from_local_view_too(pictures: dict[str, Any]) -> None:
    assert pictures["views_from_local_view"][0]["spout"] == "right"


def test_nothing_is_left_behind(pictures: dict[str, Any]) -> None:
    assert pictures["nothing_is_left"] is True
    assert pictures["images"] == ["A sketch of a chair"]


def test_small_pictures_are_made_once_and_again_after_they_were_released(pictures: dict[str, Any]) -> None:
    assert pictures["icons"] == [True, True, True, 0]
    assert pictures["icon_again"] is True
