"""Asks a service what is so: what came to life, what was paid, and what is still on its way."""

from __future__ import annotations

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

from . import local_service
from .scripted.server import TRUTH

_TRIES = 6


def ask_truth(base_url: str, key: str) -> dict[str, Any] | None:
    """The truth; None when it cannot be had now.

    The scripted service tells it by itself. The local engine is asked by its own API, where requests may go wrong.
    """
    connection = http.client.HTTPConnection(urlsplit(base_url).netloc, timeout=60)
    try:
        connection.request("GET", TRUTH)
        answer = connection.getresponse()
        content = answer.read()
        if answer.status == 200:
            truth: dict[str, Any] = json.loads(content)
            return truth
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        connection.close()
    for _ in range(_TRIES):
        try:
            return local_service.read_truth(base_url, key)
        except (OSError, ValueError, LookupError):
            continue
    return None
