"""Everything about the engine that can be set. All of it has a default that suits one person at one machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from ..assetgen.contract import (
    DOCUMENTED_RATES,
    MAX_UPLOAD_BYTES,
    POOL_SIZES,
    Category,
    Convert,
    RateGroup,
    Region,
    Retarget,
    TaskRequest,
    billed_animations,
)
from ..background_blender import BlenderCommand, usable_cores
from .task_runner import TaskRunner
from .webhook_endpoint import WebhookEndpoint

MIB = 1024 * 1024


DEFAULT_RATES: Mapping[RateGroup, int] = {
    **DOCUMENTED_RATES,
    RateGroup.CREATION: 200,
    # The cloud allows about 10, to protect a shared service; here that would only hold up one's own batch.
    RateGroup.UPLOAD: 200,
    RateGroup.QUERY: 6000,
}
"""Requests per minute."""

COMPLEX_CONVERT = "convert_complex"
"""The price of a conversion with any option that is not the default."""

DEFAULT_PRICES: Mapping[str, Decimal] = {
    "text_to_model": Decimal(20),
    "image_to_model": Decimal(30),
    "multiview_to_model": Decimal(30),
    "image_to_splat": Decimal(30),
    "texture": Decimal(10),
    "refine": Decimal(30),
    "stylize": Decimal(20),
    "convert": Decimal(5),
    COMPLEX_CONVERT: Decimal(10),
    "import_model": Decimal(0),
    "rig_check": Decimal(0),
    "rig": Decimal(25),
    "retarget": Decimal(10),
    "decimate": Decimal(5),
    "segment": Decimal(20),
    "complete": Decimal(20),
    "smart_segment": Decimal(20),
    "text_to_image": Decimal(5),
    "image_to_image": Decimal(5),
    "image_to_multiview": Decimal(10),
    "edit_multiview": Decimal(10),
}
"""Play money, not the cloud's prices: the engine is free. They make holding, settling and refunding real. Prices that
the API documents come from the contract; ``retarget`` is the price of one animation."""

DEFAULT_CREDITS = Decimal(1_000_000)
"""Balance of a new data folder: more than a machine can spend, since running out of play money would help nobody."""


DEFAULT_RETRY_SECONDS = (1.0, 5.0, 30.0, 120.0, 600.0, 3600.0)
"""Pauses between attempts to deliver a webhook; after the last one it has failed. The API does not show its own."""


def default_workers(cores: int = 0) -> int:
    """Half of the cores: of so many, or of all that this process may use; at least one."""
    return max(1, (cores or usable_cores()) // 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of one engine.

    Attributes:
        port: Port on 127.0.0.1; 0 takes a free one.
        key: The API key that clients must send; a random one when empty.
        blender: What runs the geometry.
        runner: Replaces the background Blender; tests give an instant one.
        capabilities: Those that are worked on; the others answer 501. None: those that the engine has geometry for.
        workers: Tasks that are worked on at the same time.
        cores: How many cores their Blenders may take together, at a lower priority than the programs that somebody
            works with; 0 for all, at the usual one.
        credits: Balance of a new data folder. A folder that exists keeps its own.
        prices: Credits per capability, by name; what is missing keeps its documented price, or else its default.
        pools: Unfinished tasks per category; what is missing keeps its documented size.
        rates: Requests per minute and group; what is missing keeps its default.
        queue_seconds: After this long in the queue a task fails with 2018; None for never.
        keep_seconds: How long uploads and results are kept; None for ever.
        denied: Words for which moderation rejects a request.
        denied_output: Words for which it rejects a result, by the words that the result came from.
        webhooks: Who is told when tasks end and when the balance is low.
        webhook_retry_seconds: Pauses between attempts to deliver.
        credit_alert: Balance in credits below which ``balance.low`` is sent; None for never.
        region: Which deployment of the service to be like, where the two differ.
        highest_priority: What the account is entitled to; above it, creation answers 2013.
        task_seconds: After this long a background Blender counts as hung and is ended.
        spare_seconds: How long a background Blender is kept ready for the next task; 0 keeps none.
        link_seconds: How long a download link is valid.
        upload_seconds: How long a presigned upload is valid.
        max_body_bytes: Largest JSON body.
        max_upload_bytes: Largest multipart upload.
        max_presigned_bytes: Largest presigned upload.
        faults: Whether the routes under ``/_local/`` exist, which make the service misbehave on demand.
        clock: The time of day in Unix seconds; tests move it.
    """

    port: int = 0
    key: str = field(default="", repr=False)
    blender: BlenderCommand = field(default_factory=BlenderCommand.of_python)
    runner: TaskRunner | None = None
    capabilities: frozenset[str] | None = None
    workers: int = field(default_factory=default_workers)
    cores: int = 0
    credits: Decimal = DEFAULT_CREDITS
    prices: Mapping[str, Decimal] = field(default_factory=dict)
    pools: Mapping[Category, int] = field(default_factory=dict)
    rates: Mapping[RateGroup, int] = field(default_factory=dict)
    queue_seconds: float | None = None
    keep_seconds: float | None = None
    denied: tuple[str, ...] = ()
    denied_output: tuple[str, ...] = ()
    webhooks: tuple[WebhookEndpoint, ...] = ()
    webhook_retry_seconds: tuple[float, ...] = DEFAULT_RETRY_SECONDS
    credit_alert: Decimal | None = None
    region: Region = Region.INTERNATIONAL
    highest_priority: int = 3
    task_seconds: float = 1800.0
    spare_seconds: float = 60.0
    link_seconds: float = 24 * 3600.0
    upload_seconds: float = 30 * 60.0
    max_body_bytes: int = 20 * MIB
    max_upload_bytes: int = MAX_UPLOAD_BYTES
    max_presigned_bytes: int = 2048 * MIB
    faults: bool = False
    clock: Callable[[], float] = time.time

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise ValueError(f"workers is {self.workers}; at least 1 is needed")
        if self.cores < 0:
            raise ValueError(f"cores is {self.cores}; 0 is for all")
        unknown = set(self.prices) - set(DEFAULT_PRICES)
        if unknown:
            raise ValueError(f"no price is called {', '.join(sorted(unknown))}; there are {', '.join(DEFAULT_PRICES)}")

    def price(self, request: TaskRequest) -> Decimal:
        """Credits that a request costs, by the rules of the API about what is billed."""
        if isinstance(request, Convert) and request.is_complex:
            return self._price_named(COMPLEX_CONVERT)
        price = self._price_named(request.name, request.price())
        return price * billed_animations(request) if isinstance(request, Retarget) else price

    @property
    def worker_blender(self) -> BlenderCommand:
        """What one worker runs its tasks with: its share of the cores."""
        return self.blender.limited(max(1, self.cores // self.workers) if self.cores else 0, shared=self.cores)

    def pool(self, category: Category) -> int:
        """Unfinished tasks that a category takes."""
        return self.pools.get(category, POOL_SIZES[category])

    def rate(self, group: RateGroup) -> int:
        """Requests per minute of a group."""
        return self.rates.get(group, DEFAULT_RATES[group])

    def _price_named(self, name: str, documented: Decimal | None = None) -> Decimal:
        # What is set here goes before a documented price: a test may want another one.
        return self.prices.get(name, DEFAULT_PRICES[name] if documented is None else documented)
