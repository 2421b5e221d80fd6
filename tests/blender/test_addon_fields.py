"""What the panel's fields hold, hide and send."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

import bpy
import pytest
from support.addon import add_mesh
from support.services.local_engine import instant_runner, tiny_png

P1 = "P1-20260311"


@pytest.fixture
def props(addon: Any) -> Any:
    return importlib.import_module(f"{addon.package}.addon.props.field_values")


@pytest.fixture
def table(addon: Any) -> Any:
    return importlib.import_module(f"{addon.package}.addon.props.task_properties").CAPABILITIES


def settings() -> Any:
    return bpy.context.scene.asset_generation


def test_the_local_form_has_what_the_engine_reads_and_sends_nothing_else(addon: Any, props: Any, table: Any) -> None:
    info, group = table["text_to_model"].for_service(is_local=True), settings().text_to_model
    group.prompt, group.model_version, group.priority, group.image_seed, group.quad = "a chair", P1, 2, 7, True
    shown = {field.name for field in props.shown_fields(group, info)}
    assert not shown & {"model_version", "priority", "image_seed", "style_image", "check_printable", "extra"}
    assert {"prompt", "quad", "model_seed"} <= shown, "also what the unseen version would not take"
    assert props.from_panel(group, info) == {"prompt": "a chair", "quad": True, "model_version": "v3.1-20260211"}
    online = table["text_to_model"].for_service(is_local=False)
    assert props.from_panel(group, online) == {
        "prompt": "a chair", "model_version": P1, "priority": 2, "image_seed": 7,
    }  # fmt: skip


def test_which_fields_are_shown_is_worked_out_once(addon: Any, props: Any, table: Any) -> None:
    for is_local in (True, False):
        first, second = (table["text_to_model"].for_service(is_local=is_local) for _ in range(2))
        assert first is second
        assert props.shown_fields(settings().text_to_model, first) is props.shown_fields(
            settings().text_to_model, second
        )


def test_smart_segment_has_the_number_of_parts_where_the_engine_reads_it(addon: Any, props: Any, table: Any) -> None:
    local, online = (table["smart_segment"].for_service(is_local=is_local) for is_local in (True, False))
    group = settings().smart_segment
    assert props.from_panel(group, local) == {}
    group.parts = 4
    assert props.from_panel(group, local) == {"parameters": {"parts": 4}}
    group.parameters = '{"points": [], "parts": 9}'
    assert props.from_panel(group, local) == {"parameters": {"points": [], "parts": 4}}
    assert props.from_panel(group, online) == {"parameters": {"points": [], "parts": 9}}
    assert "parts" not in {field.name for field in online.fields}


def test_a_number_is_taken_from_auto_and_left_to_the_service_again(addon: Any, props: Any, table: Any) -> None:
    for name, info in table.items():
        group = getattr(settings(), name)
        for field in info.fields:
            if field.start is None:
                continue
            before = getattr(group, field.name)
            bpy.ops.assetgen.set_auto(capability=name, field=field.name, auto=True)
            assert field.read(getattr(group, field.name)) is None
            bpy.ops.assetgen.set_auto(capability=name, field=field.name)
            assert field.read(getattr(group, field.name)) is not None, (name, field.name)
            setattr(group, field.name, before)


def test_nothing_that_the_service_decides_is_called_default_or_left_empty(addon: Any, table: Any) -> None:
    for name, info in table.items():
        properties = getattr(settings(), name).bl_rna.properties
        for field in info.own_fields:
            item = properties[field.name]
            if item.type == "ENUM":
                assert "Default" not in {choice.name for choice in item.enum_items if choice.identifier == "AUTO"}
            elif field.kind in ("integer", "number") and field.unset is not None:
                assert field.start is not None, (name, field.name)
            elif item.type == "STRING" and not item.default:
                assert field.placeholder or field.empty or field.required, (name, field.name)


def test_every_capability_has_an_operator_and_fields_in_the_panel(addon: Any, table: Any) -> None:
    assert len(table) == 20
    for name, info in table.items():
        operator = getattr(bpy.ops.assetgen, name).get_rna_type()
        group = getattr(settings(), name)
        names = {field.name for field in info.fields}
        assert names <= set(operator.properties.keys())
        assert names <= set(group.bl_rna.properties.keys())


def test_each_group_remembers_its_operation(addon: Any) -> None:
    module = importlib.import_module(f"{addon.package}.addon.props.scene_settings")
    module.choose_capability(settings(), "retarget")
    module.choose_capability(settings(), "segment")
    assert (settings().group, module.chosen_capability(settings())) == ("Mesh", "segment")
    settings().group = "Animate"
    assert module.chosen_capability(settings()) == "retarget"
    settings().group = "Create"
    assert module.chosen_capability(settings()) == "text_to_model"


def test_fields_that_a_version_does_not_take_are_hidden_and_not_sent(addon: Any, props: Any, table: Any) -> None:
    info, group = table["text_to_model"], settings().text_to_model
    group.prompt, group.quad, group.geometry_quality = "a chair", True, "detailed"
    hidden = {"quad", "smart_low_poly", "generate_parts", "geometry_quality"}
    assert hidden <= {field.name for field in props.shown_fields(group, info)}
    assert props.from_panel(group, info)["quad"] is True
    group.model_version = P1
    assert not hidden & {field.name for field in props.shown_fields(group, info)}
    assert props.from_panel(group, info) == {"prompt": "a chair", "model_version": P1}


def test_the_panel_shows_one_form_of_each_thing(addon: Any, props: Any, table: Any) -> None:
    names = [field.name for field in props.shown_fields(settings().image_to_model, table["image_to_model"])]
    assert "input" not in names
    assert names.index("file") < names.index("model_version"), "what has to be filled in comes first"
    first = props.shown_fields(settings().text_to_model, table["text_to_model"])[0]
    assert first.name == "prompt"


@pytest.mark.parametrize("service", [{"runner": instant_runner}], indirect=True)
def test_a_version_is_suggested_by_the_panel_only(service: Any, addon: Any) -> None:
    settings().text_to_model.prompt = "a chair"
    assert bpy.ops.assetgen.text_to_model(use_panel_settings=True) == {"FINISHED"}
    step = addon.scripting.last_job().plan.steps[0]
    assert step.fields == {"prompt": "a chair", "model_version": "v3.1-20260211"}
    with pytest.raises(RuntimeError, match="Model Version"):
        bpy.ops.assetgen.text_to_model(prompt="a chair")


def test_a_suggestion_gives_way_to_what_says_more(addon: Any, props: Any, table: Any) -> None:
    group = settings().retarget
    assert props.from_panel(group, table["retarget"]) == {"animation": "preset:walk"}
    group.animations = "preset:run, preset:jump"
    assert props.from_panel(group, table["retarget"]) == {"animations": ["preset:run", "preset:jump"]}


def test_texts_with_examples_offer_those_that_fit(addon: Any) -> None:
    info = importlib.import_module(f"{addon.package}.addon.props.field_info")
    search = info.suggestions("preset:walk", "preset:quadruped:walk", "preset:run")
    assert search(None, None, "WALK") == ["preset:walk", "preset:quadruped:walk"]
    assert search(None, None, "preset:run") == ["preset:walk", "preset:quadruped:walk", "preset:run"]
    assert search(None, None, "dance") == []


def test_what_is_missing_is_said_before_run(addon: Any, props: Any, table: Any, tmp_path: Path) -> None:
    assert props.missing_input(settings().text_to_model, table["text_to_model"]) == "Prompt is empty"
    settings().text_to_model.prompt = "a chair"
    assert props.missing_input(settings().text_to_model, table["text_to_model"]) == ""
    assert props.missing_input(settings().image_to_model, table["image_to_model"]) == "Choose an image"
    settings().image_to_model.file = str(tmp_path / "chair.png")
    assert props.missing_input(settings().image_to_model, table["image_to_model"]) == ""
    assert props.missing_input(settings().decimate, table["decimate"]) == ""
    views = settings().multiview_to_model
    for name in ("left", "back"):
        setattr(views, name, str(tmp_path / "chair.png"))
    assert props.missing_input(views, table["multiview_to_model"]) == "Choose the front view and at least one more"
    views.front = str(tmp_path / "chair.png")
    assert props.missing_input(views, table["multiview_to_model"]) == ""


def test_views_of_a_job_replace_files(addon: Any, props: Any, table: Any) -> None:
    info, group = table["multiview_to_model"], settings().multiview_to_model
    group.front, group.left = "/front.png", "/left.png"
    assert props.from_panel(group, info).keys() >= {"front", "left"}
    group.original_model_task_id = "11111111-2222-3333-4444-555555555555"
    assert not {"front", "left"} & props.from_panel(group, info).keys()
    assert props.missing_input(group, info) == ""


@pytest.mark.parametrize(("kind", "text", "value"), [("list", "[1, 2]", [1, 2]), ("map", '{"a": 1}', {"a": 1})])
def test_json_fields(addon: Any, kind: str, text: str, value: Any) -> None:
    field_info = importlib.import_module(f"{addon.package}.addon.props.field_info")
    field = field_info.FieldInfo("x", kind, unset="")
    assert field.read(text) == value
    assert field.read("") is None
    for text in ("1", "{broken", '{"a": NaN}', "[Infinity]"):
        with pytest.raises(ValueError, match="is not a JSON"):
            field.read(text)


def test_pictures_of_the_file_can_be_chosen_but_no_maps(addon: Any) -> None:
    images = importlib.import_module(f"{addon.package}.addon.bridge.objects.image_files")
    assert images.pictures() == []
    bpy.data.images.new("Sketch", 4, 4)
    bpy.data.images.new("Sketched Normals", 4, 4).colorspace_settings.name = "Non-Color"
    material = bpy.data.materials.new("Wood")
    if material.node_tree is None:  # always there from 5.0 on
        material.use_nodes = True
    inner = bpy.data.node_groups.new("Planks", "ShaderNodeTree")
    for tree, name in ((material.node_tree, "Wood base_color"), (inner, "Grain")):
        tree.nodes.new("ShaderNodeTexImage").image = bpy.data.images.new(name, 4, 4)
    reference = bpy.data.objects.new("Reference", None)
    reference.empty_display_type = "IMAGE"
    reference.data = bpy.data.images["Grain"]
    assert [image.name for image in images.pictures()] == ["Grain", "Sketch"]
    assert bpy.ops.assetgen.take_image(capability="image_to_model", field="file", image="Sketch") == {"FINISHED"}
    assert settings().image_to_model.file == "image:Sketch"


@pytest.mark.parametrize("service", [{"runner": instant_runner}], indirect=True)
def test_written_images_are_kept_while_a_job_needs_them(service: Any, addon: Any) -> None:
    bpy.data.images.new("Sketch", 4, 4)
    assert bpy.ops.assetgen.image_to_multiview(file="image:Sketch") == {"FINISHED"}
    needed = Path(addon.scripting.last_job().plan.steps[0].fields["file"])
    old, young = needed.with_name("old.png"), needed.with_name("young.png")
    for path in (old, young):
        path.write_bytes(tiny_png())
    for path in (old, needed):
        os.utime(path, (0, 0))
    assert bpy.ops.assetgen.text_to_image(prompt="a chair") == {"FINISHED"}
    assert sorted(needed.parent.iterdir()) == sorted([needed, young])


@pytest.mark.parametrize("service", [{"runner": instant_runner}], indirect=True)
def test_a_price_is_shown_before_it_is_paid(service: Any, addon: Any, table: Any) -> None:
    costs = importlib.import_module(f"{addon.package}.addon.ops.costs")
    group, found = settings().text_to_model, addon.session.settings
    group.prompt, group.model_version = "a chair", "P2-20260801"
    addon.session.runtime()
    assert costs.price_text(table["text_to_model"], group, found, uploads=False) == "110 credits"
    group.texture = group.pbr = False
    assert costs.price_text(table["text_to_model"], group, found, uploads=False) == "100 credits"
    assert costs.button_words(table["text_to_model"], group, uploads=0, jobs=1) == "100 credits"
    add_mesh("Thing")
    decimate = settings().decimate
    assert costs.price_text(table["decimate"], decimate, found, uploads=True) == costs.UNKNOWN
    assert bpy.ops.assetgen.decimate(use_panel_settings=True) == {"FINISHED"}
    paid = sum(float(step.credits) for step in addon.scripting.last_job().steps)
    assert costs.price_text(table["decimate"], decimate, found, uploads=True) == (
        f"About {paid:g} credits: what the last one like it cost"
    )
    words = costs.button_words(table["decimate"], decimate, uploads=1, jobs=2)
    assert words.startswith("about ") and words.endswith(" credits")
    local = found._replace(base_url="")
    assert costs.price_text(table["decimate"], decimate, local, uploads=True) == "", "the local engine is free"


@pytest.mark.parametrize("service", [{"runner": instant_runner}], indirect=True)
def test_a_budget_asks_before_a_press_that_it_has_no_room_for(
    service: Any, addon: Any, table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    costs = importlib.import_module(f"{addon.package}.addon.ops.costs")
    values = bpy.context.preferences.addons[addon.package].preferences
    fields = {"prompt": "a chair", "model_version": "P2-20260801"}
    info = table["text_to_model"]
    add_mesh("Thing")
    assert bpy.ops.assetgen.decimate(face_limit=2000) == {"FINISHED"}
    paid = sum(float(step.credits) for step in addon.scripting.last_job().steps)
    assert costs.budget_question(info, fields, 1) == "", "there is no budget"
    values.monthly_budget = 110 + int(paid)
    assert costs.budget_question(info, fields, 1) == ""
    assert costs.budget_question(info, fields, 2) == (
        f"This month has cost {paid:g} of the {values.monthly_budget} credits of your budget; this costs 220 more."
    )
    assert costs.budget_question(table["rig"], {}, 1) == "", (
        "what is not known is no reason to ask before it is used up"
    )
    values.monthly_budget = max(1, int(paid))
    assert costs.budget_question(table["rig"], {}, 1).endswith("what this costs is not known.")
    said: list[str] = []
    monkeypatch.setattr(costs, "paragraph", lambda _layout, words, *_rest, **_more: said.append(words))
    costs.draw_budget(None, bpy.context, info, fields, 1)
    assert said == [costs.budget_question(info, fields, 1)], "dialogs say it: their own button is the answer"
    values.monthly_budget = 0


def test_the_selection_does_not_matter_to_what_needs_none(addon: Any, table: Any) -> None:
    sources = importlib.import_module(f"{addon.package}.addon.ops.sources")
    add_mesh("Thing")
    found = addon.session.settings
    assert sources.panel_source(bpy.context, table["text_to_image"], found) is None
    source = sources.panel_source(bpy.context, table["texture"], found)
    assert (source.selection.title, source.uploads) == ("Thing", True)


@pytest.mark.parametrize("service", [{"runner": instant_runner}], indirect=True)
def test_only_fields_of_images_name_images_of_the_file(service: Any, addon: Any) -> None:
    assert bpy.ops.assetgen.text_to_image(prompt="image: a castle in the clouds") == {"FINISHED"}
    (step,) = addon.scripting.last_job().plan.steps
    assert step.fields == {"prompt": "image: a castle in the clouds"}


@pytest.mark.parametrize("service", [{"runner": instant_runner}], indirect=True)
def test_images_whose_names_hold_a_semicolon_are_sent(service: Any, addon: Any, tmp_path: Path) -> None:
    path = tmp_path / "front; side.png"
    path.write_bytes(tiny_png())
    bpy.data.images.new("Ä; 2", 4, 4)
    group = settings().image_to_image
    group.prompt = "a chair"
    bpy.ops.assetgen.choose_files(
        capability="image_to_image", field="files", directory=str(tmp_path), files=[{"name": path.name}]
    )
    with bpy.context.temp_override(area=bpy.context.window_manager.windows[0].screen.areas[0]):
        assert bpy.ops.assetgen.take_image(capability="image_to_image", field="files", image="Ä; 2") == {"FINISHED"}
    assert group.files == f'"{path}"; "image:Ä; 2"'
    assert bpy.ops.assetgen.image_to_image(use_panel_settings=True) == {"FINISHED"}
    (step,) = addon.scripting.last_job().plan.steps
    assert step.fields["files"][0] == str(path)
    assert len(step.fields["files"]) == 2


def test_all_kinds_of_images_that_the_service_takes_can_be_chosen(addon: Any) -> None:
    formats = importlib.import_module(f"{addon.package}.vendor.assetgen.contract").IMAGE_FORMATS
    images = importlib.import_module(f"{addon.package}.addon.bridge.objects.image_files")
    assert {f".{name}" for name in formats} == images.FORMATS - {".tif"}


@pytest.mark.parametrize("text", ["a red chair " * 10_000, "x" * 100_000], ids=["words", "one word"])
def test_a_text_of_any_length_is_laid_out_at_once(addon: Any, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = importlib.import_module(f"{addon.package}.addon.text_layout")
    measured: list[int] = []
    width = layout._width

    def count(words: str) -> float:
        measured.append(len(words))
        return float(width(words))

    monkeypatch.setattr(layout, "_width", count)
    layout.lines_of.cache_clear()
    lines = layout.lines_of(text, 200.0, 11.0)
    assert len(lines) == layout.MOST_LINES + 1
    assert lines[-1] == "..."
    assert sum(measured) < 200_000, "not all of it is measured, and nothing again and again"
    assert layout.lines_of("a red chair " * 3, 200.0, 11.0)[-1] != "..."


def test_a_long_name_keeps_its_beginning_and_its_end(addon: Any) -> None:
    layout = importlib.import_module(f"{addon.package}.addon.text_layout")
    name = "Text to Model: a red wooden chair with a woven seat, number 41"
    whole, half = (layout.without_middle(name, width, 11.0) for width in (1000.0, 150.0))
    assert whole == name
    assert half.startswith("Text to") and half.endswith(" 41") and "\u2026" in half
    assert layout._width(half) <= 150.0 < layout._width(name)
    assert len(layout.without_middle("x" * 100_000, 150.0, 11.0)) < 60
    assert layout.without_middle("chair", 1.0, 11.0)
