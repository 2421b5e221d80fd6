"""What only an online service has: an account, prices, a budget. A service on loopback stands in for it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import bpy

from . import camera, panel, studio

if TYPE_CHECKING:
    from devtools.window.driver import Stage

Steps = Iterator[float]

_ADDRESS = "http://127.0.0.1:8347"
_CHARGED = (("text_to_model", "40", 3600), ("texture", "12.5", 0), ("rig", "25", 0))
"""Capability, credits, and how many seconds ago; each five times."""


def online(stage: Stage) -> Steps:
    """The way to a service and what it shows of the account."""
    yield from studio.begin(stage)
    values = bpy.context.preferences.addons[studio.PACKAGE].preferences
    values.service, values.base_url = "REMOTE", "https://api.service.example"
    bpy.context.preferences.system.use_online_access = True  # without a key nothing is sent
    yield 1.0
    yield from camera.side_bar(stage, "no-key")
    values.base_url, values.key, values.monthly_budget = _ADDRESS, "key-of-a-picture", 500
    bpy.context.preferences.system.use_online_access = False
    session, state, keys = stage.bridge("session").session, stage.bridge("state").state, stage.bridge("key_field")
    yield from stage.wait_for("the key is kept", lambda: not keys.is_asking())
    yield 1.0
    yield from stage.wait_for("the runtime is there", lambda: session.ready is not None and not session.loading)
    spend(session)
    bpy.ops.assetgen.test_service()
    yield from stage.wait_for("the balance", lambda: state.service is not None)
    assert state.service.ok, state.service
    yield from panel.preferences(stage, "preferences-online")
    open_credits()
    stage.choose("text_to_model")
    fields = bpy.context.scene.asset_generation.text_to_model
    fields.prompt, fields.model_version = "a red wooden chair", "P2-20260801"
    yield from camera.side_bar(stage, "credits")
    values.monthly_budget = 400
    region = stage.region("WINDOW")
    x, y = region.x + region.width // 2, region.y + region.height // 2
    yield from stage.move(x, y)
    bpy.ops.assetgen.text_to_model("INVOKE_DEFAULT", use_panel_settings=True)
    yield from camera.window(stage, "budget")
    yield from panel.escape(stage, x, y)


def spend(session: object) -> None:
    """Has the journal know of tasks that were charged."""
    charged = studio.module("core.jobs.spending_table").ChargedTask
    ledger = session.ready._runtime._started.ledger
    for capability, credits, ago in _CHARGED:
        for _ in range(5):
            ledger.add(charged(session.settings.service_id, capability, credits, time.time() - ago))


def open_credits() -> None:
    """Has the part about credits be open from the beginning."""
    part = studio.module("ui.credits_panel").ASSETGEN_PT_credits
    bpy.utils.unregister_class(part)
    part.bl_options = set()
    bpy.utils.register_class(part)
