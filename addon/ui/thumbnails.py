"""Small pictures of the images that fields name."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ..bridge import previews
from ..bridge.objects import image_files

_MOST = 8
"""More of one field are counted, not shown."""

_IN_ROW = 4
_LARGE, _SMALL = 4.0, 2.4  # the heights of one that stands alone, and of one in a row, in lines of text


def draw(layout: bpy.types.UILayout, values: Sequence[tuple[str, str]]) -> None:
    """Draws a picture for each image; nothing where there is none.

    Args:
        layout: Where.
        values: What stands below each picture, and the path or the name of an image of the file.
    """
    found = [(words, icon) for words, value in values if (icon := _icon_of(value))]
    if not found:
        return
    box = layout.box()
    if len(found) == 1:
        box.template_icon(icon_value=found[0][1], scale=_LARGE)
        return
    grid = box.grid_flow(row_major=True, columns=_IN_ROW, even_columns=True, align=True)
    for words, icon in found[:_MOST]:
        column = grid.column(align=True)
        column.template_icon(icon_value=icon, scale=_SMALL)
        if words:
            line = column.row()
            line.alignment = "CENTER"
            line.label(text=words)
    if len(found) > _MOST:
        box.label(text=f"and {len(found) - _MOST} more")


def _icon_of(value: str) -> int:
    if not value.startswith(image_files.PREFIX):
        return previews.icon_of(value)
    image = bpy.data.images.get(value.removeprefix(image_files.PREFIX))
    return int(bpy.types.UILayout.icon(image)) if image is not None and not bpy.app.background else 0
