"""The film of the first job: a mesh, some words, Run, and the result in its place."""

from __future__ import annotations

import subprocess
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, NamedTuple

import bpy
from mathutils import Quaternion

from . import camera, studio

if TYPE_CHECKING:
    from devtools.window.driver import Stage

Steps = Iterator[float]
Search = Generator[float, None, tuple[int, int]]
"""Steps that end with a place: pixels from the lower left."""

_WORDS = "rusty iron"
_POINTER = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12))
"""Its outline from the tip, in pixels."""

_HOLD, _BEAT, _STEP, _LETTER = 120, 40, 5, 9
"""How long a frame is seen, in hundredths of a second: at rest, after a press, while something moves, per letter."""

_SCALE = "80%"
_SMALL = ("-strip", "-define", "webp:method=6", "-define", "webp:auto-filter=true", "-quality", "82")
"""Unlike the pictures it loses a little: a turning model would take megabytes."""

_ASIDE = 40  # pixels to the right of the middle, where the pointer hides no words
_GLIDE = 9  # frames from one place to the next
_LAST = 250
_WAITING_FRAMES = 16
_TURN = 24  # frames in which the result turns to and fro
_DRAG = 150  # pixels that the pointer is dragged for that


class Frame(NamedTuple):
    """What is seen for a while.

    Attributes:
        file: The picture of the window.
        pointer: Where the tip of the pointer is, in pixels from the upper left; nobody's without one.
        is_pressed: Whether its button is down.
        time: Hundredths of a second.
    """

    file: str
    pointer: tuple[int, int]
    is_pressed: bool
    time: int


class Reel:
    """What was filmed so far."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.frames: list[Frame] = []
        self.pointer = (stage.window.width // 3, stage.window.height * 2 // 3)
        self._shots = 0

    def shoot(self, time: int, *, is_pressed: bool = False) -> None:
        """Takes a picture of the window as it is."""
        file = f"shot-{self._shots:03}.png"
        self._shots += 1
        camera.take(self.stage, file, (0, 0, self.stage.window.width, self.stage.window.height))
        self.frames.append(Frame(file, self.pointer, is_pressed, time))

    def click(self, spot: tuple[int, int], time: int = _BEAT) -> Steps:
        """Moves the pointer to a place, pixels from below, and clicks there."""
        yield from self.glide(spot)
        self.shoot(_BEAT // 2)
        self.frames.append(self.frames[-1]._replace(is_pressed=True, time=_BEAT // 3))
        yield from self.stage.click(*spot)
        yield 0.4
        self.shoot(time)

    def glide(self, spot: tuple[int, int]) -> Steps:
        """Moves the pointer to a place, pixels from below."""
        x, y = spot
        target = (x, self.stage.window.height - y)
        begin, file = self.pointer, self.frames[-1].file
        for number in range(1, _GLIDE + 1):
            share = number / _GLIDE
            share = share * share * (3 - 2 * share)  # slow at both ends
            place = tuple(round(a + (b - a) * share) for a, b in zip(begin, target, strict=True))
            self.frames.append(Frame(file, (place[0], place[1]), False, _STEP))
        self.pointer = target
        yield from self.stage.move(x, y)
        yield 0.3

    def develop(self, name: str) -> None:
        """Draws the pointer into the frames and makes one film of them."""
        folder, parts = self.stage.folder, []
        for number, frame in enumerate(self.frames):
            file = f"frame-{number:03}.png"
            x, y = frame.pointer
            outline = " ".join(f"{x + right},{y + down}" for right, down in _POINTER)
            draw = ["-fill", "#222222" if frame.is_pressed else "white", "-stroke", "black", "-strokewidth", "1.2"]
            halo = ["-fill", "#ffffff40", "-stroke", "none", "-draw", f"circle {x},{y} {x + 13},{y}"]
            polygon = [*draw, "-draw", f"polygon {outline}"]
            command = ["convert", frame.file, *(halo if frame.is_pressed else ()), *polygon, "-resize", _SCALE, file]
            subprocess.run(command, cwd=folder, check=True, timeout=60)
            parts += ["-delay", str(frame.time), file]
        command = ["convert", *parts, "-loop", "0", *_SMALL, f"{name}.webp"]
        subprocess.run(command, cwd=folder, check=True, timeout=600)
        for path in [*folder.glob("frame-*.png"), *folder.glob("shot-*.png")]:
            path.unlink()
        self.stage.seen["seconds"] = sum(frame.time for frame in self.frames) / 100


def film(stage: Stage) -> Steps:
    """Films it."""
    yield from studio.begin(stage)
    studio.add_monkey()
    yield from studio.look_at_all(stage, near=0.7)
    settings = bpy.context.scene.asset_generation
    group = yield from place_of_group(stage, "Process")
    stage.choose("texture")
    yield 0.5
    field = yield from place_of_property(stage, ".texture.text")
    button = yield from place_of_run(stage)
    stage.choose("text_to_model")
    yield from stage.move(200, 200)  # away from everything that has a tooltip
    yield from camera.redrawn(stage)
    reel = Reel(stage)
    reel.shoot(_HOLD)
    yield from reel.click(group)
    yield from reel.click(field, _LETTER * 2)
    for letter in _WORDS:
        kind = "SPACE" if letter == " " else letter.upper()
        x, y = field
        stage.window.event_simulate(type=kind, value="PRESS", unicode=letter, x=x, y=y)
        stage.window.event_simulate(type=kind, value="RELEASE", x=x, y=y)
        yield 0.15
        reel.shoot(_LETTER)
    for value in ("PRESS", "RELEASE"):
        stage.window.event_simulate(type="RET", value=value, x=field[0], y=field[1])
    yield 0.4
    reel.shoot(_BEAT)
    assert settings.texture.text == _WORDS, settings.texture.text
    yield from reel.click(button)
    region = stage.region("WINDOW")
    # Off the button: Blender would go on showing it as it was when the pointer came.
    yield from reel.glide((region.x + region.width * 3 // 4, region.y + region.height // 4))
    yield from waiting(stage, reel)
    yield 2.0  # shaders are compiled
    reel.shoot(_BEAT)
    yield from turning(stage, reel)
    reel.shoot(_LAST)
    reel.develop("film")


def waiting(stage: Stage, reel: Reel) -> Steps:
    """Films the progress; the film shows it shorter than it was."""
    state = stage.bridge("state").state
    yield from stage.wait_for("the job is in the list", lambda: state.jobs)
    begin, seen = len(reel.frames), -1.0
    while state.running() or state.ready():
        progress = sum(job.progress for job in state.jobs.values())
        if progress != seen:
            reel.shoot(0)
            seen = progress
        yield 0.15
    yield from studio.finished(stage, 1)
    taken = reel.frames[begin:]
    kept = taken[:: max(1, len(taken) // _WAITING_FRAMES)]
    reel.frames[begin:] = [frame._replace(time=_LETTER) for frame in kept]


def turning(stage: Stage, reel: Reel) -> Steps:
    """Turns the view to the result's side and back, as by a drag."""
    view = stage.viewport.spaces.active.region_3d
    begin, (left, top) = view.view_rotation.copy(), reel.pointer
    for number in range(1, _TURN + 1):
        way = 1 - abs(2 * number / _TURN - 1)
        way = way * way * (3 - 2 * way)
        view.view_rotation = Quaternion((0, 0, 1), -0.9 * way) @ begin
        stage.viewport.tag_redraw()
        yield 0.2
        reel.pointer = (left + round(_DRAG * way), top)
        reel.shoot(_STEP, is_pressed=number < _TURN)


def place_of_property(stage: Stage, ending: str) -> Search:
    """Where the field of a property is in the side bar."""
    region = stage.region("UI")
    x = region.x + region.width // 2 + _ASIDE
    for y in range(region.y + region.height - 30, region.y + 10, -7):
        yield from stage.move(x, y)
        if path_under_mouse(stage).endswith(ending):
            return x, y - 6
    raise AssertionError(f"no field has the property {ending}")


def place_of_group(stage: Stage, wanted: str) -> Search:
    """Where the button of a group of operations is; found by pressing, and turned back."""
    settings = bpy.context.scene.asset_generation
    before = settings.group
    _, y = yield from place_of_property(stage, ".asset_generation.group")
    region = stage.region("UI")
    for x in range(region.x + region.width - 30, region.x + region.width // 2, -10):
        yield from stage.click(x, y)
        for _ in range(10):  # a busy machine is slow to take events in
            yield 0.1
            if settings.group != before:
                break
        found, settings.group = settings.group, before
        yield from camera.redrawn(stage)  # the chosen button is wide, and the others lie elsewhere
        stage.seen.setdefault("groups", []).append([x, y, found])
        if found == wanted:
            return x - 5, y
    raise AssertionError(f"no button shows {wanted}")


def place_of_run(stage: Stage) -> Search:
    """Where Run is, as long as Texture is shown; the same operator stands among the quick actions, and asks there."""
    for item in stage.find_button("bpy.ops.assetgen.texture(use_panel_settings=True", _ASIDE):
        if isinstance(item, tuple):
            return item[0], item[1] - 8
        yield item
    raise AssertionError("there is no Run")


def path_under_mouse(stage: Stage) -> str:
    """The path of the property whose field is under the mouse; empty where there is none."""
    manager = stage.window_manager
    manager.clipboard = ""
    with bpy.context.temp_override(window=stage.window, area=stage.viewport, region=stage.region("UI")):
        if bpy.ops.ui.copy_data_path_button.poll():  # type: ignore[call-arg]
            bpy.ops.ui.copy_data_path_button(full_path=True)
    return str(manager.clipboard)
