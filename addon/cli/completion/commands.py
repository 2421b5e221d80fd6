"""The command line as a shell needs to know it, read from its parser."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from ..parsing import Parser


class Kind(Enum):
    """What a value is."""

    NOTHING = "nothing"
    CHOICE = "choice"
    FOLDER = "folder"
    FILE = "file"
    TEXT = "text"


class Argument(NamedTuple):
    """An option, or what stands without one.

    Attributes:
        names: The option's names; empty for what stands without one.
        summary: One line of what it is for.
        kind: What its value is.
        values: All values, of a choice.
        takes_several: Whether more than one may follow.
    """

    names: tuple[str, ...]
    summary: str
    kind: Kind
    values: tuple[str, ...] = ()
    takes_several: bool = False


class Command(NamedTuple):
    """A command with all that may follow it.

    Attributes:
        words: How it is called, without the program; empty for the program itself.
        summary: One line of what it does.
        options: Its options.
        operands: What stands without an option.
        commands: The commands below it.
    """

    words: tuple[str, ...]
    summary: str
    options: tuple[Argument, ...]
    operands: tuple[Argument, ...]
    commands: tuple[Command, ...]

    def walk(self) -> Iterator[Command]:
        """It and all below it, from the top down."""
        yield self
        for command in self.commands:
            yield from command.walk()


_NO_FILES = frozenset(
    {"TEXT", "N", "X", "ID", "JSON", "NAMES", "NAME=VALUE", "'NAME: VALUE'", "WORDS", "DAYS", "SECONDS", "CREDITS"}
) | {"ADDRESS", "ROWS", "A-B"}
"""How values are called that are no files."""


def read_commands(parser: Parser, words: tuple[str, ...] = (), summary: str = "") -> Command:
    """The commands of a parser."""
    options, operands, commands = [], [], []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {pseudo.dest: pseudo.help or "" for pseudo in action._choices_actions}
            for name, child in action.choices.items():
                shown = helps.get(name) or child.description or ""
                commands.append(read_commands(child, (*words, name), _line(shown)))
        elif action.option_strings:
            options.append(_argument(parser, action))
        else:
            operands.append(_argument(parser, action))
    return Command(words, summary, tuple(options), tuple(operands), tuple(commands))


def _argument(parser: Parser, action: argparse.Action) -> Argument:
    names = tuple(action.option_strings)
    values = tuple(map(str, action.choices or ())) or next(
        (parser.offered[name] for name in names if name in parser.offered), ()
    )
    return Argument(
        names,
        _line("" if action.help is argparse.SUPPRESS else (action.help or "")),
        _kind(action, values),
        tuple(value for value in values if value),
        action.nargs in ("+", "*"),
    )


def _kind(action: argparse.Action, values: tuple[str, ...]) -> Kind:
    if action.nargs == 0:
        return Kind.NOTHING
    if values:
        return Kind.CHOICE
    metavar = str(action.metavar or action.dest).upper()
    if metavar in ("FOLDER", "DIR"):
        return Kind.FOLDER
    return Kind.TEXT if metavar in _NO_FILES else Kind.FILE


def _line(text: str) -> str:
    """The first line, without what argparse would fill in and without a full stop."""
    first = text.strip().split("\n", 1)[0]
    return first.replace("%%", "%").rstrip(".")
