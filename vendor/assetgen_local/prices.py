"""What a task costs: the options' prices, and the rules of the API about what is billed."""

from __future__ import annotations

from decimal import Decimal

from ..assetgen.contract import Convert, Retarget, TaskRequest, billed_animations
from .options import COMPLEX_CONVERT, Options


def credits_of(request: TaskRequest, options: Options) -> Decimal:
    """Credits that a request costs."""
    if isinstance(request, Convert) and request.is_complex:
        return options.price(COMPLEX_CONVERT)
    price = options.price(request.name, request.price())
    return price * billed_animations(request) if isinstance(request, Retarget) else price
