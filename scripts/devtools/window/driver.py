"""Runs inside a windowed Blender: plays a scenario the way a person would, takes pictures, writes down what it saw.

Started as ``blender --enable-event-simulate --python driver.py -- SCENARIOS SCENARIO FOLDER`` after install.py. A
scenario is a generator, in one of the files of the folder SCENARIOS, that yields the seconds it wants to sleep; a timer
goes on with it, so Blender lives on normally meanwhile.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

import bpy

PACKAGE = "bl_ext.user_default.asset_generation"
LONGEST_SECONDS = 600.0
STEP = 0.15
REST_SECONDS = 0.01
"""How long Blender's loop rests each time round. By itself it waits 5 ms and does so by computing, to be exact, which
takes half a core from the jobs that are waited for."""
SLIDE_SECONDS = 0.35
"""What panels take to slide to their new places."""
FIRST_SECONDS = 0.5
ROW = 14
"""Pixels from one look at the side bar to the next; its buttons are twenty high."""
LOOK_KEY = "F19"
"""Has the driver look what is under the mouse; nothing else listens to it."""
MOST_LOOK_SECONDS = 3.0
JOB_SECONDS = 400.0
"""The longest wait for a job: those in the background give way to all else that runs, such as other suites of tests."""

Steps = Iterator[float]


class Stage:
    """The window, the mouse and the keyboard, and the book in which the scenario writes what it saw."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seen: dict[str, Any] = {"blender": bpy.app.version_string}
        self.rests = True  # a scenario that measures how quick Blender's loop is says no
        self._drawn = 0
        self._looked: list[tuple[int, str]] | None = None

    # What is on the screen

    @property
    def window(self) -> bpy.types.Window:
        """Blender's first window."""
        return bpy.context.window_manager.windows[0]

    @property
    def viewport(self) -> bpy.types.Area:
        """The first 3D viewport."""
        return next(area for area in self.window.screen.areas if area.type == "VIEW_3D")

    def region(self, kind: str) -> bpy.types.Region:
        """A region of the viewport, such as its side bar, ``UI``."""
        return next(region for region in self.viewport.regions if region.type == kind)

    def bridge(self, name: str) -> Any:
        """A module of addon/bridge, of the extension that is installed."""
        return importlib.import_module(f"{PACKAGE}.addon.bridge.{name}")

    def choose(self, capability: str) -> None:
        """Has the panel show a capability."""
        self._settings().choose_capability(bpy.context.scene.asset_generation, capability)

    @property
    def chosen(self) -> str:
        """The capability that the panel shows."""
        return str(self._settings().chosen_capability(bpy.context.scene.asset_generation))

    def _settings(self) -> Any:
        return importlib.import_module(f"{PACKAGE}.addon.props.scene_settings")

    def picture(self, name: str, *, side_bar_only: bool = False) -> Steps:
        """Saves what the screen shows, or the side bar alone, once Blender has drawn it."""
        yield SLIDE_SECONDS
        yield from self._draw_again([self.region("UI")] if side_bar_only else self._areas())
        part = ["-crop", self.place_of("UI"), "+repage"] if side_bar_only else []
        try:
            # ImageMagick gives characters like "%" in a path a meaning of its own. "10" is the quickest way to
            # compress a PNG.
            command = ["import", "-window", "root", *part, "-quality", "10", f"{name}.png"]
            subprocess.run(command, cwd=self.folder, check=True, timeout=30)
        except (OSError, subprocess.SubprocessError) as error:
            self.seen.setdefault("no_pictures", str(error))

    def _areas(self) -> list[bpy.types.Area]:
        return [area for window in self.window_manager.windows for area in window.screen.areas]

    def _draw_again(self, parts: Sequence[bpy.types.Area | bpy.types.Region]) -> Steps:
        """Has areas or regions drawn, and waits until all of them are on the screen, which is at once."""
        before, until = self._drawn, time.monotonic() + 1.0
        handlers = [
            (space, space.draw_handler_add(self._note_drawing, (), kind, "POST_PIXEL"), kind)
            for space in (bpy.types.SpaceView3D, bpy.types.SpaceImageEditor)
            for kind in ("WINDOW", "UI")
        ]
        for part in parts:
            part.tag_redraw()
        while self._drawn == before and time.monotonic() < until:
            yield REST_SECONDS
        for space, handler, kind in handlers:
            space.draw_handler_remove(handler, kind)
        yield REST_SECONDS

    def _note_drawing(self) -> None:
        self._drawn += 1

    def place_of(self, kind: str) -> str:
        """Where a region is in a picture of the screen; Blender counts from below."""
        region = self.region(kind)
        top = self.window.height - region.y - region.height
        return f"{region.width}x{region.height}+{region.x}+{top}"

    # Hands

    def move(self, x: int, y: int) -> Steps:
        """Moves the mouse; pixels, counted from below, as all places on the screen."""
        # Blender wants to see the mouse travel before it believes where it is.
        for offset in (3, 0):
            self.window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x + offset, y=y)
            yield 0.03

    def click(self, x: int, y: int) -> Steps:
        """Clicks with the left button."""
        yield from self.move(x, y)
        self.window.event_simulate(type="LEFTMOUSE", value="PRESS", x=x, y=y)
        yield 0.05
        self.window.event_simulate(type="LEFTMOUSE", value="RELEASE", x=x, y=y)
        yield STEP

    def key(self, kind: str, **modifiers: bool) -> Steps:
        """Presses a key over the viewport."""
        region = self.region("WINDOW")
        x, y = region.x + region.width // 3, region.y + region.height // 2
        yield from self.move(x, y)
        self.window.event_simulate(type=kind, value="PRESS", x=x, y=y, **modifiers)
        self.window.event_simulate(type=kind, value="RELEASE", x=x, y=y)
        yield 0.4

    def find_button(self, command: str, across: int | Sequence[int] = -20) -> Iterator[float | tuple[int, int]]:
        """Moves the mouse down the side bar until the button under it is the one that runs ``command``, and once more
        when it is scrolled to its end.

        ``across`` is how many pixels to the right of the middle it is; where there are several, each is tried.
        """
        columns = [across] if isinstance(across, int) else across
        for sweep, scroll in (
            (self._sweep, lambda: ()),
            (self._sweep, self.scroll_side_bar),
            (self._sweep_slowly, lambda: self.scroll_side_bar(to_top=True)),
            (self._sweep_slowly, self.scroll_side_bar),
        ):
            yield from scroll()
            for offset in columns:
                region = self.region("UI")
                for item in sweep(command, region.x + region.width // 2 + offset):
                    yield item
                    if isinstance(item, tuple):
                        return
        raise AssertionError(f"no button runs {command}")

    def _sweep(self, command: str, x: int) -> Iterator[float | tuple[int, int]]:
        """Moves the mouse down the side bar all at once: Blender looks at each place before it draws the next time,
        since the drawings are what takes long. Gives the middle of the button where there is one.
        """
        places = self._places()
        found = self._looks()
        found.clear()
        yield from self.move(x, places[0])
        for y in places:
            for offset in (1, 0):  # Blender leaves a button with the first and enters the next one with the second
                self.window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x + offset, y=y)
            for value in ("PRESS", "RELEASE"):
                self.window.event_simulate(type=LOOK_KEY, value=value, x=x, y=y)
        until = time.monotonic() + MOST_LOOK_SECONDS
        while len(found) < len(places) and time.monotonic() < until:  # in a menu the key is not heard
            yield 0.01
        for y in [y for y, seen in found if seen.startswith(command)][:1]:
            spot = yield from self._middle(command, x, y)
            if spot is not None:
                yield spot

    def _sweep_slowly(self, command: str, x: int) -> Iterator[float | tuple[int, int]]:
        """The same, with a drawing after every move."""
        places = self._places()
        yield from self.move(x, places[0])
        for y in places:
            self.window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
            yield 0.001
            if self._command_under_mouse().startswith(command):
                spot = yield from self._middle(command, x, y)
                if spot is not None:
                    yield spot
                    return

    def _looks(self) -> list[tuple[int, str]]:
        """What was under the mouse whenever the key was pressed that stands for a look, and how high that is."""
        looks = self._looked
        if looks is not None:
            return looks
        looks = self._looked = []

        class Look(bpy.types.Operator):
            bl_idname = "assetgen_driver.look"
            bl_label = "Look"

            def invoke(_, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:  # noqa: N805
                looks.append((event.mouse_y, self._command_under_mouse()))
                return {"FINISHED"}

        bpy.utils.register_class(Look)
        keymap = self.window_manager.keyconfigs.addon.keymaps.new("Window", space_type="EMPTY")
        keymap.keymap_items.new(Look.bl_idname, LOOK_KEY, "PRESS")
        return looks

    def _places(self) -> range:
        """Where to look, from the top of the side bar to its end."""
        region = self.region("UI")
        return range(region.y + region.height - 12, region.y + 10, -ROW)

    def _middle(self, command: str, x: int, y: int) -> Generator[float, None, tuple[int, int] | None]:
        """Looks slowly where a button was seen in passing: Blender may have told of the place before that one. None is
        where it is not.
        """
        found = []
        for offset in (ROW, ROW // 2, 0, -ROW // 2):
            yield from self.move(x, y + offset)
            if self._command_under_mouse().startswith(command):
                found.append(y + offset)
        if not found:
            return None
        spot = x, found[len(found) // 2]
        yield from self.move(*spot)
        return spot

    def scroll_side_bar(self, *, to_top: bool = False) -> Steps:
        """Scrolls the side bar to its end, or back to its top."""
        scroll = bpy.ops.view2d.scroll_up if to_top else bpy.ops.view2d.scroll_down
        with bpy.context.temp_override(window=self.window, area=self.viewport, region=self.region("UI")):
            for _ in range(40):
                scroll("EXEC_DEFAULT")
        yield 0.5

    def _command_under_mouse(self) -> str:
        manager = self.window_manager
        manager.clipboard = ""
        with bpy.context.temp_override(window=self.window, area=self.viewport, region=self.region("UI")):
            if bpy.ops.ui.copy_python_command_button.poll():  # type: ignore[call-arg]
                bpy.ops.ui.copy_python_command_button()
        return str(manager.clipboard)

    @property
    def window_manager(self) -> bpy.types.WindowManager:
        """Blender's."""
        return bpy.context.window_manager

    def press(self, command: str, across: int | Sequence[int] = -20) -> Steps:
        """Finds the button that runs ``command`` and clicks it; see :meth:`find_button`."""
        spot: tuple[int, int] | None = None
        for item in self.find_button(command, across):
            if isinstance(item, tuple):
                spot = item
                break
            yield item
        assert spot is not None
        self.seen.setdefault("pressed", []).append([command, *spot])
        yield from self.click(*spot)

    # Set-up

    def open_side_bar(self, tab: str = "Asset Gen") -> Steps:
        """Opens the side bar of the viewport at a tab."""
        self.viewport.spaces.active.show_region_ui = True
        yield 0.5
        self.region("UI").active_panel_category = tab
        self.viewport.tag_redraw()
        yield 0.5

    def wait_for(self, words: str, condition: Callable[[], Any], seconds: float = 90.0) -> Steps:
        """Waits until something is so; ``words`` say what, for whoever reads that it never was."""
        until = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > until:
                raise AssertionError(f"waited {seconds:.0f} s in vain: {words}")
            yield 0.05

    def wait_until_loaded(self) -> Steps:
        """Waits until nothing more is imported ahead, which begins by itself. Blender's list of add-ons goes through
        ``sys.modules`` when it is drawn first, and fails where a thread imports something meanwhile.
        """
        state = self.bridge("preload")._state  # to ask whether it is ready would begin it
        yield from self.wait_for("what a press needs is loaded", lambda: state.ended)

    def wait_for_job(self, words: str, condition: Callable[[], Any]) -> Steps:
        """Waits until a job, or a task of it, has come so far; see :meth:`wait_for`."""
        yield from self.wait_for(words, condition, JOB_SECONDS)


def play(scenario: Callable[[Stage], Steps], folder: Path) -> None:
    """Plays a scenario and ends Blender."""
    stage = Stage(folder)
    bpy.context.preferences.use_preferences_save = False  # a language or a size is for one scenario
    steps = scenario(stage)
    began = time.monotonic()
    until = began + LONGEST_SECONDS
    due = time.monotonic() + FIRST_SECONDS

    def go_on() -> float | None:
        nonlocal due
        try:
            if time.monotonic() > until:
                raise AssertionError("the scenario took too long")
            with bpy.context.temp_override(window=stage.window):
                pause = next(steps)
            due = time.monotonic() + pause
            return pause
        except StopIteration:
            stage.seen["ended"] = True
        except BaseException:
            stage.seen["error"] = traceback.format_exc()
        stage.seen["cost"] = cost(began)
        (folder / "seen.json").write_text(json.dumps(stage.seen, indent=1, default=str))
        # The timers must be gone before Blender ends.
        stage.rests = False
        bpy.app.timers.register(lambda: bpy.ops.wm.quit_blender() and None, first_interval=0.1)
        return None

    def rest() -> float | None:
        time.sleep(min(REST_SECONDS, max(0.0, due - time.monotonic())))
        return 0.001 if stage.rests else None

    bpy.app.timers.register(go_on, first_interval=FIRST_SECONDS, persistent=True)
    bpy.app.timers.register(rest, persistent=True)


def cost(began: float) -> dict[str, float]:
    """Seconds since then, and the computing time in them: of Blender and of what it has started and seen end."""
    spent = os.times()
    own, children = spent.user + spent.system, spent.children_user + spent.children_system
    return {"seconds": round(time.monotonic() - began, 1), "cpu": round(own, 1), "jobs_cpu": round(children, 1)}


def scenario_called(name: str, folder: Path) -> Callable[[Stage], Steps]:
    """The function of that name in the one file of the folder that has it; the files are modules of a package there."""
    sys.path.insert(0, str(folder.parent))
    files = [
        path
        for path in sorted(folder.glob("[!_]*.py"))
        if f"\ndef {name}(stage: Stage)" in path.read_text(encoding="utf-8")
    ]
    if len(files) != 1:
        raise LookupError(f"a scenario in {folder} called {name} is in {len(files)} files")
    scenario: Callable[[Stage], Steps] = getattr(importlib.import_module(f"{folder.name}.{files[0].stem}"), name)
    return scenario


if __name__ == "__main__":
    scenarios, name, target = sys.argv[sys.argv.index("--") + 1 :]
    play(scenario_called(name, Path(scenarios)), Path(target))
