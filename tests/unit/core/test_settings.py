from __future__ import annotations

from pathlib import Path

import pytest
from asset_generation.addon.core.settings import Settings, service_id_of
from asset_generation.vendor.background_blender import BlenderCommand


def settings_for(address: str) -> Settings:
    return Settings(BlenderCommand.of_python(), Path(), base_url=address)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("", True),
        ("http://127.0.0.1:8000", True),
        ("http://[::1]:8000", True),
        ("https://LOCALHOST", True),
        ("https://127.evil.example", False),
        ("https://localhost@service.example", False),
        ("https://[", False),
    ],
)
def test_only_this_machine_is_exempt_from_online_access(address: str, expected: bool) -> None:
    assert settings_for(address).is_loopback is expected


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://service.example", "service.example"),
        (" https://service.example:8443/v3 ", "service.example:8443"),
        ("service.example", ""),
        ("https://[", ""),
    ],
)
def test_a_service_has_one_name_for_its_tasks_and_for_its_key(address: str, name: str) -> None:
    assert service_id_of(address) == name
    assert settings_for(address).service_id == name


@pytest.mark.parametrize(
    ("set_to", "gib"), [("5", 5.0), ("0.5", 0.5), ("1e9", 64.0), ("0", 0.1), ("inf", 64.0), ("lots", 2.0), ("", 2.0)]
)
def test_the_environment_sets_the_largest_download(tmp_path: Path, set_to: str, gib: float) -> None:
    settings = Settings(BlenderCommand.of_python(), tmp_path)
    settings = settings.with_environment({"ASSETGEN_MAX_DOWNLOAD": set_to})
    assert settings.max_download_bytes == int(gib * 1024**3)
