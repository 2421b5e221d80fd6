from __future__ import annotations

from pathlib import Path

from asset_generation.addon.core.service.connection import Connection
from asset_generation.addon.core.settings import Settings
from asset_generation.vendor.background_blender import BlenderCommand

SERVICE = "service.test"


def test_another_way_to_the_service_is_another_client(tmp_path: Path) -> None:
    settings = Settings(BlenderCommand.of_python(), tmp_path, base_url=f"https://{SERVICE}", api_key="k")
    connection = Connection(settings)
    first = connection.client(SERVICE)
    connection.use(settings._replace(max_download_bytes=1))
    assert connection.client(SERVICE) is first, "a request that runs keeps its connection"
    connection.use(settings._replace(proxy="http://proxy.test:3128"))
    behind_proxy = connection.client(SERVICE)
    assert behind_proxy is not first
    connection.use(settings._replace(proxy="http://proxy.test:3128", ca_file=tmp_path / "firm.pem"))
    assert connection.client(SERVICE) is not behind_proxy
    connection.close()
