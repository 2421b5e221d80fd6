"""What a model looks like, read from its materials: as materials that emit it, ready to be baked onto another mesh."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..array_types import Array, Picture
from ..shaders import nodes
from ..shaders.nodes import Bits, NodeGraph
from .pbr_material import plain_material

GREY = (0.8, 0.8, 0.8)
"""Base colour of a surface without a material, linear."""

_LOOK: tuple[Bits, ...] = ((11, 11, 11), (11, 11, 11), (2, 2, 2))  # of colour, normal, and digits of a kind's number
_DIGITS, _KINDS = (1, 4, 16), 64
_SURFACE = {"Alpha": 1.0, "Roughness": 0.6, "Metallic": 0.0}  # of materials that do not say


def ensure_materials(scene_object: Any) -> None:
    """Gives every slot of the object a material."""
    mesh = scene_object.data
    if not len(mesh.materials):
        mesh.materials.append(None)
    for index, material in enumerate(mesh.materials):
        if material is None:
            mesh.materials[index] = plain_material("Plain", GREY)


@contextmanager
def emitting(scene_object: Any, channel: str, kinds: Sequence[int] = ()) -> Iterator[None]:
    """Has an object's materials emit one channel of what they look like, for the time of a bake.

    Args:
        scene_object: Has a material in every slot, see :func:`ensure_materials`.
        channel: ``color``; ``look`` for the colour and the normal, see :func:`unpacked`; ``surface`` for opacity
            (red), roughness (green) and metalness (blue); ``glow``, which is the colour of the light that they give
            off, for a strength of 1.
        kinds: A number for each slot, less than 64, that the look says as well.
    """
    slots = scene_object.data.materials
    originals = list(slots)
    for index, material in enumerate(originals):
        slots[index] = material.copy()
        _emit(slots[index], channel, kinds[index] if kinds else 0)
    yield  # the copies stay in the file: for each to be removed Blender looks through all of it
    for index, material in enumerate(originals):
        slots[index] = material


def kinds_of(materials: list[Any]) -> tuple[Picture, list[int]]:
    """What materials say without a picture, and which of these kinds each of them is.

    Kinds are (n, 6): opacity, roughness, metalness, and light; NaN: a picture says it, or there are too many kinds.
    """
    rows = [[*(_constant(one, name) for name in _SURFACE), *_light(one)] for one in materials]
    kinds, numbers = np.unique(np.array(rows, np.float32), axis=0, return_inverse=True)
    if len(kinds) > _KINDS:
        return np.where((kinds == kinds[0]).all(axis=0), kinds[:1], np.float32(np.nan)), [0] * len(materials)
    return kinds, numbers.ravel().tolist()


def has_detail(materials: list[Any]) -> bool:
    """Whether a material bends the surface's normals."""
    return any(surface.inputs["Normal"].is_linked for surface in filter(None, map(_principled, materials)))


def sees_through(materials: list[Any]) -> bool:
    """Whether a material is not opaque somewhere."""
    return any(_principled(material) is not None and _constant(material, "Alpha") != 1.0 for material in materials)


def is_glass(material: Any) -> bool:
    """Whether one sees through all of it. The alpha of a picture does not count: in many files it is 1 everywhere."""
    surface = _principled(material)
    opaque = {"Alpha": 1.0, "Transmission Weight": 0.0} if surface is not None else {}
    return any(_constant(material, name) not in (None, value) for name, value in opaque.items())


def glow(materials: list[Any]) -> float:
    """The strongest light that the materials give off; 0 for none."""
    return max((_glow(material) for material in materials), default=0.0)


def _glow(material: Any) -> float:
    surface = _principled(material)
    if surface is None or _color_socket(material) == surface.inputs["Emission Color"]:
        return 0.0  # an unlit material: its light is taken for its colour
    strength, color = surface.inputs["Emission Strength"], surface.inputs["Emission Color"]
    if strength.is_linked:
        return 1.0
    return float(strength.default_value) if color.is_linked or max(color.default_value[:3]) > 0.0 else 0.0


def _light(material: Any) -> Sequence[float | None]:
    if not _glow(material):
        return (0.0, 0.0, 0.0)
    color, strength = (_principled(material).inputs[f"Emission {name}"] for name in ("Color", "Strength"))
    painted = color.is_linked or strength.is_linked
    return (None, None, None) if painted else [part * strength.default_value for part in color.default_value[:3]]


def _constant(material: Any, name: str) -> float | None:
    surface = _principled(material)
    if surface is None:
        return _SURFACE[name]
    socket = surface.inputs[name]
    return None if socket.is_linked else round(float(socket.default_value), 4)


def _principled(material: Any) -> Any:
    return _first(material, "ShaderNodeBsdfPrincipled")


def _first(material: Any, kind: str) -> Any:
    nodes = material.node_tree.nodes if material is not None and material.node_tree else ()
    return next((node for node in nodes if node.bl_idname == kind), None)


def _emit(material: Any, channel: str, kind: int) -> None:
    graph = NodeGraph(material, kept=True)
    surface = _principled(material)
    color, strength = _given(_color_socket(material), material.diffuse_color), 1.0
    if channel == "look":
        color = _look(graph, color, surface, kind)
    elif channel == "glow":
        color = _given(surface and surface.inputs["Emission Color"], color)
        strength = _given(surface.inputs["Emission Strength"]) if _glow(material) else 0.0
    elif channel != "color":
        values = [_given(surface and surface.inputs[name], value) for name, value in _SURFACE.items()]
        color = graph.node("ShaderNodeCombineColor", dict(enumerate(values))).outputs[0]
    graph.emit(color, strength)


def _look(graph: NodeGraph, color: Any, surface: Any, kind: int) -> Any:
    """Base colour, as roots, the normal in world space, and the kind, for :func:`unpacked`."""
    is_bent = surface is not None and surface.inputs["Normal"].is_linked
    normal = _given(surface.inputs["Normal"]) if is_bent else graph.node("ShaderNodeNewGeometry").outputs["Normal"]
    roots = graph.node("ShaderNodeGamma", {0: color, 1: 0.5}).outputs[0]
    half = (0.5, 0.5, 0.5)
    digits = tuple(kind // digit % 4 / 3 for digit in _DIGITS)
    return graph.packed(_LOOK, roots, graph.vector_math("MULTIPLY_ADD", normal, half, half), digits)


def unpacked(values: Picture) -> tuple[Picture, Picture, Array]:
    """Linear base colours and normals in world space, of what a bake of the look gave, (n, 3) each; and kinds, (n,)."""
    roots, parts, digits = nodes.unpacked(_LOOK, values)
    return np.square(roots), parts * np.float32(2.0) - np.float32(1.0), np.rint(digits * 3).astype(int) @ _DIGITS


def _color_socket(material: Any) -> Any:
    """The input that holds the surface's colour: of the Principled node, else of the emission of an unlit material."""
    surface = _principled(material)
    if surface is not None:
        base, glow = surface.inputs["Base Color"], surface.inputs.get("Emission Color")
        is_black = not base.is_linked and max(base.default_value[:3]) == 0.0
        return glow if is_black and glow is not None and glow.is_linked else base
    unlit = (_first(material, f"ShaderNode{kind}") for kind in ("Emission", "BsdfDiffuse", "Background"))
    return next((node.inputs["Color"] for node in unlit if node is not None), None)


def _given(socket: Any, default: Any = None) -> Any:
    """What a socket gets: the output that is linked to it, or its value; without a socket the default."""
    if socket is None:
        return default
    return socket.links[0].from_socket if socket.is_linked else socket.default_value
