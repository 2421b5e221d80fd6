"""The user guide, which ships with the extension and needs no network.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

from pathlib import Path

import bpy
from bpy.props import StringProperty

_ROOT = Path(__file__).resolve().parents[2]

KEYS = "where-a-key-comes-from"
"""The section about keys."""


def guide_file() -> Path | None:
    """The guide: a page for a browser in an installed extension, its source in a clone; None where neither is there."""
    places = (_ROOT / "manual" / "guide.html", _ROOT / "docs" / "guide.md")
    return next((path for path in places if path.exists()), None)


def guide_url(section: str = "") -> str:
    """The address of a section of the guide; empty where there is none."""
    path = guide_file()
    if path is None:
        return ""
    return path.as_uri() + (f"#{section}" if section and path.suffix == ".html" else "")


class ASSETGEN_OT_open_guide(bpy.types.Operator):
    """Open the user guide."""

    bl_idname = "assetgen.open_guide"
    bl_label = "User Guide"
    bl_description = "Open the user guide in the browser. It is on this machine and needs no network"
    bl_options = {"INTERNAL"}

    section: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        return "Read in the user guide where a key comes from" if properties.section == KEYS else cls.bl_description

    def execute(self, _context: bpy.types.Context) -> set[str]:
        address = guide_url(self.section)
        if not address:
            self.report({"ERROR"}, "This installation has no user guide; install the extension again from its zip")
            return {"CANCELLED"}
        if not bpy.app.background:
            bpy.ops.wm.url_open(url=address)
        # Where no browser opens, as on a machine without one, this is the way to it.
        self.report({"INFO"}, f"The user guide is {address}")
        return {"FINISHED"}


CLASSES = (ASSETGEN_OT_open_guide,)
