"""Blender's own way to a manual: Online Manual in the context menu of our buttons and fields opens our guide."""

from __future__ import annotations

import bpy

from ..ops import open_guide

_SECTIONS = (
    ("bpy.ops.assetgen.storage*", "what-results-take-on-the-disk"),
    ("bpy.ops.assetgen.save_as_asset*", "results-in-an-asset-library"),
    ("bpy.ops.assetgen.*job*", "what-can-be-done-with-a-job"),
    ("bpy.types.assetgen_ap_preferences.*", "the-online-service"),
    ("bpy.types.assetgen_*", "the-panel"),
    ("bpy.ops.assetgen.*", "operations"),
)
"""What Blender calls a thing, and the section about it; the first that fits counts."""


def _manual() -> tuple[str, tuple[tuple[str, str], ...]]:
    return open_guide.guide_url(), tuple((pattern, f"#{section}") for pattern, section in _SECTIONS)


def register() -> None:
    """Makes Blender ask us too."""
    bpy.utils.register_manual_map(_manual)


def unregister() -> None:
    """Blender asks us no more."""
    bpy.utils.unregister_manual_map(_manual)


CLASSES = ()
