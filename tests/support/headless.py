"""Starts the scripts that make uploads and results ready, in processes that have them loaded already."""

from __future__ import annotations

import functools
from pathlib import Path

from asset_generation.vendor.background_blender import BlenderCommand

from .fork_server.command import load_ahead
from .load_headless import PACKAGES, SCRIPTS

_LOADER = Path(__file__).with_name("load_headless.py")


@functools.cache
def forked_headless() -> BlenderCommand:
    """The command that starts them."""
    return load_ahead(_LOADER, PACKAGES, SCRIPTS)
