"""``blender --command assetgen ...``: registered when the extension is enabled, imported when it is called."""

from __future__ import annotations

import atexit
from typing import Any

import bpy

NAME = "assetgen"

_registered: list[Any] = []
"""What Blender gave for the registration, to end it with."""


def register() -> None:
    """Makes the command known to Blender.

    The bpy module of 4.2 and 4.5 crashes at exit when a command is still registered then.
    """
    atexit.register(_take_back)
    _registered.append(bpy.utils.register_cli_command(NAME, _run))  # type: ignore[func-returns-value]  # the stub's error


def unregister() -> None:
    """Takes the command back."""
    atexit.unregister(_take_back)
    _take_back()


def _take_back() -> None:
    while _registered:
        bpy.utils.unregister_cli_command(_registered.pop())


def _run(arguments: list[str]) -> int:
    from .main import main

    return main(arguments, prog=f"blender --command {NAME}")
