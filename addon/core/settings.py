"""The preferences that jobs run with, as a frozen copy that is taken on the main thread.

(No postponed annotations in this file: each of them would be compiled while the extension is enabled.)
"""

import os
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import SplitResult, urlsplit

from ...vendor.loopback import is_loopback

if TYPE_CHECKING:
    from ...vendor.background_blender import BlenderCommand

KEY_VARIABLE = "ASSETGEN_API_KEY"
URL_VARIABLE = "ASSETGEN_BASE_URL"
DATA_VARIABLE = "ASSETGEN_DATA_DIR"
MARK_VARIABLE = "ASSETGEN_MARK_REQUESTS"
REGION_VARIABLE = "ASSETGEN_REGION"
DOWNLOAD_VARIABLE = "ASSETGEN_MAX_DOWNLOAD"
CORES_VARIABLE = "ASSETGEN_CORES"
PROXY_VARIABLE = "ASSETGEN_PROXY"
CA_VARIABLE = "ASSETGEN_CA_FILE"

_OFF = frozenset({"0", "false", "no", "off"})

DOWNLOAD_LABEL = "Largest Download (GiB)"
"""What the preference is called, and what sends users to it."""

GIB = 1024**3
SMALLEST_DOWNLOAD, USUAL_DOWNLOAD, LARGEST_DOWNLOAD = 0.1, 2.0, 64.0
"""In GiB: what may be set as the largest download, and what it is where nothing was set."""

LOCAL = "local"
"""Service id of the local engine."""


class Region(StrEnum):
    """Which deployment of the service is asked: in some points each takes something else (docs/api.md, 9.1)."""

    INTERNATIONAL = "international"
    CHINA = "china"
    LOCAL = "local"
    CUSTOM = "custom"
    """A deployment of which nothing is known."""


class Settings(NamedTuple):
    """One connection and where its data lives.

    ``base_url`` empty means the local engine, which is then started as a child process. ``online`` is Blender's
    "Allow Online Access"; loopback is exempt from it. ``mark_requests`` is whether creation requests carry markers.
    ``remote_region`` is where the service at ``base_url`` is; :attr:`region` is to be asked. ``proxy`` empty means what
    the system has set; ``ca_file`` has certificates that are trusted beside the system's.
    """

    blender: "BlenderCommand"
    data_dir: Path
    base_url: str = ""
    api_key: str = ""
    online: bool = True
    max_download_bytes: int = int(USUAL_DOWNLOAD * GIB)
    mark_requests: bool = True
    remote_region: Region = Region.CUSTOM
    proxy: str = ""
    ca_file: Path | None = None

    @property
    def is_local(self) -> bool:
        """Whether the extension's own local engine is used."""
        return not self.base_url

    @property
    def region(self) -> Region:
        """Whose rules hold."""
        return Region.LOCAL if self.is_local else self.remote_region

    @property
    def service_id(self) -> str:
        """Names the service that a task id belongs to; the same for every start of the local engine."""
        return LOCAL if self.is_local else service_id_of(self.base_url)

    @property
    def is_loopback(self) -> bool:
        """Whether the service is on this machine, so that Blender's online access does not concern it."""
        return self.is_local or is_loopback(_split(self.base_url).hostname or "")

    def with_environment(self, environment: Mapping[str, str] = os.environ) -> "Settings":
        """The environment wins over preferences."""
        settings = self
        if url := environment.get(URL_VARIABLE):
            # The preferences' region is that of the preferences' address.
            settings = settings._replace(base_url=url.rstrip("/"), remote_region=Region.CUSTOM)
        if (region := environment.get(REGION_VARIABLE, "").lower()) in set(Region):
            settings = settings._replace(remote_region=Region(region))
        if key := environment.get(KEY_VARIABLE):
            settings = settings._replace(api_key=key)
        if folder := environment.get(DATA_VARIABLE):
            settings = settings._replace(data_dir=Path(folder).expanduser().absolute())
        if mark := environment.get(MARK_VARIABLE):
            settings = settings._replace(mark_requests=mark.strip().lower() not in _OFF)
        if proxy := environment.get(PROXY_VARIABLE, "").strip():
            settings = settings._replace(proxy=proxy)
        if file := environment.get(CA_VARIABLE):
            settings = settings._replace(ca_file=Path(file).expanduser().absolute())
        if size := download_bytes(environment.get(DOWNLOAD_VARIABLE, "")):
            settings = settings._replace(max_download_bytes=size)
        if (cores := environment.get(CORES_VARIABLE, "").strip()).isdecimal():
            settings = settings._replace(blender=settings.blender.limited(int(cores)))
        return settings

    def __repr__(self) -> str:
        return f"Settings(service={self.service_id!r}, data_dir={str(self.data_dir)!r}, online={self.online})"


def download_bytes(gib: str | float) -> int:
    """A limit in GiB as bytes, within its bounds; 0 when it is no number."""
    try:
        return int(min(LARGEST_DOWNLOAD, max(SMALLEST_DOWNLOAD, float(gib))) * GIB)
    except ValueError:
        return 0


def service_id_of(address: str) -> str:
    """Names the service at an address: its host, with the port where it has one; empty when it is no address."""
    return _split(address).netloc


def _split(address: str) -> SplitResult:
    try:
        return urlsplit(address.strip())
    except ValueError:  # brackets that hold no address
        return urlsplit("")
