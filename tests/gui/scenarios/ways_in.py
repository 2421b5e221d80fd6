"""The ways in beside the panel's Run: menus, search, shortcuts, the Image Editor, and one click on an object."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import bpy

from scenarios.scene import add_source

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

PACKAGE = "bl_ext.user_default.asset_generation"


def ways_in(stage: Stage) -> Steps:
    """Goes the ways in with keys and mouse, as far as no job has to run."""
    yield from stage.open_side_bar()
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    bpy.ops.object.select_all(action="DESELECT")
    yield from stage.picture("first-steps", side_bar_only=True)
    add_source("Suzanne")
    yield from stage.picture("quick-actions", side_bar_only=True)
    yield from search(stage, "texture", "search-texture", choose=False)
    yield from escape(stage)
    yield from search(stage, "stylize", "search-stylize")
    yield from stage.picture("dialog-stylize")
    yield from escape(stage)
    yield from stage.press("bpy.ops.assetgen.texture")
    yield from stage.picture("dialog-of-one-click")
    yield from escape(stage)
    stage.seen["jobs"] = len(stage.bridge("state").state.jobs)
    yield from menus_by_hand(stage)
    yield from menu(stage, "VIEW3D_MT_add", "add-menu")
    yield from menu(stage, "ASSETGEN_MT_add", "add-menu-open")
    yield from menu(stage, "VIEW3D_MT_object_context_menu", "context-menu")
    yield from menu(stage, "ASSETGEN_MT_object", "object-menu-open")
    yield from shortcut(stage)
    yield from note(stage)
    yield from image_editor(stage)
    yield from preferences(stage)


def searched_and_clicked(stage: Stage) -> Steps:
    """Runs an operation from the search, one with one click, and drops images."""
    yield from stage.open_side_bar()
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    add_source("Suzanne")
    asked = listen_to_dialogs()
    settings = bpy.context.scene.asset_generation
    for words in ("text to", "texture..."):  # Blender has a force field of that name
        asked.clear()
        yield from search(stage, words, f"search-{words.strip('.')}".replace(" ", "-"))
        yield from stage.picture(f"dialog-{words.strip('.')}".replace(" ", "-"))
        stage.seen.setdefault("found", []).append([words, sorted(set(asked))])
        yield from escape(stage)
    group = settings.text_to_model
    group.prompt, group.texture_quality = "a red wooden chair", "extreme"  # it shall run for a while
    yield from search(stage, "text to model", "search-text-to-model")
    yield from enter(stage)
    yield from stage.wait_for("the job of the search", lambda: latest(stage) is not None)
    stage.seen["searched"] = latest(stage).name
    yield from same_again(stage)
    yield from stage.press("bpy.ops.assetgen.decimate")
    yield from stage.wait_for("the job of one click", lambda: latest(stage).name != stage.seen["searched"])
    stage.seen["clicked"] = latest(stage).name


def listen_to_dialogs() -> list[str]:
    """The operations whose fields are asked for from now on, one for each drawing."""
    dialogs = importlib.import_module(f"{PACKAGE}.addon.ops.dialogs").AsksForFields
    draw, asked = dialogs.draw_fields, []

    def listen(layout: Any, context: Any, info: Any) -> None:
        asked.append(info.name)
        draw(layout, context, info)

    dialogs.draw_fields = staticmethod(listen)
    return asked


def menus_by_hand(stage: Stage) -> Steps:
    """Shift A, the right button over the viewport, the Outliner's menu of an object: our entry is the last one, and
    opens what can be done.
    """
    asked = listen_to_dialogs()
    stage.seen["menus"] = {}
    region = stage.region("WINDOW")
    x, y = region.x + region.width // 3, region.y + region.height // 2
    outliner = next(area for area in stage.window.screen.areas if area.type == "OUTLINER")
    for name in ("add", "context", "outliner"):
        asked.clear()
        if name == "add":
            yield from stage.key("A", shift=True)
        elif name == "outliner":
            yield from stage.move(x, y)
            window = next(region for region in outliner.regions if region.type == "WINDOW")
            with bpy.context.temp_override(window=stage.window, area=outliner, region=window):
                bpy.ops.wm.call_menu("INVOKE_DEFAULT", name="OUTLINER_MT_object")
            yield 0.4
        else:
            yield from stage.move(x, y)
            for value in ("PRESS", "RELEASE"):
                stage.window.event_simulate(type="RIGHTMOUSE", value=value, x=x, y=y)
            yield 0.4
        yield from press(stage, "UP_ARROW" if name == "context" else "END")  # the others may begin anywhere
        yield from press(stage, "RIGHT_ARROW")
        yield 0.3
        yield from stage.picture(f"by-hand-{name}")
        yield from enter(stage)
        yield from stage.picture(f"by-hand-{name}-dialog")
        stage.seen["menus"][name] = sorted(set(asked))
        yield from escape(stage)
        yield from escape(stage)


def same_again(stage: Stage) -> Steps:
    """The dialog's OK while the same is running: it is asked; first no is said, then yes."""
    state = stage.bridge("state").state
    for answer in (escape, enter):
        before = len(state.jobs)
        yield from search(stage, "text to model", "search-again")
        yield from enter(stage)
        stage.seen.setdefault("still_running", []).append(bool(state.running()))
        yield from stage.picture(f"asked-{answer.__name__}")
        asked = len(state.jobs)
        yield from answer(stage)
        yield 1.0
        stage.seen.setdefault("same_again", []).append([asked - before, len(state.jobs) - before])


def dropped(stage: Stage) -> Steps:
    """Calls what Blender calls when files are dropped, with the mouse over the viewport; drags cannot be simulated."""
    yield from stage.open_side_bar()
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    for name, color in (("01_front", 0.1), ("02_left", 0.4), ("chair", 0.7), ("table", 0.9)):
        write_picture(stage, f"{name}.png", color)
    region = stage.region("WINDOW")
    yield from stage.move(region.x + 300, region.y + region.height - 150)
    for picture, command, names in (
        ("one-image", "drop_images", ("chair.png",)),
        ("several-images", "drop_images", ("chair.png", "table.png")),
        ("views", "drop_images", ("02_left.png", "01_front.png")),
        ("model", "drop_models", ("chair.glb",)),
    ):
        with bpy.context.temp_override(window=stage.window, area=stage.viewport, region=region):
            files = [{"name": name} for name in names]
            operator = getattr(bpy.ops.assetgen, command)
            stage.seen[picture] = list(operator("INVOKE_DEFAULT", directory=str(stage.folder), files=files))
        yield 1.0
        yield from stage.picture(picture)
        yield from escape(stage)
    stage.seen["jobs"] = len(stage.bridge("state").state.jobs)
    with bpy.context.temp_override(window=stage.window, area=stage.viewport, region=region):
        polls = [getattr(bpy.types, f"ASSETGEN_FH_{kind}").poll_drop(bpy.context) for kind in ("images", "models")]
    stage.seen["over_viewport"] = polls


def write_picture(stage: Stage, name: str, color: float) -> None:
    image = bpy.data.images.new(name, 64, 48)
    image.generated_color = (color, 0.3, 1 - color, 1)
    image.filepath_raw, image.file_format = str(stage.folder / name), "PNG"
    image.save()
    bpy.data.images.remove(image)


def search(stage: Stage, words: str, name: str, *, choose: bool = True) -> Steps:
    """Presses F3 over the viewport, types, takes a picture, and chooses the first that is found."""
    yield from stage.key("F3")
    yield from write(stage, words)
    yield from stage.picture(name)
    if choose:
        yield from enter(stage)


def write(stage: Stage, words: str) -> Steps:
    for letter in words:
        yield from press(stage, {" ": "SPACE", ".": "PERIOD"}.get(letter, letter.upper()), unicode=letter)


def enter(stage: Stage) -> Steps:
    """Ends what is typed, or presses the highlighted button of a dialog."""
    yield from press(stage, "RET")
    yield 0.6


def press(stage: Stage, kind: str, **more: str) -> Steps:
    x, y = stage.window.width // 4, stage.window.height // 2
    stage.window.event_simulate(type=kind, value="PRESS", x=x, y=y, **more)
    stage.window.event_simulate(type=kind, value="RELEASE", x=x, y=y)
    yield 0.1


def escape(stage: Stage) -> Steps:
    yield from press(stage, "ESC")
    yield 0.4


def menu(stage: Stage, name: str, picture: str) -> Steps:
    region = stage.region("WINDOW")
    yield from stage.move(region.x + 300, region.y + region.height - 200)
    with bpy.context.temp_override(window=stage.window, area=stage.viewport, region=region):
        bpy.ops.wm.call_menu("INVOKE_DEFAULT", name=name)
    yield from stage.picture(picture)
    yield from escape(stage)


def shortcut(stage: Stage) -> Steps:
    """Gives the menu of the object a key, as a user does in the preferences, and presses it."""
    keymap = importlib.import_module(f"{PACKAGE}.addon.ui.keymap")
    keyconfig = stage.window_manager.keyconfigs.user
    items = [keymap._item_of(keyconfig, entry) for entry in keymap._ENTRIES]
    stage.seen["shortcuts"] = [item.type for item in items]
    items[0].type, items[3].type = "F19", "F18"
    yield 0.3
    drawn = stage.seen["menus_by_key"] = []
    shown = importlib.import_module(f"{PACKAGE}.addon.ui.menus").ASSETGEN_MT_object
    draw = shown.draw
    shown.draw = lambda self, context: (drawn.append(self.bl_idname), draw(self, context))[1]
    yield from stage.key("F19")
    yield from stage.picture("shortcut")
    yield from escape(stage)
    shown.draw = draw
    stage.viewport.spaces.active.show_region_ui = False
    yield 0.3
    yield from stage.key("F18")
    stage.seen["tab_by_key"] = stage.viewport.spaces.active.show_region_ui


def note(stage: Stage) -> Steps:
    """What is seen after the installation, and not a second time."""
    tab_note = importlib.import_module(f"{PACKAGE}.addon.ui.tab_note")
    values = bpy.context.preferences.addons[PACKAGE].preferences
    region = stage.region("WINDOW")
    yield from stage.move(region.x + 300, region.y + region.height - 200)
    values.told_where = False
    tab_note.register()
    yield 2.5
    stage.viewport.spaces.active.show_region_ui = False
    yield from stage.picture("note")
    yield from press(stage, "DOWN_ARROW")
    yield from enter(stage)
    stage.seen["tab_by_note"] = stage.viewport.spaces.active.show_region_ui
    tab_note.register()
    stage.seen["note"] = [values.told_where, bpy.app.timers.is_registered(tab_note._tell)]


def image_editor(stage: Stage) -> Steps:
    settings = bpy.context.scene.asset_generation
    image = bpy.data.images.new("A sketch of a chair", 64, 64)
    image.generated_type = "COLOR_GRID"
    area = stage.viewport  # others are too narrow for a side bar
    area.type = "IMAGE_EDITOR"
    area.spaces.active.image = image
    area.spaces.active.show_region_ui = True
    yield 0.5
    yield from stage.wait_for("the tab", lambda: choose_tab(area), 15)
    area.tag_redraw()
    yield 1.0
    yield from stage.picture("image-editor")
    region = next(region for region in area.regions if region.type == "WINDOW")
    yield from stage.move(region.x + 60, region.y + region.height // 2)
    with bpy.context.temp_override(window=stage.window, area=area, region=region):
        bpy.ops.assetgen.use_shown_image("INVOKE_DEFAULT", capability="image_to_model")
    yield from stage.picture("dialog-of-image")
    stage.seen["image_field"] = settings.image_to_model.file
    yield from escape(stage)
    area.type = "VIEW_3D"
    yield 0.5


def choose_tab(area: bpy.types.Area) -> bool:
    """Opens our tab; it is not there before the side bar was drawn."""
    area.spaces.active.show_region_ui = True
    side_bar = next(region for region in area.regions if region.type == "UI")
    try:
        side_bar.active_panel_category = "Asset Gen"
    except (AttributeError, TypeError):
        area.tag_redraw()
        return False
    return True


def preferences(stage: Stage) -> Steps:
    yield from stage.wait_until_loaded()
    bpy.ops.screen.userpref_show("INVOKE_DEFAULT", section="ADDONS")
    yield 1.0
    bpy.context.window_manager.addon_search = "Asset Gen"
    bpy.ops.preferences.addon_expand(module=PACKAGE)
    yield 1.0
    yield from stage.picture("preferences")
    stage.viewport.spaces.active.show_region_ui = False
    yield 0.3
    bpy.ops.assetgen.show_tab()
    yield 0.6
    stage.seen["tab"] = [stage.viewport.spaces.active.show_region_ui, stage.region("UI").active_panel_category]


def latest(stage: Stage) -> Any:
    jobs = stage.bridge("state").state.newest_first()
    return jobs[0] if jobs else None
