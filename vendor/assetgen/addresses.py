"""Which addresses are talked to at all: https everywhere, http only on this machine."""

from __future__ import annotations

import ipaddress
from urllib.parse import SplitResult, urlsplit

from .errors import ConfigurationError


def is_loopback(host: str) -> bool:
    """Whether the host name or address means this machine."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def service_address(text: str) -> str:
    """The root of the service, tidied: no slash and no version at the end.

    Raises:
        ConfigurationError: It is no address, or the key would travel readable for others.
    """
    address = text.strip().rstrip("/").removesuffix("/v3")
    parts = _split(address)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigurationError("the service's address must look like https://host.example")
    if parts.username is not None or parts.query or parts.fragment:
        raise ConfigurationError("the service's address must be a host, without user name, query or fragment")
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise ConfigurationError(
            f"the service's address must begin with https:// (http is allowed only for this machine, and "
            f"{parts.hostname} is not)"
        )
    return address


def link_fault(url: str, *, loopback: bool) -> str:
    """Why a link that the service gave must not be followed; empty when it may.

    Args:
        url: The link.
        loopback: Links to this machine are in order, because the service itself is on it. A service elsewhere has no
            business here: its links could reach what listens on this machine only.
    """
    parts = _split(url)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        return "it is not a web address"
    if is_loopback(parts.hostname):
        return "" if loopback else "it points to this machine"
    return "" if parts.scheme == "https" else "it is not https"


def host_of(url: str) -> str:
    """The host of an address, for decisions and texts."""
    parts = _split(url)
    return (parts.hostname or "") if parts is not None else ""


def shown(url: str) -> str:
    """A link as texts may show it: a signed link's query lets anyone read the file, so it is left out."""
    parts = _split(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if parts is not None else "the link"


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises for a port that is no number
    except ValueError:
        return None
    return parts
