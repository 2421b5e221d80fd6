from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core.jobs.journal import Journal
from asset_generation.addon.core.requests.prices import Price, Prices, settings_of


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "journal.sqlite3", "me")
    yield journal
    journal.close()


@pytest.fixture
def prices(journal: Journal) -> Prices:
    return Prices(journal.charges)


@pytest.mark.parametrize(
    ("fields", "credits"),
    [
        ({"texture": False, "pbr": False}, "100"),
        ({}, "110"),
        ({"texture_quality": "standard"}, "110"),
        ({"texture_quality": "detailed"}, "120"),
        ({"texture_quality": "extreme", "quad": True}, "130"),
    ],
)
def test_documented_prices_are_shown_while_nothing_else_is_filled_in(
    prices: Prices, fields: dict[str, Any], credits: str
) -> None:
    found = prices.price_of("local", "text_to_model", {"model_version": "P2-20260801", **fields})
    assert found == Price(credits, is_estimate=False)


@pytest.mark.parametrize(
    "fields", [{}, {"model_version": "v3.1-20260211"}, {"model_version": "P2-20260801", "texture_quality": "odd"}]
)
def test_what_is_not_documented_and_never_was_paid_has_no_price(prices: Prices, fields: dict[str, Any]) -> None:
    assert prices.price_of("local", "text_to_model", fields) is None
    with pytest.raises(LookupError):
        prices.price_of("local", "fly", {})


def test_the_last_task_with_the_same_settings_is_the_estimate(prices: Prices) -> None:
    prices.record_charge("local", "convert", {"format": "FBX"}, "5")
    prices.record_charge("local", "convert", {"format": "FBX", "quad": True}, "10")
    assert prices.price_of("local", "convert", {"format": "FBX"}) == Price("5", is_estimate=True)
    assert prices.price_of("local", "convert", {"quad": True, "format": "FBX"}) == Price("10", is_estimate=True)
    assert prices.price_of("local", "convert", {"format": "STL"}) == Price("10", is_estimate=True), "the last one"
    prices.record_charge("local", "convert", {"format": "FBX"}, "6")
    assert prices.price_of("local", "convert", {"format": "STL"}) == Price("6", is_estimate=True)
    assert prices.price_of("elsewhere", "convert", {"format": "FBX"}) is None


def test_words_files_and_seeds_do_not_change_a_price(prices: Prices) -> None:
    prices.record_charge("local", "texture", {"text": "rusty", "texture_seed": 1}, "10")
    assert prices.price_of("local", "texture", {"text": "golden", "texture_seed": 2}) == Price("10", True)
    assert settings_of("retarget", {"animations": ["a", "b"]}) != settings_of("retarget", {"animations": ["a"]})
    assert settings_of("decimate", {"face_limit": None}) == settings_of("decimate", {})
    assert settings_of("decimate", {"unheard_of": 1}) == settings_of("decimate", {})


def test_prices_survive_a_restart(prices: Prices, journal: Journal) -> None:
    prices.record_charge("local", "decimate", {"face_limit": 500}, "5")
    assert Prices(journal.charges).price_of("local", "decimate", {"face_limit": 900}) == Price("5", is_estimate=True)


def test_a_price_that_cannot_be_noted_holds_nothing_up(
    prices: Prices, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(journal.charges, "add", full)
    prices.record_charge("local", "decimate", {}, "5")
    assert prices.price_of("local", "decimate", {}) is None


def test_asking_for_a_price_neither_touches_the_disk_nor_waits_for_it(
    prices: Prices, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Price | None] = []

    def slow_disk(*_: Any) -> None:
        # In the middle of a write, as a panel that is drawn meanwhile; with the lock held this would never come back.
        asking = threading.Thread(target=lambda: found.append(prices.price_of("local", "decimate", {})), daemon=True)
        asking.start()
        asking.join(10)

    prices.record_charge("local", "decimate", {}, "5")
    monkeypatch.setattr(journal.charges, "add", slow_disk)
    prices.record_charge("local", "decimate", {}, "6")
    assert found == [Price("5", is_estimate=True)]
    journal.close()
    assert prices.price_of("local", "decimate", {}) == Price("6", is_estimate=True)
