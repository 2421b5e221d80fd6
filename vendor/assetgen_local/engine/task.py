"""One piece of work as the engine sees it: what was asked, and where the result goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from .errors import EngineError

MODEL = "model.glb"
PREVIEW = "preview.png"


@dataclass(frozen=True, slots=True)
class Task:
    """A request, with its paths as paths.

    Attributes:
        body: The request body as the client sent it; a field that was not set is not there.
        source: The model worked on, or None.
        images: Local copies of the images that the body refers to, by field name: a path, or a list of paths.
        folder: Where the results go.
        report: Takes a fraction from 0 to 1 and a few words.
        preview: Whether a picture of the result is wanted; rendering it takes a second or two.
    """

    body: dict[str, Any]
    source: Path | None
    images: dict[str, Any] = field(default_factory=dict)
    folder: Path = Path()
    report: Callable[[float, str], None] = lambda _fraction, _words: None
    preview: bool = True

    @classmethod
    def of(cls, request: dict[str, Any], report: Callable[[float, str], None]) -> Self:
        """Reads a request; makes the result folder."""
        folder = Path(request["output_dir"])
        folder.mkdir(parents=True, exist_ok=True)
        source = request.get("model")
        return cls(
            body=dict(request.get("body") or {}),
            source=Path(source) if source else None,
            images=dict(request.get("images") or {}),
            folder=folder,
            report=report,
            preview=bool(request.get("preview", True)),
        )

    def model(self) -> Path:
        """The model worked on.

        Raises:
            EngineError: There is none.
        """
        if self.source is None:
            raise EngineError("This task needs a model to work on, and none was given.")
        return self.source

    def flag(self, name: str, default: bool = False) -> bool:
        """A switch of the body; null counts as left out."""
        value = self.body.get(name)
        return default if value is None else bool(value)
