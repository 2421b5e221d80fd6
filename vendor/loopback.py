"""Which hosts mean this machine. By itself, since also what is loaded when Blender starts asks for it."""

from __future__ import annotations

import ipaddress


def is_loopback(host: str) -> bool:
    """Whether the host name or address means this machine."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"
