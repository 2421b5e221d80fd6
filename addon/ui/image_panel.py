"""The tab in the side bar of the Image Editor: what can be done with the image that is looked at."""

from __future__ import annotations

import bpy

from ..ops import pictures
from ..ops.show_tab import TAB
from ..text_layout import is_narrow, paragraph
from . import menus


class ASSETGEN_PT_image(bpy.types.Panel):
    """Make a model of an image, or change it."""

    bl_idname = "ASSETGEN_PT_image"
    bl_label = "Asset Generation"
    bl_space_type = "IMAGE_EDITOR"
    bl_region_type = "UI"
    bl_category = TAB

    def draw(self, context: bpy.types.Context) -> None:
        from . import thumbnails  # here: enabling the extension need not wait for it

        layout = self.layout
        image = pictures.shown_image(context)
        if image is None:
            paragraph(layout, "Open an image here to make a model of it.", context, quiet=True)
        else:
            thumbnails.draw(layout, [("", pictures.reference_of(image))])
        menus.draw_image_actions(layout, context, briefly=is_narrow(context))
        paragraph(layout, "Jobs are listed in the 3D viewport.", context, quiet=True)


CLASSES = (ASSETGEN_PT_image,)
