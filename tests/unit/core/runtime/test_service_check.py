"""The test of the connection, in words."""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from asset_generation.addon.core.runtime.service_check import ask_balance
from asset_generation.vendor.assetgen.contract import Balance


@pytest.mark.parametrize(
    ("frozen", "words"),
    [(0, "Connected: 12.5 credits"), (5, "Connected: 12.5 credits to spend; running tasks hold 5 beside them")],
)
def test_what_is_held_is_not_part_of_what_can_be_spent(frozen: int, words: str) -> None:
    assert ask_balance(context_of(frozen)).sentence == words


def test_what_the_local_engine_counts_is_no_money() -> None:
    answer = ask_balance(context_of(0, is_local=True))
    assert answer.ok
    assert answer.sentence.startswith("Ready")
    assert "credits" not in answer.sentence
    assert (answer.balance, answer.frozen) == ("", "")


def context_of(frozen: int, *, is_local: bool = False) -> Any:
    account = SimpleNamespace(balance=lambda: Balance(balance=Decimal("12.50"), frozen=Decimal(frozen)))
    client = SimpleNamespace(account=account)
    settings = SimpleNamespace(service_id="x", is_local=is_local)
    connection = SimpleNamespace(settings=settings, client=lambda *_: client)
    ending = SimpleNamespace(is_set=lambda: False)
    return SimpleNamespace(connection=connection, cancel_flags=SimpleNamespace(ending=ending))
