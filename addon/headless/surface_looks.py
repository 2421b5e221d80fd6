"""What colours the surfaces of a mesh have, as far as a small picture shows them. Runs in a background Blender."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

import bpy
import numpy as np
import numpy.typing as npt

GAMMA = 2.2

_TEXTURE = 256  # pixels of each side; more of a texture is not seen in a small picture
_PLAIN = (0.8, 0.8, 0.8)
_PAINTS = {"VERTEX_COLOR": "layer_name", "ATTRIBUTE": "attribute_name"}
"""Nodes that give vertex colours, and what of them names these."""

Floats = npt.NDArray[np.float32]


class Look(NamedTuple):
    """What triangles show. All colours are linear, and what there is of them is multiplied.

    Attributes:
        color: Of everything, (3,).
        texture: A picture (height, width, 3), lowest row first.
        uv: Where the triangles' corners are on it, (N, 3, 2).
        paint: Vertex colours of the triangles' corners, (N, 3, 3).
    """

    color: Floats
    texture: Floats | None = None
    uv: Floats | None = None
    paint: Floats | None = None

    def colors_at(self, triangles: npt.NDArray[np.int64], weights: Floats) -> Floats:
        """The colours (M, 3) at points of triangles (M,), by the weights (M, 3) of their corners."""
        colors: Floats = np.broadcast_to(self.color, (len(triangles), 3))
        if self.paint is not None:
            colors = colors * np.einsum("nc,nck->nk", weights, self.paint[triangles])
        if self.texture is not None and self.uv is not None:
            uv = np.einsum("nc,nck->nk", weights, self.uv[triangles])
            height, width = self.texture.shape[:2]
            column = np.floor(uv[:, 0] * width).astype(np.int64) % width
            row = np.floor(uv[:, 1] * height).astype(np.int64) % height
            colors = colors * self.texture[row, column]
        return colors


class Layers:
    """What a mesh has at its corners (loops); each layer is read when something shows it, and once."""

    def __init__(self, mesh: Any) -> None:
        self._mesh = mesh
        self.paint = cache(self._paint)

    @cached_property
    def uv(self) -> Floats | None:
        """Where they are on a picture, (loops, 2); None without a UV map."""
        layer = self._mesh.uv_layers.active
        if layer is None:
            return None
        uv: Floats = read(layer.uv, "vector", len(self._mesh.loops) * 2, np.float32).reshape(-1, 2)
        return uv

    def _paint(self, name: str) -> Floats | None:
        """The vertex colours of a name, (loops, 3), the active ones without; None where there are none."""
        layers = self._mesh.color_attributes
        layer = layers.get(name) if name else layers.active_color
        if layer is None or layer.domain not in ("POINT", "CORNER"):
            return None
        paint: Floats = read(layer.data, "color", len(layer.data) * 4, np.float32).reshape(-1, 4)[:, :3]
        if layer.domain == "CORNER":
            return paint
        return paint[read(self._mesh.attributes[".corner_vert"].data, "value", len(self._mesh.loops), np.int32)]


class Looks:
    """Those of the materials of several meshes, each of which is read once."""

    def __init__(self) -> None:
        self._textures: dict[str, Floats | None] = {}
        self._seen: dict[str, tuple[Floats, Floats | None, str | None]] = {}

    def of(self, material: Any, layers: Layers, loops: npt.NDArray[np.int32]) -> Look:
        """Of triangles (N, 3) of a mesh, named by their corners (loops), with a material or None."""
        name = material.name if material is not None else ""
        if name not in self._seen:
            self._seen[name] = self._read(material)
        color, texture, painted = self._seen[name]
        uv = layers.uv if texture is not None else None
        paint = layers.paint(painted) if painted is not None else None
        return Look(color, texture, uv[loops] if uv is not None else None, paint[loops] if paint is not None else None)

    def _read(self, material: Any) -> tuple[Floats, Floats | None, str | None]:
        """A material's colour, its picture, and the name of the vertex colours that it shows."""
        tree = material.node_tree if material is not None else None
        shader = next((node for node in tree.nodes if node.type == "BSDF_PRINCIPLED"), None) if tree else None
        if shader is None:
            return _rgb(material.diffuse_color if material is not None else _PLAIN), None, None
        socket = shader.inputs["Base Color"]
        if not socket.is_linked:
            return _rgb(socket.default_value), None, None
        nodes = list(_behind(socket, set()))
        texture = self._texture(next((node.image for node in nodes if node.type == "TEX_IMAGE" and node.image), None))
        painted = next((getattr(node, _PAINTS[node.type]) for node in nodes if node.type in _PAINTS), None)
        return _factor(nodes) if texture is not None or painted is not None else _rgb(_PLAIN), texture, painted

    def _texture(self, image: Any) -> Floats | None:
        if image is not None and image.name not in self._textures:
            self._textures[image.name] = _pixels(image)
        return self._textures[image.name] if image is not None else None


def read(items: Any, name: str, size: int, kind: type) -> npt.NDArray[Any]:
    """A property of all items of a Blender collection, (size,)."""
    values: npt.NDArray[Any] = np.empty(size, dtype=kind)
    items.foreach_get(name, values)
    return values


def _rgb(color: Sequence[float]) -> Floats:
    return np.asarray(color[:3], dtype=np.float32)


def _behind(socket: Any, known: set[Any]) -> Iterator[Any]:
    """The nodes that lead into a socket, each once and the nearest of each way first: none of ``known``."""
    for link in socket.links:
        if link.from_node not in known:
            known.add(link.from_node)
            yield link.from_node
            for further in link.from_node.inputs:
                yield from _behind(further, known)


def _factor(nodes: Sequence[Any]) -> Floats:
    """What is multiplied with a picture or with vertex colours, (3,): a glTF file's colour factor comes so."""
    factor = np.ones(3, dtype=np.float32)
    for node in nodes:
        if getattr(node, "blend_type", "") == "MULTIPLY" and not node.inputs[0].is_linked:  # else only in places
            for plain in (one for one in node.inputs if one.enabled and one.type == "RGBA" and not one.is_linked):
                factor *= 1 - node.inputs[0].default_value * (1 - _rgb(plain.default_value))
    return factor


def _pixels(image: Any) -> Floats | None:
    """The linear colours of a picture, (height, width, 3), made small; None where it has no pixels."""
    small = image.copy()
    try:
        if not small.has_data and not all(small.size):
            return None
        small.scale(min(_TEXTURE, small.size[0]), min(_TEXTURE, small.size[1]))
        pixels = np.empty(small.size[0] * small.size[1] * small.channels, dtype=np.float32)
        small.pixels.foreach_get(pixels)
        pixels = pixels.reshape(small.size[1], small.size[0], small.channels)
        colors = pixels[..., :3] if small.channels >= 3 else np.repeat(pixels[..., :1], 3, axis=2)
        linear: Floats = np.clip(colors, 0, 1) ** (1.0 if small.is_float else GAMMA)
        return linear
    except RuntimeError:
        return None
    finally:
        bpy.data.images.remove(small)
