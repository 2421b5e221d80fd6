"""What is asked of the service directly, without a job: ``tasks``, ``files`` and ``account``."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ...vendor.assetgen import Client
from ...vendor.assetgen.contract import IMAGE_FORMATS, MODEL_FORMATS, TaskDetail, TaskOutput
from ..core.jobs.job import JobView, Stage
from ..core.requests.file_checks import check_file
from ..core.requests.prices import credits_text
from ..core.service.connection import Connection
from ..core.settings import Settings
from ..core.status.error_messages import ExitCode
from . import costs
from .environment import check_engine
from .parsing import Parser
from .progress import Reporter

_USAGE_ROWS = 50


def add_commands(commands: Any) -> None:
    """Adds ``tasks``, ``files`` and ``account`` with their sub-commands."""
    show = _group(commands, "tasks", "Tasks at the service, of this program or of any other.").add_parser(
        "show", help="show tasks with fresh links", description="Reads tasks and shows them, with fresh links."
    )
    show.add_argument("ids", metavar="ID", nargs="+", help="id of a task")
    _finish(show, _tasks)

    upload = _group(commands, "files", "Files at the service.").add_parser(
        "upload", help="upload files", description="Uploads files and prints the token of each."
    )
    upload.add_argument(
        "paths", metavar="PATH", nargs="+", help=f"image or model ({', '.join((*IMAGE_FORMATS, *MODEL_FORMATS))})"
    )
    _finish(upload, _upload)

    account = _group(commands, "account", "The account that the key belongs to.")
    balance = account.add_parser("balance", help="credits", description="Shows the account's credits.")
    _finish(balance, _balance)
    usage = account.add_parser(
        "usage", help="tasks and what they cost", description="Shows the account's tasks and what they cost."
    )
    usage.add_argument(
        "--limit", metavar="N", type=_count, default=_USAGE_ROWS, help=f"rows; 0 for all (default: {_USAGE_ROWS})"
    )
    _finish(usage, _usage)
    costs.add_command(account)


def _group(commands: Any, name: str, description: str) -> Any:
    parser = commands.add_parser(name, description=description)
    return parser.add_subparsers(prog=parser.prog, metavar="ACTION", required=True, parser_class=Parser)


def _finish(parser: Parser, run: Any) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.set_defaults(run=run)


def _count(text: str) -> int:
    if not text.isascii() or not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of rows")
    return int(text)


@contextmanager
def _connected(settings: Settings) -> Iterator[Client]:
    """The client. The local engine, where it is used, is started, and ended again when it was not there before."""
    check_engine(settings)  # it would go on with tasks that it has
    connection = Connection(settings)
    try:
        yield connection.client(settings.service_id)
    finally:
        connection.close()
        connection.end_engine()


def _tasks(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    ids = list(dict.fromkeys(options.ids))
    with _connected(settings) as client:
        answer = client.tasks.list(ids)
    for task_id in ids:
        if task_id in answer.tasks:
            detail = answer.tasks[task_id]
            show.result("task", "", _task_lines(detail), task=detail.model_dump(mode="json", exclude_unset=True))
    missed = [task_id for task_id in ids if task_id not in answer.tasks]
    for task_id in missed:
        show.event("error", f"The service does not know the task {task_id}", task=task_id, exit_code=ExitCode.FAILED)
    return ExitCode.FAILED if missed else ExitCode.DONE


def _task_lines(detail: TaskDetail) -> list[str]:
    output = detail.output or TaskOutput()
    facts = {
        "task": detail.task_id,
        "type": detail.type,
        "status": f"{detail.status} ({detail.progress}%)" if not detail.is_final else detail.status,
        "created": detail.created_at or "",
        "completed": detail.completed_at or "",
        "credits": credits_text(detail.credits_consumed),
        "error": f"{detail.error_message or 'no reason given'} (code {detail.error_code})" if detail.error_code else "",
        "riggable": "" if output.riggable is None else str(output.riggable).lower(),
        "rig type": output.rig_type or "",
        "reason": output.reason or "",
        **output.links(),
    }
    return [f"{name}: {value}" for name, value in facts.items() if value] + [""]


def _upload(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    files = [check_file(path, (*IMAGE_FORMATS, *MODEL_FORMATS)) for path in options.paths]
    with _connected(settings) as client:
        for file in files:
            token = client.files.upload(file, on_progress=_progress(file, show))
            show.result("uploaded", f"Uploaded {file.name}", [token], path=str(file), file_token=token)
    return ExitCode.DONE


def _progress(file: Path, show: Reporter) -> Any:
    def on_progress(done: int, whole: int) -> None:
        fraction = done / whole if whole else 1.0
        show.job(JobView(id=file.name, name=file.name, stage=Stage.UPLOAD, progress=fraction, text="Uploading"))

    return on_progress


def _balance(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    with _connected(settings) as client:
        answer = client.account.balance()
    balance, frozen = credits_text(answer.balance), credits_text(answer.frozen)
    held = f" to spend; running tasks hold {frozen} beside them" if answer.frozen else ""
    if settings.is_local:  # what it counts is no money
        show.result("balance", "", ["Ready: the local engine is free"], balance="", frozen="")
    else:
        show.result("balance", "", [f"{balance} credits{held}"], balance=balance, frozen=frozen)
    return ExitCode.DONE


def _usage(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    with _connected(settings) as client:
        rows = client.account.usage_rows()
        for row in itertools.islice(rows, options.limit or None):
            credits = credits_text(row.credits_consumed)
            created = f"{row.created_at:%Y-%m-%d %H:%M}" if row.created_at else ""
            line = f"{row.task_id}  {created:<16}  {row.status:<9}  {row.type:<20}  {credits:>8}"
            show.result("usage", "", [line.rstrip()], row=row.model_dump(mode="json", exclude_unset=True))
    return ExitCode.DONE
