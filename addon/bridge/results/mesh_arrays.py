"""Gives meshes that are nearly empty what a worker has read of the whole ones: their arrays and what these are for."""

from __future__ import annotations

from typing import Any

import bpy

from ...headless.mesh_slices import LAYOUT

_REQUIRED = frozenset({"position", ".edge_verts", ".corner_vert", ".corner_edge"})


def set_attribute(mesh: bpy.types.Mesh, row: dict[str, Any], values: Any) -> None:
    """Gives a mesh an attribute, in the place of one that has its name.

    Args:
        mesh: Has as many elements as the attribute.
        row: Its ``name``, ``type`` and ``domain``, as Blender calls them.
        values: The numbers, as ``LAYOUT`` says.

    Raises:
        LookupError: This Blender has another kind of array for it.
    """
    name = row["name"]
    attribute = mesh.attributes.get(name)
    if attribute is None or attribute.data_type != row["type"] or attribute.domain != row["domain"]:
        if name in _REQUIRED:
            raise LookupError(f"this Blender has no {name} of type {row['type']}")
        attribute = mesh.attributes.new(name, row["type"], row["domain"])
    attribute.data.foreach_set(LAYOUT[row["type"]][0], values)


def choose_layers(mesh: bpy.types.Mesh, description: dict[str, Any]) -> None:
    """Has a mesh with all its attributes use the layers that it used."""
    active, rendered = description["uv"]
    if rendered:
        mesh.uv_layers.active_index = active
        mesh.uv_layers[rendered.index(True) if True in rendered else active].active_render = True
    colours = mesh.color_attributes
    if len(colours):
        colours.active_color_index, colours.render_color_index = description["colours"]
