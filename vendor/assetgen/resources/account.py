"""Balance and usage (docs/api.md, 5.2)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from ..contract import MAX_USAGE_ROWS, Balance, UsageRow
from ..envelope import parse
from ..errors import InvalidAnswerError
from ..transport import Transport

_ROW_KEYS = ("items", "rows", "usage", "tasks", "list", "records", "data")


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

    def usage(self, *, limit: int = MAX_USAGE_ROWS, offset: int = 0) -> list[UsageRow]:
        """One page of the account's tasks.

        Raises:
            ValueError: ``limit`` is not from 1 to 200, or ``offset`` is negative.
            AssetGenError: Trouble with the service, see :mod:`..errors`.
        """
        if not 1 <= limit <= MAX_USAGE_ROWS or offset < 0:
            words = f"limit must be from 1 to {MAX_USAGE_ROWS} and offset not negative"
            raise ValueError(f"{words}, not {limit} and {offset}")
        answer = self._transport.request("GET", "/v3/account/usage", params={"limit": limit, "offset": offset})
        return [parse(UsageRow, row, "the usage", answer.request_id) for row in _rows(answer.data, answer.request_id)]

    def usage_rows(self, *, page: int = MAX_USAGE_ROWS) -> Iterator[UsageRow]:
        """All of the account's tasks, read a page at a time as they are asked for, each task once.

        New tasks push the others along while the pages are read, so that rows come a second time on the next page;
        those are left out. Ends with a page that is not full.

        Args:
            page: Rows of one page, 1 to 200.

        Raises:
            ValueError: ``page`` is out of bounds.
            AssetGenError: Trouble with the service, see :mod:`..errors`.
        """
        if not 1 <= page <= MAX_USAGE_ROWS:
            raise ValueError(f"a page has 1 to {MAX_USAGE_ROWS} rows, not {page}")
        return self._each_row(page)

    def _each_row(self, page: int) -> Iterator[UsageRow]:
        seen: set[str] = set()
        before: list[str] = []
        for offset in itertools.count(0, page):
            rows = self.usage(limit=page, offset=offset)
            ids = [row.task_id for row in rows]
            for row in rows:
                if row.task_id and row.task_id not in seen:
                    seen.add(row.task_id)
                    yield row
            # The same page again is from a service that does not look at the offset, and would never end.
            if len(rows) < page or ids == before:
                return
            before = ids


def _rows(data: Any, request_id: str) -> list[Any]:
    # The contract leaves the page's key open: a bare list, or a list under one of the likely names. An empty one beside
    # another says nothing: that a list has no rows can cost a second task.
    if isinstance(data, dict):
        likely = [data[key] for key in _ROW_KEYS if isinstance(data.get(key), list)]
        others = [value for key, value in data.items() if isinstance(value, list) and key not in _ROW_KEYS]
        rows = next((rows for rows in likely if rows), None)
        if rows is None and any(others):
            rows = others[0] if len(others) == 1 else None
        elif rows is None and likely:
            rows = likely[0]
    else:
        rows = data
    if isinstance(rows, list):
        return rows
    raise InvalidAnswerError(
        "the service's answer about the usage cannot be read: there are no rows",
        status=200,
        request_id=request_id,
        in_envelope=True,
    )
