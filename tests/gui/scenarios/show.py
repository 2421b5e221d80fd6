"""What comes of a job is seen: progress and reports in the status bar, and Show."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector

from scenarios.jobs import empty_scene, finished
from scenarios.scene import add_source, scene_facts, select_only, timer_runs

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

PACKAGE = "bl_ext.user_default.asset_generation"


def show_results(stage: Stage) -> Steps:
    """A model, an image and an answer: progress, report, and Show for each."""
    yield from stage.open_side_bar()
    empty_scene()
    bar = stage.bridge("status_line").status_bar
    lines = stage.seen["lines"] = []
    stage.seen["reports_before"] = reports(stage)
    bpy.context.scene.asset_generation.text_to_model.prompt = "a red wooden chair"
    bpy.ops.assetgen.text_to_model(use_panel_settings=True)
    yield from stage.wait_for("the bar moves", lambda: bar.line.fraction > 0.05)
    lines.append(bar.line.words)
    yield from stage.picture("1-progress")
    yield from finished(stage, "text_to_model")
    chair = chair_of(stage)
    stage.seen["selected_on_arrival"] = [item.name for item in bpy.context.view_layer.objects.selected]
    stage.seen["shading_on_arrival"] = space(stage).shading.type
    yield from reported(stage, "chair")
    yield from stage.picture("2-report")
    stage.seen["reports"] = reports(stage)
    yield from stage.wait_for("the status bar is as before", lambda: not bar.line.words)
    other = add_cube("Mine", 40)
    chair.hide_set(True)
    space(stage).region_3d.view_location = (40, 40, 0)
    bpy.ops.ed.undo_push(message="Mine")
    yield from stage.picture("3-before-show")
    yield from stage.press("bpy.ops.assetgen.show_result")
    yield 5.0  # the shaders of Material Preview
    yield from stage.picture("4-after-show")
    stage.seen["shown"] = {**scene_facts(), "shading": space(stage).shading.type, "share": share(stage, chair)}
    space(stage).shading.type = "SOLID"
    yield from stage.key("Z", ctrl=True)
    stage.seen["show_undone"] = scene_facts()
    yield from stage.key("Z", ctrl=True, shift=True)
    stage.seen["show_redone"] = scene_facts()
    yield from from_edit_mode_and_camera(stage, other)
    yield from from_local_view(stage)
    yield from in_another_scene(stage)
    yield from an_image(stage)


def end_reports(stage: Stage) -> Steps:
    """Reports come while somebody types or drags; those of jobs that end together are one; Stop All."""
    yield from stage.open_side_bar()
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    yield from an_answer(stage)
    yield from several(stage)
    stage.seen["timer_runs"] = timer_runs(stage)
    stage.seen["draws_left"] = len(header_draws())


def from_edit_mode_and_camera(stage: Stage, other: bpy.types.Object) -> Steps:
    """Somebody edits another object, and looks through the camera."""
    other = bpy.data.objects["Mine"]
    select_only(other)
    bpy.ops.object.mode_set(mode="EDIT")
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    camera.location = (40, 30, 3)
    camera.rotation_euler = (1.4, 0, 0)
    bpy.context.scene.camera = camera
    space(stage).region_3d.view_perspective = "CAMERA"
    yield 0.5
    show_latest(stage)
    space(stage).shading.type = "SOLID"
    yield 0.5
    stage.seen["from_camera"] = {
        "mode": bpy.context.mode,
        "view": space(stage).region_3d.view_perspective,
        "share": share(stage, chair_of(stage)),
        "selected": [item.name for item in bpy.context.view_layer.objects.selected],
    }
    bpy.ops.object.mode_set(mode="OBJECT")


def from_local_view(stage: Stage) -> Steps:
    """Somebody looks at another object alone."""
    select_only(bpy.data.objects["Mine"])
    with bpy.context.temp_override(area=stage.viewport, region=stage.region("WINDOW")):
        bpy.ops.view3d.localview("EXEC_DEFAULT", True)
    yield 0.5
    show_latest(stage)
    space(stage).shading.type = "SOLID"
    yield 0.5
    stage.seen["from_local_view"] = {
        "left": space(stage).local_view is None,
        "share": share(stage, chair_of(stage)),
        "selected": [item.name for item in bpy.context.view_layer.objects.selected],
    }


def in_another_scene(stage: Stage) -> Steps:
    """The result is in another scene than the one that is open."""
    first = bpy.context.window.scene
    bpy.context.window.scene = bpy.data.scenes.new("Another")
    yield 0.3
    show_latest(stage)
    space(stage).shading.type = "SOLID"
    yield 0.5
    stage.seen["scene"] = [first.name, stage.window.scene.name, share(stage, chair_of(stage))]


def an_image(stage: Stage) -> Steps:
    """Where no Image Editor is open, a window opens; where one is, it is used."""
    bpy.context.scene.asset_generation.text_to_image.prompt = "a red lighthouse on a rock"
    bpy.ops.assetgen.text_to_image(use_panel_settings=True)
    yield from finished(stage, "text_to_image")
    stage.seen["images_on_arrival"] = image_editors(stage)
    yield from stage.picture("5-image-before")
    yield from stage.press("bpy.ops.assetgen.show_result")
    yield 0.5
    yield from stage.picture("6-image-after")
    stage.seen["image_window"] = image_editors(stage)
    stage.seen["windows"] = len(stage.window_manager.windows)
    show_latest(stage)
    yield 0.5
    stage.seen["image_window_again"] = image_editors(stage)
    with bpy.context.temp_override(window=stage.window_manager.windows[-1]):
        bpy.ops.wm.window_close()
    yield 0.5
    stage.seen["windows_closed"] = len(stage.window_manager.windows)
    area = next(area for area in stage.window.screen.areas if area.type == "DOPESHEET_EDITOR")
    area.ui_type = "IMAGE_EDITOR"
    yield 0.5
    show_latest(stage)
    yield 0.5
    stage.seen["image_editor"] = image_editors(stage)
    yield from stage.picture("7-image-editor")
    area.ui_type = "DOPESHEET"
    yield 0.5


def an_answer(stage: Stage) -> Steps:
    """The report of an answer comes while somebody types a name and while somebody drags; nothing of it is lost."""
    source = add_source("Body")
    before = len(reports(stage))
    yield from stage.key("F2")
    bpy.ops.assetgen.rig_check()
    yield from said(stage, "Rig Check")
    # The Info editor cannot be asked while the field is open.
    region = stage.region("WINDOW")
    x, y = region.x + region.width // 3, region.y + region.height // 2
    for letter in "Hero":
        stage.window.event_simulate(type=letter.upper(), value="PRESS", unicode=letter, x=x, y=y)
        stage.window.event_simulate(type=letter.upper(), value="RELEASE", x=x, y=y)
        yield 0.1
    yield from stage.picture("1-typing")
    for kind in ("RET", "RET"):
        stage.window.event_simulate(type=kind, value="PRESS", x=x, y=y)
        stage.window.event_simulate(type=kind, value="RELEASE", x=x, y=y)
        yield 0.3
    stage.seen["typed"] = source.name
    yield from finished(stage, "rig_check")
    stage.seen["reports_while_typing"] = reports(stage)[before:]
    bpy.ops.assetgen.rig_check()
    yield from stage.move(x, y)
    stage.window.event_simulate(type="G", value="PRESS", x=x, y=y)
    stage.window.event_simulate(type="G", value="RELEASE", x=x, y=y)
    yield 0.3
    at = source.location.copy()
    yield from stage.move(x + 60, y)
    yield from said(stage, "Rig Check")
    stage.seen["still_dragging"] = [item.bl_idname for item in stage.window.modal_operators]
    reported_at = (source.location - at).length
    yield from stage.move(x + 120, y)
    yield from stage.click(x + 120, y)
    stage.seen["dragged"] = [reported_at, (source.location - at).length]
    yield from stage.press("bpy.ops.assetgen.show_result")
    yield from stage.picture("2-answer")


def several(stage: Stage) -> Steps:
    """Three jobs end together, one of them badly; two are stopped from the status bar's menu."""
    yield from stage.key("ESC")
    bar = stage.bridge("status_line").status_bar
    before = len(reports(stage))
    job = importlib.import_module(f"{PACKAGE}.addon.core.jobs.job")
    messages = importlib.import_module(f"{PACKAGE}.addon.core.status.messages")
    news = stage.bridge("session").session.news

    def tell(stage_of: dict[str, Any], **values: Any) -> None:
        for name, where in stage_of.items():
            view = job.JobView(name, name, where, 0.4, "", created_at=1e9, seconds=75.0, service_id="local", **values)
            news.put(messages.JobChanged(view))
        stage.bridge("pump").start()

    names = ("Texture Knight", "Rig Hero", "Convert Lamp")
    tell(dict.fromkeys(names, job.Stage.WAIT), actions=frozenset({job.Action.STOP}))
    yield from stage.wait_for("the bar counts", lambda: bar.line.words.startswith("3 jobs"))
    stage.seen["lines"] = [bar.line.words]
    yield from stage.click(stage.window.width - 19, 12)
    yield from stage.picture("3-menu")
    stage.window.event_simulate(type="ESC", value="PRESS", x=800, y=400)
    stage.window.event_simulate(type="ESC", value="RELEASE", x=800, y=400)
    yield 0.3
    tell({names[0]: job.Stage.FAILED}, error="There are not enough credits", advice="Top up the balance")
    tell(dict.fromkeys(names[1:], job.Stage.APPLIED))
    yield from stage.wait_for("the bar is gone", lambda: not bar.line.words)
    yield 1.5
    yield from stage.picture("4-several")
    stage.seen["several"] = reports(stage)[before:]
    for name in names:
        news.put(messages.JobRemoved(name))
    stage.choose("text_to_image")
    bpy.context.scene.asset_generation.text_to_image.prompt = "a red lighthouse on a rock"
    for _ in range(2):
        bpy.ops.assetgen.text_to_image(use_panel_settings=True)
    yield from stage.wait_for("both run", lambda: len(stage.bridge("state").state.running()) == 2)
    bpy.ops.assetgen.stop_jobs("INVOKE_DEFAULT")
    yield from stage.picture("5-stop-all")
    before = len(reports(stage))
    stage.window.event_simulate(type="ESC", value="PRESS", x=800, y=400)
    stage.window.event_simulate(type="ESC", value="RELEASE", x=800, y=400)
    bpy.ops.assetgen.stop_jobs()
    yield from stage.wait_for("nothing runs", lambda: not stage.bridge("state").state.running())
    yield 1.5
    stage.seen["stopped"] = reports(stage)[before:]
    yield from stage.wait_for("the timer is gone", lambda: not timer_runs(stage))


def said(stage: Stage, words: str) -> Steps:
    """Waits until a report that begins like this has been handed to Blender."""
    module = importlib.import_module(f"{PACKAGE}.addon.ops.status_reports")
    endings = stage.bridge("endings").endings
    state = stage.bridge("state").state
    yield from stage.wait_for("the job runs", lambda: state.running() or endings.waits)
    yield from stage.wait_for(f"{words} ends", lambda: not state.running())
    yield from stage.wait_for(f"{words} is reported", lambda: not endings.waits and not module._state.lines)
    yield 0.2


def reported(stage: Stage, words: str) -> Steps:
    yield from stage.wait_for(f"the report of {words}", lambda: any(words in line for line in reports(stage)), 20)


def reports(stage: Stage) -> list[str]:
    """What the Info editor lists, without the lines of operators; what a person would copy from there."""
    area = next(area for area in stage.window.screen.areas if area.type in {"OUTLINER", "INFO"})
    before = area.type
    area.type = "INFO"
    area.spaces.active.show_report_operator = False
    stage.window_manager.clipboard = ""
    region = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(window=stage.window, area=area, region=region):
        bpy.ops.info.select_all(action="SELECT")
        bpy.ops.info.report_copy()
        bpy.ops.info.select_all(action="DESELECT")
    area.type = before
    lines = [line.strip() for line in stage.window_manager.clipboard.splitlines() if line.strip()]
    return [line for line in lines if not line.startswith("bpy.")]


def show_latest(stage: Stage) -> None:
    """Presses Show of the latest job that has something to show, in the viewport."""
    job = stage.bridge("state").state.newest_first()[0]
    with bpy.context.temp_override(area=stage.viewport, region=stage.region("UI")):
        bpy.ops.assetgen.show_result("INVOKE_DEFAULT", job_id=job.id)


def chair_of(stage: Stage) -> bpy.types.Object:
    state = stage.bridge("state").state
    job = next(job for job in state.newest_first() if job.steps[0].capability == "text_to_model")
    return stage.bridge("results.open_file").open_file.objects_of(job.id)[0]


def add_cube(name: str, x: float) -> bpy.types.Object:
    bpy.ops.mesh.primitive_cube_add("EXEC_DEFAULT", True, location=(x, x, 0))
    item = bpy.context.view_layer.objects.active
    item.name = name
    return item


def space(stage: Stage) -> bpy.types.SpaceView3D:
    return stage.viewport.spaces.active


def share(stage: Stage, item: bpy.types.Object) -> float:
    """How much of the viewport's shorter side an object takes; 0 where a part of it is outside."""
    region = stage.region("WINDOW")
    view = space(stage).region_3d
    points = [location_3d_to_region_2d(region, view, item.matrix_world @ Vector(corner)) for corner in item.bound_box]
    if any(point is None or not (0 <= point.x <= region.width and 0 <= point.y <= region.height) for point in points):
        return 0.0
    sizes = [max(p[axis] for p in points) - min(p[axis] for p in points) for axis in (0, 1)]
    return max(sizes) / min(region.width, region.height)


def image_editors(stage: Stage) -> list[list[Any]]:
    found = []
    for number, window in enumerate(stage.window_manager.windows):
        for area in window.screen.areas:
            if area.type == "IMAGE_EDITOR":
                image = area.spaces.active.image
                found.append([number, image.name if image else "", round(area.spaces.active.zoom[0], 2)])
    return found


def header_draws() -> list[Any]:
    """What of ours the status bar draws."""
    draws = getattr(bpy.types.STATUSBAR_HT_header.draw, "_draw_funcs", [])
    return [function for function in draws if PACKAGE in function.__module__]
