"""Runs the engine's scripts as the local engine does: one background process with bpy per task."""

from __future__ import annotations

import functools
import importlib.util
from pathlib import Path
from typing import Any

import pytest
from asset_generation.vendor.background_blender import BlenderCommand, run

from ..fork_server.command import load_ahead
from .load_engine import MAIN, PACKAGES
from .small_engine import LESS

SMALL = Path(__file__).with_name("small_engine.py")
_LOADER = Path(__file__).with_name("load_engine.py")
WIDTH = 1024 // LESS
"""Pixels along a side of a texture of the usual quality then."""

needs_bpy = pytest.mark.skipif(
    importlib.util.find_spec("bpy") is None, reason="this Python has no bpy, which the engine's scripts run in"
)


@functools.cache
def forked_engine() -> BlenderCommand:
    """The command that starts the engine, loaded already, in a forked process."""
    return load_ahead(_LOADER, PACKAGES, (MAIN, SMALL))


def run_engine(
    capability: str,
    folder: Path,
    body: dict[str, Any] | None = None,
    *,
    model: Path | None = None,
    images: dict[str, Any] | None = None,
    source: dict[str, Any] | None = None,
    preview: bool | str = False,
    alone: bool = False,
    full_size: bool = False,
) -> dict[str, Any]:
    """The engine's answer to one request; its files are in ``folder``. Previews are left out unless asked for.

    ``source`` is the task that the body refers to: capability, body, facts, and files as texts by output key.
    ``alone`` starts a process that shares nothing with the others, not even the order of a set: for what has to be the
    same every time. Textures and pictures have a quarter of the pixels along a side, and motions are filmed in small,
    unless they are wanted in ``full_size``, as users get them.
    """
    request = {
        "type": capability,
        "task_id": "test",
        "body": body or {},
        "model": None if model is None else str(model),
        "images": images or {},
        "source": source,
        "output_dir": str(folder),
        "preview": preview,
    }
    command = BlenderCommand.of_python() if alone else forked_engine()
    return run(command, MAIN if full_size else SMALL, request, timeout=300)
