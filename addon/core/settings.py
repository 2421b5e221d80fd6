"""The preferences that jobs run with, as a frozen copy that is taken on the main thread."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from ...vendor.background_blender import BlenderCommand

KEY_VARIABLE = "ASSETGEN_API_KEY"
URL_VARIABLE = "ASSETGEN_BASE_URL"
DATA_VARIABLE = "ASSETGEN_DATA_DIR"

LOCAL = "local"
"""Service id of the local engine."""


@dataclass(frozen=True, slots=True)
class Settings:
    """One connection and where its data lives.

    ``base_url`` empty means the local engine, which is then started as a child process. ``online`` is Blender's
    "Allow Online Access"; loopback is exempt from it.
    """

    blender: BlenderCommand
    data_dir: Path
    base_url: str = ""
    api_key: str = ""
    online: bool = True
    max_download_bytes: int = 2 * 1024**3

    @property
    def is_local(self) -> bool:
        """Whether the extension's own local engine is used."""
        return not self.base_url

    @property
    def service_id(self) -> str:
        """Names the service that a task id belongs to; the same for every start of the local engine."""
        return LOCAL if self.is_local else urlsplit(self.base_url).netloc

    def with_environment(self, environment: Mapping[str, str] = os.environ) -> Settings:
        """The environment wins over preferences."""
        settings = self
        if url := environment.get(URL_VARIABLE):
            settings = replace(settings, base_url=url.rstrip("/"))
        if key := environment.get(KEY_VARIABLE):
            settings = replace(settings, api_key=key)
        if folder := environment.get(DATA_VARIABLE):
            settings = replace(settings, data_dir=Path(folder).expanduser().absolute())
        return settings

    def __repr__(self) -> str:
        return f"Settings(service={self.service_id!r}, data_dir={str(self.data_dir)!r}, online={self.online})"
