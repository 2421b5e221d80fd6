"""``assetgen account costs``: what this month cost, by operation. The journal tells it, and not the service."""

from __future__ import annotations

import argparse
import time
from contextlib import closing
from decimal import Decimal
from typing import Any

from ...vendor.assetgen.contract import CAPABILITIES
from ..core.jobs.journal import Journal
from ..core.paths import Locations
from ..core.requests.prices import credits_text
from ..core.settings import Settings
from ..core.status.error_messages import ExitCode
from ..core.status.spending import Ledger, Spending, month_begin
from .parsing import Parser
from .progress import Reporter


def add_command(account: Any) -> None:
    """Adds ``costs`` to the sub-commands of ``account``."""
    parser: Parser = account.add_parser(
        "costs",
        help="what this month cost, by operation",
        description=(
            "Shows what the jobs of this month cost, by operation: those of panel and command line alike, also those\n"
            "that are off the list. `account usage` shows the service's own list, with what others spent."
        ),
    )
    parser.add_argument(
        "--budget",
        metavar="CREDITS",
        type=_credits,
        help=f"the month's budget: says what is left of it; exit code {int(ExitCode.NO_CREDITS)} when it is used up",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.set_defaults(run=_costs)


def _credits(text: str) -> Decimal:
    if not text.isascii() or not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of credits")
    return Decimal(text)


def _costs(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    if settings.is_local:  # what it counts is no money
        show.result("costs", "", ["The local engine is free"], month="", operations={}, left="")
        return ExitCode.DONE
    spending = _spending(settings)
    costs = {item.capability: credits_text(item.month) for item in spending.operations if item.month}
    lines = [
        f"{CAPABILITIES[name].label if name in CAPABILITIES else name:<20} {cost:>10}" for name, cost in costs.items()
    ]
    left = None if options.budget is None else max(Decimal(0), options.budget - spending.month)
    lines.append(f"{'All of this month':<20} {credits_text(spending.month):>10}")
    if left is not None:
        lines.append(f"{'Left of the budget':<20} {credits_text(left):>10}")
    show.result("costs", "", lines, month=credits_text(spending.month), operations=costs, left=credits_text(left))
    return ExitCode.NO_CREDITS if left == 0 else ExitCode.DONE


def _spending(settings: Settings) -> Spending:
    path = Locations(settings.data_dir).journal
    if not path.is_file():
        return Spending()
    with closing(Journal(path, owner="")) as journal:
        return Ledger(journal.spending.since(month_begin(time.time()))).of(settings.service_id)
