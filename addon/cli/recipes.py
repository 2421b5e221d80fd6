"""``assetgen run``: a recipe, from its file to its results."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from ...vendor.assetgen.contract import CAPABILITIES
from ...vendor.background_blender import BlenderTrouble
from ..core.errors import BadRequest
from ..core.jobs.job import SourceKind
from ..core.jobs.journal import Journal
from ..core.paths import Locations
from ..core.recipes.contact_sheet import write_contact_sheet
from ..core.recipes.output_files import OutputWriter
from ..core.recipes.pictures import BackgroundPictures
from ..core.recipes.planning import make_plan
from ..core.recipes.recipe import RecipeError
from ..core.recipes.recipe_file import read_recipe
from ..core.recipes.recipe_plan import PlannedJob, PriceFunction, RecipePlan, price_sum
from ..core.recipes.run import RecipeRun, state_path
from ..core.recipes.run_state import RunState
from ..core.recipes.shipped import find_recipe, recipe_files
from ..core.recipes.step_checks import BLEND
from ..core.requests.prices import Price, Prices
from ..core.settings import Settings
from ..core.stages.converter import BackgroundConverter, needs_blender
from ..core.status.error_messages import ExitCode, present
from .environment import check_blender, check_engine
from .follow_jobs import FollowedRuntime, followed_runtime
from .parsing import Parser
from .progress import Reporter
from .recipe_progress import RecipeReport


def add_commands(commands: Any) -> None:
    """Adds ``run``."""
    names = ", ".join(path.stem for path in recipe_files(None))
    parser: Parser = commands.add_parser(
        "run",
        description=(
            "Runs a recipe: steps that work on each other's results, checked as a whole before anything is paid.\n"
            "Run again, it does only what is missing or has changed. docs/guide.md tells what a recipe looks like."
        ),
    )
    parser.add_argument("recipe", metavar="RECIPE", help=f"its file, or one that comes along: {names}")
    parser.add_argument(
        "--set",
        dest="given",
        metavar="NAME=VALUE",
        type=_assignment,
        action="append",
        default=[],
        help="the value of a variable; may be repeated",
    )
    parser.add_argument(
        "--out", metavar="FOLDER", default=".", help="where results go; made when missing (default: this folder)"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="print requests, order and price; nothing is sent or written"
    )
    parser.add_argument(
        "--max-credits", metavar="N", type=_credits, help="start nothing that would make it cost more in all"
    )
    parser.add_argument("--no-picture", action="store_true", help="do without the picture of all results")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    """Runs a recipe to its end; returns the exit code.

    Raises:
        CoreError: It cannot be started; nothing was sent.
    """
    try:
        return _run(options, settings, show)
    except RecipeError as error:
        troubles = [{"file": str(error.path), "line": line, "message": sentence} for line, sentence in error.troubles]
        show.event("error", str(error), exit_code=int(ExitCode.BAD_INPUT), troubles=troubles)
        return ExitCode.BAD_INPUT


def _run(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    out = Path(options.out).expanduser().absolute()
    if out.exists() and not out.is_dir():
        raise BadRequest(f"{out} is not a folder", "out")
    recipe = read_recipe(find_recipe(options.recipe))
    with _prices(settings) as (price_of, capability_of):
        plan = make_plan(recipe, _given(options.given), out, region=settings.region, capability_of=capability_of)
        state = RunState(state_path(plan))
        writer = output_writer(settings)
        if options.dry_run:
            _show_plan(plan, _run_of(plan, None, state, writer, settings, options), price_of, settings, show)
            return ExitCode.DONE
    check_engine(settings)
    check_needs(plan)
    state.lock()
    try:
        with followed_runtime(settings) as followed:
            current = _run_of(plan, followed, state, writer, settings, options)
            _follow(current, followed, show)
    finally:
        state.close()
    picture = None if options.no_picture else _picture(current, writer, settings, show)
    return RecipeReport(show, settings).end(current, picture)


def check_needs(plan: RecipePlan) -> None:
    """Makes sure that there is a Blender where a recipe needs one.

    Raises:
        Refused: There is none.
    """
    for job in plan.jobs:
        if job.source is not None and job.source.kind is SourceKind.MODEL_FILE and needs_blender(job.source.path):
            check_blender(Path(job.source.path).name)
        if any(path.suffix.lower() == BLEND for path in job.outputs):
            check_blender(job.outputs[0].name)


def output_writer(settings: Settings) -> OutputWriter:
    """Writes results of recipes, with a background Blender where one is needed."""
    return OutputWriter(
        Locations(settings.data_dir),
        BackgroundConverter(lambda: settings.blender),
        BackgroundPictures(lambda: settings.blender),
    )


def _assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name.strip() or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not a name, an equals sign and a value")
    return name.strip(), value


def _credits(text: str) -> Decimal:
    with contextlib.suppress(InvalidOperation):
        credits = Decimal(text)
        if credits.is_finite() and credits >= 0:
            return credits
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of credits")


def _given(given: list[tuple[str, str]]) -> dict[str, str]:
    names = [name for name, _ in given]
    for name in names:
        if names.count(name) > 1:
            raise BadRequest(f"{name} is given more than once", "set")
    return dict(given)


@contextmanager
def _prices(settings: Settings) -> Iterator[tuple[PriceFunction, Any]]:
    """What is known of prices and of earlier tasks, without starting anything."""
    path = Locations(settings.data_dir).journal
    service_id = settings.service_id
    if not path.is_file():
        prices = Prices(None)
        yield lambda name, fields: prices.price_of(service_id, name, fields), lambda task_id: ""
        return
    with closing(Journal(path, owner="")) as journal:
        prices = Prices(journal.charges)
        yield (
            lambda name, fields: prices.price_of(service_id, name, fields),
            lambda task_id: journal.tasks.capability(service_id, task_id),
        )


def _run_of(
    plan: RecipePlan,
    followed: FollowedRuntime | None,
    state: RunState,
    writer: OutputWriter,
    settings: Settings,
    options: argparse.Namespace,
) -> RecipeRun:
    jobs: Any = followed.runtime if followed is not None else None
    return RecipeRun(plan, jobs, state, writer, settings.service_id, max_credits=options.max_credits)


def _follow(current: RecipeRun, followed: FollowedRuntime, show: Reporter) -> None:
    report = RecipeReport(show, followed.settings)
    while True:
        is_left = current.advance()
        report.show(current, followed.runtime)
        if not is_left:
            return
        followed.pause()


def _picture(current: RecipeRun, writer: OutputWriter, settings: Settings, show: Reporter) -> Path | None:
    try:
        return write_contact_sheet(current, writer, BackgroundPictures(lambda: settings.blender))
    except (BlenderTrouble, OSError) as error:  # the results are there all the same
        show.event("note", f"There is no picture of all results: {present(error)}")
        return None


def _show_plan(
    plan: RecipePlan, current: RecipeRun, price_of: PriceFunction, settings: Settings, show: Reporter
) -> None:
    """Every request in its order, what would be done for it, and the price."""
    left = tuple(job for job in plan.jobs if not current.is_unchanged(job))
    for number, job in enumerate(plan.jobs, 1):
        price = price_of(job.capability, job.fields) if job in left else None
        show.result(
            "request",
            "",
            _request_lines(number, job, is_left=job in left, price=_price_words(price, settings)),
            number=number,
            step=job.step,
            key=job.key,
            capability=job.capability,
            endpoint=CAPABILITIES[job.capability].endpoint,
            fields=dict(job.fields),
            source=_source_words(job),
            waits_for=list(job.waits_for),
            files=[str(path) for path in job.outputs],
            unchanged=job not in left,
            credits=price.credits if price is not None else "",
            is_estimate=price is not None and price.is_estimate,
        )
    total = price_sum(left, price_of)
    words = "free: the local engine" if settings.is_local else total.words
    done = f" ({len(plan.jobs) - len(left)} are done already)" if len(left) < len(plan.jobs) else ""
    show.result(
        "plan",
        "",
        [f"{len(left)} of {len(plan.jobs)} requests to be sent{done}; price: {words}"],
        recipe=plan.recipe.name,
        requests=len(left),
        credits=f"{total.credits:f}",
        is_estimate=total.is_estimate,
        unknown=total.unknown,
        free=settings.is_local,
    )


def _request_lines(number: int, job: PlannedJob, *, is_left: bool, price: str) -> list[str]:
    model = CAPABILITIES[job.capability]
    state = price if is_left else "done already"
    fields = ", ".join(f"{name} = {value!r}" for name, value in job.fields.items())
    lines = [f"{number:>3}  {job.key}: POST {model.endpoint}  [{state}]"]
    if source := _source_words(job):
        lines.append(f"     works on {source}")
    if fields:
        lines.append(f"     with {fields}")
    lines += [f"     writes {path}" for path in job.outputs]
    return lines


def _source_words(job: PlannedJob) -> str:
    if job.after:
        return job.after
    if job.source is None:
        return ""
    return job.source.task_id or job.source.path


def _price_words(price: Price | None, settings: Settings) -> str:
    if settings.is_local:
        return "free"
    if price is None:
        return "price unknown"
    return f"{'about ' if price.is_estimate else ''}{price.credits} credits"
