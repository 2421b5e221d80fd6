"""argparse with our manners: what is wrong with the arguments is an exception, and help keeps its paragraphs."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn

from ..core.status.error_messages import ExitCode

EXIT_MEANINGS: Mapping[ExitCode, str] = {
    ExitCode.DONE: "done",
    ExitCode.FAILED: "failed",
    ExitCode.BAD_INPUT: "bad input",
    ExitCode.NOT_AUTHORISED: "not authorised",
    ExitCode.NO_CREDITS: "not enough credits",
    ExitCode.NETWORK: "network",
    ExitCode.UNCERTAIN: "uncertain",
    ExitCode.INTERRUPTED: "interrupted",
}
"""Every exit code in a few words."""

EXIT_CODES = textwrap.fill(
    f"Exit codes: {', '.join(f'{int(code)} {meaning}' for code, meaning in EXIT_MEANINGS.items())}.", 72
)


class UsageError(Exception):
    """The arguments make no sense. ``usage`` says how they would."""

    def __init__(self, message: str, usage: str = "") -> None:
        super().__init__(message)
        self.usage = usage


class Parser(argparse.ArgumentParser):
    """Raises :class:`UsageError` instead of ending the program, which may be Blender.

    Options cannot be shortened: one that comes with a later version could make a shortened one mean something else.

    Attributes:
        offered: The values that a shell offers after an option which checks its values itself.
    """

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("formatter_class", _Help)
        super().__init__(allow_abbrev=False, **settings)
        self._dashed: dict[str, frozenset[str]] = {}
        self.offered: dict[str, tuple[str, ...]] = {}

    def leaves(self) -> Iterator[Parser]:
        """The parsers of all commands that have none below them."""
        groups = [action for action in self._actions if isinstance(action, argparse._SubParsersAction)]
        if not groups:
            yield self
        for group in groups:
            for parser in group.choices.values():
                yield from parser.leaves()

    def accept_dashes(self, option: str, values: Iterable[str]) -> None:
        """Lets an option have values that begin with a dash, which argparse would take for other options."""
        self._dashed[option] = frozenset(value.lower() for value in values if value.startswith("-"))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parses; ``--export-orientation -y`` is read as ``--export-orientation=-y``."""
        remaining: list[str] = list(args or ())
        joined: list[str] = []
        while remaining:
            word = remaining.pop(0)
            if remaining and remaining[0].lower() in self._dashed.get(word, ()):
                word = f"{word}={remaining.pop(0)}"
            joined.append(word)
        return super().parse_known_args(joined, namespace)

    def error(self, message: str) -> NoReturn:
        """Raises what argparse found."""
        raise UsageError(message, self.format_usage())


class _Help(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30)


def plain(text: str) -> str:
    """A text for ``help=``, in which argparse would take a percent sign for the beginning of a name."""
    return text.replace("%", "%%")
