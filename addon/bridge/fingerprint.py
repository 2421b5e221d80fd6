"""Has this object changed? A number over all that an upload of it would carry, in a few milliseconds per million triangles.

Geometry counts as its attributes, bit for bit: their sums and a checksum of a sample. Two different meshes can in theory
have the same number; what cannot happen by editing is that a vertex moves, a face goes or a colour changes unnoticed.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

import bpy

_SAMPLE = 65_536
_UNSEEN = (".select", ".hide", ".uv_select", ".vs.", ".es.", ".pn.")
"""Attributes that say what is selected, hidden or pinned in Edit Mode."""

_LAYOUT: dict[str, tuple[str, str, int]] = {
    "FLOAT": ("value", "f4", 1),
    "INT": ("value", "i4", 1),
    "INT8": ("value", "i4", 1),
    "BOOLEAN": ("value", "?", 1),
    "FLOAT_VECTOR": ("vector", "f4", 3),
    "FLOAT2": ("vector", "f4", 2),
    "INT32_2D": ("value", "i4", 2),
    "INT16_2D": ("value", "i4", 2),
    "FLOAT_COLOR": ("color", "f4", 4),
    "BYTE_COLOR": ("color", "f4", 4),
    "QUATERNION": ("value", "f4", 4),
    "FLOAT4X4": ("value", "f4", 16),
}
"""How the values of an attribute are read: property, numpy type, numbers per element."""


def fingerprint(item: bpy.types.Object) -> str:
    """The number of a mesh object, as text."""
    words = [*_mesh(item.data), *_modifiers(item)]
    for slot in item.material_slots:
        words += _material(slot.material)
    return f"{zlib.crc32('|'.join(words).encode()):08x}{zlib.adler32('|'.join(words).encode()):08x}"


def _mesh(mesh: bpy.types.Mesh) -> Iterator[str]:
    yield f"{len(mesh.vertices)} {len(mesh.edges)} {len(mesh.polygons)} {len(mesh.loops)}"
    for attribute in sorted(mesh.attributes, key=lambda attribute: attribute.name):
        if not attribute.name.startswith(_UNSEEN):
            yield f"{attribute.name} {attribute.domain} {attribute.data_type} {_checksum(attribute)}"


def _checksum(attribute: bpy.types.Attribute) -> str:
    import numpy as np

    layout = _LAYOUT.get(attribute.data_type)
    count = len(attribute.data)
    if layout is None or not count:
        return str(count)
    name, kind, width = layout
    values = np.empty(count * width, dtype=kind)
    attribute.data.foreach_get(name, values)
    if kind == "?":
        values = values.view(np.uint8)
    bits = values.view(np.uint32) if values.itemsize == 4 else values
    total = int(bits.sum(dtype=np.uint64))
    step = max(1, bits.size // _SAMPLE)
    return f"{total:x} {zlib.crc32(np.ascontiguousarray(bits[::step])):x}"


def _modifiers(item: bpy.types.Object) -> Iterator[str]:
    for modifier in item.modifiers:
        yield f"modifier {modifier.type} {_plain_values(modifier)}"


def _material(material: bpy.types.Material | None) -> Iterator[str]:
    if material is None:
        yield "no material"
        return
    yield f"material {_plain_values(material)}"
    if material.node_tree is not None:
        yield from _tree(material.node_tree, set())


def _tree(tree: bpy.types.NodeTree, seen: set[int]) -> Iterator[str]:
    seen.add(tree.session_uid)
    for node in sorted(tree.nodes, key=lambda node: node.name):
        yield f"node {node.bl_idname} {node.name} {_plain_values(node)}"
        for socket in node.inputs:
            yield f"{socket.identifier} {_text(getattr(socket, 'default_value', None))}"
        yield _image(getattr(node, "image", None))
        inner = getattr(node, "node_tree", None)
        if inner is not None and inner.session_uid not in seen:
            yield from _tree(inner, seen)
    for link in tree.links:
        yield f"{link.from_node.name}.{link.from_socket.identifier}>{link.to_node.name}.{link.to_socket.identifier}"


def _image(image: Any) -> str:
    if not isinstance(image, bpy.types.Image):
        return ""
    packed = image.packed_file.size if image.packed_file else 0
    return f"image {tuple(image.size)} {packed} {image.is_dirty} {image.filepath}"


_VIEW_ONLY = frozenset(
    {
        *("name", "name_full", "is_active", "is_override_data", "show_expanded", "use_pin_to_last", "execution_time"),
        *("select", "show_options", "show_preview", "show_texture", "hide", "width", "height", "label", "dimensions"),
        *("location", "location_absolute", "color", "use_custom_color", "warning_propagation", "color_tag", "ui_shape"),
        *("is_evaluated", "is_missing", "is_runtime_data", "is_embedded_data", "is_library_indirect", "session_uid"),
        *("is_editable", "tag", "use_fake_user", "users", "use_extra_user", "use_preview_world", "preview_render_type"),
        *("persistent_uid", "paint_active_slot", "paint_clone_slot", "pass_index", "bl_height_default"),
        *("bl_height_max", "bl_height_min", "bl_width_default", "bl_width_max", "bl_width_min", "bl_idname"),
        *("bl_description", "bl_icon", "bl_label", "bl_static_type", "type"),
    }
)
"""Properties that are about how something is shown or kept, not about what it does."""


def _plain_values(struct: Any) -> str:
    kinds = {"BOOLEAN", "INT", "FLOAT", "STRING", "ENUM"}
    names = [prop.identifier for prop in struct.bl_rna.properties if prop.type in kinds]
    return " ".join(f"{name}={_text(getattr(struct, name, None))}" for name in names if name not in _VIEW_ONLY)


def _text(value: Any) -> str:
    """A value without what changes by itself: rounding, and addresses in the text of objects."""
    if isinstance(value, float):
        return f"{value:.5g}"
    if isinstance(value, str | int | bool) or value is None:
        return str(value)
    if isinstance(value, set):
        return ",".join(sorted(map(str, value)))
    try:
        return ",".join(_text(part) for part in value)
    except TypeError:
        return type(value).__name__
