"""The command line of the engine's process. Imports nothing heavy, so ``--help`` and usage errors are quick."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Arguments:
    """What was asked on the command line; amounts are still texts."""

    port: int
    data: Path
    api_key: str
    blender: str | None
    paths: tuple[str, ...]
    end_with_stdin: bool
    faults: bool
    credits: str
    prices: dict[str, str]
    rates: dict[str, int]
    pools: dict[str, int]
    workers: int | None
    cores: int
    task_seconds: float | None
    spare_seconds: float | None
    region: str
    queue_seconds: float | None
    keep_days: float | None
    denied: tuple[str, ...]
    denied_output: tuple[str, ...]
    webhooks: tuple[str, ...]
    credit_alert: str


def read_arguments(argv: list[str] | None = None) -> Arguments:
    """Reads the command line.

    Raises:
        SystemExit: It is not usable; standard error says why.
    """
    parser = argparse.ArgumentParser(
        prog="assetgen_local", description="The local engine: the asset generation API on 127.0.0.1."
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder of tasks, files and credits")
    parser.add_argument("--port", type=_port, default=0, help="port on 127.0.0.1 (default: a free one)")
    parser.add_argument("--api-key", default="", metavar="KEY", help="key that clients send (default: a random one)")
    parser.add_argument(
        "--blender",
        type=_command,
        metavar="JSON",
        help="command that runs a script with bpy, as a JSON list",
    )
    parser.add_argument("--path", action="append", default=[], metavar="DIR", help="further folder of Python packages")
    parser.add_argument("--end-with-stdin", action="store_true", help="end when standard input closes")
    parser.add_argument("--faults", action="store_true", help="offer the routes under /_local/, for tests")
    parser.add_argument("--credits", default="", metavar="N", help="credits of a new data folder")
    parser.add_argument("--price", type=_pair(str), action="append", default=[], metavar="NAME=CREDITS")
    parser.add_argument("--rate", type=_pair(int), action="append", default=[], metavar="GROUP=N", help="a minute")
    parser.add_argument("--pool", type=_pair(int), action="append", default=[], metavar="CATEGORY=N")
    parser.add_argument("--workers", type=int, metavar="N", help="tasks at the same time (default: half of the cores)")
    parser.add_argument(
        "--cores",
        type=int,
        default=0,
        metavar="N",
        help="how many cores the work may take, at a lower priority (default: 0, all at the usual one)",
    )
    parser.add_argument("--task-timeout", type=float, metavar="SECONDS", help="when an engine counts as hung")
    parser.add_argument(
        "--spare-seconds",
        type=float,
        metavar="N",
        help="how long a Blender is kept ready for the next task (default: 60; 0: none)",
    )
    parser.add_argument(
        "--region", choices=("international", "china"), default="international", help="where their rules differ"
    )
    parser.add_argument("--queue-seconds", type=float, metavar="N", help="how long a task may wait before it fails")
    parser.add_argument("--keep-days", type=float, metavar="N", help="remove files after so long (default: never)")
    parser.add_argument("--deny", action="append", default=[], metavar="WORD", help="let moderation reject this word")
    parser.add_argument(
        "--deny-output",
        action="append",
        default=[],
        metavar="WORD",
        help="let it reject results that come from this word",
    )
    parser.add_argument(
        "--webhook",
        action="append",
        default=[],
        metavar="URL=whsec_...[,KIND]",
        help="tell this address of events: https, or http on this machine",
    )
    parser.add_argument("--credit-alert", default="", metavar="N", help="balance below which webhooks are told of it")
    parsed = parser.parse_args(argv)
    return Arguments(
        port=parsed.port,
        data=parsed.data.expanduser().absolute(),
        api_key=parsed.api_key,
        blender=parsed.blender,
        paths=tuple(parsed.path),
        end_with_stdin=parsed.end_with_stdin,
        faults=parsed.faults,
        credits=parsed.credits,
        prices=dict(parsed.price),
        rates=dict(parsed.rate),
        pools=dict(parsed.pool),
        workers=parsed.workers,
        cores=parsed.cores,
        task_seconds=parsed.task_timeout,
        spare_seconds=parsed.spare_seconds,
        region=parsed.region,
        queue_seconds=parsed.queue_seconds,
        keep_days=parsed.keep_days,
        denied=tuple(parsed.deny),
        denied_output=tuple(parsed.deny_output),
        webhooks=tuple(parsed.webhook),
        credit_alert=parsed.credit_alert,
    )


def _command(text: str) -> str:
    try:
        words = json.loads(text)
    except ValueError:
        words = None
    if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
        raise argparse.ArgumentTypeError("expected a JSON list of texts")
    return text


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"{port} is no port")
    return port


def _pair(kind: Callable[[str], _T]) -> Callable[[str], tuple[str, _T]]:
    def read(text: str) -> tuple[str, _T]:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise argparse.ArgumentTypeError(f"{text!r}: expected NAME=VALUE")
        return name, kind(value)

    return read
