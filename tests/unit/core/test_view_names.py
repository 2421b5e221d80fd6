from __future__ import annotations

import pytest
from asset_generation.addon.core.view_names import views_by_name, views_in_order

VIEWS = ("front", "left", "back", "right")


@pytest.mark.parametrize(
    ("names", "views"),
    [
        (("left.png", "front.png"), {"front": "front.png", "left": "left.png"}),
        (("01_left.png", "chair-FRONT.jpg"), {"front": "chair-FRONT.jpg", "left": "01_left.png"}),
        (("ChairBack.png", "ChairFront.png"), {"front": "ChairFront.png", "back": "ChairBack.png"}),
        (
            (r"C:\back\x front.png", "/left/y right.png"),
            {"front": r"C:\back\x front.png", "right": "/left/y right.png"},
        ),
        (tuple(f"{view}.webp" for view in VIEWS), {view: f"{view}.webp" for view in VIEWS}),
    ],
)
def test_names_tell_the_view(names: tuple[str, ...], views: dict[str, str]) -> None:
    assert views_by_name(names, VIEWS) == views


@pytest.mark.parametrize(
    "names",
    [
        ("front.png",),
        ("front.png", "table.png"),
        ("left.png", "right.png"),
        ("a front.png", "b front.png"),
        ("front.png", "left or right.png"),
        ("frontal.png", "lefty.png"),
    ],
)
def test_other_names_are_no_set_of_views(names: tuple[str, ...]) -> None:
    assert views_by_name(names, VIEWS) == {}
    assert views_in_order(names, VIEWS) == dict(zip(VIEWS, names, strict=False))


def test_more_images_than_views_are_left_out() -> None:
    names = [f"{number}.png" for number in range(6)]
    assert views_in_order(names, VIEWS) == dict(zip(VIEWS, names[:4], strict=True))
