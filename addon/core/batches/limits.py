"""What a batch may cost, and how many of its rows may fail."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from enum import Enum, auto

_NOTHING = Decimal(0)


class Admission(Enum):
    """Whether the next row may begin."""

    NOW = auto()
    LATER = auto()
    """Once those that run have told what such a row costs."""
    NEVER = auto()


class Budget:
    """What this program may spend on a batch. Prices of what runs are set aside until it is known what it cost.

    Args:
        most: Credits; None for no limit.
    """

    def __init__(self, most: Decimal | None) -> None:
        self.most = most
        self.spent = _NOTHING
        self._set_aside: dict[str, Decimal | None] = {}

    def admit(self, price: str | None) -> Admission:
        """Whether there is enough left for a row.

        Args:
            price: What it will cost; None where that is not known. Such a row runs alone, so that no more than one of
                them can go beyond the limit.
        """
        if self.most is None:
            return Admission.NOW
        reserved = [credits for credits in self._set_aside.values() if credits is not None]
        left = self.most - self.spent - sum(reserved, _NOTHING)
        if price is None:
            if self._set_aside:
                return Admission.LATER
            return Admission.NOW if left > 0 else Admission.NEVER
        if None in self._set_aside.values():
            return Admission.LATER
        if Decimal(price) <= left:
            return Admission.NOW
        # Those that run may turn out to cost less, or to fail and be refunded.
        return Admission.LATER if self._set_aside else Admission.NEVER

    def set_aside(self, job_id: str, price: str | None) -> None:
        """A row begins."""
        self._set_aside[job_id] = None if price is None else Decimal(price)

    def settle(self, job_id: str, credits: str) -> None:
        """A row has ended.

        Args:
            job_id: Its job.
            credits: What it cost; empty where the service did not say, which counts as what was set aside.
        """
        price = self._set_aside.pop(job_id, None)
        try:
            self.spent += Decimal(credits) if credits else price or _NOTHING
        except InvalidOperation:
            self.spent += price or _NOTHING

    def release(self, job_id: str) -> None:
        """A row has ended that cost nothing."""
        self._set_aside.pop(job_id, None)
