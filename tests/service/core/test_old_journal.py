"""A journal as an earlier version of the extension left it: every kind of unfinished job goes on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from asset_generation.addon.core.jobs.job import Action, Stage, StepPlan
from asset_generation.addon.core.runtime.runtime import Runtime
from asset_generation.vendor.assetgen_local import LocalService
from support.core import (
    InstantConverter,
    imported_task,
    new_plan,
    rested,
    runtime_on,
    settings_for,
    task_plan,
    wait_until,
)
from support.services.local_engine import tiny_glb

pytest_plugins = ("support.core_fixtures",)

_WRITTEN = Path(__file__).resolve().parents[2] / "support" / "journal_version_2.sql"


def test_the_jobs_of_an_old_journal_go_on(service: LocalService, converter: InstantConverter, tmp_path: Path) -> None:
    text_task, decimated_task, lost_task = _finished_tasks(service, tmp_path / "before")
    settings = settings_for(service, tmp_path / "data")
    _write_journal(
        settings.data_dir,
        {
            "/the-data": settings.data_dir.as_posix(),
            "the-service": settings.service_id,
            "the-source-task": text_task,
            "the-running-task": decimated_task,
            "the-lost-task": lost_task,
        },
    )
    with runtime_on(settings, converter=converter) as runtime:
        uploads, waits, asks, ready, failed = (job.id for job in runtime.jobs())

        assert rested(runtime, uploads).stage is Stage.READY
        (exported,) = converter.to_glb_calls
        assert [item.name for item in exported.objects] == ["Chair", "Lamp.001"]
        assert exported.frame == exported.objects[0].matrix
        assert exported.images == {"Paint": (settings.data_dir / "snapshots" / "one-0.png").as_posix()}
        assert exported.scene_frame == 24

        assert rested(runtime, waits).stage is Stage.APPLIED
        assert [path.name for path in (settings.data_dir / "out").glob("*.glb")] == ["Decimate Chair.glb"]

        assert runtime.job(asks).stage is Stage.UNCERTAIN
        runtime.act(asks, Action.ADOPT)
        adopted = rested(runtime, asks)
        assert (adopted.stage, adopted.steps[0].task_id) == (Stage.READY, lost_task)

        assert runtime.job(ready).stage is Stage.READY
        assert runtime.claim_apply(ready)
        runtime.applied(ready)
        assert runtime.job(ready).stage is Stage.APPLIED
        assert {path.name for path in (settings.data_dir / "snapshots").iterdir()} == {"one.blend", "one-0.png"}

        runtime.act(failed, Action.RETRY)
        assert rested(runtime, failed).stage is Stage.APPLIED


def _finished_tasks(service: LocalService, data_dir: Path) -> tuple[str, str, str]:
    """Tasks that the service has: of words, its decimation, and another of words that no journal knows."""
    with runtime_on(settings_for(service, data_dir)) as runtime:
        words = new_plan(StepPlan("text_to_model", {"prompt": "a chair", "model_version": "P2-20260801"}))
        text_task = rested(runtime, runtime.submit(words)).steps[0].task_id
        decimated_task = rested(runtime, runtime.submit(task_plan(text_task))).steps[0].task_id
        lost_task = rested(runtime, runtime.submit(words)).steps[0].task_id
    return text_task, decimated_task, lost_task


def _write_journal(data_dir: Path, values: dict[str, str]) -> None:
    """The old journal with these values in place of its own, and the files that it names."""
    snapshots = data_dir / "snapshots"
    snapshots.mkdir(parents=True)
    for name in ("one", "four"):
        (snapshots / f"{name}.blend").write_bytes(b"BLENDER")
        (snapshots / f"{name}-0.png").write_bytes(b"PNG")
    (data_dir / "chair.glb").write_bytes(tiny_glb())
    script = _WRITTEN.read_text(encoding="utf-8")
    for placeholder, value in values.items():
        script = script.replace(placeholder, value)
    connection = sqlite3.connect(data_dir / "journal.sqlite3")
    connection.executescript(script)
    connection.close()


def test_a_job_of_another_version_stays_as_it_is_while_the_others_go_on(
    service: LocalService, converter: InstantConverter, tmp_path: Path
) -> None:
    settings = settings_for(service, tmp_path / "data")
    with runtime_on(settings, converter=converter) as runtime:
        first = runtime.submit(task_plan(imported_task(runtime, tmp_path)))
        rested(runtime, first)
    journal = settings.data_dir / "journal.sqlite3"
    with closing(sqlite3.connect(journal)) as connection, connection:
        connection.execute(
            "UPDATE jobs SET stage = 'create', plan = json_set(plan, '$.steps[0].variants', 4) WHERE id = ?", (first,)
        )
        before = connection.execute("SELECT * FROM jobs WHERE id = ?", (first,)).fetchone()
    with runtime_on(settings, converter=converter) as runtime:
        assert first not in [job.id for job in runtime.jobs()]
        second = runtime.submit(task_plan(imported_task(runtime, tmp_path)))
        assert rested(runtime, second).stage is Stage.READY
        with runtime_on(settings, converter=converter) as other:
            third = other.submit(task_plan(imported_task(other, tmp_path)))
            assert rested(runtime_sees(runtime, third), third).stage is Stage.READY
    with closing(sqlite3.connect(journal)) as connection:
        assert connection.execute("SELECT * FROM jobs WHERE id = ?", (first,)).fetchone() == before


def runtime_sees(runtime: Runtime, job_id: str) -> Runtime:
    """The runtime, once it shows a job that another one started."""
    wait_until(lambda: job_id in [job.id for job in runtime.jobs()])
    return runtime
