"""What a recipe comes to with the values that it is run with: jobs of one task each, and the files they end in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from ..jobs.job import Source
from ..requests.prices import Price, credits_text
from .recipe import Recipe

PriceFunction = Callable[[str, Mapping[str, Any]], Price | None]
"""What a task of a capability with some fields costs; None where nothing is known."""


class ImageUse(NamedTuple):
    """An image of an earlier job in a field: the field, the place in its list (-1 for a field of one), the job."""

    field: str
    place: int
    key: str


class PlannedJob(NamedTuple):
    """One task.

    Attributes:
        key: Names it within the recipe: the step, with the values that tell it from the others of that step.
        step: The step that it belongs to.
        capability: What is run.
        fields: As a person sets them; without the images of other jobs.
        source: What it works on, where that is no earlier job; None where it is, and for nothing.
        after: The key of the job whose task it works on; empty for none.
        images: Where images of earlier jobs belong.
        outputs: The files that its result goes into; absolute.
        line: Of the recipe.
        title: What its job is called.
        fingerprint: Of a source that is no file, where there is one.
    """

    key: str
    step: str
    capability: str
    fields: Mapping[str, Any]
    source: Source | None
    after: str
    images: tuple[ImageUse, ...]
    outputs: tuple[Path, ...]
    line: int
    title: str
    fingerprint: str = ""

    @property
    def waits_for(self) -> tuple[str, ...]:
        """The keys of the jobs whose results it needs."""
        return tuple(dict.fromkeys([*([self.after] if self.after else []), *(use.key for use in self.images)]))


class RecipePlan(NamedTuple):
    """A recipe with its values, in the order in which its jobs can be started. All of it has been checked."""

    recipe: Recipe
    folder: Path
    jobs: tuple[PlannedJob, ...]

    @property
    def outputs(self) -> tuple[Path, ...]:
        """All files that it ends in."""
        return tuple(path for job in self.jobs for path in job.outputs)


class PriceSum(NamedTuple):
    """What jobs cost together: credits, whether any of it is an estimate, and how many of which nothing is known."""

    credits: Decimal
    is_estimate: bool
    unknown: int

    @property
    def words(self) -> str:
        """In words: "120 credits, about, and 2 steps of which no price is known"."""
        text = f"{'about ' if self.is_estimate else ''}{credits_text(self.credits)} credits"
        if not self.unknown:
            return text
        others = f"{self.unknown} of unknown price"
        return f"{text}, and {others}" if self.credits else others


def price_sum(jobs: tuple[PlannedJob, ...], price_of: PriceFunction) -> PriceSum:
    """What jobs cost together, as far as that is known."""
    prices = [price_of(job.capability, job.fields) for job in jobs]
    known = [price for price in prices if price is not None]
    return PriceSum(
        sum((Decimal(price.credits) for price in known), Decimal(0)),
        any(price.is_estimate for price in known),
        len(prices) - len(known),
    )
