"""Storage from inside Blender: what scripts see, what the operators delete, and what they refuse."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import bpy
import pytest
from support.addon import add_mesh
from support.services.local_engine import recorded


def age(addon: Any, days: int) -> None:
    """Makes every job of the journal older."""
    with closing(sqlite3.connect(addon.data / "journal.sqlite3", isolation_level=None)) as connection:
        connection.execute("UPDATE jobs SET created_at = created_at - ? * 86400", (days,))


def decimated(addon: Any) -> str:
    add_mesh()
    bpy.ops.assetgen.decimate(face_limit=700)
    return str(addon.scripting.last_job().id)


def wait_for(addon: Any, job_id: str, words: str) -> Any:
    """Drives the pump until the job says something; the watcher of the journal looks every second."""
    until = time.monotonic() + 20
    while addon.state.jobs[job_id].text != words:
        assert time.monotonic() < until, addon.state.jobs[job_id]
        addon.pump.tick()
        time.sleep(0.02)
    return addon.state.jobs[job_id]


def test_what_came_into_the_scene_is_used_and_can_go(service: Any, addon: Any) -> None:
    job_id = decimated(addon)
    assert addon.scripting.storage_report() is None
    assert bpy.ops.assetgen.storage_scan() == {"FINISHED"}
    (result,) = addon.scripting.storage_report().results
    assert (result.id, result.never_used, result.stays) == (job_id, False, "")
    assert bpy.ops.assetgen.storage_delete_older(days=30) == {"FINISHED"}
    assert "Nothing was deleted" in addon.state.storage.sentence
    age(addon, 40)
    assert bpy.ops.assetgen.storage_delete_older(days=30) == {"FINISHED"}
    assert addon.state.storage.sentence.startswith("Deleted 1 result")
    assert addon.scripting.storage_report().results == ()
    assert not (addon.data / "results" / job_id).exists()
    # What is in the scene stays.
    assert len(bpy.data.objects) == 2


def test_bring_in_of_deleted_files_is_refused_and_retry_fetches_them_again(service: Any, addon: Any) -> None:
    job_id = decimated(addon)
    paid = len(recorded(service, "/v3/mesh/decimate", "POST"))
    bpy.ops.assetgen.storage_delete(job_id=job_id)
    wait_for(addon, job_id, "Its files were deleted")
    with pytest.raises(RuntimeError, match=r"were deleted\. Retry fetches the result again, without paying"):
        bpy.ops.assetgen.job_action(job_id=job_id, action="apply")
    bpy.ops.assetgen.job_action(job_id=job_id, action="retry")
    addon.scripting.follow([job_id])
    assert Path(addon.state.jobs[job_id].blend).is_file()
    assert len(addon.scripting.result_objects(job_id)) == 1
    assert len(recorded(service, "/v3/mesh/decimate", "POST")) == paid


def test_an_unused_result_is_deleted_by_no_bulk_and_by_its_name(service: Any, addon: Any) -> None:
    job_id = decimated(addon)
    with closing(sqlite3.connect(addon.data / "journal.sqlite3", isolation_level=None)) as connection:
        connection.execute("UPDATE jobs SET used_at = 0")
    age(addon, 40)
    bpy.ops.assetgen.storage_delete_older(days=30)
    assert (addon.data / "results" / job_id).is_dir()
    assert bpy.ops.assetgen.storage_delete(job_id=job_id) == {"FINISHED"}
    assert not (addon.data / "results" / job_id).exists()
    with pytest.raises(RuntimeError, match="no such result"):
        bpy.ops.assetgen.storage_delete(job_id=job_id)


def test_a_result_of_a_dismissed_job_can_be_deleted(service: Any, addon: Any) -> None:
    job_id = decimated(addon)
    bpy.ops.assetgen.job_action(job_id=job_id, action="dismiss")
    bpy.ops.assetgen.storage_scan()
    (result,) = addon.scripting.storage_report().results
    assert (result.id, result.is_listed, result.never_used) == (job_id, False, False)
    assert bpy.ops.assetgen.storage_put_back(job_id=job_id) == {"FINISHED"}
    assert [item.is_listed for item in addon.scripting.storage_report().results] == [True]
    assert bpy.ops.assetgen.storage_delete(job_id=job_id) == {"FINISHED"}


def test_what_cannot_be_looked_at_is_a_sentence(addon: Any) -> None:
    addon.data.mkdir()
    (addon.data / "journal.sqlite3").write_bytes(b"not a database, and long enough to be looked at" * 10)
    with pytest.raises(RuntimeError, match="cannot be used"):
        bpy.ops.assetgen.storage_scan()
    assert addon.state.storage.busy == ""


def test_a_press_does_not_wait_for_a_journal_that_another_process_holds(service: Any, addon: Any) -> None:
    job_id = decimated(addon)
    with closing(sqlite3.connect(addon.data / "journal.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        begun = time.monotonic()
        addon.storage.delete_one(job_id)
        addon.pump.tick()
        assert time.monotonic() - begun < 5, "the worker waits for up to ten seconds"
        time.sleep(0.5)
        addon.pump.tick()
        assert addon.state.storage.busy
        other.execute("ROLLBACK")
    assert addon.storage.wait().sentence.startswith("Deleted 1 result")
