"""The small picture of a result: drawn when the result is ready already, and waited for by nobody."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core.jobs.job import Stage
from asset_generation.addon.core.paths import Locations
from asset_generation.addon.core.status.job_words import PICTURE
from asset_generation.addon.core.storage.deletion import delete
from asset_generation.addon.core.storage.scan import scan
from asset_generation.vendor.assetgen_local import LocalService
from asset_generation.vendor.background_blender import BlenderFailed
from support.core import (
    SECONDS,
    InstantConverter,
    changes_of,
    rested,
    runtime_on,
    selection_plan,
    settings_for,
    shown,
    wait_until,
)

pytest_plugins = ("support.core_fixtures",)
pytestmark = pytest.mark.usefixtures("hurry")


class Painter(InstantConverter):
    """Draws when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.may_end = threading.Event(), threading.Event()
        self.error: Exception | None = None

    def to_picture(self, blend: Path, picture: Path, stopped: Any) -> None:
        self.begun.set()
        assert self.may_end.wait(SECONDS)
        if self.error is not None:
            raise self.error
        picture.parent.mkdir(parents=True, exist_ok=True)  # as Blender does that saves an image
        super().to_picture(blend, picture, stopped)


@pytest.fixture
def converter() -> Painter:
    return Painter()


def test_a_result_comes_in_while_its_picture_is_drawn_and_both_are_kept(
    service: LocalService, converter: Painter, tmp_path: Path
) -> None:
    with runtime_on(settings_for(service, tmp_path / "data"), converter=converter) as runtime:
        job_id = runtime.submit(selection_plan(tmp_path))
        job = rested(runtime, job_id)
        assert converter.begun.wait(SECONDS)
        assert (job.stage, PICTURE in dict(job.files)) == (Stage.READY, False)
        assert runtime.busy, "whoever reads the messages goes on"
        assert runtime.claim_apply(job_id)
        runtime.applied(job_id)
        converter.may_end.set()
        job = shown(runtime, job_id)
        assert job.stage is Stage.APPLIED
        assert Path(dict(job.files)[PICTURE]).read_bytes() == b"picture"
        wait_until(lambda: not runtime.busy)
        assert PICTURE in dict(changes_of(runtime, job_id)[-1].files), "the last message has it"


def test_a_picture_that_is_being_drawn_at_the_end_of_the_program_is_there_at_the_next_start(
    service: LocalService, converter: Painter, tmp_path: Path
) -> None:
    settings = settings_for(service, tmp_path / "data")
    with runtime_on(settings, converter=converter) as runtime:
        job_id = runtime.submit(selection_plan(tmp_path))
        rested(runtime, job_id)
        assert converter.begun.wait(SECONDS)
        threading.Timer(0.2, converter.may_end.set).start()
    with runtime_on(settings) as runtime:
        assert Path(dict(runtime.job(job_id).files)[PICTURE]).is_file()


def test_a_result_of_which_no_picture_can_be_drawn_is_as_good(
    service: LocalService, converter: Painter, tmp_path: Path
) -> None:
    converter.error = BlenderFailed("the background Blender ended")
    converter.may_end.set()
    with runtime_on(settings_for(service, tmp_path / "data"), converter=converter) as runtime:
        job_id = runtime.submit(selection_plan(tmp_path))
        rested(runtime, job_id)
        wait_until(lambda: converter.begun.is_set() and not runtime.busy)
        job = runtime.job(job_id)
        assert (job.stage, job.error, PICTURE in dict(job.files)) == (Stage.READY, "", False)


def test_a_result_that_is_deleted_while_its_picture_is_drawn_stays_deleted(
    service: LocalService, converter: Painter, tmp_path: Path
) -> None:
    locations = Locations(tmp_path / "data")
    with runtime_on(settings_for(service, tmp_path / "data"), converter=converter) as runtime:
        job_id = runtime.submit(selection_plan(tmp_path))
        rested(runtime, job_id)
        assert converter.begun.wait(SECONDS)
        assert runtime.claim_apply(job_id)
        runtime.applied(job_id)
        (result,) = scan(locations).results
        assert delete(locations, [result]).deleted
        converter.may_end.set()
        wait_until(lambda: not runtime.busy)
        assert PICTURE not in dict(runtime.job(job_id).files)
    assert not locations.results(job_id).exists()
