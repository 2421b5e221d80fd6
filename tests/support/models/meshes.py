"""Small model files, made and taken apart without Blender: numpy and struct only. glTF axes, +Y up."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

_PIXELS = 500_000  # that are looked at together
_APART = 1e-3  # of a pixel, from a triangle's side: neighbours share none


@dataclass(frozen=True, slots=True)
class Shape:
    """A triangle mesh: positions (n, 3), triangles (m, 3), and per vertex UVs (n, 2) or colours (n, 3), linear 0..1."""

    positions: Array
    triangles: Array
    uvs: Array | None = None
    colors: Array | None = None
    name: str = "shape"

    @property
    def bounds(self) -> Array:
        """Lowest and highest corner, (2, 3)."""
        return np.array([self.positions.min(axis=0), self.positions.max(axis=0)])


def cube_sphere(steps: int, radius: float = 1.0, centre: Sequence[float] = (0, 0, 0), name: str = "sphere") -> Shape:
    """A ball of 12·steps² triangles. Its six sides lie side by side in UV space, so vertices are split along rims."""
    line = np.linspace(-1, 1, steps + 1)
    a, b = (grid.ravel() for grid in np.meshgrid(line, line))
    positions, uvs, triangles = [], [], []
    for side, (axis, sign) in enumerate((axis, sign) for axis in range(3) for sign in (1, -1)):
        corner = np.empty((a.size, 3))
        corner[:, axis] = sign
        corner[:, (axis + 1) % 3] = a * sign
        corner[:, (axis + 2) % 3] = b
        positions.append(corner / np.linalg.norm(corner, axis=1, keepdims=True) * radius + centre)
        u, v = side % 3, side // 3
        uvs.append(np.stack(((u + 0.02 + 0.96 * (a + 1) / 2) / 3, (v + 0.02 + 0.96 * (b + 1) / 2) / 2), axis=1))
        triangles.append(_grid_triangles(steps, steps) + side * a.size)
    return Shape(np.concatenate(positions), np.concatenate(triangles), np.concatenate(uvs), name=name)


def torus(steps: int, color: Sequence[float], sizes: Sequence[float] = (1.0, 0.35)) -> Shape:
    """A closed ring of 4·steps² triangles in the XZ plane with one vertex colour."""
    around, along = (grid.ravel() for grid in np.meshgrid(np.arange(steps), np.arange(2 * steps)))
    phi, theta = along * np.pi / steps, around * 2 * np.pi / steps
    ring = sizes[0] + sizes[1] * np.cos(theta)
    positions = np.stack((ring * np.cos(phi), sizes[1] * np.sin(theta), ring * np.sin(phi)), axis=1)
    here = along * steps + around
    right = along * steps + (around + 1) % steps
    up = (along + 1) % (2 * steps) * steps + around
    both = (along + 1) % (2 * steps) * steps + (around + 1) % steps
    triangles = np.concatenate((np.stack((here, right, both), 1), np.stack((here, both, up), 1)))
    return Shape(positions, triangles, colors=np.tile(np.asarray(color, float), (len(positions), 1)), name="torus")


def bumpy_grid(steps: int) -> Shape:
    """An open, hilly sheet of 2·steps² triangles, 2 by 2 wide."""
    line = np.linspace(-1, 1, steps + 1)
    x, z = (grid.ravel() for grid in np.meshgrid(line, line))
    y = 0.15 * np.sin(7 * x) * np.cos(5 * z) + 0.03 * np.sin(31 * x + 17 * z)
    uvs = np.stack(((x + 1) / 2, (z + 1) / 2), axis=1)
    return Shape(np.stack((x, y, z), axis=1), _grid_triangles(steps, steps)[:, ::-1], uvs, name="grid")


def rod(middle: Array, radius: float, name: str = "rod") -> Shape:
    """A closed, bent rod with eight sides that stand level, along the places of ``middle``, (n, 3), from below."""
    turns = np.arange(8) * np.pi / 4
    ring = np.stack((np.sin(turns), np.zeros(8), np.cos(turns)), axis=1) * radius
    triangles = _grid_triangles(8, len(middle) - 1)
    triangles = triangles // 9 * 8 + triangles % 9 % 8  # the last column is the first
    fan = np.stack((np.zeros(6, int), np.arange(2, 8), np.arange(1, 7)), axis=1)
    ends = np.concatenate((fan, fan[:, ::-1] + 8 * (len(middle) - 1)))
    positions = (np.asarray(middle)[:, None] + ring).reshape(-1, 3)
    return Shape(positions, np.concatenate((triangles, ends)), name=name)


def box(size: Sequence[float], centre: Sequence[float] = (0, 0, 0), name: str = "box") -> Shape:
    """Twelve triangles, outwards."""
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float) - 0.5
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    triangles = [t for q in quads for t in ((q[0], q[1], q[2]), (q[0], q[2], q[3]))]
    return Shape(corners * np.asarray(size, float) + np.asarray(centre, float), np.array(triangles), name=name)


def many_boxes(count: int) -> Shape:
    """One mesh of loose boxes, which no edge collapse can join."""
    boxes = [box((0.5, 0.5, 0.5), (index % 20, 0, index // 20)) for index in range(count)]
    return Shape(
        np.concatenate([b.positions for b in boxes]),
        np.concatenate([b.triangles + 8 * index for index, b in enumerate(boxes)]),
        name="boxes",
    )


def _grid_triangles(columns: int, rows: int) -> Array:
    x, y = (grid.ravel() for grid in np.meshgrid(np.arange(columns), np.arange(rows)))
    here = y * (columns + 1) + x
    right, up, both = here + 1, here + columns + 1, here + columns + 2
    return np.concatenate((np.stack((here, right, both), axis=1), np.stack((here, both, up), axis=1)))


def png(pixels: Array) -> bytes:
    """An 8 bit PNG of (height, width, 3) or, with alpha, 4, top row first."""
    height, width, channels = pixels.shape
    rows = np.zeros((height, width * channels + 1), np.uint8)
    rows[:, 1:] = pixels.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, {3: 2, 4: 6}[channels], 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes()))]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(c)) + k + c + struct.pack(">I", zlib.crc32(k + c)) for k, c in [*parts, (b"IEND", b"")]
    )


def read_png(content: bytes) -> Array:
    """Pixels of an 8 bit PNG, (height, width, channels), top row first."""
    assert content.startswith(b"\x89PNG"), "not a PNG"
    place, data, header = 8, b"", (0, 0, 0, 0)
    while place < len(content):
        length, kind = struct.unpack_from(">I4s", content, place)
        chunk = content[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            header = struct.unpack_from(">IIBB", chunk)
        elif kind == b"IDAT":
            data += chunk
        place += 12 + length
    width, height, depth, color_type = header
    assert depth == 8, "only 8 bit pictures"
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[color_type]
    raw = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, width * channels + 1)
    rows = np.zeros((height + 1, width * channels), np.uint8)
    for y in range(height):
        rows[y + 1] = _unfiltered(int(raw[y, 0]), raw[y, 1:], rows[y], channels)
    return rows[1:].reshape(height, width, channels)


def _unfiltered(kind: int, row: Array, above: Array, channels: int) -> Array:
    if kind == 0:
        return row
    if kind == 2:
        return row + above
    pixels = row.reshape(-1, channels)
    if kind == 1:
        return np.cumsum(pixels, axis=0, dtype=np.uint8).ravel()
    result = [0] * (len(row) + channels)
    upper = [0] * channels + above.tolist()
    for index, value in enumerate(row.tolist(), channels):
        left, up, corner = result[index - channels], upper[index], upper[index - channels]
        if kind == 3:
            guess = (left + up) // 2
        else:
            guess = min((left, up, corner), key=lambda number, p=left + up - corner: abs(p - number))
        result[index] = (value + guess) & 255
    return np.array(result[channels:], np.uint8)


def write_glb(
    path: Path, shapes: Sequence[Shape], *, texture: bytes | None = None, offset: Sequence[float] = ()
) -> Path:
    """Writes shapes as one GLB, a node each, moved by ``offset``; ``texture`` is the colour of those with UVs."""
    document: dict[str, Any] = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": list(range(len(shapes)))}],
        "nodes": [],
        "meshes": [],
        "accessors": [],
        "bufferViews": [],
    }
    blob = bytearray()

    def view(content: bytes) -> int:
        blob.extend(b"\0" * (-len(blob) % 4))
        document["bufferViews"].append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(content)})
        blob.extend(content)
        return len(document["bufferViews"]) - 1

    def accessor(values: Array, kind: str, component: int) -> int:
        entry = {"bufferView": view(values.tobytes()), "componentType": component, "count": len(values), "type": kind}
        if kind == "VEC3":
            entry |= {"min": values.min(axis=0).tolist(), "max": values.max(axis=0).tolist()}
        document["accessors"].append(entry)
        return len(document["accessors"]) - 1

    for index, shape in enumerate(shapes):
        attributes = {"POSITION": accessor(shape.positions.astype("<f4"), "VEC3", 5126)}
        if shape.uvs is not None:
            attributes["TEXCOORD_0"] = accessor((shape.uvs * (1, -1) + (0, 1)).astype("<f4"), "VEC2", 5126)
        if shape.colors is not None:
            attributes["COLOR_0"] = accessor(shape.colors.astype("<f4"), "VEC3", 5126)
        corners = shape.triangles.astype("<u4").ravel()
        document["accessors"].append(
            {"bufferView": view(corners.tobytes()), "componentType": 5125, "count": corners.size, "type": "SCALAR"}
        )
        primitive: dict[str, Any] = {"attributes": attributes, "indices": len(document["accessors"]) - 1}
        if texture is not None and shape.uvs is not None:
            primitive["material"] = 0
        document["meshes"].append({"primitives": [primitive], "name": shape.name})
        node: dict[str, Any] = {"mesh": index, "name": shape.name}
        if offset:
            node["translation"] = list(offset)
        document["nodes"].append(node)
    if texture is not None:
        document["images"] = [{"bufferView": view(texture), "mimeType": "image/png", "name": "colors"}]
        document["textures"] = [{"source": 0}]
        document["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0.0}}]
    document["buffers"] = [{"byteLength": len(blob)}]
    path.write_bytes(pack_glb(document, bytes(blob)))
    return path


def pack_glb(document: dict[str, Any], blob: bytes) -> bytes:
    """The frame of a GLB around its JSON and its binary chunk."""
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    blob += b"\0" * (-len(blob) % 4)
    return (
        struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(blob))
        + struct.pack("<I4s", len(text), b"JSON")
        + text
        + struct.pack("<I4s", len(blob), b"BIN\0")
        + blob
    )


def write_obj(path: Path, shape: Shape, extra: str = "") -> Path:
    """Writes a shape as OBJ; ``extra`` comes first."""
    lines = [extra, *("v {:.6f} {:.6f} {:.6f}".format(*p) for p in shape.positions)]
    lines += ["f {} {} {}".format(*(t + 1)) for t in shape.triangles]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def write_stl(path: Path, shape: Shape) -> Path:
    """Writes a shape as binary STL, with the axes as they are."""
    record = np.zeros(len(shape.triangles), np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]))
    record["v"] = shape.positions[shape.triangles]
    path.write_bytes(b"\0" * 80 + struct.pack("<I", len(record)) + record.tobytes())
    return path


@dataclass(frozen=True, slots=True)
class Part:
    """A primitive of a GLB in world space."""

    name: str
    positions: Array
    triangles: Array
    uvs: Array | None
    has_colors: bool


@dataclass(frozen=True, slots=True)
class Glb:
    """What is in a GLB.

    Attributes:
        parts: Its primitives.
        images: Encoded pictures by what a material uses them for: ``color``, ``normal``, ``metallic_roughness``.
        document: Its JSON.
        all_images: Every encoded picture, in the file's order.
    """

    parts: list[Part]
    images: dict[str, bytes] = field(default_factory=dict)
    document: dict[str, Any] = field(default_factory=dict)
    all_images: list[bytes] = field(default_factory=list)

    @property
    def triangles(self) -> int:
        return sum(len(part.triangles) for part in self.parts)

    @property
    def bounds(self) -> Array:
        """Of the vertices in use, (2, 3)."""
        used = np.concatenate([part.positions[part.triangles.ravel()] for part in self.parts])
        return np.array([used.min(axis=0), used.max(axis=0)])

    def picture(self, use: str) -> Array:
        """Pixels of a texture, top row first."""
        return read_png(self.images[use])


def read_glb(path: Path) -> Glb:
    """Takes a GLB apart (no sparse accessors, no interleaving, no skins)."""
    document, blob = glb_document(path), glb_blob(path)
    parts: list[Part] = []

    def visit(index: int, matrix: Array) -> None:
        node = document["nodes"][index]
        matrix = matrix @ _matrix(node)
        for primitive in document["meshes"][node["mesh"]]["primitives"] if "mesh" in node else ():
            attributes = primitive["attributes"]
            points = accessor_of(document, blob, attributes["POSITION"]).astype(float)
            corners = accessor_of(document, blob, primitive["indices"]).reshape(-1, 3).astype(int)
            uvs = accessor_of(document, blob, attributes["TEXCOORD_0"]) if "TEXCOORD_0" in attributes else None
            placed = points @ matrix[:3, :3].T + matrix[:3, 3]
            parts.append(Part(node.get("name", ""), placed, corners, uvs, "COLOR_0" in attributes))
        for child in node.get("children", ()):
            visit(child, matrix)

    for root in document["scenes"][document.get("scene", 0)]["nodes"]:
        visit(root, np.eye(4))
    everything = [_view(document, blob, image["bufferView"]) for image in document.get("images", ())]
    return Glb(parts, _images(document, blob), document, everything)


def glb_document(path: Path) -> dict[str, Any]:
    """The JSON of a GLB."""
    content = path.read_bytes()
    assert struct.unpack_from("<4sII", content) == (b"glTF", 2, len(content)), "broken GLB header"
    found: dict[str, Any] = json.loads(content[20 : 20 + struct.unpack_from("<I", content, 12)[0]])
    return found


def glb_blob(path: Path) -> bytes:
    """The binary chunk of a GLB."""
    content = path.read_bytes()
    return content[28 + struct.unpack_from("<I", content, 12)[0] :]


def _view(document: dict[str, Any], blob: bytes, index: int) -> bytes:
    view = document["bufferViews"][index]
    start = view.get("byteOffset", 0)
    return blob[start : start + view["byteLength"]]


def _images(document: dict[str, Any], blob: bytes) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for material in document.get("materials", ()):
        smooth = material.get("pbrMetallicRoughness", {})
        for use, entry in (
            ("color", smooth.get("baseColorTexture")),
            ("metallic_roughness", smooth.get("metallicRoughnessTexture")),
            ("normal", material.get("normalTexture")),
        ):
            if entry is not None:
                texture = document["textures"][entry["index"]]
                source = texture.get("source", texture.get("extensions", {}).get("EXT_texture_webp", {}).get("source"))
                image = document["images"][source]
                found[use] = _view(document, blob, image["bufferView"])
    return found


def _matrix(node: dict[str, Any]) -> Array:
    if "matrix" in node:
        return np.array(node["matrix"], float).reshape(4, 4).T
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    matrix = np.eye(4)
    matrix[:3, :3] = turn * np.array(node.get("scale", (1, 1, 1)), float)
    matrix[:3, 3] = node.get("translation", (0, 0, 0))
    return matrix


def accessor_of(document: dict[str, Any], blob: bytes, index: int) -> Array:
    """The values of an accessor, (count,) or (count, width)."""
    entry = document["accessors"][index]
    view = document["bufferViews"][entry["bufferView"]]
    kind = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}[entry["componentType"]]
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[entry["type"]]
    start = view.get("byteOffset", 0) + entry.get("byteOffset", 0)
    values = np.frombuffer(blob, np.dtype(kind), entry["count"] * width, start)
    return values.reshape(-1, width) if width > 1 else values


def uv_overlap(parts: Sequence[Part], size: int = 512) -> float:
    """Part of the covered pixels of UV space that more than one triangle covers."""
    assert all(part.uvs is not None for part in parts), f"no UVs in one of {[part.name for part in parts]}"
    corners = np.concatenate([part.uvs[part.triangles] for part in parts if part.uvs is not None]).astype(float) * size
    low = np.floor(corners.min(axis=1)).astype(int).clip(0, size)
    sizes = (np.ceil(corners.max(axis=1)).astype(int).clip(0, size) - low).clip(0)  # of the box around each triangle
    ends = np.cumsum(sizes.prod(axis=1))
    counts = np.zeros(size * size)
    sides_of = _sides(corners)
    for some in np.split(np.arange(len(corners)), np.searchsorted(ends, range(_PIXELS, ends[-1], _PIXELS))):
        boxes = sizes[some].prod(axis=1)
        own = np.repeat(some, boxes)
        down, right = np.divmod(np.arange(len(own)) - np.repeat(np.cumsum(boxes) - boxes, boxes), sizes[own, 0])
        x, y = low[own, 0] + right, low[own, 1] + down
        inside = np.ones(len(own), bool)
        for along, up, start in sides_of:
            inside &= along[own] * (x + 0.5) + up[own] * (y + 0.5) + start[own] > _APART
        counts += np.bincount(y * size + x, inside, size * size)
    covered = int((counts > 0).sum())
    assert covered, "no triangle covers anything"
    return float((counts > 1).sum()) / covered


def _sides(corners: Array) -> list[Array]:
    """What says how far a place is inside of each side of triangles, (n, 3, 2): by its x, its y, and from the start."""
    a, b, c = np.moveaxis(corners, 1, 0)
    area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    found = []
    for start, end in ((a, b), (b, c), (c, a)):
        way = (end - start) * (np.sign(area) / np.maximum(np.linalg.norm(end - start, axis=1), 1e-12))[:, None]
        offset = np.where(np.abs(area) < 1e-9, -np.inf, way[:, 1] * start[:, 0] - way[:, 0] * start[:, 1])
        found.append(np.stack((-way[:, 1], way[:, 0], offset)))
    return found


def fbx_face_sizes(path: Path) -> Array:
    """Corners of every face of a binary FBX, from its PolygonVertexIndex arrays."""
    content = path.read_bytes()
    assert content.startswith(b"Kaydara FBX Binary"), "not a binary FBX"
    sizes: list[Array] = []
    name = b"PolygonVertexIndexi"  # the property's name and its type: an array of 32 bit numbers
    place = content.find(name)
    while place >= 0:
        count, encoding, length = struct.unpack_from("<III", content, place + len(name))
        start = place + len(name) + 12
        data = content[start : start + (length if encoding else count * 4)]
        corners = np.frombuffer(zlib.decompress(data) if encoding else data, "<i4")
        ends = np.flatnonzero(corners < 0)  # the last corner of a face is written as its complement
        sizes.append(np.diff(np.concatenate(([-1], ends))))
        place = content.find(name, start)
    return np.concatenate(sizes)
