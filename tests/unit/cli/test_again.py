"""A job once more from the command line, and the history."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.cli.main import main
from asset_generation.addon.core.jobs.job import Delivery, JobPlan, Source, SourceKind, Stage, StepPlan
from asset_generation.addon.core.jobs.journal import Journal
from asset_generation.addon.core.paths import Locations
from support.services.local_engine import KEY, local_engine, tiny_glb

Run = Callable[..., tuple[int, list[dict[str, Any]]]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Runs a command against an engine that is asked like an online service."""
    with local_engine(tmp_path) as running:
        monkeypatch.setenv("ASSETGEN_BASE_URL", running.base_url)
        monkeypatch.setenv("ASSETGEN_API_KEY", KEY)
        monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path / "data"))
        monkeypatch.chdir(tmp_path)

        def call(*arguments: object) -> tuple[int, list[dict[str, Any]]]:
            code = main([*map(str, arguments), "--json"])
            return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

        yield call


def test_a_job_runs_again_and_uploads_nothing(run: Run, tmp_path: Path) -> None:
    model = tmp_path / "chair.glb"
    model.write_bytes(tiny_glb())
    code, told = run("texture", model, "--text", "red paint", "--out", tmp_path / "a")
    assert code == 0
    first = told[-1]
    model.unlink()
    assert run("jobs", "dismiss", first["job"])[0] == 0
    assert [job["job"] for job in run("jobs", "list")[1]] == []
    assert [job["job"] for job in run("jobs", "list", "--all", "--search", "red")[1]] == [first["job"]]
    assert run("jobs", "list", "--all", "--search", "blue")[1] == []
    code, told = run("jobs", "again", first["job"], "--out", tmp_path / "b")
    assert code == 0
    assert len(told[-1]["tasks"]) == 1, "what was uploaded is at the service still"
    assert list((tmp_path / "b").iterdir())
    code, told = run("jobs", "again", first["job"], "--variants", "2", "--out", tmp_path / "c")
    done = [event for event in told if event["event"] == "done"]
    assert code == 0
    assert len({event["name"] for event in done}) == 2
    assert all(", seed " in event["name"] for event in done)


@pytest.mark.parametrize(
    ("capability", "fields"),
    [("image_to_model", {"file": "oak.png", "model_version": "v3.1-20260211"}), ("texture", {"image": "oak.png"})],
)
def test_no_variants_that_would_be_equal(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    capability: str,
    fields: dict[str, Any],
) -> None:
    monkeypatch.delenv("ASSETGEN_BASE_URL", raising=False)
    monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path))
    plan = JobPlan("It", Source(SourceKind.TASK, task_id="task"), (StepPlan(capability, fields),), Delivery())
    with closing(Journal(Locations(tmp_path).journal, owner="")) as journal:
        journal.add("1", plan, "local", Stage.FAILED)
    assert main(["jobs", "again", "1", "--variants", "2"]) == 2
    assert "makes the same with every seed here, so variants would be equal" in capsys.readouterr().err


def test_what_cannot_be_run_again_is_said(run: Run) -> None:
    code, told = run("jobs", "again", "none")
    assert (code, told[-1]["message"]) == (2, "There is no job none. assetgen jobs list --all shows those there are.")
    assert run("jobs", "again", "none", "--variants", "9")[0] == 2
