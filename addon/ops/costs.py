"""What a press of Run will cost, as far as that can be known before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..bridge import prefs
from ..bridge.session import session
from ..core.errors import BadRequest
from ..core.settings import Settings
from ..props import field_values
from ..props.field_info import CapabilityInfo
from ..text_layout import paragraph
from .sources import UPLOAD

if TYPE_CHECKING:
    from decimal import Decimal

    import bpy

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
    fields = set_fields(info, group)
    return "" if fields is None else price_words(info, fields, uploads=uploads, jobs=jobs)


def set_fields(info: CapabilityInfo, group: Any) -> dict[str, Any] | None:
    """What the panel has set; None while a value is being typed that is none yet."""
    try:
        return field_values.from_panel(group, info)
    except BadRequest:
        return None


def price_words(info: CapabilityInfo, fields: Mapping[str, Any], *, uploads: int = 0, jobs: int = 1) -> str:
    """The price of requests with these fields, as in :func:`price_text`."""
    runtime = session.ready
    if runtime is None:
        return ""
    own = runtime.price_of(info.name, fields)
    if own is None:
        return UNKNOWN
    from decimal import Decimal  # here: enabling the extension need not wait for it

    price = known_price(info, fields, session.settings, uploads=uploads, jobs=jobs)
    if price is None:
        uploaded = "the upload, whose price is" if uploads == 1 else "the uploads, whose prices are"
        return f"{(Decimal(own.credits) * jobs).normalize():f} credits and {uploaded} not known before the first run"
    credits = f"{price.credits:f} credits" + (f" for {jobs} jobs" if jobs > 1 else "")
    return f"About {credits}: what the last one like it cost" if price.is_estimate else credits


class PressPrice(NamedTuple):
    """What a press costs, in credits, and whether that is only what such a press cost last time."""

    credits: Decimal
    is_estimate: bool


def known_price(
    info: CapabilityInfo, fields: Mapping[str, Any], settings: Settings, *, uploads: int, jobs: int
) -> PressPrice | None:
    """What a press costs, its uploads too; None where a part of it is not known, and for the local engine."""
    runtime = session.ready
    if runtime is None or settings.is_local:
        return None
    price = runtime.price_of(info.name, fields)
    first = runtime.price_of(UPLOAD, {}) if uploads and info.name != UPLOAD else None
    if price is None or (first is None and uploads and info.name != UPLOAD):
        return None
    from decimal import Decimal  # here: as above

    total = Decimal(price.credits) * jobs + (Decimal(first.credits) * uploads if first is not None else 0)
    return PressPrice(total.normalize(), price.is_estimate or first is not None)


def button_words(info: CapabilityInfo, group: Any, *, uploads: int, jobs: int) -> str:
    """The price for the button itself: "25 credits", "about 25 credits"; empty where it is not known."""
    settings = session.settings
    fields = None if settings.is_local else set_fields(info, group)
    if fields is None:
        return ""
    price = known_price(info, fields, settings, uploads=uploads, jobs=jobs)
    return "" if price is None else f"{'about ' if price.is_estimate else ''}{price.credits:f} credits"


def budget_question(info: CapabilityInfo, fields: Mapping[str, Any], jobs: int) -> str:
    """What to ask before a press that the month's budget has no room for; empty where it has, and where there is none.

    The upload is left out: what it costs is little, and whether there is one is known later.
    """
    values = prefs.preferences()
    runtime = session.ready
    if values is None or not values.monthly_budget or runtime is None or session.settings.is_local:
        return ""
    spending = runtime.spending()
    if spending is None:
        return ""
    price = known_price(info, fields, session.settings, uploads=0, jobs=jobs)
    if spending.month + (price.credits if price is not None else 0) <= values.monthly_budget and (
        price is not None or spending.month < values.monthly_budget
    ):
        return ""
    cost = f"this costs {price.credits:f} more" if price is not None else "what this costs is not known"
    return f"This month has cost {spending.month:f} of the {values.monthly_budget} credits of your budget; {cost}."


def draw_budget(
    layout: bpy.types.UILayout, context: bpy.types.Context, info: CapabilityInfo, fields: Mapping[str, Any], jobs: int
) -> None:
    """What Run would ask about the budget, for dialogs: their own button is the answer."""
    if words := budget_question(info, fields, jobs):
        paragraph(layout, words, context, icon="ERROR")
