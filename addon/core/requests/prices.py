"""What a task will cost, shown before it is paid: the documented price, else what the last one like it cost."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

from ....vendor.assetgen.contract import FieldKind, TaskRequest, capability, describe
from ..jobs.charge_table import ChargeTable
from ..log import logger

log = logger(__name__)

_EXACT = frozenset({FieldKind.CHOICE, FieldKind.SWITCH})
_COUNTED = frozenset({FieldKind.NAMES, FieldKind.FILES, FieldKind.LIST})


class Price(NamedTuple):
    """Credits as a text, and whether they are only what such a task cost last time."""

    credits: str
    is_estimate: bool


class Prices:
    """Prices of one data folder's accounts. Thread-safe.

    The disk is read here and never again. The panel asks for prices while it is drawn, and takes no lock for it: what
    is known is replaced as a whole and never changed.

    Args:
        table: What earlier tasks cost; None where there were none.
    """

    def __init__(self, table: ChargeTable | None) -> None:
        self._table = table
        self._lock = threading.Lock()
        self._charges = table.all() if table is not None else {}

    def price_of(self, service_id: str, name: str, fields: Mapping[str, Any]) -> Price | None:
        """The price of one task; None where nothing is known. Touches no disk.

        Args:
            service_id: The service.
            name: The capability.
            fields: What the user has set so far, flattened; it need not be complete.

        Raises:
            LookupError: There is no such capability.
        """
        model = capability(name)
        documented = _documented(model, fields)
        if documented is not None:
            return Price(credits_text(documented), is_estimate=False)
        like_it = (service_id, name, settings_of(name, fields))
        charges = self._charges
        exact = charges.get(like_it)
        last = [credits for key, credits in charges.items() if key[:2] == like_it[:2]]
        if exact is not None:
            return Price(exact, is_estimate=True)
        return Price(last[-1], is_estimate=True) if last else None

    def record_charge(self, service_id: str, name: str, fields: Mapping[str, Any], credits: str) -> None:
        """Remembers what a successful task cost. Failing to is no reason to hold a job up."""
        key = (service_id, name, settings_of(name, fields))
        try:
            if self._table is not None:
                self._table.add(*key, credits)
        except sqlite3.Error as error:
            log.info("the price of %s is not noted: %s", name, error)
            return
        with self._lock:
            others = {other: known for other, known in self._charges.items() if other != key}
            self._charges = {**others, key: credits}  # it is the last one now


def settings_of(name: str, fields: Mapping[str, Any]) -> str:
    """What of a task's fields its price may depend on, as a text: choices, how many of a list, what is set at all.

    Words, seeds and files change every time and the price does not change with them.
    """
    kinds = _kinds(capability(name))
    parts: dict[str, Any] = {}
    for field, value in sorted(fields.items()):
        kind = kinds.get(field)
        if kind is None or value is None:
            continue
        if kind in _EXACT:
            parts[field] = value
        elif kind in _COUNTED and isinstance(value, list | tuple):
            parts[field] = len(value)
        else:
            parts[field] = "set"
    return json.dumps(parts)


def credits_text(credits: Decimal | None) -> str:
    """Credits without needless zeros; empty when the service did not say."""
    return "" if credits is None else f"{credits.normalize():f}"


@cache
def _kinds(model: type[TaskRequest]) -> dict[str, FieldKind]:
    return {spec.name: spec.kind for spec in describe(model)}


def _documented(model: type[TaskRequest], fields: Mapping[str, Any]) -> Decimal | None:
    values = {name: value for name, value in fields.items() if name in model.model_fields and value is not None}
    # Not validated: the price is shown while the fields are still being filled in.
    request = model.model_construct(_fields_set=set(values), **values)
    try:
        return request.price()
    except (AttributeError, KeyError):  # the field that the price depends on is not set yet, or wrong
        return None
