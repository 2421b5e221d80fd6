"""What an operator asks that is started from a menu, a search or a shortcut: the fields that the panel has for it.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

from collections.abc import Callable
from typing import Any, ClassVar

import bpy
from bpy.props import BoolProperty

from ..bridge.session import session
from ..props import field_values, scene_settings
from ..props.field_info import CapabilityInfo

WIDTH = 340
"""Of a dialog, in pixels at scale 1."""


class AsksForFields:
    """Before :class:`.capabilities.RunsCapability`: who starts it by hand is shown the fields first.

    Attributes:
        draw_fields: Draws what the panel shows of a capability; it is there while the interface is.
    """

    draw_fields: ClassVar[Callable[[bpy.types.UILayout, bpy.types.Context, CapabilityInfo], None] | None] = None

    info: CapabilityInfo
    properties: Any
    layout: Any

    at_once: BoolProperty(
        name="At Once",
        description="Ask nothing when all is filled in and nothing has to be paid",
        default=False,
        options={"HIDDEN", "SKIP_SAVE"},
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Asks, unless the caller has said what it wants."""
        if not self.must_ask:
            return self._go_on(context, event)
        self.properties.use_panel_settings = True
        if self.at_once and session.settings.is_local and not self._missing(context):
            return self._go_on(context, event)
        return set(context.window_manager.invoke_props_dialog(self, width=WIDTH, confirm_text="Run"))

    def draw(self, context: bpy.types.Context) -> None:
        """The dialog."""
        if self.draw_fields is not None:
            type(self).draw_fields(self.layout, context, self.info)  # type: ignore[misc]

    @property
    def must_ask(self) -> bool:
        """Whether nobody has said yet with which fields."""
        was_told = self.properties.use_panel_settings or self._was_given_fields()
        return self.draw_fields is not None and not was_told

    def _go_on(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        return set(super().invoke(context, event))  # type: ignore[misc]

    def _was_given_fields(self) -> bool:
        return any(self.properties.is_property_set(field.name) for field in self.info.fields)

    def _missing(self, context: bpy.types.Context) -> str:
        return field_values.missing_input(getattr(scene_settings.settings_of(context), self.info.name), self.info)
