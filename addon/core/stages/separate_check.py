"""Checks of files with a large description in them, by a Python of their own.

To read 15 MB of JSON keeps all threads of a Python waiting for half a second, Blender's window among them.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from ..errors import BrokenResult, EngineTrouble
from ..log import logger

log = logger(__name__)

LARGE = 256 * 1024
"""Bytes of JSON that are worth the start of a process; to read fewer takes less than 5 ms."""

_CORE = Path(__file__).resolve().parents[1]
_SECONDS = 120.0
_PROGRAM = f"""
import sys
sys.path.insert(0, sys.argv[1])
from {_CORE.name}.stages.separate_check import answer
answer(*sys.argv[2:])
"""


def run_check(module: str, function: str, *paths: Path) -> Any:
    """Calls a function of a module of this folder with paths, in a process of its own, and returns what it returned.

    Where there is no other Python, it is called here.

    Raises:
        BrokenResult: The function did.
    """
    from ..service.engine_process import python_program  # here: the other side cannot import it

    try:
        python = python_program()
    except EngineTrouble:
        return _call(module, function, paths)
    argv = [python, "-I", "-B", "-c", _PROGRAM, str(_CORE.parent), module, function, *map(str, paths)]
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    try:
        done = subprocess.run(argv, capture_output=True, timeout=_SECONDS, creationflags=flags, check=True)
        answer = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        log.warning("%s is checked here, since no process could do it: %s", paths[0], error)
        return _call(module, function, paths)
    if answer["broken"]:
        raise BrokenResult(answer["broken"])
    return answer["value"]


def answer(module: str, function: str, *paths: str) -> None:
    """The other side: calls the function and prints what became of it."""
    value, broken = None, ""
    try:
        value = _call(module, function, tuple(map(Path, paths)))
    except BrokenResult as error:
        broken = str(error)
    json.dump({"value": value, "broken": broken}, sys.stdout)


def _call(module: str, function: str, paths: tuple[Path, ...]) -> Any:
    return getattr(importlib.import_module(f".{module}", __package__), function)(*paths)
