"""Has this object changed? A number over all that an upload of it would carry: geometry, modifiers and materials."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import bpy

from ...headless.mesh_notes import checksum, packed_checksum, whole_print
from .image_content import ImageReader, TooMuchPaint


class _Read(NamedTuple):
    """What was read of a material: its words, the packed images that were met, and how many painted pixels it has."""

    text: str
    packed: tuple[bpy.types.Image, ...]
    pixels: int


class MaterialReader:
    """Reads materials, each once: thousands of objects can have the same. For one moment, in which none changes."""

    def __init__(self) -> None:
        self._read: dict[bpy.types.Material, _Read] = {}

    def text(self, material: bpy.types.Material | None, images: ImageReader) -> str:
        """What a material is, for an object whose images are read by ``images``.

        Raises:
            TooMuchPaint: It cannot be told in the time that there is for one object.
        """
        if material is None:
            return "no material"
        known = self._read.get(material)
        if known is not None:
            images.spend(known.pixels)
            images.packed += known.packed
            return known.text
        met, left = len(images.packed), images.left
        text = "|".join(_material(material, images))
        self._read[material] = _Read(text, tuple(images.packed[met:]), left - images.left)
        return text


def fingerprint(
    item: bpy.types.Object,
    geometry: str = "",
    packed: Mapping[bpy.types.Image, str] = MappingProxyType({}),
    materials: MaterialReader | None = None,
) -> str:
    """The number of a mesh object, as text.

    ``geometry`` is its mesh's checksum and ``packed`` those of packed images, where they are known already. Whoever
    asks for many objects gives one ``materials`` for all.

    It takes as long as the geometry and the unsaved images are large (about 25 ms for a million triangles and 2048 x
    2048 painted pixels), so it belongs to a press and not to drawing. Empty where nobody can tell in that time.
    """
    seen = looks(item, materials)
    if not seen.text:
        return ""
    images = [packed.get(image) or packed_checksum(image) for image in seen.packed]
    return whole_print(seen.text, geometry or checksum(item), images)


class Looks(NamedTuple):
    """The part of a fingerprint that is about modifiers and materials.

    Attributes:
        text: It as a number; empty where nobody can tell.
        packed: The packed images, whose content is not in it.
    """

    text: str
    packed: tuple[bpy.types.Image, ...] = ()


def looks(item: bpy.types.Object, materials: MaterialReader | None = None) -> Looks:
    """The looks of an object, quick whatever the size of its mesh and of its packed images."""
    images, materials = ImageReader(), materials or MaterialReader()
    try:
        words = [*_modifiers(item), *(materials.text(slot.material, images) for slot in item.material_slots)]
    except TooMuchPaint:
        return Looks("")
    text = "|".join(words).encode()
    return Looks(f"{zlib.crc32(text):08x}{zlib.adler32(text):08x}", tuple(images.packed))


def _modifiers(item: bpy.types.Object) -> Iterator[str]:
    for modifier in item.modifiers:
        yield f"modifier {modifier.type} {_plain_values(modifier)} {_curves(modifier)}"


def _material(material: bpy.types.Material, reader: ImageReader) -> Iterator[str]:
    yield f"material {_plain_values(material)}"
    if material.node_tree is not None:
        yield from _tree(material.node_tree, set(), reader)


def _tree(tree: bpy.types.NodeTree, seen: set[int], reader: ImageReader) -> Iterator[str]:
    seen.add(tree.session_uid)
    for node in sorted(tree.nodes, key=lambda node: node.name):
        yield f"node {node.bl_idname} {node.name} {_plain_values(node)} {_curves(node)}"
        for socket in (*node.inputs, *node.outputs):  # what a node of a plain value gives stands in its output
            yield f"{socket.identifier} {_text(getattr(socket, 'default_value', None))}"
        image = getattr(node, "image", None)
        if isinstance(image, bpy.types.Image):
            yield f"image {reader.content(image)}"
        inner = getattr(node, "node_tree", None)
        if inner is not None and inner.session_uid not in seen:
            yield from _tree(inner, seen, reader)
    for link in tree.links:
        yield f"{link.from_node.name}.{link.from_socket.identifier}>{link.to_node.name}.{link.to_socket.identifier}"


def _curves(struct: Any) -> str:
    """What modifiers and nodes have beside plain values: profiles, curves and ramps of colours."""
    words = []
    for prop in struct.bl_rna.properties:
        value = getattr(struct, prop.identifier, None) if prop.type == "POINTER" else None
        if isinstance(value, bpy.types.CurveProfile):
            words += [_plain_values(value), *(_point(point) for point in value.points)]
        elif isinstance(value, bpy.types.CurveMapping):
            words += [_plain_values(value), *(_point(point) for curve in value.curves for point in curve.points)]
        elif isinstance(value, bpy.types.ColorRamp):
            words.append(_plain_values(value))
            words += [f"{_text(step.position)} {_text(step.color)}" for step in value.elements]
    return " ".join(words)


def _point(point: Any) -> str:
    kinds = [getattr(point, name, "") for name in ("handle_type", "handle_type_1", "handle_type_2")]
    return f"{_text(point.location)} {','.join(kinds)}"


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
