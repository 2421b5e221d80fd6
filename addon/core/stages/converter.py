"""What a background Blender does for a job: make the GLB that is uploaded, the .blend that is appended, its picture."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ....vendor.assetgen.contract import format_of
from ....vendor.background_blender import BlenderCommand, SpareBlender
from ..jobs.job import Placement, Snapshot, plain
from ..jobs.upload_facts import UploadFacts
from ..requests.model_files import needs_conversion
from .glb_check import refers_to_files

_SCRIPT = Path(__file__).resolve().parents[2] / "headless" / "conversions.py"

Fraction = Callable[[float, str], None]
"""Takes how far it is, 0 to 1, and a few words."""


def needs_blender(path: str) -> bool:
    """Whether a model file becomes a GLB in a background Blender before it is uploaded. Looks into a GLB: no drawing.

    A GLB may have its pictures in files beside it, as packs of models share one; an upload is a single file.
    """
    return needs_conversion(path) or (format_of(path) == "glb" and refers_to_files(Path(path).expanduser()))


class ResultSources(NamedTuple):
    """What a result is the result of, as far as the parts of it shall follow that.

    Attributes:
        placement: What is known of the sources; it has as many ``poses`` as ``parts``.
        fitted: Whether the result is brought to the size and place of the sources.
        blend: Where the sources are with their vertex groups and colours; None where none of these goes over.
        snapshot: What is in there.
    """

    placement: Placement
    fitted: bool
    blend: Path | None = None
    snapshot: Snapshot | None = None

    def values(self) -> dict[str, Any]:
        """As ``headless/to_blend.py`` is asked."""
        placement = self.placement
        parts = [
            {"name": part.name, "bounds": part.bounds, "matrix": pose.matrix}
            for part, pose in zip(placement.parts, placement.poses, strict=True)
        ]
        values: dict[str, Any] = {
            "parts": parts,
            "frame": placement.frame,
            "fit": (placement.bounds, placement.rest_bounds) if self.fitted else (),
        }
        if self.blend is not None and self.snapshot is not None:
            values["snapshot"] = {**plain(self.snapshot), "blend": str(self.blend)}
        return values


class Converter(Protocol):
    """The conversions. Tests put their own here, which need no Blender.

    All raise ``BlenderTrouble`` when it cannot be done, and ``BlenderStopped`` when ``stopped`` says so.
    """

    def to_glb(
        self, blend: Path, snapshot: Snapshot, out: Path, on_progress: Fraction, stopped: Callable[[], bool]
    ) -> UploadFacts:
        """Turns the objects that ``snapshot`` names into a GLB, and tells what it found out about them."""

    def file_to_glb(
        self, model: Path, item: str, out: Path, on_progress: Fraction, stopped: Callable[[], bool]
    ) -> None:
        """Turns a model file, or the object ``item`` of a .blend, into a GLB."""

    def to_blend(
        self,
        model: Path,
        out: Path,
        name: str,
        on_progress: Fraction,
        stopped: Callable[[], bool],
        *,
        frame_rate: float = 24.0,
        sources: ResultSources | None = None,
        picture: Path | None = None,
    ) -> None:
        """Turns a model file into a .blend with one collection called ``name``, its motions at ``frame_rate``; where
        ``picture`` is named, a small picture of it is written there, if that can be done.
        """

    def to_picture(self, blend: Path, picture: Path, stopped: Callable[[], bool]) -> None:
        """Draws what :meth:`to_blend` made into a small picture, a PNG; none where there is nothing to be seen."""


class BackgroundConverter:
    """Converts with a background Blender, started as ``command`` says at that time, and kept for a while: what makes
    the upload of a job makes its result ready. Thread-safe; close it in the end.
    """

    def __init__(self, command: Callable[[], BlenderCommand]) -> None:
        self._command = command
        self._lock = threading.Lock()
        self._blenders: SpareBlender | None = None
        self._closed = False

    def prepare(self) -> None:
        """Starts the Blender, where there is none: the first conversion finds it ready then."""
        self._current().prepare()

    def close(self) -> None:
        """Ends the Blender that is kept, and keeps none any more."""
        with self._lock:
            self._closed = True
            if self._blenders is not None:
                self._blenders.close()

    def _run(
        self, work: str, request: Mapping[str, Any], on_progress: Fraction, stopped: Callable[[], bool]
    ) -> dict[str, Any]:
        return self._current().run({**request, "type": work}, on_progress=on_progress, stopped=stopped)

    def _current(self) -> SpareBlender:
        command = self._command()
        with self._lock:
            if self._blenders is None or self._blenders.command != command:
                if self._blenders is not None:
                    self._blenders.close()
                self._blenders = SpareBlender(command, _SCRIPT, ahead=False)
                if self._closed:
                    self._blenders.close()
            return self._blenders

    def to_glb(
        self, blend: Path, snapshot: Snapshot, out: Path, on_progress: Fraction, stopped: Callable[[], bool]
    ) -> UploadFacts:
        """See :class:`Converter`."""
        request = {**plain(snapshot), "blend": str(blend), "out": str(out)}
        answer = self._run("to_glb", request, on_progress, stopped)
        return UploadFacts.of_answer(answer)

    def file_to_glb(
        self, model: Path, item: str, out: Path, on_progress: Fraction, stopped: Callable[[], bool]
    ) -> None:
        """See :class:`Converter`."""
        request = {"model": str(model), "object": item, "out": str(out)}
        self._run("file_to_glb", request, on_progress, stopped)

    def to_blend(
        self,
        model: Path,
        out: Path,
        name: str,
        on_progress: Fraction,
        stopped: Callable[[], bool],
        *,
        frame_rate: float = 24.0,
        sources: ResultSources | None = None,
        picture: Path | None = None,
    ) -> None:
        """See :class:`Converter`."""
        request: dict[str, Any] = {"model": str(model), "out": str(out), "name": name, "frame_rate": frame_rate}
        if sources is not None:
            request["sources"] = sources.values()
        if picture is not None:
            request["picture"] = str(picture)
        self._run("to_blend", request, on_progress, stopped)

    def to_picture(self, blend: Path, picture: Path, stopped: Callable[[], bool]) -> None:
        """See :class:`Converter`."""
        request = {"blend": str(blend), "picture": str(picture)}
        self._run("to_picture", request, lambda fraction, text: None, stopped)
