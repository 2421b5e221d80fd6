"""``assetgen farm``: a batch as a job of a render farm."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import Any

from ..core.batches.check import check_table
from ..core.batches.farm_template import FarmJob, as_yaml, bundle, parameter_values, row_ranges, template
from ..core.batches.rows import Row
from ..core.errors import BadRequest
from ..core.jobs.job import SourceKind
from ..core.recipes.fingerprints import without_images
from ..core.recipes.shipped import find_recipe
from ..core.requests.build import files_of, uploads_of
from ..core.requests.model_files import split_object
from ..core.settings import Settings
from ..core.status.error_messages import ExitCode
from .batch import count, credits_limit, named_recipe, reading_of
from .parsing import Parser
from .progress import Reporter

ROWS_A_TASK = 50
_COMMAND = "blender --command assetgen"
_FLAMENCO = Path(__file__).with_name("assetgen_batch.js")


def add_commands(commands: Any) -> None:
    """Adds ``farm`` and its sub-commands."""
    group: Parser = commands.add_parser("farm", description="Batches as jobs of render farms.")
    actions = group.add_subparsers(prog=group.prog, metavar="ACTION", required=True, parser_class=Parser)
    making = actions.add_parser(
        "template",
        help="a batch as an Open Job Description template, or as a job bundle of AWS Deadline Cloud",
        description="Checks a table and writes a job whose tasks are ranges of its rows. Each worker gets address and"
        " key of the service from its environment.",
    )
    making.add_argument("manifest", type=Path, metavar="TABLE", help="the rows: a .csv, or a .jsonl")
    making.add_argument(
        "-o", dest="job", type=Path, required=True, metavar="JOB",
        help="a .yaml for the template alone; any other name for a folder with a whole bundle",
    )  # fmt: skip
    making.add_argument(
        "--recipe", metavar="RECIPE", help="what each row runs: its file, which all workers must reach, or one that"
        " comes along",
    )  # fmt: skip
    making.add_argument("--out", type=Path, metavar="FOLDER", help="where results go (default: beside the table)")
    making.add_argument(
        "--rows-per-task", type=count, default=ROWS_A_TASK, metavar="N", help=f"rows a task (default: {ROWS_A_TASK})"
    )
    making.add_argument("--max-credits", type=credits_limit, metavar="N", help="what each task may cost at most")
    making.add_argument("--max-failures", type=count, metavar="N", help="failed rows after which a task stops")
    making.add_argument(
        "--command", default=_COMMAND, metavar="WORDS", help=f'what a worker starts (default: "{_COMMAND}")'
    )
    making.add_argument("--json", action="store_true", help="print one JSON object a line")
    making.set_defaults(run=_template)
    flamenco = actions.add_parser(
        "flamenco",
        help="the job type for Flamenco",
        description="Writes the job type for Flamenco; it belongs into the folder `scripts` beside the Manager.",
    )
    flamenco.add_argument("-o", dest="job", type=Path, default=Path(_FLAMENCO.name), metavar="FILE", help="the file")
    flamenco.add_argument("--json", action="store_true", help="print one JSON object a line")
    flamenco.set_defaults(run=_job_type)


def _template(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    table = options.manifest.expanduser().absolute()
    out = (options.out or table.with_name(f"{table.stem}_results")).expanduser().absolute()
    words = shlex.split(options.command)
    if not words:
        raise BadRequest("The command is missing", "command")
    recipe = _recipe_words(options.recipe)
    inputs = {recipe: None} if recipe is not None and Path(recipe).is_file() else {}
    read_row, columns, noun = reading_of(named_recipe(options.recipe), table, out, settings)
    checked = check_table(
        table,
        read_row,
        settings.region,
        columns,
        also=lambda row: inputs.update(dict.fromkeys(_files_of(row))),
        noun=noun,
    )
    limits = {
        "--recipe": recipe,
        "--max-credits": options.max_credits,
        "--max-failures": options.max_failures,
    }
    given = [word for name, value in limits.items() if value is not None for word in (name, str(value))]
    target = options.job.expanduser().absolute()
    job = FarmJob(
        f"{table.stem}: {checked.rows} rows",
        table,
        out,
        checked.rows,
        options.rows_per_task,
        words,
        given,
        [*inputs],
        target.parent if _is_template(target) else target,
    )
    paths = list(map(str, _write(job, target)))
    tasks = len(row_ranges(job.rows, job.rows_a_task))
    values = parameter_values(job)
    hint = " ".join(f"-p {shlex.quote(f'{name}={value}')}" for name, value in values.items())
    words_of_it = f"{job.rows} rows in {tasks} tasks. Here it runs with: openjd run JOB --step Batch {hint}"
    show.result("template", words_of_it, paths, rows=job.rows, tasks=tasks, parameters=values)
    return ExitCode.DONE


def _recipe_words(named: str | None) -> str | None:
    """How a worker names the recipe: a file by its path, one that comes along by its name."""
    if named is None or not Path(named).expanduser().is_file():
        return named
    return str(find_recipe(named))


def _is_template(target: Path) -> bool:
    """Whether the template alone is wanted, and not a whole bundle."""
    return target.suffix.lower() in (".yaml", ".yml")


def _write(job: FarmJob, target: Path) -> list[Path]:
    """Writes the template, or the bundle; returns the paths."""
    try:
        if _is_template(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(as_yaml(template(job)), encoding="utf-8")
            return [target]
        target.mkdir(parents=True, exist_ok=True)
        files = bundle(job)
        for name, content in files.items():
            (target / name).write_text(content, encoding="utf-8")
        return [target / name for name in files]
    except OSError as error:
        raise BadRequest(f"{target} cannot be written: {error.strerror or error}", "job") from None


def _files_of(row: Row) -> list[str]:
    """The files on this computer that a row names."""
    if row.recipe is not None:
        sources = [job.source for job in row.recipe.jobs if job.source is not None]
        models = [split_object(one.path)[0] for one in sources if one.kind is SourceKind.MODEL_FILE]
        return [*models, *(path for job in row.recipe.jobs for path in files_of(job.capability, without_images(job)))]
    source = row.plan.source
    model = [split_object(source.path)[0]] if source.kind is SourceKind.MODEL_FILE else []
    return [*model, *uploads_of(row.plan)]


def _job_type(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    target = options.job.expanduser().absolute()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(_FLAMENCO.read_bytes())
    except OSError as error:
        raise BadRequest(f"{target} cannot be written: {error.strerror or error}", "job") from None
    show.result("job_type", "The job type for Flamenco", [str(target)], path=str(target))
    return ExitCode.DONE
