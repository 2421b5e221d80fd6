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

from .protocol import MARK, Request

Report = Callable[[float, str], None]
"""Takes a fraction from 0 to 1 and a few words."""


def main(function: Callable[[dict[str, Any], Report], dict[str, Any]]) -> None:
    """Reads the request, calls ``function(request, report)`` and stores its answer, or the error that it raised.

    Leaves the process at once afterwards: what bpy would tidy up at exit is not needed and has been seen to crash.
    """
    exchange = Request(Path(sys.argv[sys.argv.index("--") + 1]))
    _end_with_parent()
    code = 0
    try:
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
    sys.stdout.write(MARK + json.dumps({"progress": round(progress, 4), "message": message}) + "\n")
    sys.stdout.flush()


def _end_with_parent() -> None:
    def watch() -> None:
        # Returns when the parent closes the pipe, which it also does by dying.
        while os.read(0, 4096):
            pass
        os._exit(3)

    if not os.isatty(0):
        threading.Thread(target=watch, daemon=True, name="assetgen-parent").start()
