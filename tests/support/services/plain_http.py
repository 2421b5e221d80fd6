"""Requests to a service of this machine as anybody would send them, on a connection of their own each."""

from __future__ import annotations

import httpx

plain = httpx.Client(
    verify=False,  # nothing here is encrypted, and httpx's own functions read all public certificates for each request
    trust_env=False,
    limits=httpx.Limits(max_keepalive_connections=0),
)
