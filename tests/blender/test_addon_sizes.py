"""No words of ours are cut: not in the narrowest side bar, not with long names, not at a larger resolution scale.

Every form and panel is drawn into a layout that knows how Blender shares out the width.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from support.panels.drawing import Changed, NarrowContext, cuts_of, dialog, panel
from support.panels.measured_layout import DIALOG, FILE_BROWSER, LIST, PANEL, PREFERENCES, MeasuredLayout
from support.panels.sample_jobs import LONG, sample_jobs

NARROWEST, USUAL = 195, 280
WIDTHS = (NARROWEST, 240, 277, 278, USUAL, 400)

Drawing = Callable[[Any, Any], Any]


def module(addon: Any, name: str) -> Any:
    return importlib.import_module(f"{addon.package}.addon.{name}")


@pytest.fixture(params=["local", "online"])
def where(request: pytest.FixtureRequest, addon: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """Which service the panels are for; the online one has said what is left there."""
    if request.param == "online":
        monkeypatch.setenv("ASSETGEN_BASE_URL", "http://127.0.0.1:9")
        monkeypatch.setenv("ASSETGEN_API_KEY", "key")
        checked = module(addon, "core.status.messages").ServiceChecked
        addon.state.update(checked(True, "Connected", balance="1220.5", frozen="40"))
    assert addon.session.settings.is_local is (request.param == "local")
    return str(request.param)


@pytest.fixture
def statues() -> list[Any]:
    """Two meshes with long names, one of them selected."""
    items = []
    for number in range(2):
        mesh = bpy.data.meshes.new("statue")
        mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
        item = bpy.data.objects.new(f"A statue with a very long name that does not fit {number}", mesh)
        bpy.context.collection.objects.link(item)
        items.append(item)
    select(items[:1])
    return items


def select(items: list[Any]) -> None:
    bpy.context.view_layer.update()
    for item in bpy.context.view_layer.objects:
        item.select_set(item in items)
    bpy.context.view_layer.objects.active = items[0] if items else None


def wrong(drawings: Iterator[tuple[str, Drawing]], widths: tuple[int, ...] = WIDTHS, taken: float = PANEL) -> set[str]:
    """What is cut, with where that is, at each width and at two scales."""
    found = set()
    for name, draw in drawings:
        for width in widths:
            for scale in (1.0, 1.5):
                for cut in cuts_of(draw, width, scale=scale, taken=taken):
                    found.add(f"{name} at {width} x {scale}: {cut.text!r} has {cut.room:.0f} of {cut.needed:.0f}")
    return found


def forms(addon: Any) -> Iterator[tuple[str, Drawing]]:
    """The main panel with each operation."""
    settings = module(addon, "props.scene_settings")
    for name in module(addon, "props.task_properties").CAPABILITIES:
        settings.choose_capability(bpy.context.scene.asset_generation, name)
        yield name, panel(module(addon, "ui.main_panel").ASSETGEN_PT_main)


def fill_in(addon: Any) -> None:
    """Takes every number from Auto, and has every other field hold something long."""
    for name, info in module(addon, "props.task_properties").CAPABILITIES.items():
        group = getattr(bpy.context.scene.asset_generation, name)
        for field in info.own_fields:
            if field.start is not None:
                value = field.start
                setattr(group, field.name, 1_000_000 if isinstance(value, int) and value > 1000 else value)
            elif field.kind in ("text", "names", "file", "files"):
                setattr(group, field.name, LONG)


def test_no_form_is_cut(addon: Any, where: str) -> None:
    assert wrong(forms(addon)) == set()


def test_no_form_is_cut_with_objects_of_long_names(addon: Any, where: str, statues: list[Any]) -> None:
    assert wrong(forms(addon)) == set()
    select(statues)
    assert wrong(forms(addon), (NARROWEST, USUAL)) == set()


def test_no_form_is_cut_that_is_filled_in(addon: Any, where: str, statues: list[Any]) -> None:
    fill_in(addon)
    assert wrong(forms(addon)) == set()


def test_no_form_is_cut_wherever_its_result_goes(addon: Any, statues: list[Any]) -> None:
    settings, placement_of = bpy.context.scene.asset_generation, module(addon, "props.scene_settings").placement_of
    infos = module(addon, "props.task_properties").CAPABILITIES.values()
    for place in ("BESIDE", "OBJECT"):
        for name in {placement_of(info) for info in infos}:
            setattr(settings, name, place)
        assert wrong(forms(addon)) == set()


def jobs(addon: Any) -> Iterator[tuple[str, Drawing]]:
    """The panel of the jobs with each of them chosen, as a list and as pictures, and each row of the list."""
    rows = module(addon, "ops.job_rows")
    settings = bpy.context.window_manager.asset_generation_jobs
    for job in sample_jobs(addon.package, addon.session.settings.service_id):
        addon.state.update(module(addon, "core.status.messages").JobChanged(job))
    addon.pump.tick()
    for settings.view in ("GRID", "LIST"):
        for job in addon.state.jobs.values():
            rows.choose(bpy.context, job.id)
            yield f"{settings.view} {job.name[:12]}", panel(module(addon, "ui.job_panel").ASSETGEN_PT_jobs)


def rows(addon: Any) -> Iterator[tuple[str, Drawing]]:
    draw_row = module(addon, "ui.job_list").draw_row
    for job in sample_jobs(addon.package, addon.session.settings.service_id):
        yield f"row {job.name[:12]}", lambda layout, context, job=job: draw_row(layout, job, context)


def test_nothing_is_cut_of_jobs(addon: Any, where: str) -> None:
    assert wrong(jobs(addon)) == set()
    assert wrong(rows(addon), taken=PANEL + LIST) == set()


def test_nothing_is_cut_of_the_other_panels(addon: Any, where: str) -> None:
    first = panel(module(addon, "ui.job_panel").ASSETGEN_PT_jobs)
    history = panel(module(addon, "ui.history_panel").ASSETGEN_PT_history)
    image = panel(module(addon, "ui.image_panel").ASSETGEN_PT_image)
    assert wrong(iter([("first", first), ("history", history), ("image", image)])) == set()


@pytest.mark.parametrize("width", [NARROWEST, USUAL])
def test_run_stays_where_it_is_once_the_service_has_answered(
    addon: Any, where: str, statues: list[Any], width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = panel(module(addon, "ui.main_panel").ASSETGEN_PT_main)

    def lines() -> int:
        layout = MeasuredLayout(1.0)
        draw(layout, NarrowContext(width))
        return layout.lines

    answered = lines()
    monkeypatch.setattr(type(addon.session), "loading", True)
    assert lines() == answered
    monkeypatch.setattr(addon.state, "service", None)
    assert lines() == answered


def test_nothing_is_cut_of_credits(addon: Any, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spending = module(addon, "core.status.spending")
    operations = [
        spending.OperationSpending(name, Decimal("1212.5"), Decimal(12120))
        for name in module(addon, "props.task_properties").CAPABILITIES
    ]
    spent = spending.Spending(Decimal("1212.5"), Decimal(12120), tuple(operations))
    monkeypatch.setattr(type(addon.session), "ready", property(lambda _: SimpleNamespace(spending=lambda: spent)))
    addon.prefs.preferences().monthly_budget = 500
    assert wrong(iter([("credits", panel(module(addon, "ui.credits_panel").ASSETGEN_PT_credits))])) == set()


def dialogs(addon: Any) -> Iterator[tuple[str, float, Drawing]]:
    """What operators ask, with the widths of their windows."""
    ops = {name: module(addon, f"ops.{name}") for name in ("vary", "inputs", "show", "assets", "clean_up", "storage")}
    known = sample_jobs(addon.package, addon.session.settings.service_id)
    for job in known:
        addon.state.update(module(addon, "core.status.messages").JobChanged(job))
        if job.answer:
            yield "show", ops["show"]._WIDTH, dialog(ops["show"].ASSETGEN_OT_show_result, job_id=job.id)
    model = next(job for job in known if job.blend)
    yield "vary", ops["vary"]._WIDTH, dialog(ops["vary"].ASSETGEN_OT_vary, job_id=model.id)
    yield "save", ops["assets"]._WIDTH, dialog(ops["assets"].ASSETGEN_OT_save_as_asset, job_id=model.id)
    edit = dialog(ops["inputs"].ASSETGEN_OT_edit_text, capability="text_to_model", field="prompt")
    yield "edit", ops["inputs"]._DIALOG_WIDTH, edit
    lines = {False: [(f"Remove 2 hidden objects: {LONG}", "TRASH"), (LONG, "OUTLINER_OB_MESH")]}
    clean_up = dialog(ops["clean_up"].ASSETGEN_OT_clean_up, _lines=lines, _has_own=True, with_own=False)
    yield "clean up", ops["clean_up"]._WIDTH, clean_up
    stored = module(addon, "core.storage.report").StoredResult("id", LONG, 12_345_678_901, 0.0, credits="1212.5")
    yield "delete", ops["storage"]._WIDTH, dialog(ops["storage"].ASSETGEN_OT_storage_delete, _result=stored)
    drops, width = module(addon, "ui.drops"), module(addon, "ops.dialogs").WIDTH
    files = [SimpleNamespace(name=f"{LONG} {number}.glb") for number in range(9)]
    for cls in (drops.ASSETGEN_OT_drop_models, drops.ASSETGEN_OT_drop_images):
        yield cls.bl_idname, width, dialog(cls, directory="/somewhere", files=files)
    draw_dialog = module(addon, "ui.operation").draw_dialog
    for name, info in module(addon, "props.task_properties").CAPABILITIES.items():
        yield name, width, lambda layout, context, info=info: draw_dialog(layout, context, info)


def test_nothing_is_cut_of_dialogs(addon: Any, where: str, statues: list[Any]) -> None:
    fill_in(addon)
    found: set[str] = set()
    for name, width, draw in dialogs(addon):
        # The region that a dialog is opened from may be far narrower than itself.
        draws = [lambda layout, context, draw=draw: draw(layout, context)]
        for scale in (1.0, 1.5):
            layout = MeasuredLayout(scale)
            draws[0](layout, NarrowContext(NARROWEST, scale=scale))
            found |= {f"{name} x {scale}: {cut}" for cut in layout.cuts(width - DIALOG)}
    assert found == set()


def test_nothing_is_cut_at_the_side_of_the_file_browser(addon: Any, where: str, statues: list[Any]) -> None:
    draw_dialog = module(addon, "ui.operation").draw_dialog
    infos = [info for info in module(addon, "props.task_properties").CAPABILITIES.values() if info.file_kinds]
    assert infos
    for info in infos:
        for width in (NARROWEST, USUAL):
            layout, context = MeasuredLayout(1.0), NarrowContext(width, region="TOOL_PROPS")
            context.space_data = SimpleNamespace(type="FILE_BROWSER")
            draw_dialog(layout, context, info)
            assert list(layout.cuts(width - FILE_BROWSER)) == []


def test_nothing_is_cut_of_preferences(addon: Any, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    values = addon.prefs.preferences()
    report = module(addon, "core.storage.report")
    results = [
        report.StoredResult(str(number), LONG, 12_345_678_901, time.time(), used_at=number % 2, is_known=True)
        for number in range(20)
    ]
    scanned = report.StorageReport("/somewhere", time.time(), tuple(results), 12_345_678_901, 12_345_678_901, 1234, 2)
    monkeypatch.setattr(addon.storage, "report", lambda: scanned)
    cls = module(addon, "preferences").ASSETGEN_AP_preferences

    def draw(layout: Any, context: Any) -> None:
        cls.draw(Changed(values, layout=layout), context)

    found = {
        f"{width} x {scale}: {cut}"
        for width in (560, 800)
        for scale in (1.0, 1.5)
        for cut in cuts_of(draw, width, scale=scale, taken=PREFERENCES, region="WINDOW")
    }
    assert found == set()
