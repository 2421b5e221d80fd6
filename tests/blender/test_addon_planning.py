"""From a call to a plan: what each capability takes, and what is said when that is not there."""

from __future__ import annotations

import importlib
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest
from asset_generation.addon.core.jobs.late_files import late_files
from asset_generation.addon.core.jobs.staged_files import with_moved_files
from mathutils import Matrix
from support.addon import add_mesh, select
from support.models.meshes import read_png
from support.services.local_engine import instant_runner, tiny_png

TASK = "11111111-2222-3333-4444-555555555555"
OTHER = "99999999-2222-3333-4444-555555555555"
VERSION = "v3.1-20260211"

Plan = Callable[..., Any]


@pytest.fixture
def plan(service: Any, addon: Any) -> Plan:
    planning = importlib.import_module(f"{addon.package}.addon.ops.planning")
    table = importlib.import_module(f"{addon.package}.addon.props.task_properties").CAPABILITIES

    def make(name: str, *, changes: Any = None, settings: Any = None, staged: Any = None, **fields: Any) -> Any:
        info, folder = table[name]._replace(**(changes or {})), staged or addon.data
        made = planning.plan(bpy.context, info, fields, settings or addon.session.settings, folder)
        renamed = late_files.wait_for(folder)
        return with_moved_files(made, folder, folder, renamed)[0]

    return make


@pytest.fixture
def refusal(plan: Plan, addon: Any) -> Callable[..., str]:
    errors = importlib.import_module(f"{addon.package}.addon.core.errors")

    def words(name: str, **fields: Any) -> str:
        with pytest.raises(errors.CoreError) as caught:
            plan(name, **fields)
        return str(caught.value)

    return words


def mark(addon: Any, item: Any, capability: str, *, task: str = TASK, placed: Any = None, **more: Any) -> None:
    """Marks an object as the result of a task."""
    service = more.pop("service", addon.session.settings.service_id)
    made = addon.provenance.TaskProvenance(task, service, capability, **more)
    addon.provenance.write([item], made, placed or Matrix.Identity(4), ["unknown"])


def rigged(name: str = "Hero") -> tuple[Any, Any]:
    """A mesh that an armature moves."""
    mesh = add_mesh(name, "cube")
    armature = bpy.data.objects.new(f"{name} Rig", bpy.data.armatures.new(name))
    bpy.context.scene.collection.objects.link(armature)
    mesh.parent = armature
    mesh.modifiers.new("Armature", "ARMATURE").object = armature
    bpy.context.view_layer.update()
    return mesh, armature


def test_words_need_no_selection_and_arrive_at_the_cursor(plan: Plan) -> None:
    bpy.context.scene.cursor.location = (1, 2, 3)
    made = plan("text_to_model", prompt="a red wooden chair", model_version=VERSION)
    assert made.name == "Text to Model: a red wooden chair"
    assert made.source.kind == "nothing"
    assert [(step.capability, step.fields) for step in made.steps] == [
        ("text_to_model", {"prompt": "a red wooden chair", "model_version": VERSION})
    ]
    place = made.delivery.placement
    assert place.frame[3::4] == (1, 2, 3, 1)
    assert not place.sources
    assert place.collection == "Work", "where things are added, as Blender's own Add menu does it"


def test_a_long_prompt_makes_a_short_name(plan: Plan) -> None:
    words = "a red wooden chair with a woven seat, carved legs and a high back, as in an old farmhouse"
    assert plan("text_to_model", prompt=words, model_version=VERSION).name == (
        "Text to Model: a red wooden chair with a woven seat..."
    )


def test_an_image_gives_its_name(plan: Plan, tmp_path: Path) -> None:
    path = tmp_path / "chair front.png"
    path.write_bytes(tiny_png())
    made = plan("image_to_model", file=str(path), model_version=VERSION)
    assert made.name == "Image to Model: chair front"
    assert made.source.kind == "nothing"
    assert made.steps[0].fields["file"] == str(path)


def test_images_have_no_place_in_the_scene(plan: Plan) -> None:
    assert plan("text_to_image", prompt="a lighthouse").delivery.placement is None


def test_a_painted_image_of_the_file_is_written(plan: Plan) -> None:
    image = bpy.data.images.new("Sketch", 2, 2)
    image.pixels.foreach_set([1.0, 0.5, 0.0, 1.0] * 4)
    image.update()
    before = set(bpy.data.images)
    made = plan("image_to_model", file="image:Sketch", model_version=VERSION)
    assert made.name == "Image to Model: Sketch"
    path = Path(made.steps[0].fields["file"])
    assert read_png(path.read_bytes())[0, 0].tolist()[:3] == [255, 128, 0]
    assert set(bpy.data.images) == before and image.is_dirty
    again = plan("image_to_image", files=["image:Sketch", str(path)], prompt="in winter")
    assert again.steps[0].fields["files"] == [str(path), str(path)], "the same pixels are one file"


def test_linear_pixels_are_encoded(plan: Plan) -> None:
    image = bpy.data.images.new("Light", 1, 1, float_buffer=True)
    image.pixels.foreach_set([0.2140411, 0.0, 1.0, 1.0])
    image.update()
    path = Path(plan("image_to_model", file="image:Light", model_version=VERSION).steps[0].fields["file"])
    assert read_png(path.read_bytes())[0, 0].tolist()[:3] == [pytest.approx(128, abs=1), 0, 255]


def test_an_image_that_has_a_file_is_sent_as_it_is(plan: Plan, tmp_path: Path) -> None:
    path = tmp_path / "photo.png"
    path.write_bytes(tiny_png())
    image = bpy.data.images.load(str(path))
    assert plan("image_to_splat", file=f"image:{image.name}").steps[0].fields["file"] == str(path)
    image.pack()
    path.unlink()
    packed = Path(plan("image_to_splat", file=f"image:{image.name}").steps[0].fields["file"])
    assert packed.read_bytes() == tiny_png()


def add_render(folder: Path) -> bpy.types.Image:
    """A render of nothing but a colour, seen through the scene's own view as in ``seen.png``."""
    scene = bpy.context.scene
    scene.render.engine, scene.cycles.samples = "CYCLES", 1
    scene.render.resolution_x, scene.render.resolution_y = 6, 4
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.world = bpy.data.worlds.new("World")
    scene.world.color = (0.2, 0.6, 0.1)
    bpy.ops.render.render()
    image = bpy.data.images["Render Result"]
    scene.render.image_settings.color_mode = "RGBA"
    image.save_render(str(folder / "seen.png"))  # it counts as there once it was shown
    return image


def test_the_last_render_goes_out_as_it_is_seen(plan: Plan, tmp_path: Path) -> None:
    image, settings = add_render(tmp_path), bpy.context.scene.render.image_settings
    settings.color_mode = "BW"
    path = Path(plan("image_to_splat", file=f"image:{image.name}").steps[0].fields["file"])
    seen, sent = read_png((tmp_path / "seen.png").read_bytes()), read_png(path.read_bytes())
    assert path.suffix == ".png" and sent.shape == (4, 6, 4)
    assert (sent == seen).all() and len(set(sent[0, 0, :3].tolist())) > 1
    assert settings.color_mode == "BW"


def test_a_blender_is_started_at_the_press_for_what_has_to_be_uploaded_and_for_nothing_else(
    service: Any, addon: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    monkeypatch.setattr(type(addon.session), "prepare_conversion", lambda self: begun.append(stage))
    stage = "an unknown mesh"
    add_mesh("Thing", "cube")
    bpy.ops.assetgen.decimate(face_limit=900)
    stage = "a result as it came"
    (result,) = addon.scripting.result_objects()
    select(result)
    bpy.ops.assetgen.texture(text="rust")
    stage = "words"
    addon.scripting.start("text_to_image", prompt="a chair")
    assert begun == ["an unknown mesh"]


@pytest.mark.parametrize("service", [{"runner": instant_runner}], indirect=True)
@pytest.mark.parametrize("kind", ["painted", "packed", "rendered"])
def test_no_image_is_encoded_or_written_by_a_press(
    service: Any, addon: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """That takes several times as long as to copy what it shows."""
    if kind == "rendered":
        image = add_render(tmp_path)
    elif kind == "packed":
        (tmp_path / "photo.png").write_bytes(tiny_png())
        image = bpy.data.images.load(str(tmp_path / "photo.png"))
        image.pack()
    else:
        image = bpy.data.images.new("Sketch", 2, 2)
        image.update()
    image_files = importlib.import_module(f"{addon.package}.addon.bridge.objects.image_files")
    writers: list[str] = []
    store = image_files._store

    def watched(content: bytes, folder: Path, suffix: str) -> Path:
        writers.append(threading.current_thread().name)
        return Path(store(content, folder, suffix))

    monkeypatch.setattr(image_files, "_store", watched)
    assert bpy.ops.assetgen.image_to_multiview(file=f"image:{image.name}") == {"FINISHED"}
    sent = Path(addon.scripting.last_job().plan.steps[0].fields["file"])
    assert sent.is_file() and sent.parent == addon.data / "images"
    assert writers == ["assetgen-late-files"]


def test_an_image_that_is_not_there(refusal: Any) -> None:
    assert refusal("image_to_model", file="image:Nowhere") == 'There is no image "Nowhere" in this file'


def test_a_mesh_is_imported_first_unless_its_task_is_known(plan: Plan, addon: Any) -> None:
    item = add_mesh("Thing")
    made = plan("rig_check")
    assert (made.source.kind, [step.capability for step in made.steps]) == ("selection", ["import_model", "rig_check"])
    addon.provenance.write(
        [item],
        addon.provenance.TaskProvenance(TASK, addon.session.settings.service_id, "texture"),
        Matrix.Identity(4),
        [addon.fingerprint.fingerprint(item)],
    )
    made = plan("rig")
    assert (made.source.kind, made.source.task_id) == ("task", TASK)
    assert made.source.capability == "texture"
    assert [step.capability for step in made.steps] == ["rig"]


NEEDS = {
    "retarget": ("rig", "Retarget works on a rigged result: run Rig first and select it"),
    "complete": ("segment", "Complete works on a segmented result: run Segment or Smart Segment first and select it"),
    "refine": ("text_to_model", "Refine works on a draft: run Text to Model first and select it"),
}
FIELDS: dict[str, dict[str, Any]] = {"retarget": {"animation": "preset:walk"}}


@pytest.mark.parametrize("name", NEEDS)
def test_what_works_on_certain_results_says_so(name: str, refusal: Any, addon: Any) -> None:
    words = NEEDS[name][1]
    select()
    assert refusal(name, **FIELDS.get(name, {})) == words
    item = add_mesh("Thing")
    assert refusal(name, **FIELDS.get(name, {})) == words
    mark(addon, item, "texture")
    assert refusal(name, **FIELDS.get(name, {})) == words
    assert not list(addon.data.glob("snapshots/*"))


@pytest.mark.parametrize("name", NEEDS)
def test_what_works_on_certain_results_takes_them(name: str, plan: Plan, addon: Any) -> None:
    item = add_mesh("Thing")
    mark(addon, item, NEEDS[name][0])
    item.data.vertices[0].co.x += 1  # the service works on what it has itself
    made = plan(name, **FIELDS.get(name, {}))
    assert (made.source.kind, made.source.task_id) == ("task", TASK)
    assert [step.capability for step in made.steps] == [name]
    assert [source for source, _ in made.delivery.placement.sources] == ["Thing"]


def test_another_motion_for_what_has_one_already(plan: Plan, addon: Any) -> None:
    item = add_mesh("Thing")
    mark(addon, item, "retarget", task=OTHER, source_task=TASK, source_capability="rig")
    assert plan("retarget", animation="preset:run").source.task_id == TASK


def test_an_armature_counts_as_its_meshes(plan: Plan, addon: Any) -> None:
    mesh, armature = rigged()
    mark(addon, mesh, "rig")
    select(armature)
    made = plan("retarget", animation="preset:walk")
    assert made.name == "Retarget Hero: walk"
    assert made.source.task_id == TASK


@pytest.mark.parametrize(
    ("capability", "fields", "name"),
    [
        ("convert", {"format": "STL"}, "Convert Thing: STL"),
        ("stylize", {"style": "fridge_magnet"}, "Stylize Thing: fridge magnet"),
        ("texture", {"text": "rusty iron"}, "Texture Thing: rusty iron"),
        ("texture", {"pbr": False}, "Texture Thing"),
        ("rig", {}, "Rig Thing"),
        ("retarget", {"animation": "preset:quadruped:walk"}, "Retarget Thing: quadruped walk"),
        ("retarget", {"animations": ["preset:walk", "preset:run"]}, "Retarget Thing: walk, run"),
    ],
)
def test_a_job_is_named_after_what_is_done(
    plan: Plan, addon: Any, capability: str, fields: dict[str, Any], name: str
) -> None:
    mark(addon, add_mesh("Thing"), "rig")
    assert plan(capability, **fields).name == name


def test_a_result_of_another_service(refusal: Any, addon: Any) -> None:
    mark(addon, add_mesh("Thing"), "rig", service="api.service.example")
    words = refusal("retarget", animation="preset:walk")
    assert words == ("This result is known to api.service.example only: choose it in the preferences, or run Rig again")


def test_a_scaled_result_keeps_its_size(plan: Plan, addon: Any) -> None:
    item = add_mesh("Thing")
    mark(addon, item, "rig")
    item.scale = (2, 2, 2)
    bpy.context.view_layer.update()
    place = plan("retarget", animation="preset:walk").delivery.placement
    assert addon.transforms.from_numbers(place.frame).to_scale()[:] == pytest.approx((2, 2, 2))
    assert place.bounds == (), "the box of a pose says nothing about the next one"


def test_views_are_named(plan: Plan, refusal: Any) -> None:
    assert refusal("edit_multiview", front="a hat") == (
        "Edit Multiview works on the views of an earlier job: choose one, or run Image to Multiview first"
    )
    made = plan("edit_multiview", front="a hat", original_task_id=TASK)
    assert (made.source.kind, made.source.task_id) == ("task", TASK)
    assert made.steps[0].fields == {"front": "a hat"}
    made = plan("multiview_to_model", original_model_task_id=TASK, model_version=VERSION)
    assert made.source.kind == "nothing"
    assert made.steps[0].fields == {"original_model_task_id": TASK, "model_version": VERSION}


def test_what_the_local_engine_cannot_do_is_refused_before_it_is_asked(
    plan: Plan, addon: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ASSETGEN_BASE_URL")
    errors = importlib.import_module(f"{addon.package}.addon.core.errors")
    with pytest.raises(errors.Refused, match="Text to Image is not in the local engine yet"):
        plan("text_to_image", changes={"local": False}, settings=addon.prefs.settings(), prompt="a lighthouse")


@pytest.mark.parametrize("field", ["file", "input"])
def test_an_uploaded_file_is_imported_by_its_token(plan: Plan, field: str) -> None:
    made = plan("import_model", **{field: "file_" + TASK})
    assert (made.name, made.source.kind) == ("Import Model an uploaded file", "nothing")
    assert dict(made.steps[0].fields) == {field: "file_" + TASK}


def breaks_off(path: Path, content: bytes) -> int:
    """Writes as on a disk that is full."""
    with path.open("wb") as file:
        file.write(content[:30])
    raise OSError(28, "No space left on device")


def test_an_image_file_that_a_job_may_be_sending_is_not_written_again(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = bpy.data.images.new("Sketch", 2, 2)
    image.update()
    path = Path(plan("image_to_splat", file="image:Sketch").steps[0].fields["file"])
    content = path.read_bytes()
    os.utime(path, (0, 0))
    monkeypatch.setattr(Path, "write_bytes", breaks_off)
    assert plan("image_to_splat", file="image:Sketch").steps[0].fields["file"] == str(path)
    assert path.read_bytes() == content
    assert path.stat().st_mtime > 1_000_000, "it is kept as long as one that is new"


def test_an_image_file_is_there_whole_or_not_at_all(
    plan: Plan, refusal: Any, addon: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    bpy.data.images.new("Sketch", 2, 2).update()
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", breaks_off)
        assert "No space left on device" in refusal("image_to_splat", file="image:Sketch")
    assert not list((addon.data / "images").iterdir())
    path = Path(plan("image_to_splat", file="image:Sketch", staged=addon.data / "again").steps[0].fields["file"])
    assert read_png(path.read_bytes()).shape[:2] == (2, 2)


def test_the_menu_of_images_keeps_its_words_and_numbers(addon: Any) -> None:
    inputs = importlib.import_module(f"{addon.package}.addon.ops.inputs")
    sketch = bpy.data.images.new("Sketch", 2, 2)
    before = inputs._image_items(None, None)
    words = before[0][0]
    bpy.data.images.new("A Picture", 2, 2)
    sketch.name = "Another"
    inputs._image_items(None, None)
    sketch.name = "Sketch"
    after = next(item for item in inputs._image_items(None, None) if item[0] == "Sketch")
    assert after[0] is words, "Blender may still point to the text that it was given first"
    assert before == [after], "what was chosen by its number stays chosen"
