"""The sub-commands of the capabilities: a model file, a task or nothing goes in, files or an answer come out."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ...vendor.assetgen.contract import (
    CAPABILITIES,
    FieldKind,
    Gives,
    ImportModel,
    Takes,
    TaskRequest,
    describe,
    is_file_reference,
    is_task_id,
    rules_of,
)
from ..core.errors import BadRequest
from ..core.jobs.job import Delivery, JobPlan, Source, SourceKind, StepPlan
from ..core.requests.build import check
from ..core.requests.model_files import READABLE, check_model, split_object
from ..core.settings import Settings
from ..core.stages.converter import needs_blender
from .environment import check_blender, check_engine
from .follow_jobs import followed_runtime, report
from .options import add_fields, command_name, file_value, given_fields, option_fields, option_name
from .parsing import EXIT_CODES, Parser, plain
from .progress import Reporter

_LONGEST_TITLE = 40
_WIDTH = 79

_SOURCES: Mapping[Takes, str] = {
    Takes.MODEL_FILE: "MODEL",
    Takes.MODEL_TASK: "MODEL | --task ID",
    Takes.RIG_TASK: "--task ID",
    Takes.SEGMENT_TASK: "--task ID",
    Takes.DRAFT_TASK: "--task ID",
    Takes.MULTIVIEW_TASK: "--task ID",
}
"""How what a capability works on is written."""

_TAKES_MODEL = frozenset({Takes.MODEL_FILE, Takes.MODEL_TASK})


class _JobInput(NamedTuple):
    """What a job works on, in a plan's terms."""

    source: Source
    steps: tuple[StepPlan, ...]
    title: str


def add_command(commands: Any, model: type[TaskRequest], prog: str) -> None:
    """Adds the sub-command of a capability."""
    name = command_name(model)
    parser: Parser = commands.add_parser(
        name,
        prog=f"{prog} {name}",
        usage=plain(usage_of(model, prog)),
        description=f"{model.summary}.",
        epilog=_epilog(model),
    )
    source = parser.add_argument_group("what it works on") if model.takes in _SOURCES else None
    if source is not None and model.takes in _TAKES_MODEL:
        token = ", or the token of an uploaded one" if model.takes is Takes.MODEL_FILE else ""
        source.add_argument(
            "source", metavar="MODEL", nargs="?", help=f"model file ({', '.join(READABLE)}, file.blend:Object){token}"
        )
    if source is not None and model.takes is not Takes.MODEL_FILE:
        source.add_argument("--task", metavar="ID", help=f"finished task {_eligible(model)}, so nothing is uploaded")
    add_fields(parser, model)
    result = parser.add_argument_group("result")
    if model.gives is not Gives.ANSWER and model is not ImportModel:
        result.add_argument(
            "--out", metavar="FOLDER", default=".", help="where files go; made when missing (default: this folder)"
        )
    result.add_argument("--name", metavar="TEXT", default="", help="what to call the job and its files")
    result.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.set_defaults(run=run, capability=model.name)


def usage_of(model: type[TaskRequest], prog: str = "assetgen") -> str:
    """The usage line: what must be given, and no more."""
    parts = [prog, command_name(model)]
    if words := _SOURCES.get(model.takes):
        parts.append(f"({words})" if "|" in words else words)
    parts += [
        f"{option_name(spec.name)} {spec.name.rpartition('_')[2].upper()}"
        for spec in option_fields(model)
        if spec.required and len(spec.path) == 1
    ]
    return " ".join([*parts, "[options]"])


def run(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    """Runs one job to its end; returns the exit code.

    Raises:
        CoreError: It cannot be started; nothing was sent.
    """
    model = CAPABILITIES[options.capability]
    plan = plan_of(model, options)
    check_engine(settings)
    if plan.source.kind is SourceKind.MODEL_FILE and needs_blender(plan.source.path):
        check_blender(Path(split_object(plan.source.path)[0]).name)
    with followed_runtime(settings) as followed:
        job_id = followed.runtime.submit(plan)
        (job,) = followed.follow([job_id], show)
    return report(job, show)


def plan_of(model: type[TaskRequest], options: argparse.Namespace) -> JobPlan:
    """The job that the arguments ask for. Everything that can be checked here is checked.

    Raises:
        BadRequest: With a sentence; the field is the name of an option.
    """
    fields = given_fields(options)
    job_input = _source(model, options, fields)
    for step in job_input.steps:
        check(step.capability, step.fields)
    folder = getattr(options, "out", "")
    target = Path(folder).expanduser().absolute() if folder else None
    if target is not None and target.exists() and not target.is_dir():
        raise BadRequest(f"{target} is not a folder", "out")
    name = options.name or " ".join(word for word in (model.label, job_input.title) if word)
    return JobPlan(name, job_input.source, job_input.steps, Delivery(folder=str(target) if target else ""))


def _source(model: type[TaskRequest], options: argparse.Namespace, fields: dict[str, Any]) -> _JobInput:
    step = StepPlan(model.name, fields)
    if model.takes not in _SOURCES:
        return _JobInput(Source(SourceKind.NOTHING), (step,), _title(model, fields))
    path: str = getattr(options, "source", None) or ""
    task: str = getattr(options, "task", None) or ""
    if path and not task and is_task_id(path) and model.takes is Takes.MODEL_TASK:
        path, task = "", path
    if bool(path) == bool(task):
        alternatives = _SOURCES[model.takes].replace("MODEL", "a model file").replace(" | ", " or ")
        raise BadRequest(f"{model.label} works on {alternatives}{', not on both' if path else ''}")
    if task:
        if not is_task_id(task):
            raise BadRequest(f"{task!r} is not the id of a task", "task")
        return _JobInput(Source(SourceKind.TASK, task_id=task), (step,), task[:8])
    if is_file_reference(path) and model.takes is Takes.MODEL_FILE:
        step = StepPlan(model.name, {**fields, str(model.source_field): path})
        return _JobInput(Source(SourceKind.NOTHING), (step,), "an uploaded file")
    checked = check_model(_absolute(path))
    steps = (step,) if model is ImportModel else (StepPlan(ImportModel.name), step)
    file, item = split_object(checked)
    return _JobInput(Source(SourceKind.MODEL_FILE, path=checked), steps, item or Path(file).stem)


def _absolute(path: str) -> str:
    try:
        return file_value(path)
    except argparse.ArgumentTypeError as error:
        raise BadRequest(str(error)) from None


def _title(model: type[TaskRequest], fields: Mapping[str, Any]) -> str:
    """A few words that tell one job from another: the prompt, else the name of an image."""
    for spec in describe(model):
        value = fields.get(spec.name)
        if not value:
            continue
        first = value[0] if isinstance(value, list) else value
        if spec.kind is FieldKind.TEXT and (spec.length[1] or spec.usual_length):
            return _short(str(first))
        if spec.formats:
            return _short(Path(first).stem) if not is_file_reference(first) else ""
    return ""


def _short(words: str) -> str:
    words = " ".join(words.split())
    return words if len(words) <= _LONGEST_TITLE else words[:_LONGEST_TITLE].rsplit(" ", 1)[0]


def _eligible(model: type[TaskRequest]) -> str:
    if not model.source_takes:
        return "whose model to work on"
    labels = [CAPABILITIES[name].label for name in CAPABILITIES if name in model.source_takes]
    return f"of {' or '.join(labels)} to work on"


def _epilog(model: type[TaskRequest]) -> str:
    rules = [
        textwrap.fill(f"{rule}.", _WIDTH, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False)
        for rule in rules_of(model)
    ]
    # Without a field of its own, all its rules are about the field that the source goes into.
    has_own = any(spec.name not in TaskRequest.model_fields for spec in option_fields(model))
    parts = ["Rules:\n" + "\n".join(rules)] if rules and has_own else []
    return "\n\n".join([*parts, EXIT_CODES])
