"""The local engine removes files after their time, and nothing that is still needed."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from asset_generation.vendor.background_blender import BlenderStopped
from support.services.local_engine import ask, instant_runner, local_engine, tiny_png, wait_for_end
from support.services.plain_http import plain
from support.services.references import make_references, post, refused, run, upload

DAY = 24 * 3600.0


def stored(tmp_path: Path) -> set[str]:
    """Names of uploads, and of tasks that have results."""
    root = tmp_path / "local_engine"
    uploads = {path.stem for path in (root / "uploads").iterdir()}
    return uploads | {path.parent.name for path in (root / "tasks").glob("*/*")}


def test_files_go_after_their_time_and_tasks_stay(tmp_path: Path) -> None:
    now = [1_000_000.0]
    with local_engine(tmp_path, clock=lambda: now[0], link_seconds=9 * DAY) as service:
        references = make_references(service)
        link = run(service, "text_to_image", {"prompt": "a"})["output"]["generated_image_url"]
        presigned = ask(service, "POST", "/v3/files/presign", {})["file_token"]
        before = ask(service, "GET", "/v3/account/usage")
        now[0] += DAY
        young = upload(service, tiny_png(), "young.png")
        kept = run(service, "image_to_multiview", {"input": young})
    with local_engine(tmp_path, clock=lambda: now[0], keep_seconds=DAY) as service:
        assert stored(tmp_path) == {young, kept["task_id"]}
        for token in (references.image, presigned):
            assert "not valid or has expired" in refused(service, "image_to_splat", {"input": token})
        source = references.tasks["import_model"]
        assert "none any more" in refused(service, "decimate", {"original_model_task_id": source})
        assert ask(service, "GET", f"/v3/tasks/{source}")["output"] == {}
        riggable = ask(service, "GET", f"/v3/tasks/{references.tasks['rig_check']}")["output"]
        assert riggable == {"riggable": True, "rig_type": "biped"}
        assert plain.get(service.base_url + link[link.index("/_files") :]).status_code == 404
        assert ask(service, "GET", "/v3/account/usage")["items"][1:] == before["items"]
        assert post(service, "image_to_splat", {"input": young}).status_code == 200
        body = {"original_task_id": kept["task_id"], "prompts": [{"view": "left", "prompt": "red"}]}
        assert run(service, "edit_multiview", body)


def test_what_an_unfinished_task_works_on_stays(tmp_path: Path) -> None:
    now, go = [1_000_000.0], threading.Event()

    def held(request: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        while request["type"] == "texture" and not go.wait(0.01):
            if more["stopped"]():
                raise BlenderStopped("stopped")
        return instant_runner(request, **more)

    with local_engine(tmp_path, runner=held, clock=lambda: now[0]) as service:
        references = make_references(service)
        source = references.tasks["import_model"]
        body = {"original_model_task_id": source, "texture_prompt": {"images": [references.image] * 4}}
        waiting = ask(service, "POST", "/v3/models/texture", body)["task_id"]
    now[0] += 2 * DAY
    with local_engine(tmp_path, runner=held, clock=lambda: now[0], keep_seconds=DAY) as service:
        assert {source, references.image} <= stored(tmp_path)
        assert references.model not in stored(tmp_path)
        go.set()
        assert wait_for_end(service, waiting)["status"] == "success"
