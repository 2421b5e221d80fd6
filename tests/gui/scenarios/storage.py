"""The storage page of the preferences."""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import bpy

from scenarios.panel import LONG_PROMPT

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

PACKAGE = "bl_ext.user_default.asset_generation"


def storage(stage: Stage) -> Steps:
    """The storage page of the preferences and its questions, also in a narrow place; a used result is deleted."""
    yield from stage.wait_until_loaded()
    bridge = stage.bridge("storage")
    messages = importlib.import_module(f"{PACKAGE}.addon.core.status.messages")
    stage.seen["folder"] = str(bridge.results_dir())
    bpy.ops.wm.window_new()
    window = stage.window_manager.windows[-1]
    area = max(window.screen.areas, key=lambda item: item.width * item.height)
    yield from show_preferences(window, area)
    yield from stage.picture("not-looked-at")
    yield from scanned(stage)
    yield from stage.picture("no-results")
    write_results(stage)
    yield from scanned(stage)
    yield from stage.picture("usual")
    main = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(window=window, area=area, region=main):
        for _ in range(20):
            bpy.ops.view2d.scroll_down("EXEC_DEFAULT")
    yield from stage.picture("bottom")
    with bpy.context.temp_override(window=window, area=area, region=area.regions[-1]):
        bpy.ops.assetgen.storage_delete_older("INVOKE_DEFAULT")
    yield from stage.picture("delete-older")
    yield from escape(stage, window)
    unused = next(item for item in bridge.report().results if item.never_used and not item.stays)
    with bpy.context.temp_override(window=window, area=area, region=area.regions[-1]):
        bpy.ops.assetgen.storage_delete("INVOKE_DEFAULT", job_id=unused.id)
    yield from stage.picture("delete-unused")
    yield from escape(stage, window)
    stage.seen["before"] = sorted(item.id for item in bridge.report().results)
    bpy.ops.assetgen.storage_show(first=8)
    with bpy.context.temp_override(window=window, area=area):
        bpy.ops.screen.area_split(direction="VERTICAL", factor=0.42)
    yield from stage.picture("narrow")
    bpy.ops.assetgen.storage_delete_older(days=30)
    yield from stage.wait_for("the deletion is over", lambda: not stage.bridge("state").state.storage.busy)
    stage.seen["after"] = sorted(item.id for item in bridge.report().results)
    stage.seen["sentence"] = stage.bridge("state").state.storage.sentence
    bpy.ops.assetgen.storage_show(only_unused=True)
    yield from stage.picture("deleted")
    stage.bridge("state").state.update(messages.StorageChanged("Deleting 3 of 12", 0.25))
    yield from stage.picture("busy")


def show_preferences(window: bpy.types.Window, area: bpy.types.Area) -> Steps:
    area.type = "PREFERENCES"
    bpy.context.preferences.active_section = "ADDONS"
    bpy.context.window_manager.addon_search = "Asset Gen"
    with bpy.context.temp_override(window=window, area=area):
        bpy.ops.preferences.addon_expand(module=PACKAGE)
    yield 1.0


def scanned(stage: Stage) -> Steps:
    bpy.ops.assetgen.storage_scan()
    yield from stage.wait_for("the scan is over", lambda: not stage.bridge("state").state.storage.busy)


def escape(stage: Stage, window: bpy.types.Window) -> Steps:
    x, y = window.width // 2, window.height // 2
    for value in ("PRESS", "RELEASE"):
        window.event_simulate(type="ESC", value=value, x=x, y=y)
    yield 0.5


def write_results(stage: Stage) -> None:
    """Results of every age and kind in the data folder, without a service."""
    core = f"{PACKAGE}.addon.core"
    job = importlib.import_module(f"{core}.jobs.job")
    journal_class = importlib.import_module(f"{core}.jobs.journal").Journal
    locations = importlib.import_module(f"{core}.paths").Locations(stage.bridge("prefs").settings().data_dir)
    now = {"is": time.time()}
    journal = journal_class(locations.journal, "gallery", clock=lambda: now["is"])
    present = now["is"]
    names = (
        ("Decimate: Suzanne", 0.2, 3_400_000, True, job.Stage.APPLIED),
        (f"Text to Model: {LONG_PROMPT}", 0.5, 48_200_000, False, job.Stage.READY),
        ("Texture: rusty iron with flakes of old red paint", 3, 21_000_000, True, job.Stage.APPLIED),
        ("Convert: Statue", 5, 640_000, False, job.Stage.FAILED),
        *(
            (f"Stylize: Chair {number}", 12 + number, 900_000 * number, True, job.Stage.APPLIED)
            for number in range(1, 6)
        ),
        *(
            (f"Segment: Robot {number}", 50 + number, 90_000 * number, True, job.Stage.APPLIED)
            for number in range(1, 9)
        ),
        ("Rig: Hero", 200, 7_000_000, False, job.Stage.APPLIED),
    )
    for number, (name, days, size, used, where) in enumerate(names):
        job_id = f"20261122-1010{number:02}-gallery"
        plan = job.JobPlan(
            name, job.Source(job.SourceKind.TASK, task_id="t"), (job.StepPlan("decimate"),), job.Delivery()
        )
        folder = locations.results(job_id)
        folder.mkdir(parents=True)
        model = folder / "model.glb"
        model.write_bytes(bytes(size))
        # Quickly: as long as its last sign of life is so old, the runtime takes a job for abandoned.
        now["is"] = present - days * 86400
        journal.add(job_id, plan, "api.service.example", job.Stage.CREATE)
        journal.record_task(job_id, f"0b7c9a52-6d0e-4f0e-9d6a-00000000{number:04}", "")
        now["is"] = present
        columns = {"stage": where, "resume": job.Stage.READY if where is job.Stage.FAILED else None}
        journal.change(
            job_id,
            step={"status": "success", "credits": "25"},
            files=[("model", str(model))],
            result=str(model),
            used_at=present if used else 0,
            **columns,
        )
    journal.remove(f"20261122-1010{len(names) - 1:02}-gallery")
    journal.close()
    (locations.results("20261122-101002-gallery") / "model.glb.broken").write_bytes(bytes(120_000))
    (locations.local_engine / "tasks").mkdir(parents=True, exist_ok=True)
    (locations.local_engine / "tasks" / "model.glb").write_bytes(bytes(5_000_000))
