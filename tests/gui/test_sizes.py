"""Forms and panels at the usual width, narrow, large and light; with ASSETGEN_TEST_PICTURES pictures of them."""

from __future__ import annotations

from typing import Any

import pytest
from gui.window import PICTURES, play


@pytest.fixture(scope="module")
def seen(home: Any) -> dict[str, Any]:
    return play(home, "sizes")


def test_it_was_looked_at_in_a_side_bar_of_200_pixels(seen: dict[str, Any]) -> None:
    assert 270 < seen["widths"]["usual-dark"] < 300
    assert 190 < seen["widths"]["narrow-large"] < 215
    assert "Traceback" not in (PICTURES / "sizes" / "log.txt").read_text(encoding="utf-8")


def test_no_text_is_wider_than_its_place(seen: dict[str, Any]) -> None:
    assert seen["cut"] == []
