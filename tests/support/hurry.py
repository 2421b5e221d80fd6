"""The extension in a hurry: on loopback, most of a job was the wait until it looked at its tasks again."""

from __future__ import annotations

import importlib
from dataclasses import replace

import pytest

_POLL_SECONDS = 0.03


def look_often(monkeypatch: pytest.MonkeyPatch, package: str = "asset_generation") -> None:
    """Has young tasks of a service on this machine be looked at ten times as often.

    When others are looked at is a matter of the tests of ``poll_interval``.

    Args:
        monkeypatch: What takes it back.
        package: The name under which the extension was imported.
    """
    intervals = importlib.import_module(f"{package}.addon.core.limits.poll_interval")
    monkeypatch.setattr(intervals, "_QUICK", tuple((most, _POLL_SECONDS) for most, _ in intervals._QUICK))


def be_impatient(monkeypatch: pytest.MonkeyPatch, package: str = "asset_generation", **seconds: float) -> None:
    """Shortens the waits of the runtimes that are made from now on; ``seconds`` are fields of ``Timing``."""
    runtime = importlib.import_module(f"{package}.addon.core.runtime.runtime")
    quick = replace(runtime.Timing(), **seconds)
    monkeypatch.setattr(runtime, "Timing", lambda: quick)
