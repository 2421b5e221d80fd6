"""How a request refers to files and to earlier tasks (docs/api.md, 2.6 and 6.3)."""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Discriminator, Field, Tag

from .file_formats import IMAGE_FORMATS, MODEL_FORMATS
from .rules import Declared, Rule, RuleError, refusal

TOKEN_PREFIXES = ("file_", "v2.")
"""What a token of an uploaded file begins with: the API's own, and those of the service's web application."""

_TASK_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
TASK_WANTED = "the bare UUID of a task"
_FILE_WANTED = "a file token (file_<uuid>) or an https URL"
_INPUT_WANTED = f"{_FILE_WANTED}, or {TASK_WANTED}"


def is_task_id(text: str) -> bool:
    """Whether a text has the form of a task id: a bare UUID."""
    return _TASK_ID.fullmatch(text) is not None


def is_file_reference(text: str) -> bool:
    """Whether a text is what the service takes for a file: a token, or an https URL."""
    return text.startswith((*TOKEN_PREFIXES, "https://"))


def _file_text(text: str) -> str:
    if not is_file_reference(text):
        raise refusal("the file", text, _FILE_WANTED)
    return text


def _input_text(text: str) -> str:
    if not is_file_reference(text) and not is_task_id(text):
        raise refusal("input", text, _INPUT_WANTED)
    return text


def _names_a_file(file: Any) -> None:
    if not (file.file_token or file.url or file.object):
        # Also of {"data": ...}: base64 counts as nothing (docs/api.md, 6.3).
        raise RuleError("the file must specify url, object or file_token", field="file")


class FileObject(Declared):
    """The ``{type, file_token}``, ``{type, url}`` or ``{object}`` form of a file reference."""

    rules: ClassVar[tuple[Rule, ...]] = (
        Rule("A file object specifies url, object or file_token; base64 data is not taken", _names_a_file),
    )

    type: str | None = None
    file_token: str | None = None
    url: str | None = None
    object: dict[str, str] | None = None


class FileMark:
    """Marks a field whose value a user gives as a path and the service gets as an uploaded file."""

    def __init__(self, formats: tuple[str, ...]) -> None:
        self.formats = formats


def _form(value: Any) -> str:
    return "text" if isinstance(value, str) else "object"


FileRef = Annotated[
    Annotated[str, AfterValidator(_file_text), Tag("text")] | Annotated[FileObject, Tag("object")], Discriminator(_form)
]
"""A file token, an https URL, or a file object."""

_OLD_PREFIX = "task_"


def _task_text(text: str) -> str:
    # Only what the API says of the form. A task that the service itself named is not doubted.
    if text.startswith(_OLD_PREFIX):
        raise refusal("the task", text, TASK_WANTED)
    return text


TaskText = Annotated[str, Field(min_length=1), AfterValidator(_task_text)]
"""The id of an earlier task."""

InputText = Annotated[str, AfterValidator(_input_text), Field(min_length=1)]
"""The ``input`` form: a file token, an https URL, or the id of a task whose result is meant."""

ImageFile = Annotated[FileRef, FileMark(IMAGE_FORMATS)]
"""A reference to an image. Panels and command lines take a path for it."""

ModelFile = Annotated[FileRef, FileMark(MODEL_FORMATS)]
"""A reference to a model file. Panels and command lines take a path for it."""
