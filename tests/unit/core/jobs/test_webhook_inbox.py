"""What a listener writes down, and what a runtime makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from asset_generation.addon.core.jobs.webhook_inbox import (
    ALIVE_SECONDS,
    FRESH_SECONDS,
    KEPT_SECONDS,
    ReceivedEvent,
    WebhookInbox,
    WebhookNews,
    WebhookReader,
)
from asset_generation.addon.core.runtime.webhook_watcher import WebhookWatcher

SERVICE = "api.example.com"
NOW = 1_000_000.0


def event(task_id: str, received_at: float = NOW, service: str = SERVICE) -> ReceivedEvent:
    return ReceivedEvent(service, f"{task_id}:task.completed", task_id, received_at)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "webhooks.sqlite3"


@pytest.fixture
def inbox(path: Path) -> Iterator[WebhookInbox]:
    with closing(WebhookInbox(path)) as opened:
        opened.attend("listener", SERVICE, NOW)
        yield opened


def test_an_event_is_new_once_also_after_a_restart(path: Path) -> None:
    with closing(WebhookInbox(path)) as inbox:
        assert inbox.add([event("a"), event("b"), event("a", NOW + 1)]) == [event("a"), event("b")]
    with closing(WebhookInbox(path)) as inbox:
        assert inbox.add([event("b", NOW + 5), event("c")]) == [event("c")]
        assert inbox.add([event("a", service="other.example.com")]) != [], "ids are the service's own"


def test_a_reader_hears_of_each_task_once_and_not_of_what_was_before_it(path: Path, inbox: WebhookInbox) -> None:
    inbox.add([event("old", NOW - 120.0)])
    reader = WebhookReader(path, since=NOW - 60.0)
    inbox.add([event("a"), event("b")])
    assert reader.news(NOW).tasks == ((SERVICE, "a"), (SERVICE, "b"))
    assert reader.news(NOW).tasks == ()
    inbox.add([event("c"), ReceivedEvent(SERVICE, "x:balance.low", "", NOW)])
    assert reader.news(NOW).tasks == ((SERVICE, "c"),)
    reader.close()


def test_a_file_that_comes_later_is_found_and_none_is_made(path: Path) -> None:
    reader = WebhookReader(path, since=0.0)
    assert reader.news(NOW) == WebhookNews((), frozenset())
    assert not path.parent.exists()
    with closing(WebhookInbox(path)) as inbox:
        inbox.attend("listener", SERVICE, NOW)
        inbox.add([event("a")])
        assert reader.news(NOW) == WebhookNews(((SERVICE, "a"),), frozenset({SERVICE}))
    reader.close()


def test_deliveries_are_relied_on_while_a_listener_is_there_and_they_come(path: Path, inbox: WebhookInbox) -> None:
    reader = WebhookReader(path, since=NOW)
    assert reader.news(NOW).delivering == frozenset(), "nothing was delivered yet"
    inbox.add([event("a")])
    assert reader.news(NOW).delivering == {SERVICE}
    assert reader.news(NOW + ALIVE_SECONDS + 1).delivering == frozenset(), "it was killed"
    inbox.attend("listener", SERVICE, NOW + FRESH_SECONDS)
    assert reader.news(NOW + FRESH_SECONDS).delivering == {SERVICE}
    inbox.attend("listener", SERVICE, NOW + FRESH_SECONDS + 1)
    assert reader.news(NOW + FRESH_SECONDS + 1).delivering == frozenset(), "they stay away"
    inbox.add([event("b", NOW + FRESH_SECONDS)])
    assert reader.news(NOW + FRESH_SECONDS + 1).delivering == {SERVICE}
    inbox.leave("listener")
    assert reader.news(NOW + FRESH_SECONDS + 1).delivering == frozenset()
    reader.close()


def test_what_is_too_old_to_come_again_is_forgotten(inbox: WebhookInbox) -> None:
    inbox.add([event("a")])
    inbox.attend("listener", SERVICE, NOW + KEPT_SECONDS + 1)
    assert inbox.add([event("a", NOW + KEPT_SECONDS + 1)]) != []


def test_a_file_that_cannot_be_read_is_no_reason_to_wait(path: Path, inbox: WebhookInbox) -> None:
    told: list[WebhookNews] = []
    watcher = WebhookWatcher(path, told.append, clock=lambda: NOW)
    inbox.add([event("a")])
    watcher.check()
    watcher.check()
    assert told == [WebhookNews(((SERVICE, "a"),), frozenset({SERVICE}))]
    watcher.close()
    inbox.close()
    for part in path.parent.iterdir():
        part.unlink()
    path.write_bytes(b"no database" * 1000)
    broken = WebhookWatcher(path, told.append, clock=lambda: NOW)
    broken.check()
    assert len(told) == 1, "it was never relied on"
    broken.close()
