"""Set-up of the command line's tests: its jobs look often."""

from __future__ import annotations

import pytest
from support.hurry import look_often


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Young tasks are looked at all the time, by what runs in this process."""
    look_often(monkeypatch)
