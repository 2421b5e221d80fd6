"""One piece of work as the engine sees it: what was asked, and where the result goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from .errors import EngineError

MODEL, FBX = "model.glb", "model.fbx"
PREVIEW = "preview.png"


@dataclass(frozen=True, slots=True)
class PreviousTask:
    """The finished task that a request refers to.

    Attributes:
        capability: What it did, by the capability's name.
        body: What it was asked.
        facts: What the engine noted about its result; whatever its module put there.
        files: Its result files by output key (``model_url``, ``front_view_url`` ...).
    """

    capability: str
    body: dict[str, Any]
    facts: dict[str, Any]
    files: dict[str, Path]

    @classmethod
    def from_request(cls, request: dict[str, Any]) -> Self:
        """Reads the part ``source`` of a request."""
        return cls(
            capability=request["capability"],
            body=dict(request.get("body") or {}),
            facts=dict(request.get("facts") or {}),
            files={key: Path(path) for key, path in (request.get("files") or {}).items()},
        )


@dataclass(frozen=True, slots=True)
class Task:
    """A request, with its paths as paths.

    Attributes:
        body: The request body as the client sent it; a field that was not set is not there.
        source: The model worked on, or None.
        images: Local copies of the images that the body refers to, by flattened field name (``file``, ``files``,
            ``front``, ``image``, ``style_image`` ...): a path, or a list of paths. A single image is ``file`` or
            ``input``, as it came; ``input`` also where the body refers to the task of an image. Where it refers to a
            task with views, they are ``front``, ``left``, ``back`` and ``right``.
        previous: The task that the body refers to, or None.
        folder: Where the results go.
        report: Takes a fraction from 0 to 1 and a few words.
        preview: Whether a picture of the result is wanted; rendering it takes a second or two.
        preview_later: Whether it is only named now, and made by a later request where somebody wants to see it.
    """

    body: dict[str, Any]
    source: Path | None
    images: dict[str, Any] = field(default_factory=dict)
    previous: PreviousTask | None = None
    folder: Path = Path()
    report: Callable[[float, str], None] = lambda _fraction, _words: None
    preview: bool = True
    preview_later: bool = False

    @classmethod
    def from_request(cls, request: dict[str, Any], report: Callable[[float, str], None]) -> Self:
        """Reads a request; makes the result folder."""
        folder = Path(request["output_dir"])
        folder.mkdir(parents=True, exist_ok=True)
        source, previous, images = request.get("model"), request.get("source"), request.get("images") or {}
        return cls(
            body=dict(request.get("body") or {}),
            source=Path(source) if source else None,
            images={field: [*map(Path, own)] if isinstance(own, list) else Path(own) for field, own in images.items()},
            previous=PreviousTask.from_request(previous) if previous else None,
            folder=folder,
            report=report,
            preview=bool(request.get("preview", True)),
            preview_later=request.get("preview") == "later",
        )

    def model(self) -> Path:
        """The model worked on.

        Raises:
            EngineError: There is none.
        """
        if self.source is None:
            raise EngineError("This task needs a model to work on, and none was given.")
        return self.source

    def image(self, *fields: str) -> Path | None:
        """The image of the first of the fields that the body has; None where it has none of them."""
        images = (self.images.get(field) for field in fields)
        return next((path for path in images if isinstance(path, Path)), None)

    def only_image(self) -> Path:
        """The single image worked on.

        Raises:
            EngineError: There is none.
        """
        path = self.image("file", "input")
        if path is None:
            raise EngineError("This task needs an image, and none was given.")
        return path

    def flag(self, name: str, default: bool = False) -> bool:
        """A switch of the body; null counts as left out."""
        value = self.body.get(name)
        return default if value is None else bool(value)
