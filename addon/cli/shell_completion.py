"""``assetgen completion bash|zsh|fish``: prints the script that completes all commands, options and choices."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ..core.settings import Settings
from ..core.status.error_messages import ExitCode
from .completion.bash import bash_script
from .completion.commands import Command, read_commands
from .completion.fish import fish_script
from .completion.zsh import zsh_script
from .parsing import Parser
from .progress import Reporter

NAME = "assetgen"
"""What the completed command is called, however this program was started."""

SHELLS: Mapping[str, Callable[[Command, str], str]] = {"bash": bash_script, "zsh": zsh_script, "fish": fish_script}


def add_command(commands: Any, root: Parser) -> None:
    """Adds ``completion``, which completes what ``root`` parses when it is called."""
    parser: Parser = commands.add_parser(
        "completion",
        help="print a script that completes commands and options",
        description=(
            f"Prints a script for a shell that completes what follows the word {NAME}, which is to be a\n"
            "function or an executable of yours:\n\n"
            f'  {NAME}() {{ blender --command {NAME} "$@"; }}\n'
            f"  source <({NAME} completion bash)"
        ),
    )
    parser.add_argument("shell", choices=list(SHELLS), help="which shell")
    parser.set_defaults(run=partial(_print, root))


def _print(root: Parser, options: argparse.Namespace, _settings: Settings, _show: Reporter) -> int:
    sys.stdout.write(SHELLS[options.shell](read_commands(root), NAME))
    sys.stdout.flush()
    return ExitCode.DONE
