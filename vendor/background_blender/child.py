"""The side that does the work: runs inside the background Blender."""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .protocol import PROGRESS_MARK, START, Exchange

_ORPHANED = 3
"""Exit code of a process whose parent is gone."""

Report = Callable[[float, str], None]
"""Takes a fraction from 0 to 1 and a few words."""


def main(
    function: Callable[[dict[str, Any], Report], dict[str, Any]], *, warm_up: Callable[[], object] | None = None
) -> None:
    """Waits for the request, calls ``function(request, report)`` and stores its answer, or the error that it raised.

    Leaves the process at once afterwards: what bpy would tidy up at exit is not needed, and it has been
    seen to hang there (4.5) and to crash (4.2).

    Args:
        function: Does the work.
        warm_up: Loads what the work will need. A process that was started ahead of its request does it meanwhile.
    """
    exchange = Exchange(Path(sys.argv[sys.argv.index("--") + 1]))
    code = 0
    try:
        if warm_up is not None:
            warm_up()
        _wait_for_request()
        _end_with_parent()
        answer: dict[str, Any] = {"result": function(exchange.read(), report)}
    except Exception as error:  # the one place where a script's error leaves the process: as data
        message = str(error) or type(error).__name__
        answer = {"error": {"kind": type(error).__name__, "message": message, "traceback": traceback.format_exc()}}
        code = 1
    exchange.write_answer(answer)
    sys.stdout.flush()
    os._exit(code)


def report(progress: float, message: str = "") -> None:
    """Tells the parent how far the work is."""
    sys.stdout.write(PROGRESS_MARK + json.dumps({"progress": round(progress, 4), "message": message}) + "\n")
    sys.stdout.flush()


def _wait_for_request() -> None:
    """Returns when the parent says that the request is there; ends the process when the parent is gone."""
    while (byte := os.read(0, 1)) != START:
        if not byte:
            os._exit(_ORPHANED)


def _end_with_parent() -> None:
    def watch() -> None:
        # Returns when the parent closes the pipe, which it also does by dying.
        while os.read(0, 4096):
            pass
        os._exit(_ORPHANED)

    threading.Thread(target=watch, daemon=True, name="assetgen-parent").start()
