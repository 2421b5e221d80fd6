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
    is_running_already: Callable[[bpy.types.Context], bool]
    has_waited: bool
    press_anew: Callable[[], set[str]]
    was_asked: bool
    _showed_fields = False

    at_once: BoolProperty(
        name="At Once",
        description="Ask nothing where neither words nor images are needed and nothing has to be paid",
        default=False,
        options={"HIDDEN", "SKIP_SAVE"},
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Asks, unless the caller has said what it wants."""
        if not self.must_ask:
            return self._go_on(context, event)
        asks = not (self.at_once and session.settings.is_local) or self._asks_for_content(context)
        if asks and self.has_waited:
            return self.press_anew()
        self.properties.use_panel_settings = True
        if not asks:
            return self._go_on(context, event)
        self._showed_fields = self.was_asked = True
        return set(context.window_manager.invoke_props_dialog(self, width=WIDTH, confirm_text="Run"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Runs it. That the same is running already was not said in the dialog, so it is asked as the panel's Run asks.

        It cannot be said there: to find it out, pictures are written and compared, and a dialog is drawn all the time.
        """
        if self._showed_fields and self.is_running_already(context):
            self._showed_fields = False
            getattr(bpy.ops.assetgen, self.info.name)("INVOKE_DEFAULT", use_panel_settings=True)
            return {"CANCELLED"}
        return set(super().execute(context))  # type: ignore[misc]

    def draw(self, context: bpy.types.Context) -> None:
        """The dialog."""
        if self.draw_fields is not None:
            type(self).draw_fields(self.layout, context, self.info)  # type: ignore[misc]

    @property
    def must_ask(self) -> bool:
        """Whether nobody has said yet with which fields."""
        was_told = self.properties.use_panel_settings or self._was_given_fields()
        return self.draw_fields is not None and not bpy.app.background and not was_told

    def _go_on(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        return set(super().invoke(context, event))  # type: ignore[misc]

    def _was_given_fields(self) -> bool:
        return any(self.properties.is_property_set(field.name) for field in self.info.fields)

    def _asks_for_content(self, context: bpy.types.Context) -> bool:
        """Whether it takes words or images: nobody wants those of the last time without a look at them."""
        group = getattr(scene_settings.settings_of(context), self.info.name)
        fields = [field for field in field_values.shown_fields(group, self.info) if not field.advanced]
        if any(field.takes_image or (field.kind == "text" and field.longest) for field in fields):
            return True
        return bool(field_values.missing_input(group, self.info))
