"""What the client's tests share: a scripted service, and a client of it that does not really wait between its tries."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from asset_generation.vendor.assetgen import Client
from support.services.scripted_service import KEY, Script, ScriptedServer


@pytest.fixture(scope="package")
def server() -> Iterator[ScriptedServer]:
    """One server for all tests; each gives it a script of its own."""
    with ScriptedServer() as running:
        yield running


@pytest.fixture
def service(server: ScriptedServer) -> Iterator[Script]:
    """What the service is to answer and what it was asked."""
    with server.script() as script:
        yield script


@pytest.fixture
def waits() -> list[float]:
    """The seconds that the client would have waited, one entry for each wait."""
    return []


@pytest.fixture
def client(service: Script, waits: list[float]) -> Iterator[Client]:
    """A client of the scripted service."""
    with Client(KEY, service.base_url, sleep=waits.append) as made:
        yield made
