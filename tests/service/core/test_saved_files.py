"""A result that is wanted as a file at a place of the user's."""

from __future__ import annotations

import shutil
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core.errors import Refused
from asset_generation.addon.core.jobs.job import Action, Delivery, JobPlan, Stage, StepPlan
from asset_generation.addon.core.jobs.replaceable import replaceable_files
from asset_generation.addon.core.runtime.runtime import Runtime
from asset_generation.vendor.assetgen_local import LocalService
from asset_generation.vendor.background_blender import BlenderFailed
from support.core import SCENE, SECONDS, InstantConverter, rested, runtime_on, selection_plan, settings_for
from support.services.local_engine import local_engine, recorded

CREATIONS = "/v3/models/convert"
GATE = threading.Event()
"""Conversions end once it is set."""

GATE.set()

pytest_plugins = ("support.core_fixtures",)


def obj_runner(request: Mapping[str, Any], **_: Any) -> dict[str, Any]:
    assert request["type"] == "import_model" or GATE.wait(SECONDS)
    with zipfile.ZipFile(Path(request["output_dir"]) / "model.zip", "w") as archive:
        archive.writestr("model.obj", "mtllib model.mtl\nv 0 0 0\n")
        archive.writestr("model.mtl", "newmtl a\nmap_Kd wood.png\n")
        archive.writestr("wood.png", "wood")
    return {"files": {"model_url": "model.zip"}, "values": {}, "facts": {}}


@contextmanager
def obj_runtime(tmp_path: Path, converter: InstantConverter | None = None) -> Iterator[tuple[Runtime, LocalService]]:
    with (
        local_engine(tmp_path, runner=obj_runner) as service,
        runtime_on(settings_for(service, tmp_path / "data"), converter=converter) as runtime,
    ):
        yield runtime, service


def export_plan(tmp_path: Path, target: Path, *, brings_in: bool = False) -> JobPlan:
    delivery = SCENE._replace(
        folder=str(target.parent),
        file_name=target.name,
        replaceable=replaceable_files(target),
        brings_in=brings_in,
    )
    kind = {".glb": "GLTF", ".obj": "OBJ"}[target.suffix]
    return selection_plan(tmp_path, StepPlan("convert", {"format": kind}), delivery=delivery)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


def test_the_file_is_where_it_was_wanted_and_nothing_waits_for_the_scene(tmp_path: Path, out: Path) -> None:
    with obj_runtime(tmp_path) as (runtime, _):
        job = rested(runtime, runtime.submit(export_plan(tmp_path, out / "Knight.obj")))
        assert job.stage is Stage.APPLIED, job.error
        assert job.text == f"Saved as {out / 'Knight.obj'} and 2 more"
        assert names(out) == ["Knight.mtl", "Knight.obj", "Knight_wood.png"]
        assert dict(job.delivered)["model"] == str(out / "Knight.obj")
        assert job.actions == {Action.APPLY, Action.DISMISS}  # it can be brought in later


def test_bringing_it_in_is_a_choice(tmp_path: Path, out: Path) -> None:
    with obj_runtime(tmp_path) as (runtime, _):
        job_id = runtime.submit(export_plan(tmp_path, out / "Knight.obj", brings_in=True))
        assert rested(runtime, job_id).stage is Stage.READY
        assert names(out) == ["Knight.mtl", "Knight.obj", "Knight_wood.png"]
        assert runtime.claim_apply(job_id)
        runtime.applied(job_id)
        assert runtime.job(job_id).text == f"Saved as {out / 'Knight.obj'} and 2 more"


def test_a_file_that_blender_cannot_read_is_a_good_file(tmp_path: Path, out: Path) -> None:
    converter = InstantConverter()
    converter.errors.append(BlenderFailed("no importer likes it"))
    with obj_runtime(tmp_path, converter) as (runtime, _):
        job = rested(runtime, runtime.submit(export_plan(tmp_path, out / "Knight.obj")))
        assert job.stage is Stage.APPLIED, job.error
        assert job.text.startswith(f"Saved as {out / 'Knight.obj'} and 2 more. It cannot be brought in: ")
        assert job.actions == {Action.DISMISS}


def test_a_folder_that_vanished_costs_nothing_but_a_retry(tmp_path: Path, out: Path) -> None:
    with obj_runtime(tmp_path) as (runtime, service):
        GATE.clear()
        job_id = runtime.submit(export_plan(tmp_path, out / "Knight.obj"))
        out.rmdir()
        GATE.set()
        job = rested(runtime, job_id)
        assert job.stage is Stage.FAILED
        assert job.error == f"{out / 'Knight.obj'} could not be written: the folder is not there"
        assert "nothing is paid again" in job.advice
        assert job.result in job.advice
        assert Path(job.result).is_file()
        assert not out.exists()
        out.mkdir()
        runtime.act(job_id, Action.RETRY)
        assert rested(runtime, job_id).text == f"Saved as {out / 'Knight.obj'} and 2 more"
        assert len(recorded(service, CREATIONS)) == 1


def test_a_full_disk_is_told_and_tried_again_without_paying(
    tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from asset_generation.addon.core.stages import save_as

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", str(out / ".part"))

    monkeypatch.setattr(save_as, "copy_whole", full)
    with obj_runtime(tmp_path) as (runtime, service):
        job_id = runtime.submit(export_plan(tmp_path, out / "Knight.obj"))
        job = rested(runtime, job_id)
        assert job.error == f"{out / 'Knight.obj'} could not be written: the disk is full"
        assert names(out) == []
        monkeypatch.undo()
        runtime.act(job_id, Action.RETRY)
        assert rested(runtime, job_id).stage is Stage.APPLIED
        assert len(recorded(service, CREATIONS)) == 1


def test_a_file_that_came_meanwhile_stays_and_the_job_says_so(tmp_path: Path, out: Path) -> None:
    target = out / "Knight.obj"
    with obj_runtime(tmp_path) as (runtime, _):
        plan = export_plan(tmp_path, target)
        target.write_bytes(b"another's work")
        job = rested(runtime, runtime.submit(plan))
    assert target.read_bytes() == b"another's work"
    assert job.text == f"Saved as {out / 'Knight-2.obj'} and 2 more, since another Knight.obj has come there"


def test_a_file_that_was_there_at_the_press_is_overwritten(tmp_path: Path, out: Path) -> None:
    target = out / "Knight.obj"
    target.write_bytes(b"of last week")
    with obj_runtime(tmp_path) as (runtime, _):
        job = rested(runtime, runtime.submit(export_plan(tmp_path, target)))
    assert job.text == f"Saved as {target} and 2 more"
    assert target.read_bytes() == b"mtllib Knight.mtl\nv 0 0 0\n"


def test_a_folder_that_is_not_there_is_refused_before_anything_is_sent(
    runtime: Runtime, tmp_path: Path, out: Path
) -> None:
    plan = export_plan(tmp_path, out / "Knight.glb")
    shutil.rmtree(out)
    with pytest.raises(Refused, match="There is no folder"):
        runtime.submit(plan)


def test_a_plan_of_before_brings_its_result_in() -> None:
    assert Delivery() == Delivery(None, None, "", "", (), True)
