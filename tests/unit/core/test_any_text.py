"""Whatever stands in the preferences and the environment as address, key or folder: it is used or refused in words."""

from __future__ import annotations

import contextlib
import stat
import tempfile
from pathlib import Path

import pytest
from asset_generation.addon.core.paths import file_name
from asset_generation.addon.core.service.api_keys import KeyStore
from asset_generation.addon.core.settings import Settings, service_id_of
from asset_generation.vendor.assetgen import Client, ConfigurationError
from asset_generation.vendor.assetgen.addresses import host_of, link_fault, link_text, service_address
from asset_generation.vendor.background_blender import BlenderCommand
from asset_generation.vendor.loopback import is_loopback
from hypothesis import given
from hypothesis import strategies as st
from support.services.scripted_service import KEY

PIECES = st.sampled_from(
    [
        "http",
        "https",
        "://",
        ":",
        "/",
        "//",
        "@",
        "?",
        "#",
        "[",
        "]",
        "::1",
        "127.0.0.1",
        "localhost",
        "host.example",
        "2130706433",
        "0x7f.1",
        "user",
        "%00",
        "%2f",
        ".",
        "..",
        "\\",
        " ",
        "\t",
        "\n",
        "443",
        "99999",
        "v3",
        "\xe9",
        "\u202e",
        "\u24dbocalhost",
    ]
)
ADDRESSES = st.one_of(
    st.lists(PIECES, max_size=8).map("".join),
    st.text(max_size=20),
    st.text(st.characters(codec=None), max_size=8),
    st.lists(PIECES, max_size=4).map("".join).map("https://".__add__),
)


@given(ADDRESSES)
def test_any_address_is_used_or_refused(text: str) -> None:
    assert isinstance(service_id_of(text), str)
    assert isinstance(is_loopback(text), bool)
    settings = Settings(BlenderCommand.of_python(), Path("data"), base_url=text)
    assert isinstance(settings.is_loopback, bool) and isinstance(settings.service_id, str)
    try:
        address = service_address(text)
    except ConfigurationError as error:
        str(error).encode()
        return
    # Who decides whether the key may go there sees the host that httpx goes to.
    assert host_of(address)
    assert address.startswith("https://") or is_loopback(host_of(address)) or address.lower().startswith("https://")
    if settings.is_loopback:
        assert is_loopback(host_of(address)), "Blender's online access would be passed by"
    with Client(KEY, text) as client:
        assert client.base_url == address


@given(ADDRESSES, st.booleans())
def test_any_link_is_followed_or_refused(link: str, loopback: bool) -> None:
    fault = link_fault(link, loopback=loopback)
    assert "?" not in link_text(link).partition("://")[2].partition("#")[0] or not host_of(link)
    if not fault:
        assert is_loopback(host_of(link)) is loopback or link.strip().lower().startswith("https:")
        assert loopback or not is_loopback(host_of(link))


@given(st.text(max_size=40))
def test_any_key_is_used_or_refused(key: str) -> None:
    with contextlib.suppress(ConfigurationError):
        Client(key, "https://host.example").close()


@given(st.text(max_size=30), st.one_of(st.text(max_size=30), st.text(st.characters(codec=None), max_size=10)))
def test_any_key_is_kept_for_its_host_and_no_other(host: str, key: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = KeyStore(Path(folder), environment={}, keyring=None)
        store.store(host, key)
        assert store.find(host)[0] == key.strip()
        assert store.find(host + "x")[0] == ""
        path = Path(folder) / "keys.json"
        if key.strip():
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
        store.forget(host)
        assert store.find(host)[0] == ""


@given(st.binary(max_size=40))
def test_any_file_of_keys_is_read_or_left(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "keys.json").write_bytes(content)
        assert isinstance(KeyStore(Path(folder), environment={}, keyring=None).find("host.example")[0], str)


def test_keys_that_are_nested_without_end_are_no_keys(tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text("[" * 100_000, encoding="utf-8")
    assert KeyStore(tmp_path, environment={}, keyring=None).find("host.example")[0] == ""


@given(st.one_of(st.text(max_size=100), st.text(st.characters(codec=None), max_size=20)))
def test_any_name_is_a_file_name(words: str) -> None:
    name = file_name(words)
    assert name and len(name) <= 60 and name == name.strip(" .")
    assert not set(name) & set('/\\:*?"<>|\0')
    name.encode()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / f"{name}.glb").write_bytes(b"")


@pytest.mark.parametrize("words", ["nul", "CON", "com1", "aux.x", "\ud800"])
def test_a_name_means_a_file_on_every_system(words: str) -> None:
    name = file_name(words)
    name.encode()
    assert name.partition(".")[0].rstrip().lower() not in {"nul", "con", "com1", "aux"}


def test_half_characters_are_no_address() -> None:
    assert link_fault("https://host.example/\ud800", loopback=False) == "it is not a web address"
    with pytest.raises(ConfigurationError):
        service_address("\ud800")
