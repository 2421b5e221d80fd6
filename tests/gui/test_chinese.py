"""The interface in Simplified Chinese, in a window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gui.window import PICTURES, play


@pytest.fixture(scope="module")
def seen(home: Path) -> dict[str, Any]:
    return play(home, "chinese")


def test_blender_speaks_chinese(seen: dict[str, Any]) -> None:
    assert seen["locale"] == "zh_HANS"
    log = (PICTURES / "chinese" / "log.txt").read_text(encoding="utf-8")
    assert "Traceback" not in log and "Error" not in log


def test_nothing_that_is_drawn_is_english(seen: dict[str, Any]) -> None:
    assert len(seen["said"]) > 200
    assert seen["english"] == []


def test_a_users_own_words_are_drawn_as_they_are(seen: dict[str, Any]) -> None:
    assert "kulfi zorn" in seen["said"] and "Suzanne" in seen["said"]


def test_every_name_and_tooltip_is_chinese(seen: dict[str, Any]) -> None:
    names = dict(seen["names"])
    assert int(names.pop("number")[0]) > 300
    assert names == {}


def test_another_language_is_taken_while_blender_runs(seen: dict[str, Any]) -> None:
    assert seen["in en_US"] == ["Waiting for a free slot (2nd in line)", "Need You", "Text to Model"]
    assert seen["in zh_HANS"] == ["正在等待空位（第 2 位）", "需要您处理", "文字转模型"]
    assert seen["not wanted"] == "Ready"
