"""The interface in Simplified Chinese: what is drawn is written down as Blender shows it, and looked at in pictures."""

from __future__ import annotations

import importlib
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import bpy

from scenarios import job_list
from scenarios.scene import add_source
from scenarios.storage import LONG_PROMPT, scanned, show_preferences, write_results

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

PACKAGE = "bl_ext.user_default.asset_generation"
PROMPT = "kulfi zorn"
"""The user's own words, which are in no dictionary."""

KEPT = re.compile(
    r"Asset Gen(?:eration)?|\bAI\b|\bAPI\b|\bPBR\b|\bUVs?\b|\bJSON\b|\bPEM\b|\bZIP\b|\bIDs?\b|\bHTTP\b|https?(?:://\S*)?|"
    r"\b(?:GLTF|glTF|GLB|FBX|OBJ|STL|USDZ?|3MF|PLY|PNG|JPE?G|WEBP|webp|TIFF?|BMP)\b|\b(?:kB|MB|GB|GiB|TB)\b|"
    r"Seedream v\d|Banana(?: pro)?|Chat image [\d.]+|banana|seedream(?:_v\d)?|\bv\d[\d.]*|\bP[12]\b|\bVxc\b|Minecraft|"
    r"Voronoi|Mixamo|Tripo|Blender|\b[3T]D?\b|\bN\b|Shift|Sources|\bresults\b|Knight(?: \w+)?|Suzanne|kulfi zorn|"
    r"preset:\w+(?::\w+)?|\{?task_id\}?|--no|\b2K\b|\b[xX]\b|[\w./-]+/[\w./-]*|[0-9a-f]{8,}[\w-]*|"
    r"3dsmax|DPX|HDR|OPEN_EXR|TARGA|(?:Robot|Chair) \d+|Hero|Statue|rusty iron[\w ]*(?:\u2026\w*)?|"
    r"a red wooden chair[\w ,\u2026]*|(?:a re|rusty)[\w ]*\u2026[\w ]*|"
    r"[\w.]+\.(?:example|glb|png)\b|blend\b|\b[+-][XYZ]\b|offline-mode|ASSETGEN_\w+"
)
"""What stays as it is in Chinese: names, formats, units, and the user's own."""

TRANSPARENT = "The task failed: The picture is fully transparent: there is nothing to make a model of. (code 2002)"
TWO_TASKS = "The answer to the request was lost, and the service has 2 tasks that it could be"
LOOK_AGAIN = "Look Again searches once more, Resend Now starts another task, which may be paid twice, Forget gives up"
_LATIN = re.compile(r"[A-Za-z]{2,}")
_TEXTS = ("label", "operator", "menu", "progress", "prop", "operator_menu_enum", "prop_search")


class Recorder:
    """A layout that writes down every text that it is given, as Blender shows it."""

    def __init__(self, layout: Any, said: list[str]) -> None:
        object.__setattr__(self, "_layout", layout)
        object.__setattr__(self, "_said", said)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._layout, name, value)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._layout, name)
        if not callable(value):
            return value

        def call(*args: Any, **named: Any) -> Any:
            args = tuple(item._drawn if isinstance(item, Drawn) else item for item in args)
            self._take(name, args, named)
            found = value(*args, **named)
            if isinstance(found, tuple):
                return tuple(Recorder(item, self._said) if item is not None else None for item in found)
            return Recorder(found, self._said) if isinstance(found, bpy.types.UILayout) else found

        return call

    def _take(self, name: str, args: tuple[Any, ...], named: dict[str, Any]) -> None:
        if name not in _TEXTS:
            return
        text, context = named.get("text"), "*"
        if name == "operator":
            context = "Operator"
            text = text if text is not None else label_of(args[0])
        elif name in ("prop", "prop_search"):
            item = args[0].bl_rna.properties[args[1]]
            text = text if text is not None else item.name
            context = item.translation_context
        elif name == "menu" and text is None:
            text = getattr(bpy.types, args[0]).bl_label
        if text:
            show = bpy.app.translations.pgettext_iface
            self._said.append(text if named.get("translate") is False else show(text, context))
        if named.get("placeholder"):
            self._said.append(bpy.app.translations.pgettext_iface(named["placeholder"]))


def label_of(command: str) -> str:
    module, _, name = command.partition(".")
    return str(getattr(getattr(bpy.ops, module), name).get_rna_type().name)


def chinese(stage: Stage) -> Steps:
    """First start, forms, jobs, preferences; then English again, and Chinese once more."""
    said: list[str] = []
    view = bpy.context.preferences.view
    stage.seen["languages"] = view.bl_rna.properties["language"].enum_items.keys()
    view.language = "zh_HANS"
    view.use_translate_interface = view.use_translate_tooltips = True
    stage.seen["locale"] = bpy.app.translations.locale
    yield 0.5
    yield from stage.open_side_bar()
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    record(said)
    yield from stage.picture("1-first-start")
    yield from filled_forms(stage)
    yield from jobs(stage)
    stage.seen["names"] = names()
    yield from menus(stage)
    yield from preferences(stage)
    stage.seen["said"] = sorted(set(said))
    own = (
        text for text in said if text not in LONG_PROMPT
    )  # the lines of a prompt, as wide as the side bar lets them be
    stage.seen["english"] = sorted({text for text in own if _LATIN.search(KEPT.sub("", text))})
    yield from other_language(stage)


def record(said: list[str]) -> None:
    """Has every panel and menu of ours drawn through a recorder."""
    registration = importlib.import_module(f"{PACKAGE}.addon.registration")
    for module in registration.MODULES:
        for cls in getattr(module, "CLASSES", ()):
            if issubclass(cls, bpy.types.Panel | bpy.types.Menu | bpy.types.AddonPreferences) and "draw" in vars(cls):
                cls.draw = recorded(cls.draw, said)
            elif issubclass(cls, bpy.types.UIList):
                cls.draw_item = recorded_item(cls.draw_item, said)


class Drawn:
    """A panel whose layout is a recorder."""

    def __init__(self, drawn: Any, said: list[str]) -> None:
        self._drawn, self.layout = drawn, Recorder(drawn.layout, said)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._drawn, name)


def recorded(draw: Callable[..., None], said: list[str]) -> Callable[..., None]:
    def call(self: Any, context: bpy.types.Context) -> None:
        draw(Drawn(self, said), context)

    return call


def recorded_item(draw: Callable[..., None], said: list[str]) -> Callable[..., None]:
    def call(self: Any, context: Any, layout: Any, data: Any, item: Any, icon: Any, active: Any, name: Any) -> None:
        draw(self, context, Recorder(layout, said), data, item, icon, active, name)

    return call


def filled_forms(stage: Stage) -> Steps:
    """Every form, for the local engine and for a service."""
    props = importlib.import_module(f"{PACKAGE}.addon.props.task_properties")
    settings = bpy.context.scene.asset_generation
    add_source("Suzanne")
    settings.text_to_model.prompt = PROMPT
    stage.choose("text_to_model")
    yield from stage.picture("2-form", side_bar_only=True)
    stage.choose("texture")
    settings.texture.text = PROMPT
    yield from stage.picture("3-selection", side_bar_only=True)
    opened = importlib.import_module("scenarios.forms").OpenLayout
    fields = importlib.import_module(f"{PACKAGE}.addon.ui.fields")
    closed = fields.draw_advanced
    fields.draw_advanced = lambda layout, *rest: closed(opened(layout), *rest)
    values = bpy.context.preferences.addons[PACKAGE].preferences
    for service in ("LOCAL", "REMOTE"):
        values.base_url = "https://api.service.example"
        values.service = service
        yield 0.5
        for name in props.CAPABILITIES:
            stage.choose(name)
            yield 0.4
            if name in ("text_to_model", "convert"):
                yield from stage.picture(f"4-{service.lower()}-{name}", side_bar_only=True)
    fields.draw_advanced = closed
    values.service = "LOCAL"
    stage.choose("texture")
    yield 0.5


def jobs(stage: Stage) -> Steps:
    """Jobs in every state, as the list and the details say it."""
    job = importlib.import_module(f"{PACKAGE}.addon.core.jobs.job")
    action = job.Action
    main = importlib.import_module(f"{PACKAGE}.addon.ui.main_panel").ASSETGEN_PT_main
    bpy.utils.unregister_class(main)  # room for the pictures
    listed = []
    states: tuple[tuple[str, Any, str, dict[str, Any]], ...] = (
        ("applied", job.Stage.APPLIED, "Done", {"seconds": 75.0}),
        ("answer", job.Stage.APPLIED, "Done", {"answer": "Not riggable: it has no trunk between its legs"}),
        ("failed", job.Stage.FAILED, "Failed", {
            "error": TRANSPARENT,
            "advice": "It was not charged. Try another image", "actions": frozenset({action.RETRY, action.DISMISS}),
        }),
        ("stopped", job.Stage.STOPPED, "Stopped. No task was started and nothing is charged", {}),
        ("uncertain", job.Stage.UNCERTAIN, TWO_TASKS, {
            "advice": LOOK_AGAIN, "actions": frozenset({action.LOOK_AGAIN, action.RESEND, action.FORGET}),
        }),
        ("ready", job.Stage.READY, "Ready", {"actions": frozenset({action.APPLY, action.DISMISS})}),
        ("waiting", job.Stage.UPLOAD, "Waiting for a free slot (2nd in line)", {"actions": frozenset({action.STOP})}),
        ("running", job.Stage.WAIT, "Texture: 43%", {
            "progress": 0.43, "ends_at": time.time() + 75, "actions": frozenset({action.STOP}),
        }),
    )  # fmt: skip
    for number, (name, stage_, text, named) in enumerate(states):
        title = f"Texture: {PROMPT}"
        step = job.StepPlan("texture", {"text": PROMPT, "face_limit": 500})
        plan = job.JobPlan(title, job.Source(job.SourceKind.NOTHING, title=PROMPT), (step,), job.Delivery())
        views = (job.StepView("texture", f"{number:08d}-0000-0000-0000-000000000000", "success", 1.0, "10", 12.0),)
        values = {"progress": 1.0, "actions": frozenset({action.DISMISS}), **named}
        known = {"text": text, "created_at": 1e9 + number, "plan": plan, "steps": views, "service_id": "local"}
        listed.append(job.JobView(f"list-{name}", title, stage_, **known, **values))
    job_list.show(stage, *listed)
    for name, *_ in states:
        job_list.choose(stage, name)
        bpy.context.window_manager.asset_generation_jobs.show_details = name in ("applied", "failed")
        yield from stage.picture(f"5-{name}", side_bar_only=True)
    bpy.context.window_manager.asset_generation_jobs.view = "GRID"
    yield from stage.picture("6-grid", side_bar_only=True)
    bpy.context.window_manager.asset_generation_jobs.view = "LIST"
    job_list.show(stage)
    yield 0.3


def names() -> dict[str, list[str]]:
    """What Blender shows of everything that is registered, where it has Latin words: names and descriptions."""
    registration = importlib.import_module(f"{PACKAGE}.addon.registration")
    found: dict[str, list[str]] = {}
    number = 0
    for cls in (cls for module in registration.MODULES for cls in getattr(module, "CLASSES", ())):
        for text, context in texts_of(cls):
            shown = bpy.app.translations.pgettext_iface(text, context)
            number += 1
            if _LATIN.search(KEPT.sub("", shown)):
                found.setdefault(cls.__name__, []).append(shown)
    return {"number": [str(number)], **found}


def texts_of(cls: Any) -> Iterator[tuple[str, str]]:
    """Names and descriptions of a class and its properties, each with the context that Blender looks it up in."""
    is_operator = issubclass(cls, bpy.types.Operator)
    if label := getattr(cls, "bl_label", ""):
        yield label, "Operator" if is_operator else "*"
    if is_operator:
        yield cls.bl_description, "*"
    for name in dict.fromkeys(name for base in cls.__mro__ for name in getattr(base, "__annotations__", {})):
        item = cls.bl_rna.properties.get(name)
        if item is None or item.is_hidden or item.name == name:  # what has no name is never shown
            continue
        yield item.name, item.translation_context
        if item.description:
            yield item.description, "*"
        for one in item.enum_items if item.type == "ENUM" else ():
            yield one.name, item.translation_context
            if one.description:
                yield one.description, "*"


def menus(stage: Stage) -> Steps:
    """The Add menu's entry, opened."""
    with bpy.context.temp_override(area=stage.viewport, region=stage.region("WINDOW")):
        bpy.ops.wm.call_menu(name="ASSETGEN_MT_object")
    yield from stage.picture("7-menu")
    yield from stage.key("ESC")


def preferences(stage: Stage) -> Steps:
    """The preferences with their storage page."""
    bpy.ops.wm.window_new()
    window = stage.window_manager.windows[-1]
    area = max(window.screen.areas, key=lambda item: item.width * item.height)
    write_results(stage)
    yield from scanned(stage)
    yield from show_preferences(window, area)
    yield from stage.picture("8-preferences")
    values = bpy.context.preferences.addons[PACKAGE].preferences
    values.service = "REMOTE"
    yield from stage.picture("9-preferences-online")
    values.service = "LOCAL"
    main = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(window=window, area=area, region=main):
        for _ in range(30):
            bpy.ops.view2d.scroll_down("EXEC_DEFAULT")
    yield from stage.picture("10-storage")
    with bpy.context.temp_override(window=window):
        bpy.ops.wm.window_close()
    yield 0.5


def has_words(*, is_english: bool) -> bool:
    """Whether Blender looks a text of ours up, or does not any more."""
    return (bpy.app.translations.pgettext_iface("Need You") == "Need You") is is_english


def other_language(stage: Stage) -> Steps:
    """While Blender runs, the language becomes English, and Chinese again."""
    translated = importlib.import_module(f"{PACKAGE}.addon.translation.interface").translated
    view = bpy.context.preferences.view
    for language in ("en_US", "zh_HANS"):
        view.language = language
        yield from stage.wait_for("Blender has the words", partial(has_words, is_english=language == "en_US"))
        stage.seen[f"in {language}"] = [
            translated("Waiting for a free slot (2nd in line)"),
            bpy.app.translations.pgettext_iface("Need You"),
            bpy.app.translations.pgettext_iface("Text to Model", "Operator"),
        ]
    view.use_translate_interface = False
    stage.seen["not wanted"] = translated("Ready")
    view.use_translate_interface = True
