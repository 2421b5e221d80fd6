"""Times as the API writes them."""

from __future__ import annotations

from datetime import UTC, datetime


def iso(seconds: float) -> str:
    """ISO 8601 in UTC, to the millisecond."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
