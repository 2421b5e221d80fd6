"""``assetgen batch``: a table of rows goes in, a folder of results and a report come out."""

from __future__ import annotations

import argparse
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from ..core.batches.check import CheckedTable, RowRange, check_table, rows_to_run
from ..core.batches.folder import CLAIM_SECONDS, SHORTEST_CLAIM, BatchFolder
from ..core.batches.limits import Budget
from ..core.batches.news import BatchNews
from ..core.batches.recipe_rows import recipe_columns, recipe_rows
from ..core.batches.report import CSV_NAME, HTML_NAME, Totals, write_reports
from ..core.batches.rows import ReadRow, Row, capability_rows, known_columns
from ..core.batches.worker import AT_ONCE, BatchWorker, Ended
from ..core.errors import BadRequest
from ..core.jobs.job import SourceKind
from ..core.limits.timeouts import Timing
from ..core.recipes.recipe import Recipe
from ..core.recipes.recipe_file import read_recipe
from ..core.recipes.shipped import find_recipe
from ..core.requests.model_files import split_object
from ..core.requests.prices import credits_text
from ..core.runtime.runtime import Runtime
from ..core.settings import Settings
from ..core.stages.converter import needs_blender
from ..core.status.error_messages import ExitCode
from .batch_progress import BatchProgress
from .environment import check_blender, check_engine
from .parsing import EXIT_CODES, Parser
from .progress import Reporter
from .recipes import check_needs, output_writer

_POLL_SECONDS = 1.0
"""Between two looks at the running tasks of a batch: nobody waits for a single one of them."""

_END_SECONDS = 10.0
_MOST_AT_ONCE = 100

_EPILOG = f"""Columns: id (names the row's folder and files), capability, input (a model or image file, a task, an https
address) and the fields by their names, as the reference has them. Paths are seen from the table. In a CSV several
files have semicolons between them, several names commas; lists and maps are JSON. With a recipe they are id and the
recipe's variables, and each row runs the whole recipe into its own folder.

Run it again and only what is missing is done. Other programs may run the same table into the same folder, on this
computer and on others.

{EXIT_CODES}"""


def add_commands(commands: Any) -> None:
    """Adds ``batch``."""
    parser: Parser = commands.add_parser(
        "batch",
        description="Works off a table of rows, each of which is paid for once however often it is run.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "manifest", type=Path, metavar="TABLE", help="the rows: a .csv, or a .jsonl with one object a line"
    )
    parser.add_argument("--recipe", metavar="RECIPE", help="what each row runs: its file, or one that comes along")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where results and report go")
    parser.add_argument("--rows", type=row_range, default=RowRange(), metavar="A-B", help="only these, counted from 1")
    parser.add_argument(
        "--max-credits", type=credits_limit, metavar="N", help="stop before a row that would cost more in all"
    )
    parser.add_argument("--max-failures", type=count, metavar="N", help="stop when so many rows have failed")
    parser.add_argument(
        "--at-once",
        type=_at_once,
        default=AT_ONCE,
        metavar="N",
        help=f"rows under way at a time (default: {AT_ONCE}); the service's own limits hold as well",
    )
    parser.add_argument(
        "--claim-seconds",
        type=_claim_seconds,
        default=CLAIM_SECONDS,
        metavar="N",
        help="after how long without a sign of life another program's rows are taken over"
        f" (default: {CLAIM_SECONDS:.0f}); the first program of a batch says",
    )
    parser.add_argument("--dry-run", action="store_true", help="check the table and tell what it will cost")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    """Runs a batch to its end, and writes its report; also when it is interrupted.

    Raises:
        CoreError: It cannot be started; nothing was sent.
    """
    table, out = _absolute(options.manifest), _absolute(options.out)
    recipe = named_recipe(options.recipe)
    read_row, columns, noun = reading_of(recipe, table, out, settings)
    checked = check_table(table, read_row, settings.region, columns, options.rows, _needs, noun)
    if options.dry_run:
        return _tell_price(table, read_row, options.rows, checked, settings, show)
    check_engine(settings)
    show.event("batch", f"{checked.rows} rows, results in {out}", rows=checked.rows, out=str(out))
    budget = Budget(options.max_credits)
    with _started_runtime(settings) as (runtime, news), _folder(out, options.claim_seconds) as folder:
        progress = BatchProgress(show, as_json=options.json)
        worker = BatchWorker(
            runtime,
            news,
            folder,
            progress,
            total=checked.rows,
            budget=budget,
            most_failures=options.max_failures,
            at_once=options.at_once,
            writer=output_writer(settings) if recipe is not None else None,
            service_id=settings.service_id,
        )
        try:
            with _interruptible():
                ended = worker.run(rows_to_run(table, read_row, options.rows))
        except KeyboardInterrupt:
            progress.close()
            _report(table, out, show, "Interrupted. What was started goes on when the batch is run again")
            raise
        progress.close()
    return _end(table, out, show, ended)


def named_recipe(named: str | None) -> Recipe | None:
    """The recipe of a batch; None for one without.

    Raises:
        Refused: There is none of this name, or it cannot be read.
    """
    return read_recipe(find_recipe(named)) if named is not None else None


def reading_of(
    recipe: Recipe | None, table: Path, out: Path, settings: Settings
) -> tuple[ReadRow, frozenset[str], str]:
    """How rows are read, which columns they may have, and what a column has the value of."""
    if recipe is None:
        return capability_rows(table, out), known_columns(), "field"
    return recipe_rows(recipe, table, out, settings.region), recipe_columns(recipe), "variable of the recipe"


def row_range(text: str) -> RowRange:
    """A range of rows as it is written: ``101-200``, ``101-`` or ``7``.

    Raises:
        ArgumentTypeError: It is something else.
    """
    match = re.fullmatch(r"(\d+)(-(\d*))?", text, re.ASCII)
    if match is None or int(match[1]) < 1 or (match[3] and int(match[3]) < int(match[1])):
        raise argparse.ArgumentTypeError(f"{text!r} is no range of rows such as 101-200")
    first = int(match[1])
    return RowRange(first, first if match[2] is None else int(match[3]) if match[3] else None)


def _end(table: Path, out: Path, show: Reporter, ended: Ended) -> int:
    _report(table, out, show, f"Stopped: {ended.stopped}" if ended.stopped else "")
    if ended.stopped:
        show.event("stopped", f"{ended.stopped}. Run it again to go on.", reason=ended.stopped)
    return ended.exit_code


def _report(table: Path, out: Path, show: Reporter, note: str) -> None:
    """Writes both reports and says where they are."""
    try:
        totals = write_reports(table, out, f"{table.stem}: results", time.strftime("%Y-%m-%d %H:%M"))
    except (OSError, BadRequest) as error:
        show.event("error", f"The report could not be written: {error}")
        return
    words = ". ".join(part for part in (note, _words(totals)) if part)
    paths = [str(out / CSV_NAME), str(out / HTML_NAME)]
    show.result("report", words, paths, states=totals.states, credits=totals.credits, csv=paths[0], html=paths[1])


def _words(totals: Totals) -> str:
    states = [f"{count} {state}" for state, count in totals.states.items() if count]
    return ", ".join([*states, *[f"{totals.credits} credits"] * bool(totals.credits)])


def _tell_price(
    table: Path, read_row: ReadRow, rows: RowRange, checked: CheckedTable, settings: Settings, show: Reporter
) -> int:
    """What the rows will cost, as far as anything is known of it."""
    known, unknown, is_estimate, requests = Decimal(0), 0, False, 0
    with _started_runtime(settings) as (runtime, _):
        for row in rows_to_run(table, read_row, rows):
            prices = [runtime.price_of(capability, fields) for capability, fields in row.requests]
            requests += len(prices)
            unknown += any(price is None for price in prices)
            known += sum((Decimal(price.credits) for price in prices if price is not None), Decimal(0))
            is_estimate |= any(price is not None and price.is_estimate for price in prices)
    about = "about " if is_estimate else ""
    words = f"{checked.rows} rows, {requests} requests, {about}{credits_text(known) if known else '0'} credits"
    if unknown:
        words += f" and what {unknown} rows cost whose price is not known yet"
    facts = {"rows": checked.rows, "requests": requests, "credits": credits_text(known), "unknown": unknown}
    facts["estimate"] = is_estimate
    show.result("price", "", [f"{words}. Nothing was sent."], **facts)
    return ExitCode.DONE


@contextmanager
def _started_runtime(settings: Settings) -> Iterator[tuple[Runtime, BatchNews]]:
    news = BatchNews()
    runtime = Runtime(settings, news=news, timing=Timing(poll=_POLL_SECONDS))
    runtime.start()
    try:
        yield runtime, news
    finally:
        runtime.shutdown(_END_SECONDS)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C and the wish of a farm that a task ends come as KeyboardInterrupt, whatever Blender makes of them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, signal.default_int_handler) for number in signals]
    try:
        yield
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)


@contextmanager
def _folder(out: Path, claim_seconds: float) -> Iterator[BatchFolder]:
    folder = BatchFolder(out, claim_seconds)
    try:
        yield folder
    finally:
        folder.close()


def _needs(row: Row) -> None:
    """A model that Blender has to open first needs one."""
    if row.recipe is not None:
        check_needs(row.recipe)
    source = row.plan.source
    if source.kind is SourceKind.MODEL_FILE and needs_blender(source.path):
        check_blender(Path(split_object(source.path)[0]).name)


def _absolute(path: Path) -> Path:
    return path.expanduser().absolute()


def credits_limit(text: str) -> Decimal:
    """A number of credits as it is written.

    Raises:
        ArgumentTypeError: It is none.
    """
    try:
        credits = Decimal(text)
    except InvalidOperation:
        credits = Decimal(0)
    if not credits.is_finite() or credits <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of credits above 0")
    return credits


def count(text: str) -> int:
    """A number from 1 on.

    Raises:
        ArgumentTypeError: It is none.
    """
    if not text.isascii() or not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 on")
    return int(text)


def _at_once(text: str) -> int:
    if count(text) > _MOST_AT_ONCE:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to {_MOST_AT_ONCE}")
    return int(text)


def _claim_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not SHORTEST_CLAIM <= seconds <= 86400.0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds from {SHORTEST_CLAIM:.0f} to 86400")
    return seconds
