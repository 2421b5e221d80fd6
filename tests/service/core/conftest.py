"""Set-up of the tests of whole jobs: they look often."""

from __future__ import annotations

import pytest
from support.hurry import look_often


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Young tasks are looked at all the time."""
    look_often(monkeypatch)
