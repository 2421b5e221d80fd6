"""Real geometry behind the real HTTP face: tasks that work on what earlier tasks gave."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from asset_generation.vendor.assetgen_local.background import engine
from support.engine.engine_run import SMALL, needs_bpy
from support.fork_server.command import forked_python
from support.requests.bodies import V31
from support.services.local_engine import ask, local_engine
from support.services.references import run

pytestmark = [needs_bpy, pytest.mark.once]


@pytest.mark.slow
def test_images_views_and_models_follow_from_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "ENGINE_SCRIPT", SMALL)  # it is about what follows from what, not about the pixels
    blender = forked_python()
    with local_engine(tmp_path, runner=None, capabilities=None, workers=1, blender=blender) as service:

        def work(name: str, **body: Any) -> tuple[str, dict[str, Any]]:
            detail = run(service, name, body)
            return detail["task_id"], detail["output"]

        image, _ = work("text_to_image", prompt="a red chair", size="256x256")
        views, shown = work("image_to_multiview", input=image)
        edited, changed = work("edit_multiview", original_task_id=views, prompts=[{"view": "left", "prompt": "blue"}])
        same = {
            view: httpx.get(shown[f"{view}_view_url"]).content == httpx.get(changed[f"{view}_view_url"]).content
            for view in ("front", "left", "back", "right")
        }
        assert same == {"front": True, "left": False, "back": True, "right": True}
        _, output = work(
            "multiview_to_model", original_model_task_id=edited, model_version=V31, texture=False, pbr=False
        )
        assert httpx.get(output["model_url"]).content[:4] == b"glTF"
        assert ask(service, "GET", "/v3/account/balance")["frozen"] == 0
