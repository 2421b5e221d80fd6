"""Recipes in this Blender: what the panel shows of them, and the run that goes on.

A worker reads, plans and runs them; drawing only looks at what is there and has it made anew when it is old.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.log import logger
from . import prefs, pump
from .redraw import redraw
from .session import session

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ..core.recipes.background_run import RecipeCall, RecipeEnd, RecipeProgress
    from ..core.recipes.recipe_view import RecipeView


_AGAIN_SECONDS = 2.0


class RecipeRuns:
    """The recipe that is looked at, and the one that runs. All methods belong to the main thread.

    Attributes:
        view: The recipe that is looked at; None as long as it was not read.
        progress: How far the run is; None where there is none.
        end: How the last run ended; None as long as none has.
        failure: Why the last run was not started, in a sentence.
        known: Every recipe there is: how it is chosen, and its name.
        on_view: Takes a recipe that was read.
    """

    def __init__(self) -> None:
        self.view: RecipeView | None = None
        self.progress: RecipeProgress | None = None
        self.end: RecipeEnd | None = None
        self.failure = ""
        self.known: list[tuple[str, str]] = []
        self.on_view: Callable[[RecipeView], None] = lambda view: None
        self._known_key: object = None
        self._key: object = None
        self._future: Future[RecipeEnd] | None = None
        self._ending = threading.Event()

    @property
    def is_running(self) -> bool:
        """Whether a run goes on."""
        return self._future is not None and not self._future.done()

    def look_for_recipes(self) -> None:
        """Has the folders of recipes read, unless that was done a moment ago."""
        runtime, folder = session.loaded, prefs.recipe_folder()
        key = (folder, int(time.monotonic() / _AGAIN_SECONDS))
        if runtime is None or key == self._known_key:
            return
        self._known_key = key

        def read() -> list[tuple[str, str]]:
            from ..core.recipes.shipped import SHIPPED, recipe_files

            files = recipe_files(folder)
            return [(path.stem if path.parent == SHIPPED else str(path), name_of(path)) for path in files]

        def take(answer: Future[list[tuple[str, str]]]) -> None:
            if answer.exception() is None and answer.result() != self.known:
                self.known = answer.result()
                redraw()

        pump.when_done(runtime.run(read), take)

    def forget_view(self) -> None:
        """Another recipe is to be shown."""
        self.view, self.end, self.failure, self._key = None, None, "", None

    def look(self, recipe: str, given: Mapping[str, str], title: str) -> None:
        """Has a recipe read and planned, unless that is what is there.

        Args:
            recipe: Its path, or the name of one that comes along.
            given: Values of its variables, as texts.
            title: What is selected; empty for nothing.
        """
        runtime = session.loaded
        settings, folder = session.settings, prefs.recipe_folder()
        key = (recipe, folder, dict(given), title, settings, int(time.monotonic() / _AGAIN_SECONDS))
        if runtime is None or key == self._key:
            return
        self._key = key

        def read() -> RecipeView:
            from ..core.errors import CoreError
            from ..core.recipes.recipe_view import RecipeView, look_at
            from ..core.recipes.shipped import find_recipe

            try:
                path = find_recipe(recipe, folder)
            except CoreError as error:
                return RecipeView(recipe, "", troubles=(str(error),))
            view = look_at(path, given, title, settings.region, runtime.price_of)
            return view._replace(price="free: the local engine") if settings.is_local and view.price else view

        def take(answer: Future[RecipeView]) -> None:
            if (error := answer.exception()) is not None:
                logger(__name__).info("%s cannot be shown: %s", recipe, error)
            elif key == self._key and self.view != answer.result():
                self.view = answer.result()
                self.on_view(self.view)
                redraw()

        pump.when_done(runtime.run(read), take)

    def start(self, call: RecipeCall, staged: Path) -> Future[RecipeEnd]:
        """Begins to run a recipe, on a thread of its own.

        Args:
            call: What was asked for.
            staged: The folder of the files that were written for it; it is taken over.

        Raises:
            Refused: The runtime cannot be had.
        """
        from concurrent.futures import Future

        from ..core.recipes.background_run import RecipeProgress, brought_in, carry_out

        runtime, settings = session.runtime(), session.settings
        future: Future[RecipeEnd] = Future()
        self._ending = ending = threading.Event()
        self.progress, self.end, self.failure = RecipeProgress(0, 0, "", ()), None, ""

        def tell(progress: RecipeProgress) -> None:
            self.progress = progress

        def run() -> None:
            try:
                ready = brought_in(call, staged, settings.data_dir)
                future.set_result(carry_out(ready, settings, runtime, tell, ending.is_set))
            except BaseException as error:
                future.set_exception(error)
            finally:
                session.remove_staged(staged)

        def take(answer: Future[RecipeEnd]) -> None:
            self.progress = None
            if (error := answer.exception()) is None:
                self.end = answer.result()
            else:
                self.failure = str(error)
                logger(__name__).info("the recipe was not run: %s", error)
            self._key = None  # prices are known now
            redraw()

        self._future = future
        threading.Thread(target=run, daemon=True, name="assetgen-recipe").start()
        pump.when_done(future, take)
        return future

    def stop(self) -> None:
        """Leaves a run off; its jobs go on by themselves, and the next run finds them."""
        self._ending.set()


def name_of(path: Path) -> str:
    """What a recipe is called where it was not read."""
    return path.stem.replace("_", " ").title()


recipe_runs = RecipeRuns()
