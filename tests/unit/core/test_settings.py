from __future__ import annotations

from pathlib import Path

import pytest
from asset_generation.addon.core.settings import Region, Settings, service_id_of
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


@pytest.mark.parametrize(("said", "expected"), [("0", False), ("Off", False), ("no", False), ("1", True), ("", True)])
def test_the_environment_can_switch_markers_off(said: str, expected: bool) -> None:
    assert settings_for("").with_environment({"ASSETGEN_MARK_REQUESTS": said}).mark_requests is expected


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


def test_the_connection_knows_its_region(tmp_path: Path) -> None:
    local = settings_for("")._replace(data_dir=tmp_path, remote_region=Region.CHINA)
    assert local.region is Region.LOCAL
    remote = local._replace(base_url="https://api.test")
    assert remote.region is Region.CHINA
    # Another address is another place, unless the environment says where.
    elsewhere = {"ASSETGEN_BASE_URL": "https://other.test"}
    assert remote.with_environment(elsewhere).region is Region.CUSTOM
    named = remote.with_environment({**elsewhere, "ASSETGEN_REGION": "International"})
    assert named.region is Region.INTERNATIONAL
    assert remote.with_environment({"ASSETGEN_REGION": "mars"}).region is Region.CHINA


@pytest.mark.parametrize(("set_to", "cores"), [("3", 3), ("0", 0), ("", 1), ("many", 1), ("-2", 1)])
def test_the_environment_sets_the_cores(tmp_path: Path, set_to: str, cores: int) -> None:
    settings = Settings(BlenderCommand.of_python().limited(1), tmp_path)
    assert settings.with_environment({"ASSETGEN_CORES": set_to}).blender.cores == cores


@pytest.mark.parametrize(
    ("set_to", "gib"), [("5", 5.0), ("0.5", 0.5), ("1e9", 64.0), ("0", 0.1), ("inf", 64.0), ("lots", 2.0), ("", 2.0)]
)
def test_the_environment_sets_the_largest_download(tmp_path: Path, set_to: str, gib: float) -> None:
    settings = Settings(BlenderCommand.of_python(), tmp_path)
    settings = settings.with_environment({"ASSETGEN_MAX_DOWNLOAD": set_to})
    assert settings.max_download_bytes == int(gib * 1024**3)


def test_the_environment_names_proxy_and_certificates(tmp_path: Path) -> None:
    settings = Settings(BlenderCommand.of_python(), tmp_path, proxy="http://one.test")
    assert settings.with_environment({}).proxy == "http://one.test"
    named = {"ASSETGEN_PROXY": " http://user:secret@two.test:3128 ", "ASSETGEN_CA_FILE": str(tmp_path / "firm.pem")}
    settings = settings.with_environment(named)
    assert (settings.proxy, settings.ca_file) == ("http://user:secret@two.test:3128", tmp_path / "firm.pem")
    assert "secret" not in repr(settings)
