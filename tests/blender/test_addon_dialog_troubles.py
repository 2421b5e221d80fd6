"""What a dialog says of fields: it is not drawn again when an answer has come, so no old one may stand there."""

from __future__ import annotations

import importlib
import time
from typing import Any

import bpy


def test_a_dialog_does_not_say_of_new_words_what_was_wrong_with_the_old_ones(addon: Any) -> None:
    checks = importlib.import_module(f"{addon.package}.addon.ops.checks")
    info = importlib.import_module(f"{addon.package}.addon.props.task_properties").CAPABILITIES["text_to_model"]
    pump = importlib.import_module(f"{addon.package}.addon.bridge.pump")
    importlib.import_module(f"{addon.package}.addon.bridge.session").session.runtime()
    group = bpy.context.scene.asset_generation.text_to_model
    until = time.monotonic() + 30
    while not checks.panel_troubles(info, group).refusal[1] and time.monotonic() < until:
        pump.tick()
        time.sleep(0.02)
    assert "Prompt" in checks.panel_troubles(info, group, is_drawn_again=False).refusal[1]
    group.prompt = "a tall wooden chair"
    assert checks.panel_troubles(info, group, is_drawn_again=False).refusal == ("", "")
    assert "Prompt" in checks.panel_troubles(info, group).refusal[1], "the panel says the old until the new has come"
