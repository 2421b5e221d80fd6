"""The rows of the job list are in step with the jobs, and in no saved file."""

from __future__ import annotations

import importlib
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from support.panels.drawing import NarrowContext
from support.panels.measured_layout import MeasuredLayout


def job(addon: Any, job_id: str, *, token: str = "") -> Any:
    module = importlib.import_module(f"{addon.package}.addon.core.jobs.job")
    origin = module.Origin("Scene", "", token)
    plan = module.JobPlan(job_id, module.Source(module.SourceKind.NOTHING), (), module.Delivery(origin=origin))
    since = float("".join(character for character in job_id if character.isdecimal()) or ord(job_id[-1]))
    return module.JobView(job_id, f"Texture {job_id}", module.Stage.APPLIED, 1.0, "Done", plan=plan, created_at=since)


def tell(addon: Any, *jobs: Any, removed: tuple[str, ...] = ()) -> Any:
    messages = importlib.import_module(f"{addon.package}.addon.core.status.messages")
    for item in jobs:
        addon.state.update(messages.JobChanged(item))
    for job_id in removed:
        addon.state.update(messages.JobRemoved(job_id))
    addon.pump.tick()
    return bpy.context.window_manager.asset_generation_jobs


def chosen(addon: Any) -> str:
    rows = importlib.import_module(f"{addon.package}.addon.ops.job_rows")
    found = rows.chosen_job(bpy.context)
    return str(found.id) if found is not None else ""


def test_rows_come_and_go_with_jobs_and_the_chosen_one_stays(addon: Any) -> None:
    jobs = tell(addon, *(job(addon, name) for name in "abcd"))
    assert [row.name for row in jobs.rows] == list("dcba"), "as they are shown"
    assert [row.tooltip for row in jobs.rows][:1] == ["Texture d"]
    assert chosen(addon) == "d", "the latest one"
    bpy.ops.assetgen.choose_job(job_id="c")
    tell(addon, job(addon, "e"), removed=("a", "d"))
    assert [row.name for row in jobs.rows] == list("ecb")
    assert chosen(addon) == "c", "a job of another file takes the place of nothing"
    tell(addon, removed=("c",))
    assert chosen(addon) == "b", "what took its place"
    open_file = importlib.import_module(f"{addon.package}.addon.bridge.results.open_file").open_file
    tell(addon, job(addon, "f", token=open_file.token))
    assert chosen(addon) == "f", "the one that was started just now"
    tell(addon, removed=("b", "e", "f"))
    assert (len(jobs.rows), chosen(addon)) == (0, "")


def test_a_saved_file_has_no_rows_and_the_list_goes_on(addon: Any, tmp_path: Path) -> None:
    tell(addon, *(job(addon, f"job-in-no-file-{name}") for name in "abc"))
    bpy.ops.assetgen.choose_job(job_id="job-in-no-file-b")
    path = tmp_path / "saved.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
    assert b"job-in-no-file" not in path.read_bytes()
    assert len(bpy.context.window_manager.asset_generation_jobs.rows) == 3
    assert chosen(addon) == "job-in-no-file-b"
    bpy.ops.wm.open_mainfile(filepath=str(path))
    addon.pump.tick()
    assert [row.name[-1] for row in bpy.context.window_manager.asset_generation_jobs.rows] == list("cba")
    tell(addon, removed=tuple(f"job-in-no-file-{name}" for name in "abc"))


def test_other_words_show_the_first_page_of_the_history(addon: Any) -> None:
    settings = importlib.import_module(f"{addon.package}.addon.props.job_list_settings")
    shown = settings.job_list_of(bpy.context)
    bpy.ops.assetgen.turn_page(page=3, of_history=True)
    assert settings.history_page(shown) == 3
    shown.history_words = "chair"
    assert settings.history_page(shown) == 0


@pytest.mark.parametrize("view", ["LIST", "GRID"])
def test_running_jobs_are_above_the_list_and_cannot_be_scrolled_away(addon: Any, view: str) -> None:
    module = importlib.import_module(f"{addon.package}.addon.core.jobs.job")
    running = [job(addon, f"running {number}")._replace(stage=module.Stage.WAIT, progress=0.5) for number in range(6)]
    jobs = tell(addon, *(job(addon, f"done {number}") for number in range(20)), *running)
    jobs.view = view
    jobs.words = "done 1"  # what is searched for hides none of them
    rows = importlib.import_module(f"{addon.package}.addon.ops.job_rows")
    panel = importlib.import_module(f"{addon.package}.addon.ui.job_panel").ASSETGEN_PT_jobs
    layout = MeasuredLayout(1.0)
    panel.draw(SimpleNamespace(layout=layout), NarrowContext(280))
    said = list(layout.texts())
    places = [said.index(f"Texture running {number}") for number in range(rows.PINNED)]
    assert places == sorted(places)
    assert "and 2 more" in said[places[-1] :]
    if view == "LIST":
        listed = importlib.import_module(f"{addon.package}.addon.ui.job_list").ASSETGEN_UL_jobs
        flags, order = listed.filter_items(SimpleNamespace(bitflag_filter_item=1), bpy.context, None, "")
        shown = [job_id for job_id, flag in zip(rows.row_ids(), flags, strict=True) if flag]
        assert shown[:2] == ["running 4", "running 5"], "the next ones are the first rows"
        assert len(shown) == 2 + 11
        assert order == [], "they are in order, so Blender need not compare all with all"


def test_rows_are_sorted_outside_of_drawing(addon: Any) -> None:
    running = importlib.import_module(f"{addon.package}.addon.core.jobs.job").Stage.WAIT
    settings = tell(addon, *(job(addon, name) for name in "abcd"), job(addon, "A")._replace(stage=running))
    rows = importlib.import_module(f"{addon.package}.addon.ops.job_rows")
    listed = importlib.import_module(f"{addon.package}.addon.ui.job_list").ASSETGEN_UL_jobs

    def seen() -> tuple[list[int], list[int]]:
        found: tuple[list[int], list[int]] = listed.filter_items(
            SimpleNamespace(bitflag_filter_item=1), bpy.context, None, ""
        )
        return found

    assert [row.name for row in settings.rows] == list("Adcba")
    assert seen() == ([0, 1, 1, 1, 1], []), "the one above the list is none of its rows"
    bpy.ops.assetgen.choose_job(job_id="c")
    settings.order = "OLDEST"
    assert seen() == ([0, 1, 1, 1, 1], [4, 3, 2, 1, 0]), "until it is sorted it is drawn as if it were"
    rows.sync()
    assert [(row.name, row.tooltip) for row in settings.rows] == [(name, f"Texture {name}") for name in "Aabcd"]
    assert seen() == ([0, 1, 1, 1, 1], [])
    assert chosen(addon) == "c"
    tell(addon, job(addon, "A"))
    assert [row.name for row in settings.rows] == list("Aabcd")
    settings.order = "NEWEST"
    tell(addon, job(addon, "e"))
    assert [row.name for row in settings.rows] == list("edcbaA")
    assert chosen(addon) == "c"


class _Counting(NarrowContext):
    """Notes what it is asked for."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        super().__init__(280)

    def __getattribute__(self, name: str) -> Any:
        if name in ("region", "preferences"):
            self.asked[name] += 1
        return super().__getattribute__(name)


@pytest.mark.parametrize("name", ["main_panel.ASSETGEN_PT_main", "job_panel.ASSETGEN_PT_jobs"])
def test_a_drawing_asks_once_for_its_width_and_the_size_of_its_font(addon: Any, name: str) -> None:
    tell(addon, *(job(addon, f"number {number}") for number in range(20)))
    module, _, panel = name.partition(".")
    context = _Counting()
    drawn = getattr(importlib.import_module(f"{addon.package}.addon.ui.{module}"), panel).draw
    drawn(SimpleNamespace(layout=MeasuredLayout(1.0)), context)
    assert context.asked == {"region": 1, "preferences": 1}


def test_jobs_that_have_no_rows_yet_leave_the_order_of_the_rows_whole(addon: Any) -> None:
    tell(addon, *(job(addon, name) for name in "ab"))
    messages = importlib.import_module(f"{addon.package}.addon.core.status.messages")
    for name in "cdefgh":
        addon.state.update(messages.JobChanged(job(addon, name)._replace(created_at=1.0)))
    job_list = importlib.import_module(f"{addon.package}.addon.ui.job_list").ASSETGEN_UL_jobs
    shown = SimpleNamespace(bitflag_filter_item=1)
    bpy.context.window_manager.asset_generation_jobs.order = "OLDEST"
    flags, order = job_list.filter_items(shown, bpy.context, None, "rows")
    assert (flags, order) == ([1, 1], [1, 0]), "Blender writes beyond the rows for another order"
