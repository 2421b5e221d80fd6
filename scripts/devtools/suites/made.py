"""What some suites wait for, and what is made beside the others: environments, the zip, a Blender with windows."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..environments.environment import Environment
from ..terminal import Trouble, run_or_end, say
from .suite import Suite

WITH_ZIP = ("blender", "gui")
"""The kinds of suites that install the zip."""


@dataclass(frozen=True, slots=True)
class Made:
    """What is being made, or is there already; each raises :class:`Trouble` where it could not be made.

    Attributes:
        environments: Those of the other Blenders, by their folders.
        archive: The zip; None where none is built.
        window: Has ended once the Blender that ``BLENDER`` names can be started; None where it always could.
    """

    environments: Mapping[Path, Future[Environment]] = field(default_factory=dict)
    archive: Future[Path] | None = None
    window: Future[None] | None = None

    def needed_by(self, suite: Suite) -> list[Future[Any]]:
        """What has to have ended before the suite can start."""
        if suite.environment is None:
            return []
        environment = self.environments.get(suite.environment.folder)
        archive = self.archive if suite.kind in WITH_ZIP else None
        window = self.window if suite.kind == "gui" else None
        return [each for each in (environment, archive, window) if each is not None]

    def given_to(self, suite: Suite) -> Suite:
        """The suite with the zip, or why it cannot run; waits for what has not ended yet."""
        needed = self.needed_by(suite)
        try:
            for each in needed:
                if each is not self.archive:
                    each.result()
        except Trouble as trouble:
            return replace(suite, environment=None, reason=str(trouble))
        if self.archive is None or self.archive not in needed:
            return suite
        try:
            return replace(suite, extra=(*suite.extra, ("ASSETGEN_TEST_ZIP", str(self.archive.result()))))
        except Trouble:
            # Without a window there is much to test beside the zip, and those who need it say that there is none.
            return (
                replace(suite, environment=None, reason="the zip could not be built") if suite.kind == "gui" else suite
            )


def set_up_window() -> None:
    """Runs the command that ``BLENDER_SETUP`` holds, if any: only then the Blender that ``BLENDER`` names is there.

    Raises:
        Trouble: It failed.
    """
    command = shlex.split(os.environ.get("BLENDER_SETUP", ""))
    if command:
        say("Setting up the Blender with windows ...")
        run_or_end(command, "Setting up the Blender with windows")
