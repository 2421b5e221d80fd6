"""Which addresses and keys the client takes."""

from __future__ import annotations

import pytest
from asset_generation.vendor.assetgen import Client, ConfigurationError
from asset_generation.vendor.assetgen.addresses import link_fault, link_text


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("https://api.service.test", "https://api.service.test"),
        (" https://api.service.test/ ", "https://api.service.test"),
        ("https://api.service.test/v3/", "https://api.service.test"),
        ("https://api.service.test/behind/a/gateway", "https://api.service.test/behind/a/gateway"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_an_address_is_tidied(given: str, used: str) -> None:
    assert Client("key", given).base_url == used


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("http://api.service.test", "must begin with https"),
        ("http://127.0.0.1.service.test", "must begin with https"),
        ("http://localhost.service.test", "must begin with https"),
        ("http://192.168.1.5:8000", "must begin with https"),
        ("ftp://api.service.test", "must look like"),
        ("api.service.test", "must look like"),
        ("", "must look like"),
        ("https://", "must look like"),
        ("https://host:port", "must look like"),
        ("https://two words.test", "must look like"),
        ("https://line\nbreak.test", "must look like"),
        ("https://user:secret@api.service.test", "without user name"),
        ("https://api.service.test?region=1", "without user name, query"),
    ],
)
def test_an_address_that_would_show_the_key_or_leads_nowhere_is_refused(address: str, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=reason) as caught:
        Client("key", address)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("key", ["", "  ", "two words", "line\nbreak", "ключ", "nul\x00"])
def test_a_key_that_cannot_travel_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        Client(key, "https://api.service.test")
    assert not key.strip() or key not in str(caught.value)


def test_a_bad_setting_is_a_value_error_too() -> None:
    with pytest.raises(ValueError, match="API key"):
        Client("", "https://api.service.test")


def test_the_key_is_in_no_repr() -> None:
    client = Client("tsk_very-secret", "https://api.service.test")
    seen = [client, client._transport, client._transport._key, vars(client), vars(client._transport)]
    assert "very-secret" not in repr(seen)


@pytest.mark.parametrize(
    ("url", "remote_service", "local_service"),
    [
        ("https://files.test/a?signature=1", "", ""),
        ("http://files.test/a", "it is not https", "it is not https"),
        ("http://127.0.0.1:1/a", "it points to this machine", ""),
        ("https://localhost/a", "it points to this machine", ""),
        ("file:///etc/passwd", "it is not a web address", "it is not a web address"),
        ("//files.test/a", "it is not a web address", "it is not a web address"),
        ("https://files.test:port/a", "it is not a web address", "it is not a web address"),
    ],
)
def test_only_safe_links_are_followed(url: str, remote_service: str, local_service: str) -> None:
    assert link_fault(url, loopback=False) == remote_service
    assert link_fault(url, loopback=True) == local_service


def test_a_shown_link_gives_nobody_access() -> None:
    assert link_text("https://user:pw@files.test:444/a/b.glb?signature=abc#x") == "https://files.test:444/a/b.glb"
    assert link_text("https://files.test:port/a?signature=abc") == "from the service"
