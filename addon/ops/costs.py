"""What a press of Run will cost, as far as that can be known before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..bridge.session import session
from ..core.errors import BadRequest
from ..core.settings import Settings
from ..props import field_values
from ..props.field_info import CapabilityInfo
from .sources import UPLOAD

UNKNOWN = "Price not known before the first run"


def price_text(info: CapabilityInfo, group: Any, settings: Settings, *, uploads: int, jobs: int = 1) -> str:
    """The price in words; empty for the local engine, which is free, and as long as what is known is being read.

    Args:
        info: The capability.
        group: The panel's fields of it.
        settings: Which service.
        uploads: For how many jobs what they work on has to be imported first, which is a task of its own.
        jobs: How many are run.
    """
    if settings.is_local:
        return ""
    try:
        fields = field_values.from_panel(group, info)
    except BadRequest:  # a value that is being typed
        return ""
    return price_words(info, fields, uploads=uploads, jobs=jobs)


def price_words(info: CapabilityInfo, fields: Mapping[str, Any], *, uploads: int = 0, jobs: int = 1) -> str:
    """The price of requests with these fields, as in :func:`price_text`."""
    runtime = session.ready
    if runtime is None:
        return ""
    price = runtime.price_of(info.name, fields)
    if price is None:
        return UNKNOWN
    from decimal import Decimal  # here: enabling the extension need not wait for it

    total, is_estimate = Decimal(price.credits) * jobs, price.is_estimate
    if uploads and info.name != UPLOAD:
        first = runtime.price_of(UPLOAD, {})
        if first is None:
            uploaded = "the upload, whose price is" if uploads == 1 else "the uploads, whose prices are"
            return f"{total.normalize():f} credits and {uploaded} not known before the first run"
        total += Decimal(first.credits) * uploads
        is_estimate = True
    credits = f"{total.normalize():f} credits" + (f" for {jobs} jobs" if jobs > 1 else "")
    return f"About {credits}: what the last one like it cost" if is_estimate else credits
