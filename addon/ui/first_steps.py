"""What the list of jobs shows as long as it is empty: what this is, three examples, and where the work is done."""

from __future__ import annotations

import bpy

from ..bridge import preflight, prefs
from ..bridge.session import session
from ..ops import open_guide
from ..ops.examples import EXAMPLES
from ..text_layout import is_narrow, paragraph

_LINES = {
    "CHAIR": "Words and pictures become models.",
    "MONKEY": "Meshes get textures and rigs.",
    "LIGHTHOUSE": "Words become pictures to work from.",
}
"""By the example that shows it."""

_ICONS = {"CHAIR": "FONT_DATA", "MONKEY": "MESH_MONKEY", "LIGHTHOUSE": "IMAGE_REFERENCE"}


def draw(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draws it."""
    obstacle = preflight.obstacle(session.settings)
    for name, line in _LINES.items():
        column = layout.column(align=True)
        paragraph(column, line, context)
        row = column.row()
        row.enabled = not obstacle
        row.operator("assetgen.try_example", text=EXAMPLES[name][0], icon=_ICONS[name]).example = name
    layout.separator()
    if values := prefs.preferences():
        choice = layout.column(align=True) if is_narrow(context) else layout.row(align=True)
        choice.prop(values, "service", expand=True)
    if session.settings.is_local:
        paragraph(layout, "Free and on this machine, with classical geometry instead of AI.", context, quiet=True)
    else:
        paragraph(layout, "Made by the service, for credits.", context, quiet=True)
    if obstacle:
        paragraph(layout, f"{obstacle}.", context, icon="INFO")
        keys = layout.operator("assetgen.open_guide", text="Where a Key Comes From", icon="KEYINGSET")
        keys.section = open_guide.KEYS
        show = layout.operator("preferences.addon_show", text="Open Preferences", icon="PREFERENCES")
        show.module = prefs.ROOT_PACKAGE
    layout.operator("assetgen.open_guide", icon="HELP")
