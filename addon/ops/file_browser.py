"""What an operator asks before it starts whose result is wanted as a file: the path, as Blender's exporters do.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, StringProperty

from ..bridge import titles
from ..bridge.session import session
from ..bridge.state import state
from ..core.errors import CoreError, Refused
from ..props import scene_settings
from ..props.field_info import CapabilityInfo
from ..text_layout import is_narrow
from . import reports

if TYPE_CHECKING:
    from ..bridge.objects.selection import Selection
    from ..core.jobs.job import JobPlan

_last_folders: dict[str, str] = {}
"""Where files were last written to, by the path of the .blend that was open."""


class AsksForFile:
    """Beside :class:`.capabilities.RunsCapability`, for a capability with :attr:`CapabilityInfo.file_kinds`."""

    info: CapabilityInfo
    properties: Any
    report: Any
    must_ask: bool
    has_waited: bool
    press_anew: Callable[[], set[str]]
    run: Callable[[bpy.types.Context], set[str]]
    was_asked: bool
    _shows_fields = False

    filepath: StringProperty(
        name="File Path",
        description="The file to write; in the job's own folder when left out",
        subtype="FILE_PATH",
        options={"SKIP_SAVE"},
    )
    bring_in: BoolProperty(
        name="Bring In",
        description="Bring the file into the scene too, where the model stands that it was made from",
        default=False,
        options={"SKIP_SAVE"},
    )
    check_existing: BoolProperty(
        name="Check Existing",
        description="Ask before a file is overwritten",
        default=True,
        options={"HIDDEN", "SKIP_SAVE"},
    )
    filter_glob: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Opens the file browser, which calls ``execute``; first whatever would be refused then."""
        from ..core.paths import file_name  # here, as below: enabling the extension need not wait for it

        if state.rests(self.info.name):
            return {"CANCELLED"}
        if self.properties.is_agreed:
            return self.run(context)
        if self.has_waited:
            return self.press_anew()
        self._shows_fields = self.must_ask  # from a menu the fields are asked for beside the file
        if self._shows_fields:
            self.properties.use_panel_settings = True
        try:
            name = self._suggested_name(context)
        except CoreError as error:
            return reports.report_error(self, error)
        ending = self._ending(context)
        if not self.filepath:
            folder = _last_folders.get(bpy.data.filepath) or str(Path(bpy.data.filepath).parent)
            self.filepath = str(Path(folder if folder != "." else "", f"{file_name(name)}{ending}"))
        self.filter_glob = f"*{ending}"
        self.was_asked = True
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def check(self, context: bpy.types.Context) -> bool:
        """Gives the path the ending of the format, as the file browser shows it."""
        path = self._with_ending(self.filepath, context)
        if path == self.filepath:
            return False
        self.filepath = path
        return True

    def draw(self, context: bpy.types.Context) -> None:
        """The side of the file browser."""
        from . import costs

        layout: Any = self.layout  # type: ignore[attr-defined]
        layout.use_property_split = not is_narrow(context)
        layout.use_property_decorate = False
        layout.prop(self, "bring_in")
        if self._shows_fields:
            super().draw(context)  # type: ignore[misc]
        else:
            costs.draw_budget(layout, context, self.info, self._fields(context), 1)  # type: ignore[attr-defined]

    def delivered(self, plan: "JobPlan", context: bpy.types.Context, model: "Selection | None") -> "JobPlan":
        """The plan with the file that the user named. What has a job of its own gets a file of its own beside it, under
        its own name, and only the file that was named may be overwritten.

        Raises:
            Refused: It is no path for a file.
        """
        from ..core.jobs.replaceable import replaceable_files
        from ..core.paths import file_name

        delivery = plan.delivery._replace(brings_in=self.bring_in)
        if self.filepath:
            target = Path(bpy.path.abspath(self._with_ending(self.filepath, context))).absolute()
            if not Path(self.filepath).name or target.is_dir():
                raise Refused(f"{self.filepath} is a folder", "Name a file in it")
            _last_folders[bpy.data.filepath] = str(target.parent)
            named = target if model is None else target.with_name(f"{file_name(model.title)}{target.suffix}")
            replaceable = replaceable_files(target) if named == target else ()
            delivery = delivery._replace(folder=str(target.parent), file_name=named.name, replaceable=replaceable)
        return replace(plan, delivery=delivery)

    def _suggested_name(self, context: bpy.types.Context) -> str:
        """The name of what the operator works on.

        Raises:
            Refused: It cannot work now; the sentence says why.
        """
        from ..bridge import preflight
        from . import sources

        settings = session.settings
        if words := preflight.obstacle(settings):
            raise Refused(words)
        for field in self.info.fields:
            if (
                field.source
                and not self.properties.use_panel_settings
                and (value := getattr(self.properties, field.name))
            ):
                return titles.task_title(str(value))
        source = sources.panel_source(context, self.info, settings)
        return source.selection.objects[0].name if source is not None else self.info.label

    def _with_ending(self, path: str, context: bpy.types.Context) -> str:
        ending = self._ending(context)
        if not path or path.endswith(("/", "\\")) or not ending or path.lower().endswith(ending):
            return path
        known = next((other for other in self._endings().values() if path.lower().endswith(other)), "")
        return path[: len(path) - len(known)] + ending

    def _ending(self, context: bpy.types.Context) -> str:
        """The ending of the format that is asked for."""
        field = self.info.file_kinds[0] if self.info.file_kinds else ""
        panel = getattr(scene_settings.settings_of(context), self.info.name)
        return self._endings().get(getattr(panel if self.properties.use_panel_settings else self.properties, field), "")

    def _endings(self) -> dict[str, str]:
        return dict(self.info.file_kinds[1]) if self.info.file_kinds else {}
