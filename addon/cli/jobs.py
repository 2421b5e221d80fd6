"""``assetgen jobs``: the list that panel and command line share."""

from __future__ import annotations

import argparse
import contextlib
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from ...vendor.assetgen.contract import capability, describe
from ..core.errors import Refused
from ..core.jobs.job import RESTING, Action, Delivery, JobPlan, JobView, Stage
from ..core.jobs.journal import Journal
from ..core.jobs.records import JobRecord
from ..core.jobs.variants import MOST, repeatable, variants
from ..core.paths import Locations
from ..core.settings import Settings
from ..core.status.error_messages import ExitCode
from ..core.status.job_view import LiveProgress, make_view
from .environment import check_engine
from .follow_jobs import FollowedRuntime, command_of, followed_runtime, job_of, kept_files, report
from .parsing import Parser
from .progress import Reporter

_SUMMARIES: Mapping[Action, str] = {
    Action.RETRY: "go on with jobs that failed or were stopped, from where they stopped",
    Action.STOP: "stop jobs; a task that the service has already goes on there and is charged",
    Action.DISMISS: "take jobs off the list; their results stay in the results folder",
    Action.ADOPT: "take the task that the service has for the one whose answer was lost",
    Action.LOOK_AGAIN: "look once more, at once, whether the task exists whose answer was lost; nothing is sent",
    Action.RESEND: "start the task again after a lost answer; it may be paid twice",
    Action.FORGET: "give a job up after a lost answer; a task that the service may have goes on there",
}

_WORKING = frozenset({Action.RETRY, Action.ADOPT, Action.LOOK_AGAIN, Action.RESEND})
"""What has a job work again, so that its end is waited for."""


def add_commands(commands: Any) -> None:
    """Adds ``jobs`` and its sub-commands."""
    parser: Parser = commands.add_parser("jobs", description="The jobs of panel and command line alike.")
    actions = parser.add_subparsers(prog=parser.prog, metavar="ACTION", required=True, parser_class=Parser)
    listing = actions.add_parser("list", help="show all jobs", description="Shows all jobs, the oldest first.")
    listing.add_argument("--all", action="store_true", help="those as well that were taken off the list")
    listing.add_argument("--search", metavar="WORDS", default="", help="only jobs with these words in name or fields")
    listing.add_argument("--json", action="store_true", help="print one JSON object a line")
    listing.set_defaults(run=_list)
    repeating = actions.add_parser(
        "again",
        help="run a job once more, or several times with other seeds",
        description="Runs a job once more with the same fields, on what the service has of it: nothing is uploaded.",
    )
    repeating.add_argument("id", metavar="ID", help="a job, as `jobs list --all` names it")
    repeating.add_argument("--variants", metavar="N", type=_variants, default=0, help="so many, each with another seed")
    repeating.add_argument(
        "--out", metavar="FOLDER", default=".", help="where files go; made when missing (default: this folder)"
    )
    repeating.add_argument("--json", action="store_true", help="print one JSON object a line")
    repeating.set_defaults(run=_again)
    waiting = actions.add_parser(
        "wait",
        help="go on with unfinished jobs and wait for them",
        description="Goes on with jobs that an ended program left unfinished, and waits for those that still run.",
    )
    waiting.add_argument("ids", metavar="ID", nargs="*", help="a job; all unfinished ones when none is named")
    waiting.add_argument("--json", action="store_true", help="print one JSON object a line")
    waiting.set_defaults(run=_wait)
    for action, summary in _SUMMARIES.items():
        one = actions.add_parser(command_of(action), help=summary, description=f"{summary[:1].upper()}{summary[1:]}.")
        one.add_argument("ids", metavar="ID", nargs="+", help="a job, as `jobs list` names it")
        one.add_argument("--json", action="store_true", help="print one JSON object a line")
        one.set_defaults(run=_action_command(action))


def _list(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    # Read from the journal alone: a runtime would go on with unfinished jobs, and nobody asked for that.
    path = Locations(settings.data_dir).journal
    jobs: list[JobView] = []
    if path.is_file():
        with closing(Journal(path, owner="")) as journal:
            records = _history(journal, options.search) if options.all or options.search else journal.jobs()
            if not options.all:
                records = [record for record in records if not record.removed_at]
            jobs = [make_view(record, LiveProgress(), now=time.time()) for record in records]
    for job in jobs:
        _show(job, show)
    return ExitCode.DONE


def _history(journal: Journal, words: str) -> list[JobRecord]:
    """Every job with these words that can be read, on the list or not, the oldest first."""
    _, entries = journal.history.page(words, 0, -1)
    records = []
    for entry in reversed(entries):
        with contextlib.suppress(LookupError):
            records.append(journal.job(entry.job_id))
    return records


def _variants(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 2 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 2 to {MOST}")
    return int(text)


def _again(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    job = known_job(options.id, settings)
    delivery = Delivery(folder=str(Path(options.out).absolute()))
    source, steps = repeatable(job, settings.service_id)
    plans = [JobPlan(job.name, source, steps, delivery)]
    if options.variants:
        model = capability(steps[-1].capability)
        version = str(steps[-1].fields.get(model.version_field, "")) if model.version_field else ""
        seeds = [spec.name for spec in describe(model) if spec.seed and version not in spec.forbidden_by]
        if not seeds:
            raise Refused(f"{model.label} has no seed that could be varied")
        if settings.is_local:
            known = {seed: steps[-1].fields.get(other) if other else True for seed, other in model.local_seeds.items()}
            seeds = [seed for seed in seeds if known.get(seed)]
        if not seeds:
            raise Refused("The local engine makes the same with every seed here, so variants would be equal")
        plans = variants(job, settings.service_id, seeds, options.variants, delivery)
    check_engine(settings)
    with followed_runtime(settings) as followed:
        ids = [followed.runtime.submit(plan) for plan in plans]
        return max(report(ended, show) for ended in followed.follow(ids, show))


def known_job(job_id: str, settings: Settings) -> JobView:
    """A job of the journal, on the list or not.

    Raises:
        Refused: There is none with this id.
    """
    path = Locations(settings.data_dir).journal
    try:
        if path.is_file():
            with closing(Journal(path, owner="")) as journal:
                return make_view(journal.job(job_id), LiveProgress(), now=time.time())
    except LookupError:
        pass
    raise Refused(f"There is no job {job_id}", "assetgen jobs list --all shows those there are")


def _show(job: JobView, show: Reporter) -> None:
    started = time.strftime("%Y-%m-%d %H:%M", time.localtime(job.created_at))
    words = job.error or job.answer or job.text
    show.result(
        "job",
        "",
        [f"{job.id}  {started}  {job.stage:<9}  {job.name}: {words}"],
        job=job.id,
        name=job.name,
        stage=str(job.stage),
        text=job.text,
        error=job.error,
        advice=job.advice,
        actions=sorted(str(action) for action in job.actions),
        tasks=[step.task_id for step in job.steps if step.task_id],
        created_at=job.created_at,
        files=kept_files(job),
        answer=job.answer,
        note=job.note,
        understood=job.understood,
        service=job.service_id,
    )


def _wait(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    with followed_runtime(settings) as followed:
        ids = [job_of(followed.runtime, job_id).id for job_id in dict.fromkeys(options.ids)]
        ids = ids or [job.id for job in followed.runtime.jobs() if job.stage not in RESTING]
        return max((report(job, show) for job in followed.follow(ids, show)), default=ExitCode.DONE)


def _action_command(action: Action) -> Callable[[argparse.Namespace, Settings, Reporter], int]:
    def run(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
        ids = list(dict.fromkeys(options.ids))
        with followed_runtime(settings) as followed:
            before = [job_of(followed.runtime, job_id) for job_id in ids]
            for job in before:
                now = followed.await_action(job.id, action)
                if action is Action.LOOK_AGAIN and job.stage is Stage.CREATE and now.stage is not Stage.CREATE:
                    continue  # to take it over was to look
                followed.runtime.act(job.id, action)
            return _report_action(action, before, followed, show)

    return run


def _report_action(action: Action, before: list[JobView], followed: FollowedRuntime, show: Reporter) -> int:
    if action is Action.DISMISS:
        for job in before:
            show.result("dismissed", f"Dismissed {job.name}", [], job=job.id)
        return ExitCode.DONE
    ids = [job.id for job in before]
    if action in _WORKING:
        return max(report(job, show) for job in followed.follow(ids, show))
    for job in followed.follow(ids, show):
        assert job.stage in RESTING
        show.result(str(job.stage), f"{job.name}: {job.text}", [], job=job.id, stage=str(job.stage))
    return ExitCode.DONE
