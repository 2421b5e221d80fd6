"""Has this object changed? A number over all that an upload of it would carry: geometry, modifiers and materials."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

import bpy

from ...headless.mesh_notes import checksum


def fingerprint(item: bpy.types.Object, geometry: str = "") -> str:
    """The number of a mesh object, as text; ``geometry`` is its mesh's checksum where that is known already."""
    words = [geometry or checksum(item.data), *_modifiers(item)]
    for slot in item.material_slots:
        words += _material(slot.material)
    return f"{zlib.crc32('|'.join(words).encode()):08x}{zlib.adler32('|'.join(words).encode()):08x}"


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
    # Asking a packed image for its size in pixels would unpack it (docs/platform.md).
    extent = image.packed_file.size if image.packed_file else tuple(image.size)
    return f"image {extent} {image.is_dirty} {image.filepath}"


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
    if bpy.app.version >= (5, 0, 0):  # materials always use nodes there, and asking is deprecated
        names = [name for name in names if name != "use_nodes"]
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
