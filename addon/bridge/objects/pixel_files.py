"""What images show, as files that are made without Blender: a thread writes them after the press that copied it."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from ...headless.mesh_notes import bits_checksum
from . import png

_PLAIN_TARGA, _TARGA_HEADER = 2, 18
_ROWS = 256  # at once, so that little more memory is taken than the pixels have


class Pixels(NamedTuple):
    """What an image held in memory.

    Attributes:
        values: numpy array of 32-bit floats, as Blender gives them out, or of bytes: bottom row first.
        width: In pixels.
        height: In pixels.
        channels: 1 to 4.
        is_float: Whether they are linear and can be above 1; else they are bytes on the sRGB curve, from 0 to 1.
    """

    values: Any
    width: int
    height: int
    channels: int
    is_float: bool
    is_encoded: ClassVar[bool] = False

    @property
    def extension(self) -> str:
        """Of a file that keeps all that there is, without its dot."""
        return "exr" if self.is_float else "png"

    @property
    def nbytes(self) -> int:
        """What they take in memory."""
        return int(self.values.nbytes)

    def checksum(self) -> str:
        """A text that differs when any of them differs."""
        return f"{self.width} {self.height} {bits_checksum(self.values)}"

    def save(self, path: Path) -> None:
        """Writes a PNG, of what is linear on the sRGB curve, or an EXR, as the name of the file says.

        Raises:
            OSError: It cannot be written.
        """
        rows = self.values.reshape(self.height, self.width, self.channels)
        if path.suffix == ".exr":
            _save_exr(rows, path)
        else:
            png.write(_bytes_of(rows, is_linear=self.is_float), path)


class EncodedImage(NamedTuple):
    """The file of an image, as it is in memory.

    Attributes:
        content: All of it.
        extension: Of such files, without its dot.
    """

    content: bytes
    extension: str
    is_encoded: ClassVar[bool] = True

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        return len(self.content)

    def checksum(self) -> str:
        """A text that differs when any of its bytes differs."""
        import numpy as np

        return f"{len(self.content)} {bits_checksum(np.frombuffer(self.content, dtype=np.uint8))}"

    def save(self, path: Path) -> None:
        """Writes it.

        Raises:
            OSError: It cannot be written.
        """
        path.write_bytes(self.content)


def read_targa(path: Path) -> Pixels:
    """The pixels of a Targa file as Blender writes one that is not compressed, with four channels.

    Raises:
        OSError: It cannot be read.
        ValueError: It is none.
    """
    import numpy as np

    content = path.read_bytes()
    begin, kind, width, height, depth = struct.unpack_from("<BxB9xHHB", content)
    if kind != _PLAIN_TARGA or depth != 32:
        raise ValueError(f"{path.name} is another kind of Targa")
    stored = np.frombuffer(content, dtype=np.uint8, count=4 * width * height, offset=_TARGA_HEADER + begin)
    return Pixels(stored.reshape(-1, 4)[:, [2, 1, 0, 3]].ravel(), width, height, 4, False)


def _bytes_of(rows: Any, *, is_linear: bool) -> Any:
    """RGBA as bytes, a few rows after the others."""
    import numpy as np  # here: enabling the extension must be quick

    if rows.dtype == np.uint8:
        return rows
    height, width, _ = rows.shape
    pixels = np.empty((height, width, 4), dtype=np.uint8)
    for first in range(0, height, _ROWS):
        part = np.clip(_rgba(rows[first : first + _ROWS]), 0.0, 1.0)
        if is_linear:
            colours = part[..., :3]
            curved = 1.055 * colours ** (1 / 2.4) - 0.055
            part[..., :3] = np.where(colours <= 0.0031308, colours * 12.92, curved)
        np.rint(part * 255, out=part)
        pixels[first : first + _ROWS] = part
    return pixels


def _rgba(rows: Any) -> Any:
    """Four channels, as Blender shows fewer: those that are there, and the rest 1."""
    import numpy as np

    channels = rows.shape[2]
    if channels == 4:
        return rows
    wide = np.ones((*rows.shape[:2], 4), dtype=np.float32)
    wide[..., :channels] = rows
    return wide


def _save_exr(rows: Any, path: Path) -> None:
    """An OpenEXR file of 32-bit floats, not compressed, one scan line after the other."""
    import numpy as np

    height, width, _ = rows.shape
    box = struct.pack("<4i", 0, 0, width - 1, height - 1)
    channels = b"".join(name + b"\0" + struct.pack("<iB3xii", 2, 0, 1, 1) for name in (b"A", b"B", b"G", b"R")) + b"\0"
    header = struct.pack("<II", 20000630, 2) + b"".join(
        [
            _attribute(b"channels", b"chlist", channels),
            _attribute(b"compression", b"compression", b"\0"),
            _attribute(b"dataWindow", b"box2i", box),
            _attribute(b"displayWindow", b"box2i", box),
            _attribute(b"lineOrder", b"lineOrder", b"\0"),
            _attribute(b"pixelAspectRatio", b"float", struct.pack("<f", 1.0)),
            _attribute(b"screenWindowCenter", b"v2f", struct.pack("<2f", 0.0, 0.0)),
            _attribute(b"screenWindowWidth", b"float", struct.pack("<f", 1.0)),
            b"\0",
        ]
    )
    size = 16 * width
    first = len(header) + 8 * height
    with path.open("wb") as file:
        file.write(header)
        file.write((first + np.arange(height, dtype="<u8") * (8 + size)).tobytes())
        for line, row in enumerate(rows[::-1]):
            file.write(struct.pack("<ii", line, size))
            file.write(np.ascontiguousarray(_rgba(row[None])[0][:, ::-1].T, dtype="<f4"))


def _attribute(name: bytes, kind: bytes, value: bytes) -> bytes:
    return name + b"\0" + kind + b"\0" + struct.pack("<i", len(value)) + value
