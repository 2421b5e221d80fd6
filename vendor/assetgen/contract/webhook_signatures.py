"""The signature of a webhook delivery (docs/api.md, 7.2), computed alike by who sends one and by who checks it."""

from __future__ import annotations

import hashlib
import hmac


def signature(body: bytes, secret: str, timestamp: int | str) -> str:
    """The ``v1`` of a delivery: HMAC-SHA256 over ``<timestamp>.<body>``, in lowercase hex.

    Args:
        body: The body exactly as it is sent.
        secret: The endpoint's signing secret, its ``whsec_`` included.
        timestamp: Unix seconds; a receiver passes the text of the header, whose bytes are what was signed.
    """
    return hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()


def sign(body: bytes, secret: str, timestamp: int) -> str:
    """The value of the header ``Service-Webhook-Signature`` for a delivery that is sent at ``timestamp``."""
    return f"t={timestamp},v1={signature(body, secret, timestamp)}"
