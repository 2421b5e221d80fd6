"""The side that does the work: runs inside the background Blender."""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from .protocol import GOES_ON, PROGRESS_MARK, START, Exchange
from .stage_times import note

_ORPHANED = 3
"""Exit code of a process whose parent is gone."""

Report = Callable[[float, str], None]
"""Takes a fraction from 0 to 1 and a few words."""


def main(
    function: Callable[[dict[str, Any], Report], dict[str, Any]],
    *,
    warm_up: Callable[[], object] | None = None,
    tidy: Callable[[], object] | None = None,
) -> None:
    """Waits for the request, calls ``function(request, report)`` and stores its answer, or the error that it raised.

    Leaves the process at once afterwards: what bpy would tidy up at exit is not needed, and it has been
    seen to hang there (4.5) and to crash (4.2). An answer with :data:`.protocol.GOES_ON` has it wait for another
    request instead; after an error it never does.

    Args:
        function: Does the work.
        warm_up: Loads what the work will need. A process that was started ahead of its request does it meanwhile.
        tidy: Gives back what one request took, before the process waits for another.
    """
    exchange = Exchange(Path(sys.argv[sys.argv.index("--") + 1]))
    script = Path(function.__code__.co_filename).stem
    requests = _incoming()
    try:
        note(script, "Loading modules")
        if warm_up is not None:
            warm_up()
        note(script, "Waiting")
        while True:
            requests.get()
            request = exchange.read()
            name = str(request.get("type", script))
            note(name, "Beginning")
            result = function(request, _noting(name))
            goes_on = result.pop(GOES_ON, False)
            note(name, "Waiting")
            exchange.write_answer({"result": result})
            if not goes_on:
                break
            _send({"waits": True})
            if tidy is not None:
                tidy()
    except Exception as error:  # the one place where a script's error leaves the process: as data
        message = str(error) or type(error).__name__
        exchange.write_answer(
            {"error": {"kind": type(error).__name__, "message": message, "traceback": traceback.format_exc()}}
        )
        _leave(1)
    _leave(0)


def _leave(code: int) -> NoReturn:
    sys.stdout.flush()
    os._exit(code)


def _noting(script: str) -> Report:
    """Like :func:`report`, for a measurement too."""

    def report_stage(progress: float, message: str = "") -> None:
        note(script, message)
        report(progress, message)

    return report_stage


def report(progress: float, message: str = "") -> None:
    """Tells the parent how far the work is."""
    _send({"progress": round(progress, 4), "message": message})


def _send(news: dict[str, Any]) -> None:
    sys.stdout.write(PROGRESS_MARK + json.dumps(news) + "\n")
    sys.stdout.flush()


def _incoming() -> queue.SimpleQueue[bytes]:
    """Gets an item for each request; ends the process when the parent closes the pipe, which it also does by dying."""
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def watch() -> None:
        while byte := os.read(0, 1):
            if byte == START:
                requests.put(byte)
        os._exit(_ORPHANED)

    threading.Thread(target=watch, daemon=True, name="assetgen-parent").start()
    return requests
