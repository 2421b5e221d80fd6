"""What the two sides exchange: a request file, an answer file, and marked lines of progress on standard output.

A process may be started before there is a request for it, so it begins when a byte on its standard input says so.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROGRESS_MARK = "@assetgen "
"""Begins a line of progress; every other line is the program's own chatter."""


START = b"\n"
"""Written to the child's standard input when the request is there."""

GOES_ON = "goes_on"
"""In an answer of the child: it found the process as new and left it so, and can be asked again."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """The folder of one exchange."""

    folder: Path

    def write(self, request: Mapping[str, Any]) -> None:
        """Stores what is asked."""
        (self.folder / "request.json").write_text(json.dumps(request), encoding="utf-8")

    def read(self) -> dict[str, Any]:
        """What is asked."""
        request: dict[str, Any] = json.loads((self.folder / "request.json").read_text(encoding="utf-8"))
        return request

    def write_answer(self, answer: Mapping[str, Any]) -> None:
        """Stores the answer; it is there whole or not at all."""
        part = self.folder / "answer.part"
        part.write_text(json.dumps(answer), encoding="utf-8")
        os.replace(part, self.folder / "answer.json")

    def take_answer(self) -> dict[str, Any] | None:
        """The answer, which is gone then; or None when there is none."""
        path = self.folder / "answer.json"
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        path.unlink()
        answer: dict[str, Any] = json.loads(text)
        return answer
