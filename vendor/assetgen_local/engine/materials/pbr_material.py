"""A material with the maps of glTF's metallic-roughness model, as its exporter writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bpy

from ..array_types import Picture
from ..images.picture_files import as_image
from ..shaders.nodes import NodeGraph

SIZES = {"standard": 1024, "detailed": 2048, "extreme": 4096}
"""Pixels of the maps for each ``texture_quality``."""

_NEARLY_CLEAR = 0.05
_CUT_OUT = 0.02  # part of the pixels that may be half transparent in something cut out, along its rims


@dataclass(frozen=True, slots=True)
class PbrMaps:
    """Baked maps of one material.

    Attributes:
        color: Base colour, already on the sRGB curve; a fourth channel is opacity.
        orm: Roughness in green and metalness in blue, as glTF wants them; None for the constants below.
        normal: Tangent-space normals, +Y up; None for a plain surface.
        roughness: Of the whole surface, where ``orm`` does not say it.
        metallic: Of the whole surface, where ``orm`` does not say it.
        glow: The light that it gives off, on the sRGB curve; None for none.
        strength: Factor on ``glow``.
    """

    color: Picture
    orm: Picture | None = None
    normal: Picture | None = None
    roughness: float = 0.6
    metallic: float = 0.0
    glow: Picture | None = None
    strength: float = 1.0


def material_of(maps: PbrMaps, name: str) -> Any:
    """A material that the glTF exporter writes as base colour, metallic-roughness and normal textures."""
    material = bpy.data.materials.new(name)
    graph = NodeGraph(material)
    surface = graph.surface()
    surface.inputs["Roughness"].default_value = maps.roughness
    surface.inputs["Metallic"].default_value = maps.metallic
    color = _texture(graph, "base_color", maps.color, is_data=False)
    graph.plug(surface.inputs["Base Color"], color.outputs[0])
    if maps.color.shape[2] == 4:
        # Cut at one half, which needs no sorting, where hardly a pixel is in between.
        between = (maps.color[..., 3] > _NEARLY_CLEAR) & (maps.color[..., 3] < 1 - _NEARLY_CLEAR)
        opacity = graph.math("ROUND", color.outputs[1]) if between.mean() < _CUT_OUT else color.outputs[1]
        graph.plug(surface.inputs["Alpha"], opacity)
    if maps.orm is not None:
        orm = _texture(graph, "metallic_roughness", maps.orm, is_data=True)
        split = graph.node("ShaderNodeSeparateColor", {0: orm.outputs[0]})
        graph.plug(surface.inputs["Roughness"], split.outputs[1])
        graph.plug(surface.inputs["Metallic"], split.outputs[2])
    if maps.normal is not None:
        normal = _texture(graph, "normal", maps.normal, is_data=True)
        bend = graph.node("ShaderNodeNormalMap", {"Color": normal.outputs[0]})
        graph.plug(surface.inputs["Normal"], bend.outputs[0])
    if maps.glow is not None:
        graph.plug(surface.inputs["Emission Color"], _texture(graph, "emissive", maps.glow, is_data=False).outputs[0])
        surface.inputs["Emission Strength"].default_value = maps.strength
    return material


def plain_material(name: str, color: Sequence[float], roughness: float = 0.6, metallic: float = 0.0) -> Any:
    """A material of one colour, linear RGB, without images."""
    material = bpy.data.materials.new(name)
    surface = NodeGraph(material).surface()
    surface.inputs["Base Color"].default_value = (*color, 1.0)
    surface.inputs["Roughness"].default_value = roughness
    surface.inputs["Metallic"].default_value = metallic
    return material


def _texture(graph: NodeGraph, name: str, picture: Picture, *, is_data: bool) -> Any:
    return graph.node("ShaderNodeTexImage", image=as_image(picture, name, is_data=is_data))


def assign(objects: Sequence[Any], material: Any) -> None:
    """Makes this the only material of the objects."""
    for scene_object in objects:
        scene_object.data.materials.clear()
        scene_object.data.materials.append(material)
