"""Jobs at an online service, in a window. Pictures in build/gui/online."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from gui.window import PICTURES, play
from support.services.local_engine import KEY, instant_runner, local_engine

PRICE = 25
"""Credits for a model: two are within the budget of 60, a third is not."""


def patient_runner(
    request: Mapping[str, Any], *, on_progress: Callable[[float, str], None], stopped: Callable[[], bool]
) -> dict[str, Any]:
    """As the instant one, but for what is slow."""
    until = time.monotonic() + (120 if "slow" in str(request) else 0)
    while time.monotonic() < until and not stopped():
        time.sleep(0.2)
    return instant_runner(request, on_progress=on_progress, stopped=stopped)


@pytest.fixture(scope="module")
def seen(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    folder = tmp_path_factory.mktemp("service")
    prices = {"text_to_model": Decimal(PRICE)}
    with (
        local_engine(folder, runner=patient_runner, prices=prices, credits=Decimal(1000)) as service,
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


def test_a_job_is_chosen_in_the_grid_and_copied(seen: dict[str, Any]) -> None:
    assert seen["chosen"] is True
    name, task_id, text = seen["copied"]
    assert name in text and task_id in text


def test_stop_all_asks_and_stops_all(seen: dict[str, Any]) -> None:
    assert seen["after_no"] == 2
    assert seen["stopped"] == ["stopped", "stopped"]


def test_what_removes_a_job_is_not_where_stop_was(seen: dict[str, Any]) -> None:
    assert "dismiss" not in seen["where_stop_was"] and "clear_jobs" not in seen["where_stop_was"]


@pytest.mark.usefixtures("seen")
def test_no_draw_fails() -> None:
    assert "Traceback" not in (PICTURES / "online" / "log.txt").read_text(encoding="utf-8")
