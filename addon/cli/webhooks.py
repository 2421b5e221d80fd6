"""``assetgen webhooks``: ``listen`` wakes waiting jobs by the service's deliveries, ``verify`` checks one of them."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from ...vendor.assetgen.webhooks import MAX_EVENT_BYTES, TOLERANCE, WebhookError, verify
from ..core.errors import BadRequest
from ..core.settings import Settings
from ..core.status.error_messages import ExitCode
from .parsing import Parser
from .progress import Reporter

SECRET_VARIABLE = "ASSETGEN_WEBHOOK_SECRET"
HOST = "127.0.0.1"
_LAST_PORT = 65535


def add_commands(commands: Any) -> None:
    """Adds ``webhooks`` and its sub-commands."""
    group: Parser = commands.add_parser("webhooks", description="Deliveries of the service to an endpoint of yours.")
    actions = group.add_subparsers(prog=group.prog, metavar="ACTION", required=True, parser_class=Parser)
    parser = actions.add_parser(
        "verify",
        help="check the signature of a delivery",
        description="Checks the signature, the age and the form of a delivery that was kept, and prints what it says.",
    )
    parser.add_argument("file", metavar="FILE", help="the body exactly as it arrived; - for the standard input")
    _add_trust(parser)
    parser.add_argument(
        "--header", metavar="'NAME: VALUE'", action="append", type=_header, default=[], help="one header; repeat it"
    )
    parser.add_argument("--any-time", action="store_true", help="do not look at its age")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.set_defaults(run=_verify)

    _add_listen(actions)


def _add_listen(actions: Any) -> None:
    parser: Parser = actions.add_parser(
        "listen",
        help="take deliveries and wake the jobs that wait for them",
        description=(
            "Takes the service's deliveries and wakes the jobs of this data folder that wait for them,\n"
            "those of Blender and of other commands too; they poll rarely meanwhile. Runs until Ctrl-C.\n"
            "The service sends to https only: what has the certificate (a proxy, a tunnel) passes the\n"
            "deliveries on to this port, bytes and headers as they are."
        ),
    )
    parser.add_argument("--port", metavar="N", type=_port, required=True, help="port to listen on; 0 for a free one")
    parser.add_argument("--host", metavar="ADDRESS", default=HOST, help=f"address to listen on (default: {HOST})")
    _add_trust(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.set_defaults(run=_listen)


def _add_trust(parser: Parser) -> None:
    parser.add_argument(
        "--secret", metavar="TEXT", help=f"the endpoint's signing secret (default: the variable {SECRET_VARIABLE})"
    )
    parser.add_argument(
        "--tolerance", metavar="SECONDS", type=float, default=TOLERANCE,
        help=f"how old a delivery may be, or how far ahead (default: {TOLERANCE:.0f})",
    )  # fmt: skip


def _port(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) > _LAST_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to {_LAST_PORT}")
    return int(text)


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form 'Name: value'")
    return name.strip(), value.strip()


def _secret(options: argparse.Namespace) -> str:
    secret = str(options.secret or os.environ.get(SECRET_VARIABLE, ""))
    if not secret.strip():
        raise BadRequest(f"The signing secret is missing: give it, or set {SECRET_VARIABLE}", "secret")
    return secret


def _listen(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    from .webhook_listening import listen_until_interrupted  # it imports a web server

    return listen_until_interrupted(
        settings, _secret(options), show, host=options.host, port=options.port, tolerance=options.tolerance
    )


def _verify(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    secret = _secret(options)
    tolerance = None if options.any_time else options.tolerance
    try:
        event = verify(_body(options.file), dict(options.header), secret, tolerance=tolerance)
    except WebhookError as error:
        refusal = type(error).__name__
        show.event("error", f"Not to be trusted: {error.message}", refusal=refusal, exit_code=int(ExitCode.FAILED))
        return ExitCode.FAILED
    lines = [f"{name}: {value}" for name, value in event.model_dump(mode="json", exclude_unset=True).items()]
    show.result("verified", "From the service, and unchanged", lines, webhook=event.model_dump(mode="json"))
    return ExitCode.DONE


def _body(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read(MAX_EVENT_BYTES + 1)
    try:
        with Path(file).open("rb") as body:
            return body.read(MAX_EVENT_BYTES + 1)
    except OSError as error:
        raise BadRequest(f"{file} cannot be read: {error.strerror or error}") from error
