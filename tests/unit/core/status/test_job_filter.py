"""What the list of jobs shows, in which order."""

from __future__ import annotations

from typing import Any

import pytest
from asset_generation.addon.core.jobs.job import JobView, Stage, StepView
from asset_generation.addon.core.status.job_filter import JobFilter, arranged


def job(name: str, stage: Stage, at: float, **values: Any) -> JobView:
    return JobView(
        **{"id": name, "name": name, "stage": stage, "progress": 1.0, "text": "", "created_at": at, **values}
    )


JOBS = (
    job("Texture Knight", Stage.APPLIED, 1, blend="/r/result.blend", steps=(StepView("texture", credits="5"),)),
    job("Text to Image: a red tower", Stage.APPLIED, 2, files=(("generated_image", "/r/a.png"),)),
    job("Decimate Chair", Stage.FAILED, 3),
    job("Rig Knight", Stage.WAIT, 4),
    job("Rig Check Knight", Stage.READY, 5, steps=(StepView("rig_check", credits="7"),)),
    job("Texture Wall", Stage.CREATE, 6),
)


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        (JobFilter(), ["Rig Check Knight", "Decimate Chair", "Text to Image: a red tower", "Texture Knight"]),
        (JobFilter(words="KNIGHT"), ["Rig Check Knight", "Texture Knight"]),
        (JobFilter(words="tower red"), ["Text to Image: a red tower"]),
        (JobFilter(kind="RUNNING"), []),
        (JobFilter(kind="ASKING"), ["Rig Check Knight", "Decimate Chair"]),
        (JobFilter(kind="DONE", order="OLDEST"), ["Texture Knight", "Text to Image: a red tower"]),
        (JobFilter(kind="MODELS"), ["Texture Knight"]),
        (JobFilter(kind="IMAGES"), ["Text to Image: a red tower"]),
        (JobFilter(order="CREDITS", kind="DONE"), ["Texture Knight", "Text to Image: a red tower"]),
        (JobFilter(order="NAME", kind="ASKING"), ["Decimate Chair", "Rig Check Knight"]),
    ],
)
def test_running_jobs_come_first_and_always(wanted: JobFilter, names: list[str]) -> None:
    assert [item.name for item in arranged(JOBS, wanted)] == ["Rig Knight", "Texture Wall", *names]


def test_words_are_looked_for_in_what_is_shown_too() -> None:
    shown = {"Texture Knight": "为 Knight 添加纹理"}
    for words in ("纹理", "texture", "knight"):
        found = arranged(JOBS, JobFilter(words=words, kind="DONE"), lambda name: shown.get(name, name))
        assert [item.name for item in found if item.stage is Stage.APPLIED] == ["Texture Knight"]
