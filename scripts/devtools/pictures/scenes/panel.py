"""The panel in each of its states, with the local engine: real jobs, and samples of what lasts too short."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import bpy

from . import camera, samples, studio

if TYPE_CHECKING:
    from devtools.window.driver import Stage

Steps = Iterator[float]

_VERSION = "v3.1-20260211"
_MODELS = {
    "a red wooden chair": (-2.3, 0.2, 0.0),
    "an old stone tower": (-4.4, 1.6, 0.0),
    "a round oak table": (4.6, 1.0, 0.0),
    "a blue ceramic mug": (1.6, -2.2, 0.0),
    "a green robot": (2.5, 0.2, 0.0),
}
"""Words, and where what they become stands."""

_WORDS = "rusty iron with flakes of old red paint"


def start(stage: Stage) -> Steps:
    """What there is before the first job."""
    yield from studio.begin(stage)
    yield from camera.side_bar(stage, "first-start")
    studio.add_monkey("Knight")
    yield from studio.look_at_all(stage, in_color=False, near=0.6)
    fill_in(stage)
    yield from camera.side_bar(stage, "ready")
    yield from other_looks(stage, "ready")
    yield from dialog(stage)
    yield from preferences(stage)


def jobs(stage: Stage) -> Steps:
    """Results, jobs that run, and troubles."""
    yield from studio.begin(stage)
    knight = studio.add_monkey("Knight")
    fill_in(stage)
    yield from results(stage, knight)
    yield from camera.window(stage, "done")
    settings = stage.window_manager.asset_generation_jobs
    with closed_main_panel():
        yield from camera.side_bar(stage, "job-list")
        settings.show_details = True
        yield from camera.redrawn(stage)
        yield from stage.scroll_side_bar()
        yield from camera.side_bar(stage, "details")
        settings.show_details = False
        yield from camera.redrawn(stage)
        settings.view = "GRID"
        yield from camera.side_bar(stage, "grid")
        settings.view = "LIST"
        yield from troubles(stage)


def fill_in(stage: Stage) -> None:
    """Has the panel show Texture, with words."""
    stage.choose("texture")
    bpy.context.scene.asset_generation.texture.text = _WORDS


def results(stage: Stage, knight: bpy.types.Object) -> Steps:
    """Makes models and an image out of words, and textures the one that was there."""
    studio.deselect()
    bpy.ops.assetgen.text_to_image(prompt="a lighthouse")
    for number, (words, place) in enumerate(_MODELS.items()):
        yield from studio.finished(stage, 1 + number)
        bpy.context.scene.cursor.location = place
        bpy.ops.assetgen.text_to_model(prompt=words, model_version=_VERSION)
    yield from studio.finished(stage, 1 + len(_MODELS))
    studio.deselect()
    knight.select_set(True)
    bpy.context.view_layer.objects.active = knight
    bpy.ops.assetgen.texture(text=_WORDS)
    yield from studio.finished(stage, 2 + len(_MODELS))
    studio.make_repeatable(stage)
    bpy.ops.assetgen.choose_job(job_id=stage.bridge("state").state.newest_first()[0].id)
    yield from studio.look_at_all(stage, near=1.6)


def troubles(stage: Stage) -> Steps:
    """Jobs that run, that failed, and that were paid and not answered."""
    for name, views in (
        ("running", samples.running(stage)),
        ("failed", [samples.failed(stage)]),
        ("looking", [samples.looking(stage)]),
        ("uncertain", [samples.uncertain(stage)]),
    ):
        samples.add(stage, *views)
        bpy.ops.assetgen.choose_job(job_id=views[0].id)
        yield from camera.side_bar(stage, name)
        if name in ("running", "uncertain"):
            yield from other_looks(stage, name)
        samples.remove(stage, *views)


def other_looks(stage: Stage, name: str) -> Steps:
    """The same in a narrow side bar, in the light, and in Chinese."""
    usual = stage.region("UI").width
    yield from studio.set_side_bar_width(stage, 200)
    yield from camera.side_bar(stage, f"{name}-narrow")
    yield from studio.set_side_bar_width(stage, usual)
    studio.set_theme("Blender_Light")
    yield from camera.side_bar(stage, f"{name}-light")
    studio.set_theme("Blender_Dark")
    if studio.speak("zh"):
        yield 1.0
        yield from camera.side_bar(stage, f"{name}-chinese")
        studio.speak("en_US")
        yield 1.0


def dialog(stage: Stage) -> Steps:
    """The dialog of an entry of the Add menu."""
    region = stage.region("WINDOW")
    x, y = region.x + region.width // 2, region.y + region.height // 2 + 120
    yield from stage.move(x, y)
    bpy.context.scene.asset_generation.text_to_model.prompt = "a tall wooden chair"
    with bpy.context.temp_override(window=stage.window, area=stage.viewport, region=region):
        bpy.ops.assetgen.text_to_model("INVOKE_DEFAULT")
    yield from camera.window(stage, "dialog")
    yield from escape(stage, x, y)


def preferences(stage: Stage, name: str = "preferences") -> Steps:
    """The preferences of the extension, in the place of the viewport."""
    area = stage.viewport
    area.type = "PREFERENCES"
    bpy.context.preferences.active_section = "ADDONS"
    bpy.context.window_manager.addon_search = "Asset Gen"
    yield 0.5
    bpy.ops.preferences.addon_expand(module=studio.PACKAGE)
    yield 1.0
    yield from camera.window(stage, name)
    bpy.ops.preferences.addon_expand(module=studio.PACKAGE)
    area.type = "VIEW_3D"
    yield 0.5
    yield from stage.open_side_bar()


def escape(stage: Stage, x: int, y: int) -> Steps:
    """Closes a dialog."""
    for value in ("PRESS", "RELEASE"):
        stage.window.event_simulate(type="ESC", value=value, x=x, y=y)
    yield 0.5


class closed_main_panel:  # noqa: N801 - used like a function
    """Leaves the panel with the form out, so that there is room for the jobs."""

    def __enter__(self) -> None:
        """Takes it out."""
        self._panels: list[Any] = [studio.module("ui.credits_panel").ASSETGEN_PT_credits]
        self._panels.append(studio.module("ui.main_panel").ASSETGEN_PT_main)
        for item in self._panels:
            bpy.utils.unregister_class(item)

    def __exit__(self, *_: object) -> None:
        """Brings it back."""
        for item in reversed(self._panels):
            bpy.utils.register_class(item)
