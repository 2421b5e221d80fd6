"""Every form and panel in the widths, scales and themes that people have: what is cut of it, and pictures on demand."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from support.panels.measured_layout import LIST, PANEL, MeasuredLayout

from scenarios.forms import OpenLayout
from scenarios.job_list import module, sample_jobs, show
from scenarios.panel import narrow, set_theme
from scenarios.scene import add_source

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

PACKAGE = "bl_ext.user_default.asset_generation"
PICTURES_OF = os.environ.get("ASSETGEN_TEST_PICTURES", "").split(",")
"""Names of looks, to be looked at: a sheet for each of them and each service. Each takes minutes; a test needs none."""

LOOKS = (
    # Its name, whether the side bar is narrow, the resolution scale, and the theme.
    ("usual-dark", False, 1.0, "Blender_Dark"),
    ("usual-light", False, 1.0, "Blender_Light"),
    ("narrow-dark", True, 1.0, "Blender_Dark"),
    ("narrow-large", True, 1.5, "Blender_Dark"),
)
TALL = ("text_to_model", "image_to_model", "multiview_to_model", "convert", "texture")
"""Forms that do not fit onto the screen where their side bar is narrow."""


def sizes(stage: Stage) -> Steps:
    """Walks through all forms and panels, with objects, words and jobs that have long names."""
    yield from stage.open_side_bar()
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    add_source("A statue with a very long name that does not fit in here")
    stage.seen["cut"], stage.seen["widths"] = [], {}
    if any(PICTURES_OF):
        open_everything()
    values = bpy.context.preferences.addons[PACKAGE].preferences
    session = stage.bridge("session").session
    was_narrow = False
    for look, is_narrow, scale, theme in LOOKS:
        if is_narrow and not was_narrow:
            with bpy.context.temp_override(area=stage.viewport, region=stage.region("UI")):
                yield from narrow(stage)
            was_narrow = True
        set_theme(theme)
        bpy.context.preferences.view.ui_scale = scale
        yield 0.5
        stage.seen["widths"][look] = stage.region("UI").width / bpy.context.preferences.system.ui_scale
        for service in ("local", "online"):
            values.service = "REMOTE" if service == "online" else "LOCAL"
            if service == "online":
                values.base_url, values.key, values.monthly_budget = "http://127.0.0.1:9", "abc", 500
            yield from stage.wait_for("the runtime is there", lambda: session.ready and not session.loading)
            if service == "online":
                have_spent(stage)
            yield from walk(stage, f"{look}-{service}", with_pictures=look in PICTURES_OF)
        values.service = "LOCAL"


def walk(stage: Stage, name: str, *, with_pictures: bool) -> Steps:
    """Each form, and each kind of job."""
    pictures: list[str] = []
    main, jobs = module("ui.main_panel").ASSETGEN_PT_main, module("ui.job_panel").ASSETGEN_PT_jobs
    show(stage)
    for capability in module("props.task_properties").CAPABILITIES:
        stage.choose(capability)
        measure(stage, f"{name} {capability}", drawing(main))
        if with_pictures:
            yield from shoot(stage, f"{name}-form-{capability}", pictures, is_tall=capability in TALL)
    sheet(stage, f"sheet-{name}-forms", pictures)
    pictures.clear()
    stage.choose("rig_check")  # a short one
    measure(stage, f"{name} first steps", drawing(jobs))
    for panel in ("credits", "history"):
        measure(stage, f"{name} {panel}", drawing(getattr(module(f"ui.{panel}_panel"), f"ASSETGEN_PT_{panel}")))
    show(stage, *sample_jobs(stage))
    yield 0.3
    state = stage.bridge("state").state
    draw_row = module("ui.job_list").draw_row
    for job in state.jobs.values():
        bpy.ops.assetgen.choose_job(job_id=job.id)
        measure(stage, f"{name} {job.name}", drawing(jobs))
        measure(stage, f"{name} row {job.name}", lambda layout, context, job=job: draw_row(layout, job, context), LIST)
        if with_pictures:
            yield from shoot(stage, f"{name}-{job.id}", pictures, is_tall=True)
    sheet(stage, f"sheet-{name}-jobs", pictures)


def drawing(panel: Any) -> Callable[[Any, Any], None]:
    """How a panel draws itself into a layout of ours."""
    return lambda layout, context: panel.draw(SimpleNamespace(layout=layout), context)


def measure(stage: Stage, name: str, draw: Callable[[Any, Any], None], taken: float = 0.0) -> None:
    """Notes what is cut of a drawing in the side bar as it is now."""
    region, scale = stage.region("UI"), bpy.context.preferences.system.ui_scale
    layout = MeasuredLayout(scale)
    with bpy.context.temp_override(window=stage.window, area=stage.viewport, region=region):
        draw(layout, bpy.context)
    stage.seen["cut"] += [f"{name}: {cut}" for cut in layout.cuts(region.width / scale - PANEL - taken)]


def have_spent(stage: Stage) -> None:
    """An account with a balance that has paid for some tasks."""
    session = stage.bridge("session").session
    state = stage.bridge("state").state
    state.update(module("core.status.messages").ServiceChecked(True, "Connected", balance="1220.5", frozen="40"))
    charged = module("core.jobs.spending_table").ChargedTask
    for capability, credits in (("text_to_model", "40"), ("texture", "12.5"), ("image_to_multiview", "25")):
        session.ready._runtime._started.ledger.add(
            charged(session.settings.service_id, capability, credits, time.time() - 60)
        )


def open_everything() -> None:
    """Has the closed parts open, for pictures."""
    fields = module("ui.fields")
    closed = fields.draw_advanced
    fields.draw_advanced = lambda layout, *rest: closed(OpenLayout(layout), *rest)
    for name in ("credits", "history"):
        panel = getattr(module(f"ui.{name}_panel"), f"ASSETGEN_PT_{name}")
        bpy.utils.unregister_class(panel)
        panel.bl_options = set()
        bpy.utils.register_class(panel)


def shoot(stage: Stage, name: str, pictures: list[str], *, is_tall: bool) -> Steps:
    yield from stage.picture(name, side_bar_only=True)
    pictures.append(f"{name}.png")
    if is_tall:
        yield from stage.scroll_side_bar()
        yield from stage.picture(f"{name}-end", side_bar_only=True)
        pictures.append(f"{name}-end.png")
        with bpy.context.temp_override(window=stage.window, area=stage.viewport, region=stage.region("UI")):
            for _ in range(40):
                bpy.ops.view2d.scroll_up("EXEC_DEFAULT")


def sheet(stage: Stage, name: str, pictures: list[str]) -> None:
    """One picture of many."""
    if not pictures:
        return
    command = ["montage", *pictures, "-tile", "8x", "-geometry", "+4+4", f"{name}.png"]
    try:
        subprocess.run(command, cwd=stage.folder, check=True, timeout=120)
    except (OSError, subprocess.SubprocessError) as error:
        stage.seen.setdefault("no_sheets", str(error))
