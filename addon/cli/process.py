"""``process``: a model file goes in, the asked operations run one after the other, a model file comes out."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import bpy

from ..bridge import scripting
from ..bridge.session import session
from ..core.errors import CoreError, sentences
from ..core.jobs.job import JobView, Stage
from ..core.settings import LOCAL
from ..core.status.error_messages import ExitCode
from . import model_files
from .parsing import EXIT_CODES
from .progress import Reporter, reporter
from .silence_stdout import silence


@dataclass(frozen=True, slots=True)
class Step:
    """One operation: a capability and what its operator is given."""

    capability: str
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StepResult:
    """What one operation came to. ``triangles`` counts before and after; ``task_ids`` are of all tasks that it ran."""

    capability: str
    task_ids: tuple[str, ...]
    seconds: float
    triangles: tuple[int, int]
    credits: str
    objects: tuple[bpy.types.Object, ...]


class StepFailed(Exception):
    """An operation did not come to its end. ``job`` is there when one was started."""

    def __init__(self, sentence: str, exit_code: int, job: JobView | None = None) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code
        self.job = job


class _AddStep(argparse.Action):
    """Collects the operations in the order in which they stand on the command line."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        field, capability = str(self.const), self.dest.removeprefix("do_")
        namespace.steps = [*getattr(namespace, "steps", []), Step(capability, {field: values})]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _UsageError(f"{message}\n\n{self.format_usage()}")


class _UsageError(Exception):
    pass


def build_parser() -> argparse.ArgumentParser:
    """The options of ``process``."""
    parser = _Parser(
        prog="process_model.py",
        description="Run operations on a model file, in the order in which they are given.",
        epilog=EXIT_CODES,
    )
    parser.add_argument("input", type=Path, metavar="IN", help=f"model file ({', '.join(model_files.READABLE)})")
    parser.add_argument("output", type=Path, metavar="OUT", help="file to write the result to")
    parser.add_argument(
        "--decimate", dest="do_decimate", action=_AddStep, const="face_limit", type=int, metavar="FACES",
        help="rebuild with at most this many faces",
    )  # fmt: skip
    parser.add_argument(
        "--texture", dest="do_texture", action=_AddStep, const="text", metavar="PROMPT",
        help="give it a new texture from these words",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print one JSON object a line instead of a progress bar")
    return parser


def main(arguments: Sequence[str]) -> int:
    """Runs the command line and returns its exit code."""
    try:
        options = build_parser().parse_args(arguments)
    except _UsageError as error:
        reporter(as_json="--json" in arguments).event("error", str(error), exit_code=ExitCode.BAD_INPUT)
        return ExitCode.BAD_INPUT
    except SystemExit:  # --help has been printed
        return ExitCode.DONE
    show = reporter(as_json=options.json)
    try:
        return _process(options.input, options.output, getattr(options, "steps", []), show)
    except (StepFailed, CoreError) as error:
        code = getattr(error, "exit_code", ExitCode.BAD_INPUT)
        advice = getattr(error, "advice", "")
        show.event("error", sentences(str(error), advice) + ".", exit_code=code)
        return int(code)
    except KeyboardInterrupt:
        show.event(
            "error", "Interrupted. What was already started goes on at the next start.", exit_code=ExitCode.INTERRUPTED
        )
        return ExitCode.INTERRUPTED
    finally:
        show.close()
        session.shutdown()


def _process(source: Path, target: Path, steps: Sequence[Step], show: Reporter) -> int:
    if not steps:
        raise StepFailed("Nothing to do: give --decimate, --texture or both", ExitCode.BAD_INPUT)
    model_files.check_writable(target)
    bpy.ops.wm.read_homefile(use_empty=True)
    show.event("open", f"Opening {source}", path=str(source))
    with silence():
        objects = model_files.open_model(source)
    for step in steps:
        result = run_step(step, objects, show)
        objects = list(result.objects)
    with silence():
        model_files.save_model(target, objects)
    show.event("done", f"Wrote {target}", path=str(target), triangles=model_files.triangles(objects))
    return ExitCode.DONE


def run_step(step: Step, objects: Sequence[bpy.types.Object], show: Reporter) -> StepResult:
    """Selects the objects and runs one operator on them, blocking.

    Raises:
        StepFailed: It failed; the message is the operator's sentence.
    """
    model_files.select(objects)
    before = model_files.triangles(objects)
    job_before = scripting.last_job()
    begun = time.monotonic()
    try:
        with scripting.watching(show.job):
            getattr(bpy.ops.assetgen, step.capability)(**step.fields)
    except RuntimeError as error:
        job = scripting.last_job()
        if job is not None and job_before is not None and job.id == job_before.id:
            job = None
        sentence = str(error).strip().removeprefix("Error: ").rstrip()
        raise StepFailed(sentence, (job.exit_code or ExitCode.FAILED) if job else ExitCode.BAD_INPUT, job) from error
    seconds = time.monotonic() - begun
    job = scripting.last_job()
    if job is None or job.stage is not Stage.APPLIED:
        raise StepFailed("The result did not come into the scene", ExitCode.FAILED, job)
    after = tuple(scripting.result_objects(job.id)) or tuple(objects)
    tasks = tuple(view.task_id for view in job.steps if view.task_id)
    credits = "+".join(view.credits for view in job.steps if view.credits)
    result = StepResult(step.capability, tasks, seconds, (before, model_files.triangles(after)), credits, after)
    charged = f", {job.credits} credits" if job.credits and job.service_id != LOCAL else ""
    show.event(
        "step",
        f"{job.name}: {before:,} to {result.triangles[1]:,} triangles in {seconds:.1f} s{charged}",
        capability=step.capability,
        tasks=tasks,
        seconds=round(seconds, 3),
        triangles_before=before,
        triangles_after=result.triangles[1],
        credits=credits,
    )
    return result
