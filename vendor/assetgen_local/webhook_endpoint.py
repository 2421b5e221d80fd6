"""Who is told of events (docs/api.md, 7): the addresses that are given when the engine starts."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urlsplit

from ..assetgen.contract.answers.webhook_events import EventType
from ..loopback import is_loopback

SECRET_PREFIX = "whsec_"
ALL_KINDS = frozenset(str(kind) for kind in EventType)


@dataclass(frozen=True, slots=True)
class WebhookEndpoint:
    """An address that is told of events.

    Attributes:
        url: Where deliveries go: https, or http on this machine.
        secret: What signs them.
        kinds: The types of events that it wants.
    """

    url: str
    secret: str = field(repr=False)
    kinds: frozenset[str] = ALL_KINDS

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        here = parts.scheme == "http" and is_loopback(parts.hostname or "")
        if not here and not (parts.scheme == "https" and parts.hostname):
            raise ValueError(f"{self.url}: a webhook needs an https address, or http on this machine")
        if not self.secret.startswith(SECRET_PREFIX) or self.secret == SECRET_PREFIX:
            raise ValueError(f"the secret of the webhook {self.url} does not begin with {SECRET_PREFIX}")
        if unknown := self.kinds - ALL_KINDS:
            raise ValueError(f"no event is of the type {', '.join(sorted(unknown))}; there are {', '.join(EventType)}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """An endpoint from ``URL=SECRET`` or ``URL=SECRET,KIND,KIND``.

        Raises:
            ValueError: The text has another form, or the address, the secret or a kind cannot be used.
        """
        # An address may have "=" in its query; the secret begins alike in any case.
        url, found, rest = text.partition(f"={SECRET_PREFIX}")
        if not found:
            raise ValueError(f"{text.partition('=')[0]}: expected URL={SECRET_PREFIX}...[,KIND ...]")
        secret, *kinds = rest.split(",")
        return cls(url, f"{SECRET_PREFIX}{secret}", frozenset(kinds) or ALL_KINDS)

    @property
    def id(self) -> str:
        """Names the endpoint; the same at every start."""
        return f"we_{hashlib.sha256(self.url.encode()).hexdigest()[:16]}"
