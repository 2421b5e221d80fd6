"""Files on the wire: what may be uploaded and how a request refers to it (API sections 2.5, 4.2 and 4.9)."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict

IMAGE_FORMATS = ("png", "jpg", "jpeg", "webp", "bmp", "tiff")
"""File name extensions of images that the service takes."""

MODEL_FORMATS = ("glb", "obj", "fbx", "stl", "3mf", "usdz")
"""File name extensions of models that the service takes."""

MAX_UPLOAD_BYTES = 200 * 1024 * 1024
"""The largest multipart upload that the API documents, in bytes."""

MAX_MULTIPART_BYTES = 50 * 1024 * 1024
"""Above this size, in bytes, we upload through a presigned link instead (design decision, not a rule of the API)."""


class FileObject(BaseModel):
    """The ``{type, file_token}``, ``{type, url}`` or ``{object}`` form of a file reference."""

    model_config = ConfigDict(extra="allow")

    type: str | None = None
    file_token: str | None = None
    url: str | None = None
    object: dict[str, str] | None = None


class FileMark:
    """Marks a field whose value a user gives as a path and the service gets as an uploaded file."""

    def __init__(self, formats: tuple[str, ...]) -> None:
        self.formats = formats


FileRef = str | FileObject
"""A file token, an https URL, or a file object."""

ImageFile = Annotated[FileRef, FileMark(IMAGE_FORMATS)]
"""A reference to an image. Panels and command lines take a path for it."""

ModelFile = Annotated[FileRef, FileMark(MODEL_FORMATS)]
"""A reference to a model file. Panels and command lines take a path for it."""
