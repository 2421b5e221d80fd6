"""What a model looks like, read from its materials: as materials that emit it, ready to be baked onto another mesh."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from .pbr_material import plain_material

GREY = (0.8, 0.8, 0.8)
"""Base colour of a surface without a material, linear."""

_DEFAULTS = {"Roughness": 0.5, "Metallic": 0.0}


def ensure_materials(scene_object: Any) -> None:
    """Gives every slot of the object a material."""
    mesh = scene_object.data
    if not len(mesh.materials):
        mesh.materials.append(None)
    for index, material in enumerate(mesh.materials):
        if material is None:
            mesh.materials[index] = plain_material("Plain", GREY)


@contextmanager
def emitting(scene_object: Any, channel: str) -> Iterator[None]:
    """Has an object's materials emit one channel of what they look like, for the time of a bake.

    Args:
        scene_object: Has a material in every slot, see :func:`ensure_materials`.
        channel: ``color``; ``orm`` for roughness (green) and metalness (blue); ``opacity`` (red); ``glow``, which is
            the colour of the light that they give off, for a strength of 1.
    """
    slots = scene_object.data.materials
    originals = list(slots)
    for index, material in enumerate(originals):
        slots[index] = material.copy()
        slots[index].cycles.emission_sampling = "NONE"  # else Cycles takes every face for a lamp
        _emit(slots[index], channel)
    copies = list(slots)
    yield
    for index, material in enumerate(originals):
        slots[index] = material
        bpy.data.materials.remove(copies[index])


def plain_roughness_and_metal(materials: list[Any]) -> tuple[float, float] | None:
    """The roughness and metalness that all of the materials share; None when they differ or are painted."""
    values = {tuple(_constant(material, name) for name in _DEFAULTS) for material in materials}
    if len(values) != 1:
        return None
    roughness, metallic = values.pop()
    return None if roughness is None or metallic is None else (roughness, metallic)


def has_detail(materials: list[Any]) -> bool:
    """Whether a material bends the surface's normals."""
    return any(
        (surface := _principled(material)) is not None and surface.inputs["Normal"].is_linked for material in materials
    )


def sees_through(materials: list[Any]) -> bool:
    """Whether a material is not opaque somewhere."""
    alphas = [surface.inputs["Alpha"] for material in materials if (surface := _principled(material)) is not None]
    return any(alpha.is_linked or alpha.default_value < 1.0 for alpha in alphas)


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


def _constant(material: Any, name: str) -> float | None:
    surface = _principled(material)
    if surface is None:
        return _DEFAULTS[name] if name == "Metallic" else 0.6
    socket = surface.inputs[name]
    return None if socket.is_linked else round(float(socket.default_value), 4)


def _principled(material: Any) -> Any:
    return _first(material, "ShaderNodeBsdfPrincipled")


def _first(material: Any, kind: str) -> Any:
    nodes = material.node_tree.nodes if material.node_tree else ()
    return next((node for node in nodes if node.bl_idname == kind), None)


def _emit(material: Any, channel: str) -> None:
    if material.node_tree is None:  # before Blender 5.0
        material.use_nodes = True
        material.node_tree.nodes.clear()
    tree = material.node_tree
    output = next((node for node in tree.nodes if node.bl_idname == "ShaderNodeOutputMaterial"), None)
    output = output or tree.nodes.new("ShaderNodeOutputMaterial")
    emission = tree.nodes.new("ShaderNodeEmission")
    if channel == "color":
        _pass_on(tree, _color_socket(material), emission.inputs["Color"], material.diffuse_color)
    elif channel == "glow":
        surface = _principled(material)
        emission.inputs["Color"].default_value = (0.0, 0.0, 0.0, 1.0)
        if _glow(material):
            _pass_on(tree, surface.inputs["Emission Color"], emission.inputs["Color"], None)
            _pass_on(tree, surface.inputs["Emission Strength"], emission.inputs["Strength"], None)
    else:
        combine = tree.nodes.new("ShaderNodeCombineColor")
        combine.inputs[0].default_value = 1.0
        surface = _principled(material)
        for index, name in ((0, "Alpha"),) if channel == "opacity" else ((1, "Roughness"), (2, "Metallic")):
            _pass_on(tree, surface.inputs[name] if surface else None, combine.inputs[index], _DEFAULTS.get(name, 1.0))
        tree.links.new(combine.outputs[0], emission.inputs["Color"])
    tree.links.new(emission.outputs[0], output.inputs["Surface"])


def _color_socket(material: Any) -> Any:
    """The input that holds the surface's colour: of the Principled node, else of the emission of an unlit material."""
    surface = _principled(material)
    if surface is not None:
        base, glow = surface.inputs["Base Color"], surface.inputs.get("Emission Color")
        is_black = not base.is_linked and max(base.default_value[:3]) == 0.0
        return glow if is_black and glow is not None and glow.is_linked else base
    for kind in ("ShaderNodeEmission", "ShaderNodeBsdfDiffuse", "ShaderNodeBackground"):
        node = _first(material, kind)
        if node is not None:
            return node.inputs["Color"]
    return None


def _pass_on(tree: Any, socket: Any, to: Any, default: Any) -> None:
    if socket is None:
        to.default_value = default
    elif socket.is_linked:
        tree.links.new(socket.links[0].from_socket, to)
    else:
        to.default_value = socket.default_value
