"""The connection to the service that the settings name: one client, made when it is first needed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from ....vendor.assetgen import Client, ConnectionFailed
from ....vendor.assetgen.addresses import host_of
from ....vendor.loopback import is_loopback
from ..errors import CoreError, InsecureAddress, NoKey, NoWebAddress, Offline, WrongService
from ..paths import Locations
from ..settings import Settings
from .api_keys import KeyStore
from .engine_process import Address, EngineProcess


class Connection:
    """Gives out the client of the current settings. Thread-safe; not for the main thread: it may start the engine.

    Args:
        settings: What to connect to.
        local: The local engine; one in the settings' data folder when left out.
    """

    def __init__(self, settings: Settings, *, local: EngineProcess | None = None) -> None:
        self._settings = settings
        self._local = local or EngineProcess(Locations(settings.data_dir).local_engine, settings.blender)
        self._lock = threading.Lock()
        self._client: Client | None = None
        self._address: Address | None = None
        self._way: tuple[str, Path | None] = ("", None)
        self._remote_address: Address | None = None
        self._retired: list[Client] = []

    @property
    def settings(self) -> Settings:
        """What is connected to."""
        return self._settings

    @property
    def is_loopback(self) -> bool:
        """Whether the service is on this machine."""
        return self._settings.is_loopback

    def use(self, settings: Settings) -> None:
        """Follows other settings from now on. Requests under way end as they began."""
        self._settings = settings
        self._local.use(settings.blender)
        with self._lock:
            self._remote_address = None  # the key may be another one now

    def warm_up(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Has the local engine start on a thread of its own, where it is what is used; :meth:`client` has its errors.

        Args:
            stopped: Ends the wait for it.
        """

        def start() -> None:
            with suppress(CoreError):
                if not stopped():
                    self._local.ensure(stopped)

        if self._settings.is_local:
            threading.Thread(target=start, daemon=True, name="assetgen-warm-up").start()

    def client(self, service_id: str, stopped: Callable[[], bool] = lambda: False) -> Client:
        """The client, to be used at once and not kept.

        Args:
            service_id: The service that the job belongs to.
            stopped: Ends the wait for a starting engine.

        Raises:
            WrongService: The settings name another service.
            Offline: The service is remote and online access is off.
            InsecureAddress: The key would travel unencrypted.
            NoKey: The service is remote and there is no key for it.
            EngineTrouble: The local engine did not start.
            ConfigurationError: The key or the address cannot be used.
        """
        settings = self._settings
        if service_id != settings.service_id:
            raise WrongService(service_id)
        address = self._local.ensure(stopped) if settings.is_local else self._remote(settings)
        with self._lock:
            way = settings.proxy, settings.ca_file
            if self._client is None or (self._address, self._way) != (address, way):
                if self._client is not None:
                    # Another thread may be in the middle of a request, even of one that creates a task.
                    self._retired.append(self._client)
                # A job that must wait gives its thread to another job meanwhile: the client itself must not sleep.
                proxy, ca_file = way
                self._client = Client(address.key, address.base_url, max_wait=0.0, proxy=proxy, ca_file=ca_file)
                self._address, self._way = address, way
            return self._client

    def check_online(self, url: str) -> None:
        """Like :func:`check_online`, for the settings of this moment."""
        check_online(self._settings, url)

    def check_service(self) -> None:
        """Like :func:`check_service`, for the settings of this moment."""
        check_service(self._settings)

    def failed(self, error: BaseException) -> None:
        """Takes note of an error, so that a local engine that does not answer is looked after before the next try."""
        with self._lock:
            address = self._address
        if isinstance(error, ConnectionFailed) and self._settings.is_local and address is not None:
            self._local.suspect(address)

    def close(self) -> None:
        """Closes every client that was given out; requests under way end with an error."""
        with self._lock:
            clients = [*self._retired, *([self._client] if self._client is not None else [])]
            self._retired = []
            self._client = None
            self._address = None
        for client in clients:
            client.close()

    def end_engine(self) -> None:
        """Ends the local engine, if it is ours."""
        self._local.stop()

    def _remote(self, settings: Settings) -> Address:
        self.check_service()
        with self._lock:
            address = self._remote_address
        if address is not None and address.base_url == settings.base_url:
            return address  # a keyring may be slow to ask, and the poller asks every second
        key = settings.api_key or KeyStore(settings.data_dir).find(settings.service_id)[0]
        if not key:
            raise NoKey(settings.service_id)
        address = Address(settings.base_url, key)
        with self._lock:
            if self._settings is settings:
                self._remote_address = address
        return address


def check_online(settings: Settings, url: str) -> None:
    """Makes sure that ``url`` may be asked: loopback always, anything else only online and encrypted.

    Raises:
        Offline: Online access is off.
        InsecureAddress: It is not https.
    """
    host = host_of(url)
    if is_loopback(host):
        return
    if not settings.online:
        raise Offline
    if urlsplit(url).scheme != "https":
        raise InsecureAddress(host)


def check_service(settings: Settings) -> None:
    """Makes sure that the service of the settings may be asked; nothing to make sure of for the local engine.

    Raises:
        NoWebAddress: Its address is none.
        Offline: It is remote and online access is off.
        InsecureAddress: The key would travel unencrypted.
    """
    if settings.is_local:
        return
    if not host_of(settings.base_url):
        raise NoWebAddress(settings.base_url)
    check_online(settings, settings.base_url)
