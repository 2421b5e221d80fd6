"""``assetgen webhooks verify``: is a delivery that was kept from the service? For who writes a receiver."""

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


def add_commands(commands: Any) -> None:
    """Adds ``webhooks verify``."""
    group: Parser = commands.add_parser("webhooks", description="Deliveries of the service to an endpoint of yours.")
    actions = group.add_subparsers(prog=group.prog, metavar="ACTION", required=True, parser_class=Parser)
    parser = actions.add_parser(
        "verify",
        help="check the signature of a delivery",
        description="Checks the signature, the age and the form of a delivery that was kept, and prints what it says.",
    )
    parser.add_argument("file", metavar="FILE", help="the body exactly as it arrived; - for the standard input")
    parser.add_argument(
        "--secret", metavar="TEXT", help=f"the endpoint's signing secret (default: the variable {SECRET_VARIABLE})"
    )
    parser.add_argument(
        "--header", metavar="'NAME: VALUE'", action="append", type=_header, default=[], help="one header; repeat it"
    )
    parser.add_argument(
        "--tolerance", metavar="SECONDS", type=float, default=TOLERANCE,
        help=f"how old it may be, or how far ahead (default: {TOLERANCE:.0f})",
    )  # fmt: skip
    parser.add_argument("--any-time", action="store_true", help="do not look at its age")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.set_defaults(run=_verify)


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form 'Name: value'")
    return name.strip(), value.strip()


def _verify(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    secret = options.secret or os.environ.get(SECRET_VARIABLE, "")
    if not secret.strip():
        raise BadRequest(f"The signing secret is missing: give it, or set {SECRET_VARIABLE}", "secret")
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
