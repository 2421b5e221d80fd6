"""Balance and usage (API section 4.10)."""

from __future__ import annotations

from typing import Any

from ..answers import parse
from ..contract import Balance, UsageRow
from ..errors import InvalidAnswerError
from ..transport import Transport

MAX_ROWS = 200
"""Most rows of one page of usage (API section 8.3)."""

_ROW_KEYS = ("items", "rows", "usage", "tasks")


class Account:
    """What the key's account has and has used."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def balance(self) -> Balance:
        """Credits that can be spent, and those held by running tasks.

        Raises:
            AssetGenError: Trouble with the service, see :mod:`..errors`.
        """
        answer = self._transport.request("GET", "/v3/account/balance")
        return parse(Balance, answer.data, "the balance", answer.request_id)

    def usage(self, *, limit: int = MAX_ROWS, offset: int = 0) -> list[UsageRow]:
        """One page of the account's tasks.

        Raises:
            ValueError: ``limit`` is not from 1 to 200, or ``offset`` is negative.
            AssetGenError: Trouble with the service, see :mod:`..errors`.
        """
        if not 1 <= limit <= MAX_ROWS or offset < 0:
            raise ValueError(f"limit must be from 1 to {MAX_ROWS} and offset not negative, not {limit} and {offset}")
        answer = self._transport.request("GET", "/v3/account/usage", params={"limit": limit, "offset": offset})
        return [parse(UsageRow, row, "the usage", answer.request_id) for row in _rows(answer.data, answer.request_id)]


def _rows(data: Any, request_id: str) -> list[Any]:
    # The contract leaves the page's key open: a bare list, or a list under one of the likely names.
    candidates = [data] if not isinstance(data, dict) else [data.get(key) for key in _ROW_KEYS]
    for rows in candidates:
        if isinstance(rows, list):
            return rows
    raise InvalidAnswerError(
        "the service's answer about the usage cannot be read: there are no rows", status=200, request_id=request_id
    )
