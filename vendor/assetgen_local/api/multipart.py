"""One file out of a multipart body, to the disk as it arrives: 200 MB are never in memory, nor on disk twice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import BinaryIO

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from ..errors import bad_parameter, malformed

FIELD = "file"


class _Sink:
    """Callbacks of the parser. Writes the first part that is called ``file`` and passes over all others."""

    def __init__(self, file: BinaryIO) -> None:
        self.has_file = False
        self.name = ""
        self.complete = False
        self._file = file
        self._writing = False
        self._header = b""
        self._value = b""
        self._disposition = b""

    def on_part_begin(self) -> None:
        self._disposition = b""

    def on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def on_header_end(self) -> None:
        if self._header.lower() == b"content-disposition":
            self._disposition = self._value
        self._header = self._value = b""

    def on_headers_finished(self) -> None:
        _, options = parse_options_header(self._disposition)
        self._writing = not self.has_file and options.get(b"name") == FIELD.encode()
        if self._writing:
            self.has_file = True
            self.name = options.get(b"filename", b"").decode("utf-8", "replace")

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        if self._writing:
            self._file.write(data[start:end])

    def on_part_end(self) -> None:
        self._writing = False

    def on_end(self) -> None:
        self.complete = True


async def receive_file(content_type: str, chunks: AsyncIterator[bytes], path: Path) -> str:
    """Writes the field ``file`` to ``path`` and returns the name that the client gave it.

    Args:
        content_type: The header, with the boundary.
        chunks: The body.
        path: Where the file goes.

    Raises:
        ServiceError: The body is no multipart body (1003), or has no such field (1004).
    """
    _, options = parse_options_header(content_type)
    boundary = options.get(b"boundary")
    if not boundary:
        raise malformed("the content type multipart/form-data has no boundary")
    with path.open("wb") as file:
        sink = _Sink(file)
        try:
            parser = MultipartParser(
                boundary,
                {
                    "on_part_begin": sink.on_part_begin,
                    "on_header_field": sink.on_header_field,
                    "on_header_value": sink.on_header_value,
                    "on_header_end": sink.on_header_end,
                    "on_headers_finished": sink.on_headers_finished,
                    "on_part_data": sink.on_part_data,
                    "on_part_end": sink.on_part_end,
                    "on_end": sink.on_end,
                },
            )
            async for chunk in chunks:
                parser.write(chunk)
        except FormParserError as error:
            raise malformed(f"the multipart body cannot be read: {error}") from error
    if not sink.complete:
        raise malformed("the multipart body ends too early")
    if not sink.has_file:
        raise bad_parameter(f"the field `{FIELD}` is missing; allowed: one file")
    return sink.name
