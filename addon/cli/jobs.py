"""``assetgen jobs``: the list that panel and command line share."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any

from ..core.jobs.job import RESTING, Action, JobView, Stage
from ..core.jobs.journal import Journal
from ..core.paths import Locations
from ..core.settings import Settings
from ..core.status.error_messages import ExitCode
from ..core.status.job_view import LiveProgress, make_view
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
    listing.add_argument("--json", action="store_true", help="print one JSON object a line")
    listing.set_defaults(run=_list)
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
            jobs = [make_view(record, LiveProgress(), now=time.time()) for record in journal.jobs()]
    for job in jobs:
        _show(job, show)
    return ExitCode.DONE


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
