"""Set-up of the tests of whole jobs: those that ask for it look often."""

from __future__ import annotations

import pytest
from support.hurry import look_often


@pytest.fixture
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Young tasks are looked at all the time; nothing for a test of how many are on their way at once."""
    look_often(monkeypatch)
