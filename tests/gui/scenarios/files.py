"""Convert in a window: the path is asked for, the file written, the scene left alone; and the numbers of the panel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import bpy

from scenarios.scene import add_source, ended, scene_facts

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]


def export_file(stage: Stage) -> Steps:
    """Convert through the file browser, the browser once more, and into the scene afterwards."""
    out = stage.folder / "out"
    out.mkdir()
    bpy.context.preferences.view.filebrowser_display_type = "SCREEN"
    yield from stage.open_side_bar()
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    source = add_source("Knight")
    bpy.ops.object.shade_smooth("EXEC_DEFAULT", True)
    bpy.ops.ed.undo_push(message="Knight")
    stage.choose("convert")
    bpy.context.scene.asset_generation.convert.format = "STL"
    bpy.ops.ed.undo_push(message="Format")
    yield from counted(stage, source, "counted")
    stage.seen["before"] = scene_facts()
    yield from stage.picture("1-before")
    yield from stage.press("bpy.ops.assetgen.convert")
    yield from stage.wait_for("the file browser", lambda: browser(stage))
    yield 0.5
    params = browser(stage).spaces.active.params
    stage.seen["offered"] = params.filename
    params.directory = str(out).encode()
    yield from stage.picture("2-file-browser")
    yield from accept(stage)
    yield from at_rest(stage, 1)
    yield 0.5
    stage.seen["after"] = scene_facts()
    stage.seen["written"] = written(out)
    stage.seen["text"] = latest(stage).text
    stage.seen["title"] = latest(stage).name
    yield from stage.picture("3-written")
    yield from stage.key("Z", ctrl=True)
    stage.seen["undone"] = [scene_facts(), written(out)]
    yield from stage.key("Z", ctrl=True, shift=True)
    stage.seen["redone"] = [scene_facts(), written(out)]
    yield from once_more(stage)
    stage.seen["written_again"] = written(out)
    job_id = latest(stage).id
    yield from stage.press("bpy.ops.assetgen.job_action")
    objects = stage.bridge("results.open_file").open_file
    yield from stage.wait_for_job("it is in the scene", lambda: objects.objects_of(job_id))
    yield 0.5
    stage.seen["brought_in"] = scene_facts()
    yield from stage.picture("5-brought-in")
    yield from stage.key("Z", ctrl=True)
    stage.seen["brought_in_undone"] = scene_facts()
    yield from stage.key("Z", ctrl=True, shift=True)
    stage.seen["brought_in_redone"] = scene_facts()


def numbers(stage: Stage) -> Steps:
    """The triangles that the panel names, while the mesh changes; the free engine; and why a model cannot be rigged."""
    yield from stage.open_side_bar()
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    source = add_source("Knight")
    stage.choose("texture")
    yield from stage.picture("1-before-counting", side_bar_only=True)
    for number, (kind, settings) in enumerate(
        (("SUBSURF", {}), ("MIRROR", {"use_axis": (False, False, True)}), ("ARRAY", {"count": 3}), ("SUBSURF", {}))
    ):
        if number:
            modifier = source.modifiers.new(kind, kind)
            for name, value in settings.items():
                setattr(modifier, name, value)
        yield from counted(stage, source, f"counted_{number}")
    yield from stage.picture("2-counted", side_bar_only=True)
    bpy.ops.object.mode_set(mode="EDIT")
    yield from stage.picture("3-edit-mode", side_bar_only=True)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.assetgen.test_service()
    yield from stage.wait_for("the answer", lambda: stage.bridge("state").state.service is not None, 60)
    stage.seen["local"] = stage.bridge("state").state.service.sentence
    stage.choose("rig_check")
    while source.modifiers:
        source.modifiers.remove(source.modifiers[-1])
    yield from stage.press("bpy.ops.assetgen.rig_check")
    texts: set[str] = set()
    state = stage.bridge("state").state

    def is_answered() -> bool:
        texts.update(job.text for job in state.jobs.values())
        return bool(state.jobs) and ended(latest(stage))

    yield from stage.wait_for("an answer", is_answered, 120)
    stage.seen["texts"] = sorted(texts)
    stage.seen["answer"] = latest(stage).answer
    yield from stage.picture("4-rig-check", side_bar_only=True)


def counted(stage: Stage, item: bpy.types.Object, name: str) -> Steps:
    """Waits until the panel has counted an object; writes down what it says and what there is."""
    counts = stage.bridge("objects.triangle_counts").counts
    mesh = item.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    mesh.calc_loop_triangles()
    wanted = len(mesh.loop_triangles)
    yield from stage.wait_for(f"{wanted} are counted", lambda: counts.total([item]) == wanted, 10)
    stage.seen[name] = [wanted, counts.total([item])]


def once_more(stage: Stage) -> Steps:
    """The same file again: the file browser knows the folder and warns; who leaves it starts nothing."""
    yield from stage.press("bpy.ops.assetgen.convert")
    yield from stage.wait_for("the file browser", lambda: browser(stage))
    yield 0.5
    params = browser(stage).spaces.active.params
    stage.seen["offered_again"] = [params.filename, params.directory.decode()]
    yield from stage.picture("4-overwrite")
    yield from press_in_browser(stage, "ESC")
    stage.seen["jobs_after_leaving"] = len(stage.bridge("state").state.jobs)


def accept(stage: Stage) -> Steps:
    """Presses Return in the file browser, a second time where it wants that."""
    for _ in range(2):
        if browser(stage) is not None:
            yield from press_in_browser(stage, "RET")
    assert browser(stage) is None, "the file browser is still open"


def press_in_browser(stage: Stage, key: str) -> Steps:
    area = browser(stage)
    x, y = area.x + area.width // 2, area.y + area.height // 3
    yield from stage.move(x, y)
    for value in ("PRESS", "RELEASE"):
        stage.window.event_simulate(type=key, value=value, x=x, y=y)
    yield 1.0


def browser(stage: Stage) -> Any:
    """The area of the file browser, where it is open."""
    return next((area for area in stage.window.screen.areas if area.type == "FILE_BROWSER"), None)


def latest(stage: Stage) -> Any:
    return stage.bridge("state").state.newest_first()[0]


def at_rest(stage: Stage, count: int) -> Steps:
    """Waits until there are so many jobs and the latest has ended."""
    state = stage.bridge("state").state
    yield from stage.wait_for_job("the job ends", lambda: len(state.jobs) == count and ended(latest(stage)))


def written(folder: Any) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
