"""Credits: what a task costs, and an account that holds, settles and gives back (docs/api.md, 5.1).

Amounts are whole hundredths of a credit everywhere inside, so that sums are exact: the API's two decimals are their
form on the wire.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

SCHEMA = """
CREATE TABLE account (id INTEGER PRIMARY KEY CHECK (id = 1), balance INTEGER NOT NULL CHECK (balance >= 0),
                      frozen INTEGER NOT NULL CHECK (frozen >= 0));
CREATE TABLE ledger (seq INTEGER PRIMARY KEY, task_id TEXT, kind TEXT NOT NULL, amount INTEGER NOT NULL,
                     at REAL NOT NULL);
"""


def hundredths(credits: Decimal) -> int:
    """Credits as whole hundredths.

    Raises:
        ValueError: The amount is negative or has more than two decimals.
    """
    amount = credits * 100
    if amount < 0 or amount != amount.to_integral_value():
        raise ValueError(f"{credits} credits: an amount is not negative and has at most two decimals")
    return int(amount)


def as_number(amount: int) -> int | float:
    """Hundredths as the number that goes on the wire."""
    return amount // 100 if amount % 100 == 0 else amount / 100


@dataclass(frozen=True, slots=True)
class Account:
    """The account. Every method belongs into a transaction of the caller, together with the change that it pays for."""

    connection: sqlite3.Connection
    clock: Callable[[], float]

    def open(self, amount: int) -> None:
        """Gives a new data folder its credits."""
        self.connection.execute("INSERT INTO account (id, balance, frozen) VALUES (1, ?, 0)", (amount,))
        self._write(None, "grant", amount)

    def state(self) -> tuple[int, int]:
        """What can be spent, and what running tasks hold."""
        balance, frozen = self.connection.execute("SELECT balance, frozen FROM account").fetchone()
        return balance, frozen

    def hold(self, task_id: str, amount: int) -> None:
        """Freezes the price of a task that is created. The caller has seen that there is enough."""
        self._move(-amount, amount)
        self._write(task_id, "hold", amount)

    def settle(self, task_id: str, amount: int) -> None:
        """Takes what a task held: it succeeded."""
        self._move(0, -amount)
        self._write(task_id, "settle", amount)

    def refund(self, task_id: str, amount: int) -> None:
        """Gives back what a task held: it failed."""
        self._move(amount, -amount)
        self._write(task_id, "refund", amount)

    def _move(self, balance: int, frozen: int) -> None:
        self.connection.execute("UPDATE account SET balance = balance + ?, frozen = frozen + ?", (balance, frozen))

    def _write(self, task_id: str | None, kind: str, amount: int) -> None:
        self.connection.execute(
            "INSERT INTO ledger (task_id, kind, amount, at) VALUES (?, ?, ?, ?)", (task_id, kind, amount, self.clock())
        )
