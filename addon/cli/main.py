"""``assetgen``: everything the service offers, without a window. No bpy is needed, and none is imported."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from ...vendor.assetgen.contract import CAPABILITIES, Tier
from ..core.errors import BadRequest
from ..core.log import logger
from ..core.settings import Settings
from ..core.status.error_messages import ExitCode, present
from . import batch, capability, farm, jobs, library, recipes, service, shell_completion, storage, webhooks
from .environment import settings
from .log_file import LOG_VARIABLE, LoggedReporter, logging_to
from .options import command_name, option_name
from .parsing import EXIT_CODES, Parser, UsageError
from .progress import Reporter, reporter

PROGRAM = "assetgen"

_OTHERS = {
    "run": "run a recipe: steps that work on each other's results",
    "batch": "work off a table of rows, each once; on one computer or on many",
    "farm template": "a batch as a job of a render farm; also flamenco, a job type for Flamenco",
    "tasks show": "show tasks of the service, with fresh links",
    "files upload": "upload files and print their tokens",
    "account balance": "show the credits",
    "account usage": "show the account's tasks and what they cost",
    "account costs": "show what this month cost, by operation",
    "jobs list": "show the jobs of panel and command line",
    "jobs again": "run a job once more, or several times with other seeds",
    "jobs wait": "go on with unfinished jobs and wait for them",
    "jobs retry": "go on with a job that failed; also stop, dismiss, adopt, resend, forget",
    "library add": "save results into an asset library of Blender",
    "storage list": "show what results take on the disk, and which were never used",
    "storage delete": "delete the files of old results, or of one; also restore, which puts a job back on the list",
    "webhooks listen": "take the service's webhooks and wake the jobs that wait for them",
    "webhooks verify": "check the signature of a webhook delivery",
    "completion": "print a script for bash, zsh or fish that completes all of this",
}


def build_parser(prog: str = PROGRAM) -> Parser:
    """The whole command line. The capabilities' parts come from their declarations."""
    parser = Parser(prog=prog, usage=f"{prog} COMMAND ...", description=_description(), epilog=_epilog(prog))
    # Their summaries are in the description, by what they are for; argparse would show one long list.
    commands = parser.add_subparsers(
        prog=prog, metavar="COMMAND", required=True, parser_class=Parser, help=argparse.SUPPRESS
    )
    for model in CAPABILITIES.values():
        capability.add_command(commands, model, prog)
    for module in (recipes, batch, farm, service, jobs, library, storage, webhooks):
        module.add_commands(commands)
    shell_completion.add_command(commands, parser)
    for leaf in parser.leaves():
        leaf.add_argument(
            "--log", metavar="FILE", help=f"add what happens to a file (default: the variable {LOG_VARIABLE})"
        )
    return parser


def main(arguments: Sequence[str], prog: str = PROGRAM) -> int:
    """Runs the command line and returns its exit code."""
    parser = build_parser(prog)
    try:
        options = parser.parse_args(arguments)
    except UsageError as error:
        as_json = "--json" in arguments
        words = str(error) if as_json or not error.usage else f"{error.usage}{error}"
        reporter(as_json=as_json).event("error", words, exit_code=int(ExitCode.BAD_INPUT))
        return ExitCode.BAD_INPUT
    except SystemExit:  # --help has been printed
        return ExitCode.DONE
    show = reporter(as_json=getattr(options, "json", False))
    try:
        chosen = settings()
        with logging_to(options.log or os.environ.get(LOG_VARIABLE, ""), chosen.api_key):
            return _run(options, chosen, LoggedReporter(show), prog)
    except Exception as error:  # before anything could be logged
        return _refuse(error, show)
    finally:
        show.close()


def _run(options: argparse.Namespace, chosen: Settings, show: Reporter, prog: str) -> int:
    """Runs a command; returns its exit code, whatever happens."""
    try:
        return int(options.run(options, chosen, show))
    except KeyboardInterrupt:
        words = f"Interrupted. What was started goes on at the next start of Blender, or with {prog} jobs wait."
        show.event("error", words, exit_code=int(ExitCode.INTERRUPTED))
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        _read_no_more()
        return ExitCode.INTERRUPTED
    except Exception as error:
        return _refuse(error, show)


def _read_no_more() -> None:
    """Who reads our output has seen enough (``| head``): at the end Python must not complain that it cannot write."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _refuse(error: Exception, show: Reporter) -> int:
    """Every error as one sentence and an exit code."""
    logger(__name__).debug("the command ended with an error", exc_info=error)
    sentence = present(error)
    option = f"{option_name(error.field)}: " if isinstance(error, BadRequest) and error.field else ""
    show.event(
        "error",
        f"{option}{sentence}",
        exit_code=int(sentence.exit_code),
        code=sentence.code,
        request_id=sentence.request_id,
    )
    return int(sentence.exit_code)


def _description() -> str:
    width = max(len(name) for name in (*map(command_name, CAPABILITIES.values()), *_OTHERS)) + 2
    parts = ["Generate, texture, rig and process 3D assets, and images for them.", ""]
    for tier in Tier:
        parts.append(f"{tier}:")
        parts += [
            f"  {command_name(model):<{width}}{model.summary}" for model in CAPABILITIES.values() if model.tier is tier
        ]
        parts.append("")
    parts.append("Beside them:")
    parts += [f"  {name:<{width}}{summary}" for name, summary in _OTHERS.items()]
    return "\n".join(parts)


def _epilog(prog: str) -> str:
    return (
        f"`{prog} COMMAND --help` tells the options of a command.\n\n"
        "Environment: ASSETGEN_BASE_URL names the service (the local engine on this machine without it),\n"
        "ASSETGEN_REGION where it is (international, china, custom), ASSETGEN_API_KEY its key,\n"
        "ASSETGEN_DATA_DIR the folder of jobs and results, BLENDER a Blender program,\n"
        "ASSETGEN_MAX_DOWNLOAD the largest file that is fetched, in GiB, ASSETGEN_PROXY a proxy,\n"
        "ASSETGEN_CA_FILE certificates that are trusted beside the system's, ASSETGEN_LOG a file for a log,\n"
        "NO_COLOR (set to anything) that no colours are wanted.\n\n"
        "A TEXT of - stands for what is on the standard input.\n\n"
        f"{EXIT_CODES}"
    )
