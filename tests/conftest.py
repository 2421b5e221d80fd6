"""For all tests: the clone is importable as ``asset_generation``, and nothing of the user's set-up leaks in."""

from __future__ import annotations

import atexit
import gc
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from load_extension import load_package

load_package()

_AS_USERS = Path(__file__).parent / "support" / "as_users"
"""What programs that tests start find first: packages that users have none of, and that take a fifth of their start."""

# A shell has what it starts in the background ignore Ctrl+C, and so would all that tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# What is collected is there to the end: thousands of tests, and all that they import. Looking for garbage in it again
# and again was half of collecting them, and part of every test that makes many objects.
gc.disable()

# The same few examples every time, so that a change is judged by itself; `--hypothesis-profile long` looks for others.
settings.register_profile(
    "quick",
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("long", settings.get_profile("quick"), max_examples=4000, derandomize=False)
settings.load_profile("quick")


def pytest_collection_finish() -> None:
    """From here on garbage is looked for, in what tests make."""
    gc.freeze()
    gc.enable()
    # What is kept from the search for garbage outlives Python, and with the module bpy a thread of Blender 4.5 that
    # nobody ends: its process would never end either. Not earlier, since pytest's own end looks for garbage five times.
    atexit.register(gc.unfreeze)


def pytest_exception_interact(node: pytest.Item | pytest.Collector, call: pytest.CallInfo[object]) -> None:
    """Tells of a failure at once: a process that crashes afterwards does not come to its summary."""
    reporter = node.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and call.excinfo is not None:
        reporter.write_line(f"\n{node.nodeid}: {call.excinfo.exconly()}")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proxies would catch loopback traffic, and a developer's own key or data folder must never be used by a test."""
    monkeypatch.setenv("PYTHONPATH", str(_AS_USERS))
    for name in list(os.environ):
        if name.startswith("ASSETGEN_") or name.lower() in {"http_proxy", "https_proxy", "all_proxy", "no_proxy"}:
            monkeypatch.delenv(name)
