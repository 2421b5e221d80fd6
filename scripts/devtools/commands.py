"""The sub-commands of dev.py."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .environments.environment import Environment, main_environment, ready
from .environments.roots import BlenderRoot, read_roots
from .paths import ROOT, SCRIPTS
from .terminal import Trouble, clean_environment, say, show

Command = Callable[[argparse.Namespace, list[str]], int]


def main(argv: Sequence[str]) -> int:
    """Runs one command and returns its exit code; trouble ends with a sentence instead of a traceback."""
    # Seen through a pipe or written to a file, lines come in the order in which they were printed.
    # A terminal's encoding may lack letters that paths and the output of tests have.
    sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]
    parser = _parser()
    options, rest = parser.parse_known_args(argv)
    if rest and not options.forwards:
        parser.error(f"unknown arguments: {' '.join(rest)}")
    command: Command = options.run
    try:
        return command(options, rest)
    except Trouble as trouble:
        say(f"\n{trouble}")
        return 1
    except KeyboardInterrupt:
        say("\nInterrupted.")
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="dev.py", description="Works on the Asset Generation extension.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, run: Command, text: str, *, forwards: bool = False) -> argparse.ArgumentParser:
        speaks_itself = name in {"campaign", "demo", "serve", "sheet", "soak", "strangers"}
        command = commands.add_parser(name, help=text, description=text, add_help=not speaks_itself)
        command.set_defaults(run=run, forwards=forwards)
        return command

    setup = add("setup", _setup, "set up .venv: Blender's module and the locked packages")
    setup.add_argument("--all", action="store_true", help="also the other Blenders that tests run with")
    add("demo", _demo, "decimate and texture a real mesh through the local engine", forwards=True)
    test = add("test", _test, "run the checks and all tests; other arguments go to pytest", forwards=True)
    test.add_argument(
        "--only", action="append", choices=("unit", "service", "engine", "blender", "gui"), help="run only these"
    )
    test.add_argument("--quick", action="store_true", help="no slow tests, no other Blenders, no window")
    add("check", _check, "format, lint, types, layers, manifest, generated files")
    add("build", _build, "build the extension's zips in dist/")
    bench = add("bench", _bench, "measure, and compare with the budgets")
    bench.add_argument("--only", action="append", metavar="NAME", help="run only this benchmark; static_* is several")
    bench.add_argument("--json", type=Path, metavar="FILE", help="store the figures")
    bench.add_argument("--page", type=Path, metavar="FILE", help="write them down, as in docs/performance.md")
    bench.add_argument("--before", type=Path, metavar="FILE", help="figures of an earlier run, for the page")
    bench.add_argument(
        "--merge",
        action="append",
        type=Path,
        metavar="FILE",
        help="figures of another run of this commit; only what these lack is measured",
    )
    add("campaign", _campaign, "play many runs in which everything goes wrong: paid twice, lost, asked?", forwards=True)
    add("soak", _soak, "run 500 jobs in two processes with faults, and look at what grows", forwards=True)
    add("sheet", _sheet, "run every capability of the local engine and picture the results", forwards=True)
    add("strangers", _strangers, "run models of a folder through every capability, and judge by numbers", forwards=True)
    pictures = add("pictures", _pictures, "take the pictures of the documentation, in a window")
    pictures.add_argument("--only", action="append", metavar="SCENE", help="play only this scene")
    add("serve", _serve, "start the local engine", forwards=True)
    add("lock", _lock, "renew the locks: scripts/locks and vendor/wheels.lock")
    add("generate", _generate, "write the generated files", forwards=True)
    return parser


def _setup(options: argparse.Namespace, _: list[str]) -> int:
    environment = main_environment()
    if options.all:
        others = [blender for blender in read_roots().blenders if blender != environment.blender]
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(_setup_other, others))
    show(f"Ready: {environment.python.relative_to(ROOT)}")
    return 0


def _setup_other(blender: BlenderRoot) -> None:
    try:
        ready(blender)
    except Trouble as trouble:
        say(f"Left out bpy {blender.bpy}: {trouble}")


def _demo(_: argparse.Namespace, rest: list[str]) -> int:
    return _become(main_environment(), SCRIPTS / "demo.py", rest)


def _sheet(_: argparse.Namespace, rest: list[str]) -> int:
    return _become(main_environment(), SCRIPTS / "contact_sheet.py", rest)


def _test(options: argparse.Namespace, rest: list[str]) -> int:
    from .suites.testing import test

    return test(options.only or (), options.quick, rest)


def _check(_: argparse.Namespace, __: list[str]) -> int:
    from .checks import check_all

    return 0 if all(outcome.passed for outcome in check_all(main_environment())) else 1


def _build(_: argparse.Namespace, __: list[str]) -> int:
    from .packaging.package import build

    build(main_environment())
    return 0


def _bench(options: argparse.Namespace, _: list[str]) -> int:
    from .bench import run_benchmarks

    return run_benchmarks(
        main_environment(), options.only or (), options.json, options.page, options.before, options.merge or ()
    )


def _campaign(_: argparse.Namespace, rest: list[str]) -> int:
    return _become(main_environment(), SCRIPTS / "campaign.py", rest)


def _soak(_: argparse.Namespace, rest: list[str]) -> int:
    return _become(main_environment(), SCRIPTS / "soak.py", rest)


def _strangers(_: argparse.Namespace, rest: list[str]) -> int:
    return _become(main_environment(), SCRIPTS / "strangers.py", rest)


def _pictures(options: argparse.Namespace, _: list[str]) -> int:
    from .pictures.command import SCENES, take_pictures

    if unknown := set(options.only or ()) - set(SCENES):
        raise Trouble(f"There is no scene {', '.join(sorted(unknown))}; there are {', '.join(SCENES)}.")
    return take_pictures(main_environment(), options.only or ())


def _serve(_: argparse.Namespace, rest: list[str]) -> int:
    # The engine prints one line of JSON first; so far everything went to standard error.
    return _become(main_environment(), ROOT / "vendor" / "assetgen_local" / "__main__.py", rest)


def _lock(_: argparse.Namespace, __: list[str]) -> int:
    # In the environment, because pip's answers are read with `packaging`.
    code = "import sys; from pathlib import Path; from devtools.relock import lock_all; lock_all(Path(sys.executable))"
    python = main_environment().python
    return subprocess.run([python, "-c", code], cwd=SCRIPTS, env=clean_environment(), check=False).returncode


def _generate(_: argparse.Namespace, rest: list[str]) -> int:
    return _become(main_environment(), SCRIPTS / "generate.py", rest)


def _become(environment: Environment, script: Path, arguments: list[str]) -> int:
    """Runs a script in the environment in place of this process, so that signals and closed pipes reach it."""
    argv = [str(environment.python), str(script), *arguments]
    sys.stdout.flush()
    if os.name == "nt":  # there, exec starts a new process that the caller does not wait for
        return subprocess.run(argv, env=clean_environment(), check=False).returncode
    os.execve(argv[0], argv, clean_environment())
