"""Every capability from the panel, against a stand-in that takes only what the API's text shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import pytest
from asset_generation.vendor.assetgen.contract import CAPABILITIES, capability
from support.addon import select
from support.services.local_engine import tiny_glb, tiny_png, tiny_splat
from support.services.stand_in import KEY, StandIn, stand_in


@pytest.fixture
def service(addon: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    with stand_in(model=tiny_glb(), image=tiny_png(), splat=tiny_splat()) as running:
        monkeypatch.setenv("ASSETGEN_BASE_URL", running.base_url)
        monkeypatch.setenv("ASSETGEN_API_KEY", KEY)
        yield running
        addon.session.shutdown()


@pytest.mark.slow
def test_all_panels_send_what_the_text_shows(service: StandIn, addon: Any, tmp_path: Path) -> None:
    picture = tmp_path / "look.png"
    picture.write_bytes(tiny_png())
    image = str(picture)
    done: list[str] = []

    def run(name: str, on: Any = None, **values: Any) -> Any:
        """Fills in the panel, presses Run, and gives the object that came."""
        if on is not None:
            select(on)
        group = getattr(bpy.context.scene.asset_generation, name)
        for field, value in values.items():
            setattr(group, field, value)
        assert getattr(bpy.ops.assetgen, name)(use_panel_settings=True) == {"FINISHED"}, name
        assert service.complaints() == []
        done.append(name)
        found = addon.scripting.result_objects()
        return found[0] if found else None

    chair = run("text_to_model", prompt="a chair", style_image=image, texture=False, generate_parts=True)
    run("image_to_model", file=image)
    run("image_to_splat", file=image)
    run("text_to_image", prompt="a chair", size="auto")
    run("image_to_image", prompt="older", files=image)
    run("image_to_multiview", file=image)
    views = addon.scripting.last_job().steps[-1].task_id
    run("edit_multiview", original_task_id=views, back="red")
    run("multiview_to_model", front=image, left=image)
    run("refine", chair)
    run("texture", chair, image=image)
    run("stylize", chair, style="voxel", block_size=0.5)
    run("convert", chair, format="STL", scale_factor=0.01)
    run("import_model", chair)
    run("decimate", chair, face_limit=600, extra='{"brand_new": [1]}', parameters='{"deep": 2}')
    run("segment", chair, ref_image=image)
    run("smart_segment", chair)
    parts = addon.scripting.result_objects()[0]
    run("complete", parts)
    run("rig_check", chair)
    rigged = run("rig", chair)
    run("retarget", rigged)

    assert sorted(done) == sorted(CAPABILITIES)
    sent = {name: service.sent(capability(name).endpoint)[-1] for name in CAPABILITIES}
    assert sent["image_to_model"]["input"].startswith("file_")
    assert sent["segment"]["ref_image"].startswith("file_")
    assert sent["texture"]["texture_prompt"]["image"].startswith("file_")
    assert set(sent["image_to_image"]["files"][0]) == {"type", "file_token"}
    assert "original_model_task_id" not in sent["decimate"] and sent["decimate"]["input"] in service.tasks
    assert (sent["decimate"]["brand_new"], sent["decimate"]["parameters"]) == ([1], {"deep": 2})
    assert sent["convert"]["scale_factor"] == 0.01
    assert sent["text_to_model"]["pbr"] is False
    with pytest.raises(RuntimeError, match=r"Extra: .* is not a JSON object"):
        bpy.ops.assetgen.text_to_image(prompt="a", extra="brand_new")
