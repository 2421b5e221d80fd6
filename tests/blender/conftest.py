"""Set-up of the tests that need bpy: the extension enabled in an empty file, and a service that answers at once."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

bpy = pytest.importorskip("bpy", reason="this Python has no bpy")

from asset_generation.vendor.background_blender import BlenderCommand  # noqa: E402
from load_extension import PACKAGE, enable_extension  # noqa: E402
from support import addon as helpers  # noqa: E402
from support.headless import forked_headless  # noqa: E402
from support.hurry import look_often  # noqa: E402
from support.services.local_engine import KEY, local_engine  # noqa: E402

_SHORTER = {"scripting": ("LOOK_SECONDS", 0.01), "balance": ("PAUSE_SECONDS", 0.2)}
"""Module of the bridge → what nobody who waits for a job here has the time for."""


@pytest.fixture
def background_blender() -> BlenderCommand | None:
    """How the extension starts its background Blenders; None is the way it does so for users."""
    return forked_headless()


@pytest.fixture
def addon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, background_blender: BlenderCommand | None
) -> Iterator[SimpleNamespace]:
    """The extension in an empty file, with a data folder of its own; no service is set, so it is the local one."""
    monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path / "data"))
    package = PACKAGE if PACKAGE in bpy.context.preferences.addons else enable_extension().__name__
    bpy.ops.wm.read_homefile(use_empty=True)
    scene = bpy.context.scene
    scene.collection.children.link(bpy.data.collections.new("Work"))
    layer = bpy.context.view_layer.layer_collection.children["Work"]
    bpy.context.view_layer.active_layer_collection = layer
    modules = (
        "arrivals",
        "handlers",
        "idle",
        "key_field",
        "objects.fingerprint",
        "objects.image_content",
        "objects.provenance",
        "objects.transforms",
        "preflight",
        "prefs",
        "preload",
        "pump",
        "results.apply_model",
        "results.apply_result",
        "results.free_place",
        "results.motions.actions",
        "results.open_file",
        "scripting",
        "session",
        "state",
        "storage",
    )
    bridge = {name.rpartition(".")[2]: importlib.import_module(f"{package}.addon.bridge.{name}") for name in modules}
    bridge |= {name: getattr(bridge[name], name) for name in ("open_file", "session", "state")}
    look_often(monkeypatch, package)
    for name, (number, seconds) in _SHORTER.items():
        monkeypatch.setattr(importlib.import_module(f"{package}.addon.bridge.{name}"), number, seconds)
    bridge["motion_actions"] = bridge.pop("actions")
    if background_blender is not None:
        monkeypatch.setattr(bridge["prefs"], "blender_command", lambda: background_blender)
    yield SimpleNamespace(package=package, data=tmp_path / "data", **bridge)
    bridge["session"].shutdown()
    bridge["pump"].stop()


@pytest.fixture
def service(
    request: pytest.FixtureRequest, addon: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Any]:
    """A running engine that gives back what it gets; ``@pytest.mark.parametrize("service", [{...}], indirect=True)``
    changes its options.
    """
    options = {"runner": helpers.echo_runner, **getattr(request, "param", {})}
    with local_engine(tmp_path, **options) as running:
        monkeypatch.setenv("ASSETGEN_BASE_URL", running.base_url)
        monkeypatch.setenv("ASSETGEN_API_KEY", KEY)
        yield running
        addon.session.shutdown()
