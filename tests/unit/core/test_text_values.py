from __future__ import annotations

import pytest
from asset_generation.addon.core import text_values


@pytest.mark.parametrize(
    "items",
    [
        ["a.png"],
        ["/a b/c.png", "image:Käse"],
        ["a;b.png", "c.png", "d;e;f.png"],
        ['say "hi".png', '"quoted".png', '"; ".png', "C:\\x;y\\a.png"],
        [],
    ],
)
def test_paths_that_hold_the_separator_come_out_as_they_went_in(items: list[str]) -> None:
    assert text_values.split(text_values.join(items, ";"), ";") == items


def test_a_list_is_read_as_people_write_it() -> None:
    assert text_values.split(" a.png;;b.png ; ", ";") == ["a.png", "b.png"]
    assert text_values.split('Arm, "Leg, left" ,Head', ",") == ["Arm", "Leg, left", "Head"]
    assert text_values.split('"open, end', ",") == ['"open', "end"]
