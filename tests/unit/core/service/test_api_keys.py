from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from asset_generation.addon.core.service.api_keys import KeyOrigin, KeyStore, file_words


class FakeKeyring:
    def __init__(self, *, broken: bool = False) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.broken = broken

    def get_password(self, service: str, name: str) -> str | None:
        if self.broken:
            raise OSError("no session bus")
        return self.kept.get((service, name))

    def set_password(self, service: str, name: str, value: str) -> None:
        if self.broken:
            raise OSError("no session bus")
        self.kept[service, name] = value

    def delete_password(self, service: str, name: str) -> None:
        del self.kept[service, name]


def test_the_environment_wins_over_keyring_and_file(tmp_path: Path) -> None:
    keyring = FakeKeyring()
    KeyStore(tmp_path, environment={}, keyring=None).store("a.example", "from-file")
    assert KeyStore(tmp_path, environment={}, keyring=keyring).find("a.example") == ("from-file", KeyOrigin.FILE)
    keyring.set_password("asset-generation", "a.example", "from-keyring")
    assert KeyStore(tmp_path, environment={}, keyring=keyring).find("a.example")[1] is KeyOrigin.KEYRING
    store = KeyStore(tmp_path, environment={"ASSETGEN_API_KEY": "from-environment"}, keyring=keyring)
    assert store.find("a.example") == ("from-environment", KeyOrigin.ENVIRONMENT)


def test_a_key_belongs_to_one_host(tmp_path: Path) -> None:
    store = KeyStore(tmp_path, environment={}, keyring=None)
    store.store("a.example", " secret ")
    assert store.find("a.example") == ("secret", KeyOrigin.FILE)
    assert store.find("b.example") == ("", KeyOrigin.NOWHERE)
    store.store("a.example", "")
    assert store.find("a.example") == ("", KeyOrigin.NOWHERE)


@pytest.mark.skipif(os.name == "nt", reason="modes mean little there")
def test_only_the_user_can_read_the_file(tmp_path: Path) -> None:
    previous = os.umask(0)
    try:
        KeyStore(tmp_path / "new", environment={}, keyring=None).store("a.example", "secret")
    finally:
        os.umask(previous)
    (path,) = (tmp_path / "new").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_keyring_that_works_is_used_and_the_file_cleared(tmp_path: Path) -> None:
    KeyStore(tmp_path, environment={}, keyring=None).store("a.example", "old")
    store = KeyStore(tmp_path, environment={}, keyring=FakeKeyring())
    assert store.store("a.example", "new") is KeyOrigin.KEYRING
    assert "new" not in (tmp_path / "keys.json").read_text()
    assert "old" not in (tmp_path / "keys.json").read_text()
    store.forget("a.example")
    assert store.find("a.example") == ("", KeyOrigin.NOWHERE)


def test_a_keyring_that_refuses_is_no_reason_to_lose_the_key(tmp_path: Path) -> None:
    store = KeyStore(tmp_path, environment={}, keyring=FakeKeyring(broken=True))
    assert store.store("a.example", "secret") is KeyOrigin.FILE
    assert store.find("a.example") == ("secret", KeyOrigin.FILE)


def test_a_damaged_file_is_no_key(tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text("[1, 2", encoding="utf-8")
    assert KeyStore(tmp_path, environment={}, keyring=None).find("a.example") == ("", KeyOrigin.NOWHERE)


@pytest.mark.parametrize("content", ["[1, 2", "[1, 2]", "", '{"b.example": "other key"', "\udcff"])
def test_a_damaged_file_is_set_aside_and_never_overwritten(tmp_path: Path, content: str) -> None:
    (tmp_path / "keys.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    store = KeyStore(tmp_path, environment={}, keyring=None)
    store.forget("a.example")
    assert [path.name for path in tmp_path.iterdir()] == ["keys.json"], "nothing is to be written"
    store.store("a.example", "secret")
    assert store.find("a.example") == ("secret", KeyOrigin.FILE)
    (kept,) = tmp_path.glob("keys.json.broken-*")
    assert kept.read_bytes() == content.encode("utf-8", "surrogateescape")
    assert str(kept) in store.warnings[0]
    store.store("b.example", "secret")
    assert store.warnings == []
    assert store.find("a.example")[0] == store.find("b.example")[0] == "secret"


def test_a_file_that_cannot_be_read_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "keys.json").mkdir()
    with pytest.raises(OSError, match=r"keys\.json"):
        KeyStore(tmp_path, environment={}, keyring=None).store("b.example", "other")
    assert [path.name for path in tmp_path.iterdir()] == ["keys.json"]


def test_where_a_file_is_kept_is_said_as_it_is_on_each_system(tmp_path: Path) -> None:
    assert "only you can read" in file_words(tmp_path, windows=False)
    assert "user folder" in file_words(Path.home() / "AppData" / "Local", windows=True)
    elsewhere = file_words(tmp_path, windows=True)
    assert "only you" not in elsewhere
    assert "data folder" in elsewhere
