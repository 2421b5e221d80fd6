"""What the data folder takes, and how results are deleted: never one that is needed, never half of one."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from asset_generation.addon.core.jobs.job import Delivery, JobPlan, Source, SourceKind, Stage, StepPlan
from asset_generation.addon.core.jobs.journal import Journal
from asset_generation.addon.core.paths import Locations
from asset_generation.addon.core.storage import words
from asset_generation.addon.core.storage.deletion import delete
from asset_generation.addon.core.storage.folders import TRASH
from asset_generation.addon.core.storage.report import DAY, StoredResult, by_age, older_than
from asset_generation.addon.core.storage.scan import scan

MODEL = b"m" * 1000
HOST = "api.service.example"


class DataFolder:
    """A data folder with a journal whose clock the test sets."""

    def __init__(self, path: Path) -> None:
        self.locations = Locations(path)
        self.now = time.time()
        self.journal = Journal(self.locations.journal, "me", clock=lambda: self.now)

    def add(
        self,
        job_id: str,
        *,
        days: float = 0.0,
        stage: Stage = Stage.APPLIED,
        used: bool = True,
        files: bool = True,
        path: str = "",
        **columns: object,
    ) -> Path:
        """A job of some days ago and the folder with its model."""
        source = Source(SourceKind.MODEL_FILE, path) if path else Source(SourceKind.TASK, task_id="t0")
        plan = JobPlan(f"Job {job_id}", source, (StepPlan("decimate"),), Delivery())
        present, self.now = self.now, self.now - days * DAY
        self.journal.add(job_id, plan, HOST, Stage.CREATE)
        self.now = present
        self.journal.record_task(job_id, f"task-{job_id}", "")
        folder = self.locations.results(job_id)
        folder.mkdir(parents=True)
        model = folder / "model.glb"
        model.write_bytes(MODEL)
        if files:
            columns |= {"result": str(model), "files": [("model", str(model))], "blend": str(model)}
        step = {"status": "success", "credits": "25"}
        self.journal.change(job_id, step=step, stage=stage, used_at=self.now if used else 0, **columns)
        return folder

    def scanned(self) -> dict[str, StoredResult]:
        return {result.id: result for result in scan(self.locations).results}


@pytest.fixture
def data(tmp_path: Path) -> Iterator[DataFolder]:
    folder = DataFolder(tmp_path / "data")
    yield folder
    folder.journal.close()


def test_every_folder_is_counted_and_what_is_known_of_it_is_told(data: DataFolder) -> None:
    data.add("used", days=2)
    data.add("unused", used=False)
    broken = data.add("broken", days=40) / "model.glb.broken"
    broken.write_bytes(b"x" * 500)
    data.add("off-the-list", used=False)
    data.journal.remove("off-the-list")
    orphan = data.locations.results("orphan")
    orphan.mkdir()
    (orphan / "model.glb").write_bytes(b"o" * 10)
    data.locations.snapshots.mkdir()
    (data.locations.snapshots / "s.blend").write_bytes(b"s" * 7)
    (data.locations.local_engine / "tasks").mkdir(parents=True)
    (data.locations.local_engine / "tasks" / "model.glb").write_bytes(b"e" * 9)
    report = scan(data.locations)
    found = {result.id: result for result in report.results}
    assert report.results[0].id == "broken", "the largest first"
    assert (found["broken"].bytes, report.set_aside, report.set_aside_files) == (1500, 500, 1)
    assert (report.snapshots, report.local_engine) == (7, 9)
    assert found["used"].name == "Job used"
    assert (found["used"].is_listed, found["off-the-list"].is_listed) == (True, False)
    assert [name for name, result in found.items() if result.never_used] == ["off-the-list", "unused", "orphan"]
    assert (found["orphan"].is_known, found["orphan"].bytes) == (False, 10)
    assert (found["used"].credits, found["used"].task_id) == ("25", "task-used")
    groups = {group.label: (group.number, group.never_used) for group in by_age(report)}
    assert groups == {"Last Day": (3, 3), "Last 7 Days": (1, 0), "Last 30 Days": (0, 0), "Older": (1, 0)}


def test_a_file_with_two_names_takes_its_place_once(data: DataFolder) -> None:
    """As an import of the local engine has it, which gave its source a second name."""
    names = [data.locations.local_engine / folder / "model.glb" for folder in ("uploads", "tasks")]
    for name in names:
        name.parent.mkdir(parents=True)
    names[0].write_bytes(b"e" * 90)
    names[1].hardlink_to(names[0])
    assert scan(data.locations).local_engine == 90
    names[0].unlink()
    assert scan(data.locations).local_engine == 90


def test_a_data_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    assert scan(Locations(tmp_path / "data")).results == ()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("stage", "reason"),
    [
        (Stage.READY, "it waits to be brought in"),
        (Stage.UNCERTAIN, "it waits for your decision"),
        (Stage.DOWNLOAD, "it is still running"),
    ],
)
def test_what_a_job_may_need_is_never_deleted(data: DataFolder, stage: Stage, reason: str) -> None:
    folder = data.add("j1", days=50, stage=stage)
    found = data.scanned()["j1"]
    assert found.stays == reason
    outcome = delete(data.locations, [found._replace(stays="")], even_unused=True)
    assert (outcome.deleted, [item.stays for item in outcome.kept]) == ((), [reason])
    assert (folder / "model.glb").read_bytes() == MODEL


def test_what_has_begun_since_the_scan_is_not_deleted(data: DataFolder) -> None:
    folder = data.add("j1", stage=Stage.FAILED, resume=Stage.READY)
    found = data.scanned()["j1"]
    assert found.stays == ""
    # Retry, and another Blender brings it in right now.
    assert data.journal.change_resting("j1", Stage.FAILED, stage=Stage.READY, applier="")
    assert data.journal.claim_apply("j1", "")
    outcome = delete(data.locations, [found], even_unused=True)
    assert outcome.deleted == ()
    assert (folder / "model.glb").read_bytes() == MODEL
    assert data.journal.end_apply("j1", stage=Stage.APPLIED)


def test_what_a_process_has_taken_is_never_deleted(data: DataFolder) -> None:
    data.add("j1")
    data.journal._database._connection.execute("UPDATE jobs SET owner = 'other'")
    assert data.scanned()["j1"].stays == "it is still running"


@pytest.mark.parametrize("path", ["/data/results/j1/model.glb", "C:\\data\\results\\j1\\model.glb"])
def test_a_file_that_another_job_is_to_upload_is_not_deleted(data: DataFolder, path: str) -> None:
    data.add("j1")
    data.add("j2", stage=Stage.WAIT, path=path)
    assert data.scanned()["j1"].stays == "another job works with it"
    data.journal.change("j2", stage=Stage.APPLIED)
    assert data.scanned()["j1"].stays == ""


def test_old_results_go_and_unused_ones_stay(data: DataFolder) -> None:
    data.add("old", days=40)
    data.add("young", days=1)
    data.add("old-unused", days=40, used=False)
    data.add("old-ready", days=40, used=False, stage=Stage.READY)
    plan = older_than(scan(data.locations), 30)
    assert [item.id for item in plan.results] == ["old"]
    assert [item.id for item in plan.never_used] == ["old-unused"]
    assert [item.id for item in plan.needed] == ["old-ready"]
    progress: list[tuple[int, int]] = []
    outcome = delete(data.locations, plan.results, on_progress=lambda done, whole: progress.append((done, whole)))
    assert [item.id for item in outcome.deleted] == ["old"]
    assert progress == [(0, 1), (1, 1)]
    assert set(data.scanned()) == {"young", "old-unused", "old-ready"}
    assert not list((data.locations.all_results / TRASH).iterdir())


def test_an_unused_result_goes_only_when_that_is_asked_for(data: DataFolder) -> None:
    folder = data.add("j1", used=False)
    found = data.scanned()["j1"]
    assert [item.stays for item in delete(data.locations, [found]).kept] == ["it was never in a scene or a folder"]
    # A mark of the scan alone does not do either.
    assert delete(data.locations, [found._replace(used_at=1.0)]).deleted == ()
    assert folder.is_dir()
    assert delete(data.locations, [found], even_unused=True).deleted == (found,)
    assert not folder.exists()


def test_what_was_only_made_on_the_way_is_no_result(data: DataFolder) -> None:
    folder = data.add("j1", used=False, files=False, stage=Stage.STOPPED)
    (folder / "model.glb").rename(folder / "upload.glb")
    found = data.scanned()["j1"]
    assert found.is_empty and not found.never_used
    assert delete(data.locations, [found]).deleted == (found,)
    assert data.journal.job("j1").text == "", "no result of it was deleted"


def test_a_job_on_the_list_says_that_its_files_were_deleted(data: DataFolder) -> None:
    data.add("j1")
    data.add("j2", stage=Stage.FAILED, resume=Stage.READY, error="The scene is gone")
    delete(data.locations, data.scanned().values())
    done, failed = data.journal.jobs()
    assert (done.stage, done.text, done.resume) == (Stage.APPLIED, "Its files were deleted", Stage.DOWNLOAD)
    assert (done.files, done.result, done.blend) == ((), "", "")
    assert (failed.stage, failed.error, failed.resume) == (Stage.FAILED, "The scene is gone", Stage.DOWNLOAD)
    assert "without paying" in done.advice and "without paying" in failed.advice


def test_a_job_off_the_list_goes_with_its_files(data: DataFolder) -> None:
    for job_id in ("settled", "unsettled"):
        data.add(job_id)
    execute = data.journal._database._connection.execute
    execute("UPDATE steps SET task_id = '', request_id = 'r' WHERE job_id = 'unsettled'")
    for job_id in ("settled", "unsettled"):
        assert data.journal.remove(job_id)
    assert len(delete(data.locations, data.scanned().values()).deleted) == 2
    with pytest.raises(LookupError):
        data.journal.job("settled")
    assert data.journal.open_intents(HOST) == {"unsettled": "decimate"}
    assert {task.task_id for task in data.journal.tasks.all(HOST)} == {"task-settled", "task-unsettled"}


def test_a_result_that_two_delete_at_once_is_deleted_once(data: DataFolder) -> None:
    data.add("j1")
    found = data.scanned()["j1"]
    outcomes = [delete(data.locations, [found]) for _ in range(2)]
    assert [len(outcome.deleted) for outcome in outcomes] == [1, 0]
    assert [item.stays for item in outcomes[1].kept] == ["it is not there any more"]


# Links


def test_nothing_is_deleted_through_a_link(data: DataFolder, tmp_path: Path) -> None:
    outside = tmp_path / "holiday"
    outside.mkdir()
    (outside / "picture.png").write_bytes(b"p" * 100)
    data.add("inside")
    data.locations.results("link").symlink_to(outside, target_is_directory=True)
    (data.locations.results("inside") / "link").symlink_to(outside, target_is_directory=True)
    found = data.scanned()
    assert (found["link"].bytes, found["link"].stays) == (0, "its folder is a link to another place")
    assert found["inside"].bytes == len(MODEL)
    outcome = delete(data.locations, [item._replace(stays="") for item in found.values()], even_unused=True)
    assert [item.id for item in outcome.deleted] == ["inside"]
    assert (outside / "picture.png").is_file()
    assert data.locations.results("link").is_symlink()


def test_nothing_is_deleted_where_the_folder_of_results_is_a_link(data: DataFolder, tmp_path: Path) -> None:
    folder = data.add("j1")
    found = data.scanned()["j1"]
    data.locations.all_results.rename(tmp_path / "elsewhere")
    data.locations.all_results.symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert data.scanned()["j1"].stays == "its folder is a link to another place"
    assert delete(data.locations, [found]).deleted == ()
    assert (folder / "model.glb").read_bytes() == MODEL


@pytest.mark.parametrize("job_id", ["..", "../outside", ".", "", TRASH])
def test_only_a_folder_of_results_is_deleted(data: DataFolder, tmp_path: Path, job_id: str) -> None:
    data.add("j1")
    (tmp_path / "data" / "outside").mkdir()
    outcome = delete(data.locations, [StoredResult(job_id, "x", 1, 0.0)], even_unused=True)
    assert outcome.deleted == ()
    assert data.locations.results("j1").is_dir()
    assert (tmp_path / "data" / "outside").is_dir()


# Trouble


def test_a_result_that_cannot_be_written_off_stays_whole(data: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = data.add("j1")
    found = data.scanned()["j1"]
    # As a full disk: the transaction does not get to its end.
    data.journal._database._connection.execute(
        "CREATE TRIGGER full BEFORE UPDATE OF files ON jobs BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
    )
    outcome = delete(data.locations, [found])
    assert [item.stays for item in outcome.kept] == ["the list of jobs could not be written (disk is full)"]
    assert (folder / "model.glb").read_bytes() == MODEL
    assert data.journal.job("j1").result


_KILLED = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1] + "/scripts")
from load_extension import load_package
load_package()
from asset_generation.addon.core.jobs.result_table import ResultTable
from asset_generation.addon.core.paths import Locations
from asset_generation.addon.core.storage import deletion
from asset_generation.addon.core.storage.scan import scan

locations = Locations(Path(sys.argv[2]))
results = scan(locations).results
if sys.argv[3] == "before the journal knows":
    ResultTable.forget_files = lambda *rest: os._exit(9)
else:
    deletion._remove = lambda trashed: os._exit(9)
deletion.delete(locations, results)
"""


@pytest.mark.parametrize("moment", ["before the journal knows", "after it"])
def test_a_deletion_that_is_killed_leaves_nothing_half(data: DataFolder, moment: str) -> None:
    from load_extension import ROOT

    folder = data.add("j1")
    arguments = [sys.executable, "-c", _KILLED, str(ROOT), str(data.locations.data_dir), moment]
    assert subprocess.run(arguments, check=False, timeout=60).returncode == 9
    assert not folder.exists()
    assert len(list((data.locations.all_results / TRASH).iterdir())) == 1
    found = data.scanned()
    assert not list((data.locations.all_results / TRASH).iterdir())
    if moment == "after it":
        assert (found, data.journal.job("j1").result) == ({}, "")
    else:
        assert found["j1"].bytes == len(MODEL)
        assert Path(data.journal.job("j1").result).read_bytes() == MODEL


# Words


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (12_345_678, "12 MB"),
        (1_250_000_000, "1.2 GB"),
    ],
)
def test_sizes_are_shown_as_file_managers_do(size: int, text: str) -> None:
    assert words.size_text(size) == text


def test_a_deletion_names_what_would_be_lost_and_what_stays(data: DataFolder) -> None:
    for number in range(7):
        data.add(f"old-{number}", days=40)
    data.add("unused", days=40, used=False)
    data.add("ready", days=40, used=False, stage=Stage.READY)
    told = words.deletion_sentences(older_than(scan(data.locations), 30), 30)
    assert told[0] == (
        "7 results older than 30 days, 7.0 kB: Job old-0, Job old-1, Job old-2, Job old-3, Job old-4 and 2 more."
    )
    assert told[2] == "Never in a scene or a folder, so kept: 1 result, 1.0 kB: Job unused."
    assert told[3] == "Kept because it waits to be brought in: Job ready."
    nothing = words.deletion_sentences(older_than(scan(data.locations), 90), 90)
    assert nothing == ["No result older than 90 days can be deleted."]


def test_the_question_about_one_result_says_whether_it_was_paid_and_can_come_again(data: DataFolder) -> None:
    data.add("listed", used=False)
    data.add("removed", used=False)
    data.journal.remove("removed")
    found = data.scanned()
    told = words.result_sentences(found["listed"])
    assert told[1] == "It was paid for (25 credits) and was never brought into a scene or a folder."
    assert told[2] == f"Retry in the job list fetches it again without paying, as long as {HOST} keeps it."
    assert words.result_sentences(found["removed"])[2].endswith("may still have it, as task task-removed.")
    assert "exist nowhere else" in words.result_sentences(StoredResult("x", "x", 5, 0.0))[1]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-9, "just now"), (59, "just now"), (90, "1 minute"), (7200, "2 hours"), (DAY, "1 day"), (400 * DAY, "400 days")],
)
def test_ages_are_in_the_largest_unit(seconds: float, text: str) -> None:
    assert words.age_text(StoredResult("x", "x", 1, 1e9), 1e9 + seconds) == text
