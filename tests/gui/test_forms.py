"""The forms of the local engine and of a service, as they are drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gui.window import PICTURES, play


@pytest.fixture(scope="module")
def seen(home: Path) -> dict[str, Any]:
    return play(home, "forms")


def test_every_form_can_be_drawn_for_both(seen: dict[str, Any]) -> None:
    assert (seen["local is local"], seen["online is local"]) == (True, False)
    assert "Traceback" not in (PICTURES / "forms" / "log.txt").read_text(encoding="utf-8")
    if "no_pictures" not in seen:
        assert len(list((PICTURES / "forms").glob("*.png"))) == 43


def test_the_local_forms_have_nothing_that_only_the_online_service_has(seen: dict[str, Any]) -> None:
    local = {
        field for key, fields in seen.items() if key.startswith("local ") and key[-5:] != "local" for field in fields
    }
    online = {
        field for key, fields in seen.items() if key.startswith("online ") and key[-5:] != "local" for field in fields
    }
    only_online = {"model", "priority", "watermark", "vxc", "check_printable", "aspect_ratio"}
    assert only_online <= online and not only_online & local
    assert "parts" in seen["local smart_segment"] and "parts" not in online


def test_no_name_of_a_field_is_cut_at_the_usual_width(seen: dict[str, Any]) -> None:
    assert seen["cut"] == []


def test_auto_becomes_a_number_at_a_click(seen: dict[str, Any]) -> None:
    assert seen["face_limit"] == 5000
