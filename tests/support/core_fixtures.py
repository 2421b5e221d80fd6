"""A local engine, and a runtime that works with it: ``pytest_plugins = ("support.core_fixtures",)`` gives both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from asset_generation.addon.core.runtime.runtime import Runtime
from asset_generation.vendor.assetgen_local import LocalService

from .core import InstantConverter, runtime_on, settings_for
from .services.local_engine import local_engine


@pytest.fixture
def service(tmp_path: Path) -> Iterator[LocalService]:
    """A local engine of the test's own."""
    with local_engine(tmp_path) as running:
        yield running


@pytest.fixture
def converter() -> InstantConverter:
    """The conversions of :func:`runtime`."""
    return InstantConverter()


@pytest.fixture
def runtime(service: LocalService, converter: InstantConverter, tmp_path: Path) -> Iterator[Runtime]:
    """A runtime that takes the engine for a remote service; its data is in ``tmp_path / "data"``."""
    with runtime_on(settings_for(service, tmp_path / "data"), converter=converter) as started:
        yield started
