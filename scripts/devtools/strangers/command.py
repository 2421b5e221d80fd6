"""`dev.py strangers FOLDER`: every model of a folder through the local engine, a table and a sheet of pictures."""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

from ..bench.page import machine_facts
from ..paths import BUILD
from ..terminal import Trouble, say, show
from . import page, plan, table
from .expected import NAME, Expected, read_expected
from .judge import misses_of
from .one_model import ModelRun, keep, kept, key_of
from .pictures import draw_sheets, draw_small
from .table import Row

MADE = "Made shapes"
_SECONDS = 20.0
_MANY = 1_000_000


def main(argv: Sequence[str]) -> int:
    """Returns 0 when everything is as expected, 1 when something is not or nothing could be done."""
    options = _options(argv)
    try:
        return _run(options)
    except Trouble as trouble:
        say(str(trouble))
        return 1


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="dev.py strangers",
        description="Runs every model of a folder through the capabilities of the local engine, and judges by numbers.",
        epilog=f"What is expected stands in {NAME} in the folder: model, kind, front, and limits that differ.",
    )
    parser.add_argument("folder", type=Path, nargs="?", help="where the models are, also in folders below it")
    parser.add_argument("--made", action="store_true", help="take shapes that are made here for it")
    parser.add_argument("--make", type=Path, metavar="FOLDER", help="only write these shapes, with what they expect")
    parser.add_argument("--expected", type=Path, metavar="FILE", help=f"the table, instead of {NAME} in the folder")
    parser.add_argument("--out", type=Path, default=BUILD / "strangers", help="where table and sheet go")
    parser.add_argument("--only", action="append", metavar="NAME", help="only models with this in their name")
    parser.add_argument("--capability", action="append", choices=plan.KEYS, help="only this, and what it needs")
    parser.add_argument(
        "--limit", type=float, default=_SECONDS, metavar="SECONDS", help="that a capability may take; 0 for any"
    )
    parser.add_argument(
        "--jobs", type=int, default=0, metavar="N", help="models at a time (as many as there are cores)"
    )
    parser.add_argument("--page", type=Path, metavar="FILE", help="write it down, as in docs/strangers.md")
    parser.add_argument(
        "--before",
        type=Path,
        metavar="FOLDER",
        help="what an earlier run left, for the page (else the run that it has)",
    )
    parser.add_argument("--resume", action="store_true", help="keep what is known of the same models and engine")
    return parser.parse_args(argv)


def _run(options: argparse.Namespace) -> int:
    from load_extension import load_package

    load_package()
    out: Path = options.out.absolute()
    out.mkdir(parents=True, exist_ok=True)
    if options.make is not None:
        _make(options.make.absolute())
        return 0
    folder = out / "made" if options.made else options.folder
    if options.made and not (options.resume and (folder / NAME).is_file()):
        _make(folder)
    if folder is None or not folder.is_dir():
        raise Trouble("Name a folder with models, or --made for the shapes that are made here.")
    before = page.before_of(page.read_run(options.before)) if options.before is not None else None
    expected = read_expected(options.expected or folder / NAME)
    models = _models(folder, options.only or ())
    steps = plan.with_what_they_need(tuple(options.capability or ()))
    facts = machine_facts(metadata.version("bpy"))  # before the models make the machine busy
    began = time.monotonic()
    rows, pictures = _run_all(models, expected, steps, out, options)
    keys = [step.key for step in steps]
    table.write(rows, keys, out, f"{len(rows)} models of {folder.name}")
    page.keep_facts(facts, out)
    sheets = draw_sheets(rows, keys, pictures, out)
    if options.page is not None:
        heading = MADE if options.made else f"Models of {'/'.join(folder.absolute().parts[-2:])}"
        small = draw_small(sheets, options.page.absolute(), heading)
        lines = list(table.models(rows, keys))
        text = options.page.read_text(encoding="utf-8") if options.page.is_file() else ""
        new = page.part(heading, lines, small, page.read_run(out), before or page.before_on(text, heading))
        options.page.write_text(page.with_part(text, new), encoding="utf-8")
    for row in rows:
        for miss in row.misses:
            show(f"{row.model}, {miss.step}: {miss.sentence}")
    show("\n".join(table.summary(rows, keys)))
    missed = sum(bool(row.misses) for row in rows)
    show(f"{len(rows)} models in {time.monotonic() - began:.0f} s, {missed} not as expected: {out / 'table.md'}")
    show("\n".join(str(path) for path in sheets))
    return 1 if missed else 0


def _make(folder: Path) -> None:
    from asset_generation.vendor.background_blender import BlenderCommand, run

    script = Path(__file__).parent / "made" / "make.py"
    run(BlenderCommand.of_python(), script, {"folder": str(folder)})
    show(f"Made shapes in {folder}")


def _models(folder: Path, only: Sequence[str]) -> dict[str, Path]:
    """The models by their name in the table."""
    files = {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() in plan.ENDINGS
    }
    chosen = {name: path for name, path in files.items() if not only or any(part in name for part in only)}
    if not chosen:
        raise Trouble(f"There is no model in {folder}" + (" with such a name." if only else "."))
    return chosen


def _run_all(
    models: dict[str, Path],
    expected: dict[str, Expected],
    steps: Sequence[plan.Step],
    out: Path,
    options: argparse.Namespace,
) -> tuple[list[Row], list[Path]]:
    from asset_generation.vendor.assetgen import Client
    from asset_generation.vendor.assetgen_local import LocalService, Options
    from asset_generation.vendor.assetgen_local.options import DEFAULT_RATES
    from asset_generation.vendor.background_blender import usable_cores

    jobs = options.jobs or min(usable_cores(), len(models))
    settings = Options(workers=jobs, rates=dict.fromkeys(DEFAULT_RATES, _MANY))
    folders = {name: out / "models" / name for name in models}
    done = 0
    counting = threading.Lock()

    with tempfile.TemporaryDirectory(prefix="assetgen-strangers-") as data:

        def one(name: str) -> Row:
            nonlocal done
            wanted = expected.get(name, Expected())
            key = key_of(models[name], wanted)
            records = kept(folders[name], key, steps) if options.resume else None
            if records is None:
                with Client(service.key, service.base_url) as client:
                    run = ModelRun(client, models[name].absolute(), wanted, folders[name])
                    records = run.run(steps, lambda step: say(f"  {name}: {step}"))
                keep(folders[name], key, records)
            row = Row(name, wanted, records, misses_of(records, wanted, options.limit))
            with counting:
                done += 1
                say(f"{done} of {len(models)} {name}: {len(row.misses)} not as expected")
            return row

        with LocalService(Path(data), settings) as service, ThreadPoolExecutor(jobs) as pool:
            rows = list(pool.map(one, models))
    return rows, list(folders.values())
