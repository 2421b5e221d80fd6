"""How a request refers to files and to earlier tasks (docs/api.md, 2.6 and 6.3)."""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Union, get_args, get_origin
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, ValidationInfo

from .file_formats import IMAGE_FORMATS, MODEL_FORMATS, format_of
from .rules import Declared, Rule, RuleError, refusal

TOKEN_PREFIXES = ("file_", "v2.")
"""What a token of an uploaded file begins with: the API's own, and those of the service's web application."""

_ADDRESS = "https://"

_TASK_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
TASK_WANTED = "the bare UUID of a task"
_FILE_WANTED = "a file token (file_<uuid>) or an https URL"
_INPUT_WANTED = f"{_FILE_WANTED}, or {TASK_WANTED}"


def is_task_id(text: str) -> bool:
    """Whether a text has the form of a task id: a bare UUID."""
    return _TASK_ID.fullmatch(text) is not None


def is_file_reference(text: str) -> bool:
    """Whether a text is what the service takes for a file: a token, or an https URL."""
    return text.startswith((*TOKEN_PREFIXES, _ADDRESS))


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


class FileForm(StrEnum):
    """How a field takes its files on the wire (docs/api.md, 6.3)."""

    OBJECT = "object"
    TEXT = "text"
    EITHER = "either"
    """Both are read. A text is sent."""


class FileMark:
    """Marks a field whose value a user gives as a path and the service gets as an uploaded file.

    Args:
        formats: File name extensions that the field takes.
        form: How the field takes a file on the wire.
        text_field: For a field of objects, the field beside it that takes the same as a text: tokens and addresses go
            there.
    """

    def __init__(self, formats: tuple[str, ...], form: FileForm, *, text_field: str = "") -> None:
        self.formats = formats
        self.form = form
        self.text_field = text_field

    def wire_reference(self, reference: str | FileObject) -> str | FileObject:
        """A reference in the form in which the field takes it. No other code makes such forms.

        Args:
            reference: A token, an https address, or a file object.

        Raises:
            RuleError: It is an object in a storage, and the field takes texts only.
        """
        if self.form is FileForm.OBJECT:
            return reference if isinstance(reference, FileObject) else self._object_of(reference)
        if isinstance(reference, str):
            return reference
        text = reference.file_token or reference.url
        if text is None and self.form is FileForm.TEXT:
            raise refusal("the file", reference.model_dump(exclude_unset=True), _FILE_WANTED)
        return text or reference

    def read(self, value: Any, info: ValidationInfo) -> Any:
        """What Python code gives, in the field's form. What comes as JSON is the wire itself and stays as it is."""
        if info.mode == "json":
            return value
        if isinstance(value, Mapping):
            value = FileObject.model_validate(dict(value))
        return self.wire_reference(value) if isinstance(value, str | FileObject) else value

    def _object_of(self, text: str) -> FileObject:
        _file_text(text)
        # The type stays beside an address too. Where neither the user nor the name says it, the first one is as good.
        if not text.startswith(_ADDRESS):
            return FileObject(type=self.formats[0], file_token=text)
        named = format_of(urlsplit(text).path)
        return FileObject(type=named if named in self.formats else self.formats[0], url=text)


def file_mark(*sources: Any) -> FileMark | None:
    """The mark among annotations and their metadata: pydantic keeps it apart, unions and lists keep it inside."""
    for source in sources:
        if isinstance(source, FileMark):
            return source
        for item in getattr(source, "__metadata__", ()):
            if isinstance(item, FileMark):
                return item
    return None


def union_members(annotation: Any) -> tuple[Any, ...]:
    """The members of a union without None; a one-tuple for anything else."""
    if get_origin(annotation) in (Union, types.UnionType):
        return tuple(item for item in get_args(annotation) if item is not type(None))
    return (annotation,)


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

_IMAGE_OBJECT = FileMark(IMAGE_FORMATS, FileForm.OBJECT)
_IMAGE_TEXT = FileMark(IMAGE_FORMATS, FileForm.TEXT)
_IMAGE_EITHER = FileMark(IMAGE_FORMATS, FileForm.EITHER)
_ONE_IMAGE = FileMark(IMAGE_FORMATS, FileForm.OBJECT, text_field="input")
_ONE_MODEL = FileMark(MODEL_FORMATS, FileForm.OBJECT, text_field="input")

# Panels and command lines take a path for each of these.

ImageObject = Annotated[FileObject, BeforeValidator(_IMAGE_OBJECT.read), _IMAGE_OBJECT]
"""An image as one of several objects."""

ImageText = Annotated[str, BeforeValidator(_IMAGE_TEXT.read), AfterValidator(_file_text), _IMAGE_TEXT]
"""An image as a file token or an https URL."""

ImageFile = Annotated[FileRef, BeforeValidator(_IMAGE_EITHER.read), _IMAGE_EITHER]
"""An image where the API takes objects and texts, or does not say."""

OneImageObject = Annotated[FileObject, BeforeValidator(_ONE_IMAGE.read), _ONE_IMAGE]
"""The ``file`` of what takes a single image, beside ``input``."""

OneModelObject = Annotated[FileObject, BeforeValidator(_ONE_MODEL.read), _ONE_MODEL]
"""The ``file`` of what takes a model, beside ``input``."""
