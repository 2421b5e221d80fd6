"""The preferences: which service, its key, and where jobs and results are kept.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from .bridge import prefs, pump
from .bridge.session import session
from .bridge.state import state
from .core.jobs.place import HIDE, SOURCE_AFTER
from .core.settings import (
    CA_VARIABLE,
    CORES_VARIABLE,
    DATA_VARIABLE,
    DOWNLOAD_LABEL,
    DOWNLOAD_VARIABLE,
    KEY_VARIABLE,
    LARGEST_DOWNLOAD,
    MARK_VARIABLE,
    PROXY_VARIABLE,
    SMALLEST_DOWNLOAD,
    URL_VARIABLE,
    USUAL_DOWNLOAD,
    service_id_of,
)
from .ops.open_guide import KEYS
from .ops.show_tab import WHERE
from .text_layout import paragraph, region_width, shortened
from .translation.interface import translated

_NAMES = 0.4  # of the width, as Blender has it for properties with their names before them
_BORDERS = 60  # pixels at scale 1, of the region and of the part for one extension

CONNECTING = "Connecting..."


def _get_key(values: "ASSETGEN_AP_preferences") -> str:
    from .bridge import key_field  # here, as below: enabling the extension need not wait for it

    return "" if key_field.is_missing(service_id_of(values.base_url)) else key_field.MASK


def _set_key(values: "ASSETGEN_AP_preferences", typed: str) -> None:
    from .bridge import key_field

    key_field.store(service_id_of(values.base_url), typed, _key_stored)
    pump.start()


def _key_stored(error: str, warning: str) -> None:
    state.trouble = f"The key could not be kept: {error}" if error else warning
    if not error:
        session.key_changed()


def _on_change(_values: "ASSETGEN_AP_preferences", _context: bpy.types.Context) -> None:
    from .bridge import key_field

    key_field.clear_cache()
    state.service = None
    session.follow_settings()
    pump.start()


def _on_mark(_values: "ASSETGEN_AP_preferences", _context: bpy.types.Context) -> None:
    session.follow_settings()


class ASSETGEN_AP_preferences(bpy.types.AddonPreferences):
    """What the user sets once."""

    bl_idname = prefs.ROOT_PACKAGE

    service: EnumProperty(
        name="Service",
        items=[
            (prefs.LOCAL, "Local Engine", "Process meshes on this machine, with classical geometry: free, no AI"),
            (prefs.REMOTE, "Online Service", "Send meshes to the service at an address of yours"),
        ],
        default=prefs.LOCAL,
        update=_on_change,
    )
    base_url: StringProperty(
        name="Address",
        description="Where the service is, such as https://api.example.com",
        update=_on_change,
    )
    region: EnumProperty(
        name="Region",
        description="Which deployment of the service this is: each has keys of its own, and some rules of its own",
        items=[
            ("INTERNATIONAL", "International", "The international deployment"),
            ("CHINA", "China", "The deployment in mainland China"),
            ("CUSTOM", "Custom", "Another one; what only some deployment refuses is sent"),
        ],
        default="INTERNATIONAL",
        update=_on_change,
    )
    # With get and set Blender stores nothing of it in userpref.blend, which others can read.
    key: StringProperty(
        name="API Key",
        description="Your key for this service. It is kept in the system's keyring, else in a file of yours",
        subtype="PASSWORD",
        get=_get_key,
        set=_set_key,
    )
    mark_requests: BoolProperty(
        name="Mark Requests",
        description=(
            "Send a random number with each request for a task. A service that shows it again with the task lets a job "
            "find its own task when the answer was lost, so that nothing is paid twice. It says nothing about you"
        ),
        default=True,
        update=_on_mark,
    )
    data_folder: StringProperty(
        name="Data Folder",
        description="Where jobs and results are kept; empty for a folder of your user account",
        subtype="DIR_PATH",
        update=_on_change,
    )

    monthly_budget: IntProperty(
        name="Monthly Budget",
        description="Ask before a job that would bring this month's cost above so many credits; 0 for no budget",
        default=0,
        min=0,
        soft_max=10_000,
    )

    proxy: StringProperty(
        name="Proxy",
        description=(
            "The proxy on the way to the service, such as http://proxy.example.com:3128; empty for what the system has "
            "set. A password in it would be kept as it is: better put such an address into ASSETGEN_PROXY"
        ),
        update=_on_change,
    )
    ca_file: StringProperty(
        name="Certificates",
        description=(
            "A file (PEM) with certificates of your firm or your proxy, which are trusted beside the public ones and "
            "the system's; most need none"
        ),
        subtype="FILE_PATH",
        update=_on_change,
    )

    max_download: FloatProperty(
        name=DOWNLOAD_LABEL,
        description="The largest file that is fetched from the service; a larger one stays there, and Retry fetches it",
        default=USUAL_DOWNLOAD,
        min=SMALLEST_DOWNLOAD,
        max=LARGEST_DOWNLOAD,
        soft_max=16.0,
        precision=1,
        update=_on_change,
    )

    engine_cores: IntProperty(
        name="Cores in the Background",
        description=(
            "How many cores the local engine and background Blenders may take, at a lower priority than this Blender; "
            "0 for all but one. The local engine follows when it starts the next time"
        ),
        default=0,
        min=0,
        soft_max=16,
    )

    source_after: EnumProperty(
        name="Source",
        description="What becomes of an object when the result of an operation on it arrives",
        items=SOURCE_AFTER,
        default=HIDE,
    )
    result_names: EnumProperty(
        name="Result Names",
        description="What the result of an operation on an object is named",
        items=prefs.RESULT_NAMES,
        default=prefs.NEW_NAME,
    )
    asks_about_models: BoolProperty(
        name="Dropped Models",
        description=(
            "Offer to send a model through the service when its file is dropped onto a 3D viewport. Blender then asks "
            "whether to do that or to import it itself"
        ),
        default=True,
    )
    asset_library: StringProperty(
        name="Asset Library",
        description="The asset library of Blender's that Save as Asset saves results into",
    )
    recipe_folder: StringProperty(
        name="Recipe Folder",
        description="A folder with recipes of your own, which the Recipes panel offers beside its own",
        subtype="DIR_PATH",
    )
    told_where: BoolProperty(
        name="Told Where",
        description="Whether it was said where the extension's tab is",
        default=False,
        options={"HIDDEN"},
    )

    def draw(self, context: bpy.types.Context) -> None:
        from .bridge import key_field

        if key_field.is_asking() or session.loading:
            pump.start()  # it takes the answer in, and has this drawn again
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        _draw_where(layout, context)
        _draw_service(self, layout, context)
        layout.separator()
        _draw_folder(self, layout, context)
        _draw_download(self, layout, context)
        _draw_cores(self, layout, context)
        layout.prop(self, "asks_about_models")
        layout.separator()
        layout.row().prop(self, "source_after", expand=True)
        layout.prop(self, "result_names")
        layout.separator()
        _draw_library(self, layout, context)
        layout.separator()
        from .ui import keymap, storage_page  # here: enabling the extension need not wait for it

        keymap.draw(layout, context)
        layout.separator()
        storage_page.draw(layout, context)


def _draw_where(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    box = layout.box()
    paragraph(box, f"{WHERE}.", context, icon="INFO")
    row = box.row()
    row.operator("assetgen.show_tab", icon="VIEW3D")
    row.operator("assetgen.open_guide", icon="HELP")


def _draw_service(values: ASSETGEN_AP_preferences, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    from .bridge import preflight

    address = prefs.overridden(URL_VARIABLE)
    if address:
        _overridden(layout, "Service", address, URL_VARIABLE, context)
    else:
        layout.row().prop(values, "service", expand=True)
    if values.service == prefs.REMOTE or address:
        _draw_connection(values, layout, address, context)
        _draw_marks(values, layout, context)
        _draw_way(values, layout, context)
        layout.prop(values, "monthly_budget")
    else:
        paragraph(layout, "Runs on this machine with classical geometry. No AI, no account, no network, free.", context)
    row = layout.row()
    row.operator("assetgen.test_service", text="Testing..." if state.testing else "Test Connection", icon="URL")
    if session.loading:
        paragraph(layout, CONNECTING, context, icon="SORTTIME")
    failure = session.failure.removesuffix(".")
    for words in filter(None, (preflight.obstacle(prefs.settings()), state.trouble, failure)):
        paragraph(layout, words + ".", context, icon="ERROR")
    _draw_online_access(layout)
    if state.service is not None:
        paragraph(layout, state.service.sentence, context, icon="CHECKMARK" if state.service.ok else "ERROR")


def _draw_connection(
    values: ASSETGEN_AP_preferences, layout: bpy.types.UILayout, address: str, context: bpy.types.Context
) -> None:
    from .bridge import key_field

    if not address:
        layout.prop(values, "base_url", placeholder="https://")
        layout.prop(values, "region")
    if prefs.overridden(KEY_VARIABLE):
        _overridden(layout, "API Key", key_field.MASK, KEY_VARIABLE, context)
        return
    host = service_id_of(address or values.base_url)
    column = layout.column()
    column.enabled = bool(host) and not address
    row = column.row(align=True)
    row.prop(values, "key")
    row.operator("assetgen.open_guide", text="", icon="HELP").section = KEYS
    if origin_text := key_field.origin_text(host):
        _hint(layout, origin_text, context)


def _draw_marks(values: ASSETGEN_AP_preferences, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    if mark := prefs.overridden(MARK_VARIABLE):
        _overridden(layout, "Mark Requests", mark, MARK_VARIABLE, context)
    else:
        layout.prop(values, "mark_requests")


def _draw_way(values: ASSETGEN_AP_preferences, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    if proxy := prefs.overridden(PROXY_VARIABLE):
        _overridden(layout, "Proxy", proxy.rpartition("@")[2], PROXY_VARIABLE, context)  # without its password
    else:
        layout.prop(values, "proxy", placeholder="As the system has it")
    if file := prefs.overridden(CA_VARIABLE):
        _overridden(layout, "Certificates", file, CA_VARIABLE, context)
    else:
        layout.prop(values, "ca_file", placeholder="As the system has them")


def _draw_online_access(layout: bpy.types.UILayout) -> None:
    settings = prefs.settings()
    if settings.online or settings.is_loopback or bpy.app.online_access_override:
        return
    row = layout.row()
    row.operator("extensions.userpref_allow_online", text="Allow Online Access", icon="INTERNET")


def _draw_folder(values: ASSETGEN_AP_preferences, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    from .core.jobs.network_drive import network_drive_note

    folder = prefs.overridden(DATA_VARIABLE)
    if folder:
        _overridden(layout, "Data Folder", folder, DATA_VARIABLE, context)
    else:
        layout.prop(values, "data_folder", placeholder=str(prefs.data_dir()))
        _hint(layout, "Jobs and results stay there, also when the extension is removed", context)
    if note := network_drive_note(prefs.settings().data_dir):
        paragraph(layout, f"{note}.", context)


def _draw_download(values: ASSETGEN_AP_preferences, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    if size := prefs.overridden(DOWNLOAD_VARIABLE):
        _overridden(layout, DOWNLOAD_LABEL, size, DOWNLOAD_VARIABLE, context)
    else:
        layout.prop(values, "max_download")


def _draw_cores(values: ASSETGEN_AP_preferences, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    if cores := prefs.overridden(CORES_VARIABLE):
        _overridden(layout, "Cores in the Background", cores, CORES_VARIABLE, context)
        return
    layout.prop(values, "engine_cores")
    if not values.engine_cores:
        _hint(layout, "All but one: it stays with Blender itself", context)


def _draw_library(values: ASSETGEN_AP_preferences, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    row = layout.row(align=True)
    row.prop_search(values, "asset_library", context.preferences.filepaths, "asset_libraries", icon="ASSET_MANAGER")
    row.operator("assetgen.make_library", text="", icon="ADD")
    _hint(layout, "Results go there when you press Save as Asset", context)
    layout.prop(values, "recipe_folder")
    _hint(layout, "Recipes in there are in the Recipes panel too", context)


def _overridden(layout: bpy.types.UILayout, name: str, value: str, variable: str, context: bpy.types.Context) -> None:
    row = layout.row()
    split = row.split(factor=_NAMES)
    label = split.row()
    label.alignment = "RIGHT"
    label.label(text=translated(name), translate=False)
    split.label(text=shortened(value, context, place=_room_for_values(context)), translate=False)
    _hint(layout, f"Set by the environment variable {variable}", context)


def _hint(layout: bpy.types.UILayout, words: str, context: bpy.types.Context) -> None:
    split = layout.split(factor=_NAMES)
    split.label(text="")
    paragraph(split, words, context, quiet=True, place=_room_for_values(context))


def _room_for_values(context: bpy.types.Context) -> float:
    """What words have beside the names, in pixels at scale 1."""
    return (1 - _NAMES) * (region_width(context) - _BORDERS) - 10


CLASSES = (ASSETGEN_AP_preferences,)
