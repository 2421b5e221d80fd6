"""Pictures of imported models are made when somebody asks for them, and then once."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from asset_generation.vendor.assetgen_local import LocalService
from asset_generation.vendor.background_blender import BlenderFailed
from support.services.local_engine import instant_runner, local_engine, tiny_glb, tiny_png
from support.services.plain_http import plain
from support.services.references import run, upload

PICTURE = "rendered_image_url"


class Engine:
    """Does what the engine does with ``preview``, and notes what it was asked for."""

    def __init__(self, *, is_broken: bool = False) -> None:
        self.asked: list[tuple[str, Any]] = []
        self.is_broken = is_broken
        self._lock = threading.Lock()

    def __call__(self, request: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        with self._lock:
            self.asked.append((request["type"], request["preview"]))
        answer = instant_runner(request, **more)
        answer["files"][PICTURE] = "preview.png"
        if request["preview"] is True:
            time.sleep(0.2)
            if self.is_broken:
                raise BlenderFailed("no picture today")
            (Path(request["output_dir"]) / "preview.png").write_bytes(tiny_png())
        return answer


def _imported(service: LocalService) -> dict[str, Any]:
    """The task of an imported model."""
    token = upload(service, tiny_glb(), "a.glb")
    return run(service, "import_model", {"file": {"type": "glb", "file_token": token}})


def _link(service: LocalService) -> str:
    return str(_imported(service)["output"][PICTURE])


def test_an_import_is_done_before_its_picture_which_is_made_once_for_all_who_ask(tmp_path: Path) -> None:
    engine = Engine()
    with local_engine(tmp_path, runner=engine) as service:
        link = _link(service)
        assert engine.asked == [("import_model", "later")]
        engine.asked.clear()
        with ThreadPoolExecutor(3) as threads:
            answers = list(threads.map(lambda _: plain.get(link, timeout=30), range(3)))
        assert [(answer.status_code, answer.content) for answer in answers] == [(200, tiny_png())] * 3
        assert engine.asked == [("import_model", True)]
        assert plain.get(link).content == tiny_png()
        assert len(engine.asked) == 1


def test_a_picture_that_nobody_asked_for_can_still_be_had_after_a_restart(tmp_path: Path) -> None:
    with local_engine(tmp_path, runner=Engine()) as service:
        link = _link(service)
        port = service.base_url.rsplit(":", 1)[1]
    with local_engine(tmp_path, runner=Engine()) as service:
        again = link.replace(f":{port}/", f":{service.base_url.rsplit(':', 1)[1]}/")
        assert plain.get(again, timeout=30).content == tiny_png()


def test_what_nobody_draws_anew_comes_with_its_picture(tmp_path: Path) -> None:
    engine = Engine()
    with local_engine(tmp_path, runner=engine) as service:
        source = _imported(service)["task_id"]
        engine.asked.clear()
        output = run(service, "segment", {"input": source})["output"]
        assert engine.asked == [("segment", True)]
        assert plain.get(output[PICTURE]).content == tiny_png()


def test_a_picture_that_cannot_be_made_is_not_there(tmp_path: Path) -> None:
    with local_engine(tmp_path, runner=Engine(is_broken=True)) as service:
        link = _link(service)
        assert plain.get(link, timeout=30).status_code == 404
        assert plain.get(link, timeout=30).status_code == 404, "it is tried again, and says the same"


def test_a_model_that_was_decimated_is_there_before_its_picture(tmp_path: Path) -> None:
    engine = Engine()
    with local_engine(tmp_path, runner=engine) as service:
        source = _imported(service)["task_id"]
        engine.asked.clear()
        output = run(service, "decimate", {"input": source})["output"]
        assert engine.asked == [("decimate", "later")]
        assert plain.get(output[PICTURE], timeout=30).content == tiny_png()
        assert engine.asked[1:] == [("import_model", True)], "made of the model that the task gave"
