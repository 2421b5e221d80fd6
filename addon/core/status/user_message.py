"""An error in words: one sentence, one piece of advice, and what a program needs beside them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from ..errors import sentences


class ExitCode(IntEnum):
    """How a program ends."""

    DONE = 0
    FAILED = 1
    BAD_INPUT = 2
    NOT_AUTHORISED = 3
    NO_CREDITS = 4
    NETWORK = 5
    UNCERTAIN = 6
    INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class UserMessage:
    """An error in words. ``code`` is the service's number where it gave one."""

    text: str
    advice: str = ""
    request_id: str = ""
    exit_code: int = ExitCode.FAILED
    code: int = 0

    def columns(self) -> dict[str, Any]:
        """The error as the journal keeps it with a job."""
        return {
            "error": self.text,
            "advice": self.advice,
            "request_id": self.request_id,
            "exit_code": self.exit_code,
            "error_code": self.code,
        }

    def __str__(self) -> str:
        """All of it in one line, for a terminal or a log."""
        line = sentences(self.text, self.advice) + "."
        return f"{line} (request {self.request_id})" if self.request_id else line
