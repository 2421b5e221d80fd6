"""Runs inside a windowed Blender: plays a scenario the way a person would, takes pictures, writes down what it saw.

Started as ``blender --enable-event-simulate --python driver.py -- SCENARIOS SCENARIO FOLDER`` after install.py. A
scenario is a generator, in one of the files of the folder SCENARIOS, that yields the seconds it wants to sleep; a timer
goes on with it, so Blender lives on normally meanwhile.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bpy

PACKAGE = "bl_ext.user_default.asset_generation"
LONGEST_SECONDS = 600.0
STEP = 0.15

Steps = Iterator[float]


class Stage:
    """The window, the mouse and the keyboard, and the book in which the scenario writes what it saw."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seen: dict[str, Any] = {"blender": bpy.app.version_string}

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
        pause = 0.35 if side_bar_only else 0.5  # where something moves, panels slide to their new places
        yield pause
        for window in self.window_manager.windows:
            for area in window.screen.areas:
                area.tag_redraw()
        yield pause
        part = ["-crop", self.place_of("UI"), "+repage"] if side_bar_only else []
        try:
            # ImageMagick gives characters like "%" in a path a meaning of its own. "10" is the quickest way to
            # compress a PNG.
            command = ["import", "-window", "root", *part, "-quality", "10", f"{name}.png"]
            subprocess.run(command, cwd=self.folder, check=True, timeout=30)
        except (OSError, subprocess.SubprocessError) as error:
            self.seen.setdefault("no_pictures", str(error))

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

    def find_button(self, command: str, across: int = -20) -> Iterator[float | tuple[int, int]]:
        """Moves the mouse down the side bar until the button under it is the one that runs ``command``, and once more
        when it is scrolled to its end.

        ``across`` is how many pixels to the right of the middle.
        """
        for is_scrolled in (False, True):
            if is_scrolled:
                yield from self.scroll_side_bar()
            region = self.region("UI")
            x = region.x + region.width // 2 + across
            for y in range(region.y + region.height - 12, region.y + 10, -9):
                yield from self.move(x, y)
                if self._command_under_mouse().startswith(command):
                    yield (x, y)
                    return
        raise AssertionError(f"no button runs {command}")

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

    def press(self, command: str, across: int = -20) -> Steps:
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


def play(scenario: Callable[[Stage], Steps], folder: Path) -> None:
    """Plays a scenario and ends Blender."""
    stage = Stage(folder)
    bpy.context.preferences.use_preferences_save = False  # a language or a size is for one scenario
    steps = scenario(stage)
    until = time.monotonic() + LONGEST_SECONDS

    def go_on() -> float | None:
        try:
            if time.monotonic() > until:
                raise AssertionError("the scenario took too long")
            with bpy.context.temp_override(window=stage.window):
                return next(steps)
        except StopIteration:
            stage.seen["ended"] = True
        except BaseException:
            stage.seen["error"] = traceback.format_exc()
        (folder / "seen.json").write_text(json.dumps(stage.seen, indent=1, default=str))
        # The timer must be gone before Blender ends.
        bpy.app.timers.register(lambda: bpy.ops.wm.quit_blender() and None, first_interval=0.1)
        return None

    bpy.app.timers.register(go_on, first_interval=1.5, persistent=True)


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
