"""The picture that a run of a recipe ends with: all of its results."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from ....vendor.assetgen.contract import capability
from ....vendor.background_blender import BlenderTrouble
from ..errors import CoreError
from .output_files import JobFiles, OutputWriter
from .pictures import PictureMaker, Tile
from .recipe_plan import PlannedJob, RecipePlan
from .run import JobOutcome, Progress, RecipeRun


def sheet_path(plan: RecipePlan) -> Path:
    """Where the picture goes: beside the results, named after the recipe's file."""
    return plan.folder / f"{plan.recipe.path.stem}-results.png"


def write_contact_sheet(run: RecipeRun, writer: OutputWriter, pictures: PictureMaker) -> Path | None:
    """Writes the picture of all results; None where there are none.

    Raises:
        BlenderTrouble: It could not be drawn.
        OSError: It could not be written.
    """
    jobs = [(job, run.outcomes[job.key]) for job in run.plan.jobs if job.outputs]
    if not any(outcome.files for _, outcome in jobs):
        return None
    out = sheet_path(run.plan)
    is_new = any(outcome.progress is not Progress.UNCHANGED for outcome in run.outcomes.values())
    if out.is_file() and not is_new:
        return out
    tiles = [tile for job, outcome in jobs for tile in _tiles(job, outcome, writer)]
    part = out.with_name(f".{out.stem}.part.png")
    pictures.contact_sheet(run.plan.recipe.name, tiles, part)
    os.replace(part, out)
    return out


def _tiles(job: PlannedJob, outcome: JobOutcome, writer: OutputWriter) -> Iterator[Tile]:
    """A tile for each picture of a job: one for a model, whatever it was written as, and one for each image."""
    label = capability(job.capability).label
    if not outcome.files:
        yield Tile(job.outputs[0].name, f"{label}: {outcome.progress}")
        return
    images = [path for path in outcome.files if Path(path).suffix.lower() == ".png"]
    others = [Path(path) for path in outcome.files if path not in images]
    if others:
        endings = ", ".join(path.suffix for path in others[1:])
        picture = ""
        with contextlib.suppress(CoreError, BlenderTrouble, OSError, KeyError):
            picture = str(writer.picture(JobFiles(outcome.job_id, job.title, outcome.made)))
        yield Tile(f"{others[0].name}{', ' * bool(endings)}{endings}", label, picture or next(iter(images), ""))
        return
    for path in images:
        yield Tile(Path(path).name, label, path)
