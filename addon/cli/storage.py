"""``assetgen storage``: what results take on the disk, and deleting them. No runtime: no job goes on by this."""

from __future__ import annotations

import argparse
import time
from contextlib import closing
from typing import Any

from ..core.errors import Refused
from ..core.jobs.journal import Journal
from ..core.paths import Locations
from ..core.settings import Settings
from ..core.status.error_messages import ExitCode
from ..core.storage.deletion import delete
from ..core.storage.report import (
    AgeGroup,
    DeletionPlan,
    StorageReport,
    StoredResult,
    all_results,
    by_age,
    older_than,
    total,
)
from ..core.storage.scan import scan
from ..core.storage.words import deletion_sentences, outcome_text, result_sentences, size_text, use_text
from .parsing import Parser
from .progress import Reporter


def add_commands(commands: Any) -> None:
    """Adds ``storage`` and its sub-commands."""
    parser: Parser = commands.add_parser("storage", description="What results take on the disk.")
    actions = parser.add_subparsers(prog=parser.prog, metavar="ACTION", required=True, parser_class=Parser)
    listing = actions.add_parser(
        "list", help="show every result", description="Shows every result, the largest first, and the sums by age."
    )
    listing.add_argument("--json", action="store_true", help="print one JSON object a line")
    listing.set_defaults(run=_list)
    deleting = actions.add_parser(
        "delete",
        help="delete the files of old results, or of one",
        description=(
            "Deletes the files of results. What a job needs stays. So does what was never in a scene or a folder,\n"
            "unless it is the one that is named. Without --yes it only says what would be deleted."
        ),
    )
    which = deleting.add_mutually_exclusive_group(required=True)
    which.add_argument("id", metavar="ID", nargs="?", help="one result, as `storage list` names it; used or not")
    which.add_argument("--older-than", type=_days, metavar="DAYS", help="all that were used and are older than this")
    deleting.add_argument("--yes", action="store_true", help="delete them")
    deleting.add_argument("--json", action="store_true", help="print one JSON object a line")
    deleting.set_defaults(run=_delete)
    restoring = actions.add_parser(
        "restore", help="put jobs back on the list", description="Puts jobs that were dismissed back on the list."
    )
    restoring.add_argument("ids", metavar="ID", nargs="+", help="a job, as `storage list` names it")
    restoring.add_argument("--json", action="store_true", help="print one JSON object a line")
    restoring.set_defaults(run=_restore)


def _days(word: str) -> int:
    days = int(word)
    if days < 1:
        raise argparse.ArgumentTypeError("at least 1 day")
    return days


def _list(_options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    report = scan(Locations(settings.data_dir))
    for result in report.results:
        made = time.strftime("%Y-%m-%d", time.localtime(result.made_at))
        words = use_text(result)
        line = f"{result.id}  {made}  {size_text(result.bytes):>8}  {result.name}: {words}"
        show.result("stored", "", [line], **_facts(result))
    groups = [*by_age(report), all_results(report)]
    show.result(
        "storage",
        "",
        [*map(_line, groups), *_other_lines(report)],
        data_dir=report.data_dir,
        groups=[group._asdict() for group in groups],
        snapshots=report.snapshots,
        local_engine=report.local_engine,
        set_aside=report.set_aside,
        set_aside_files=report.set_aside_files,
    )
    return ExitCode.DONE


def _facts(result: StoredResult) -> dict[str, Any]:
    facts = result._asdict()
    return {"job": facts.pop("id"), **facts, "never_used": result.never_used}


def _line(group: AgeGroup) -> str:
    unused = f", never used {group.never_used} ({size_text(group.never_used_bytes)})" if group.never_used else ""
    return f"{group.label + ':':<14}{group.number:>6}  {size_text(group.bytes):>8}{unused}"


def _other_lines(report: StorageReport) -> list[str]:
    parts = (("Snapshots", report.snapshots), ("Local engine", report.local_engine), ("Set aside", report.set_aside))
    return [f"{name + ':':<22}{size_text(size):>8}" for name, size in parts if size]


def _delete(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    locations = Locations(settings.data_dir)
    report = scan(locations)
    plan, sentences = _plan(options, report)
    if not options.yes:
        results = [_facts(result) for result in plan.results]
        question = [*sentences, "Nothing was deleted; add --yes to delete."]
        show.result("question", "", question, results=results, bytes=total(plan.results))
        return ExitCode.DONE
    outcome = delete(locations, plan.results, even_unused=options.id is not None)
    show.result(
        "deleted",
        "",
        [outcome_text(outcome.deleted, outcome.kept) + "."],
        jobs=[result.id for result in outcome.deleted],
        bytes=total(outcome.deleted),
        kept={result.id: result.stays for result in outcome.kept},
    )
    return ExitCode.FAILED if outcome.kept else ExitCode.DONE


def _restore(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    path = Locations(settings.data_dir).journal
    if not path.is_file():
        raise Refused("There are no jobs yet")
    with closing(Journal(path, owner="")) as journal:
        for job_id in dict.fromkeys(options.ids):
            if not journal.results.put_back(job_id):
                raise Refused(
                    f"There is no job {job_id} that is off the list", "assetgen storage list shows all results"
                )
            show.result("restored", f"{job_id} is back on the list", [], job=job_id)
    return ExitCode.DONE


def _plan(options: argparse.Namespace, report: StorageReport) -> tuple[DeletionPlan, list[str]]:
    if options.id is None:
        plan = older_than(report, options.older_than)
        return plan, deletion_sentences(plan, options.older_than)
    result = next((item for item in report.results if item.id == options.id), None)
    if result is None:
        raise Refused(f"There is no result {options.id}", "assetgen storage list shows those there are")
    if result.stays:
        raise Refused(f"{result.name} cannot be deleted now: {result.stays}")
    return DeletionPlan((result,)), result_sentences(result)
