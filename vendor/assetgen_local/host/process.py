"""The engine as a process: one JSON line when it is ready, a log in its data folder, an end with its parent."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from .arguments import Arguments, read_arguments
from .data_dir import Connection, DataDirInUse, announced_connection

if TYPE_CHECKING:
    from ..options import Options
    from .service import LocalService

_DAY_SECONDS = 24 * 3600.0
_LOG_BYTES = 1024 * 1024
_LOG_FILES = 3
_ANSWER_SECONDS = 2.0
_WAIT_SECONDS = 15.0
_RETRY_SECONDS = 0.1
_END_SECONDS = 20.0
"""After its parent is gone the engine ends in any case within this time, whatever keeps it."""


def main(argv: list[str] | None = None) -> NoReturn:
    """Runs the engine until it is asked to end, or points at the one that already has the data folder.

    Raises:
        SystemExit: The arguments make no sense (code 2). Otherwise the process ends here: with 0 when it ran or another
            engine does, with 1 when it could not start. Standard error says why.
    """
    arguments = read_arguments(argv)
    # Before what Python brings of its own: a distribution's may be too old for the packages in these folders.
    sys.path[:0] = arguments.paths
    gc.disable()  # nothing that is loaded is garbage, and a press may wait for this start
    try:
        options = _options(arguments)
    except ValueError as error:
        print(f"assetgen_local: {error}", file=sys.stderr)
        sys.exit(2)
    from ..store.database import DatabaseTooNew

    try:
        code = _run(arguments, options)
    except (OSError, sqlite3.Error, DatabaseTooNew, DataDirInUse) as error:
        print(f"assetgen_local: {error}", file=sys.stderr)
        code = 1
    except Exception as error:  # the last place: a sentence for who started us, the rest for the log
        logging.getLogger(__name__).exception("the engine could not go on")
        print(f"assetgen_local: {error}", file=sys.stderr)
        code = 1
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    # A worker thread that does not let go of its engine must not keep the process.
    os._exit(code)


def _options(arguments: Arguments) -> Options:
    from decimal import Decimal, InvalidOperation

    from ...assetgen.contract import Category, RateGroup, Region
    from ...background_blender import BlenderCommand
    from ..options import DEFAULT_CREDITS, Options, default_workers
    from ..store.account import hundredths
    from ..webhook_endpoint import WebhookEndpoint

    defaults = Options()
    try:
        credits = Decimal(arguments.credits) if arguments.credits else DEFAULT_CREDITS
        prices = {name: Decimal(value) for name, value in arguments.prices.items()}
        alert = Decimal(arguments.credit_alert) if arguments.credit_alert else None
        for amount in (credits, *prices.values(), *([] if alert is None else [alert])):
            hundredths(amount)
    except InvalidOperation:
        raise ValueError("an amount of credits is not a number") from None
    return Options(
        port=arguments.port,
        key=arguments.api_key,
        blender=BlenderCommand.from_json(arguments.blender) if arguments.blender else BlenderCommand.of_python(),
        workers=default_workers(arguments.cores) if arguments.workers is None else arguments.workers,
        cores=arguments.cores,
        credits=credits,
        prices=prices,
        pools={Category(name): count for name, count in arguments.pools.items()},
        rates={RateGroup(name): count for name, count in arguments.rates.items()},
        task_seconds=defaults.task_seconds if arguments.task_seconds is None else arguments.task_seconds,
        spare_seconds=defaults.spare_seconds if arguments.spare_seconds is None else arguments.spare_seconds,
        region=Region(arguments.region),
        queue_seconds=arguments.queue_seconds,
        keep_seconds=None if arguments.keep_days is None else arguments.keep_days * _DAY_SECONDS,
        denied=arguments.denied,
        denied_output=arguments.denied_output,
        webhooks=tuple(WebhookEndpoint.parse(text) for text in arguments.webhooks),
        credit_alert=alert,
        faults=arguments.faults,
    )


def _run(arguments: Arguments, options: Options) -> int:
    from .service import LocalService

    service = LocalService(arguments.data, options)
    gc.enable()
    if arguments.end_with_stdin:
        _end_with_stdin(service.request_stop)
    _end_with_signals(service)
    deadline = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            service.run(lambda connection: _ready(connection, arguments.data))
            return 0
        except DataDirInUse:
            # The other one may be just starting, or just ending.
            connection = announced_connection(arguments.data)
            if connection is not None and _is_answering(connection):
                print(connection.to_json(shared=True), flush=True)
                return 0
            if time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_SECONDS)


def _ready(connection: Connection, data: Path) -> None:
    _log_to(data / "engine.log")
    logging.getLogger(__name__).info("ready at %s, process %d", connection.base_url, connection.pid)
    print(connection.to_json(), flush=True)


def _log_to(path: Path) -> None:
    from logging.handlers import RotatingFileHandler

    handler = RotatingFileHandler(path, maxBytes=_LOG_BYTES, backupCount=_LOG_FILES, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)


def _is_answering(connection: Connection) -> bool:
    """Whether an engine is there and takes its key."""
    import http.client

    client = http.client.HTTPConnection("127.0.0.1", connection.port, timeout=_ANSWER_SECONDS)
    try:
        client.request("GET", "/v3/account/balance", headers={"Authorization": f"Bearer {connection.key}"})
        return client.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        client.close()


def _end_with_stdin(request_stop: Callable[[], None]) -> None:
    def watch() -> None:
        # Returns when the parent closes the pipe, which it also does by dying.
        while os.read(0, 4096):
            pass
        request_stop()
        time.sleep(_END_SECONDS)
        os._exit(3)

    threading.Thread(target=watch, daemon=True, name="assetgen-parent").start()


def _end_with_signals(service: LocalService) -> None:
    def end(_number: int, _frame: object) -> None:
        service.request_stop()

    for name in ("SIGINT", "SIGTERM", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)
