"""Which addresses are talked to at all: https everywhere, http only on this machine."""

from __future__ import annotations

import httpx

from ..loopback import is_loopback
from .errors import ConfigurationError


def service_address(text: str) -> str:
    """The root of the service, tidied: no slash and no version at the end.

    Raises:
        ConfigurationError: It is no address, or the key would travel readable for others.
    """
    address = text.strip().rstrip("/").removesuffix("/v3")
    url = _web_address(address)
    if url is None or " " in address:
        raise ConfigurationError("the service's address must look like https://host.example")
    if url.userinfo or url.query or url.fragment:
        raise ConfigurationError("the service's address must be a host, without user name, query or fragment")
    if url.scheme == "http" and not is_loopback(url.host):
        raise ConfigurationError(
            "the service's address must begin with https:// "
            f"(http is allowed only for this machine, and {url.host} is not)"
        )
    return address


def link_fault(link: str, *, loopback: bool) -> str:
    """Why a link that the service gave must not be followed; empty when it may.

    Args:
        link: The link.
        loopback: Links to this machine are in order, because the service itself is on it. A service elsewhere has no
            business here: its links could reach what listens on this machine only.
    """
    url = _web_address(link)
    if url is None:
        return "it is not a web address"
    if is_loopback(url.host):
        return "" if loopback else "it points to this machine"
    return "" if url.scheme == "https" else "it is not https"


def host_of(link: str) -> str:
    """The host of an address, for decisions and texts; empty when it is none."""
    url = _web_address(link)
    return "" if url is None else url.host


def link_text(link: str) -> str:
    """A link as texts may show it: a signed link's query lets anyone read the file, so it is left out."""
    url = _web_address(link)
    if url is None:
        return "from the service"
    return str(url.copy_with(username=None, password=None, query=None, fragment=None))


def _web_address(text: str) -> httpx.URL | None:
    # Read by httpx, which also connects: two readers could see two different hosts in one text.
    try:
        url = httpx.URL(text)
    except (httpx.InvalidURL, ValueError):  # ValueError: half characters, which JSON can hold
        return None
    return url if url.scheme in ("http", "https") and url.host else None
