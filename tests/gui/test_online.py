"""Jobs at an online service, in a window. Pictures in build/gui/online."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from gui.window import PICTURES, play
from support.services.local_engine import KEY, local_engine

PRICE = 25
"""Credits for a model: two are within the budget of 60, a third is not."""


@pytest.fixture(scope="module")
def seen(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    folder = tmp_path_factory.mktemp("service")
    prices = {"text_to_model": Decimal(PRICE)}
    with (
        local_engine(folder, prices=prices, credits=Decimal(1000)) as service,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("ASSETGEN_TEST_SERVICE", service.base_url)
        patch.setenv("ASSETGEN_TEST_KEY", KEY)
        yield play(home, "online")


def test_what_was_charged_is_counted(seen: dict[str, Any]) -> None:
    assert seen["is_local"] is False
    assert seen["spent"] == [str(2 * PRICE), str(2 * PRICE), ["text_to_model"]]


@pytest.mark.parametrize("way", ["run", "dialog"])
def test_beyond_the_budget_it_is_asked_first(seen: dict[str, Any], way: str) -> None:
    assert seen[way] == [[0, 0], [0, 1]], "nothing is started before the answer, and none after no"


@pytest.mark.usefixtures("seen")
def test_no_draw_fails() -> None:
    assert "Traceback" not in (PICTURES / "online" / "log.txt").read_text(encoding="utf-8")
