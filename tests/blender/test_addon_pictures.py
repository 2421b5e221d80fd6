"""Pictures taken for fields, as far as they can be taken without a window."""

from __future__ import annotations

import importlib
import threading
import zlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from support.addon import add_mesh
from support.services.local_engine import instant_runner, tiny_png

FIELD = {"capability": "image_to_model", "field": "file"}


def group() -> Any:
    return bpy.context.scene.asset_generation.image_to_model


def captures(addon: Any, name: str) -> Any:
    return importlib.import_module(f"{addon.package}.addon.bridge.captures.{name}")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("VIEWPORT", "Without a window there is no viewport"),
        ("CAMERA", "The scene has no active camera. Add a camera"),
        ("RENDER", "Nothing was rendered yet. Render an image first"),
        ("CLIPBOARD", "There is no image on the clipboard. Copy an image"),
    ],
)
def test_a_refusal_says_what_to_do(addon: Any, source: str, words: str) -> None:
    group().file = "before.png"
    with pytest.raises(RuntimeError, match=words):
        bpy.ops.assetgen.take_picture(**FIELD, source=source)
    assert group().file == "before.png"


def test_a_camera_needs_a_window_too(addon: Any) -> None:
    scene = bpy.context.scene
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    with pytest.raises(RuntimeError, match="Without a window there is no viewport"):
        bpy.ops.assetgen.take_picture(**FIELD, source="CAMERA")


def test_views_need_something_that_can_be_seen(addon: Any) -> None:
    assert not bpy.ops.assetgen.take_views.poll()
    add_mesh("Thing")
    assert bpy.ops.assetgen.take_views.poll()
    with pytest.raises(RuntimeError, match="Without a window"):
        bpy.ops.assetgen.take_views(capability="multiview_to_model")
    assert [scene.name for scene in bpy.data.scenes] == ["Scene"]


def test_no_image_empties_the_field(addon: Any) -> None:
    group().file = "before.png"
    assert bpy.ops.assetgen.take_picture(**FIELD, source="NONE") == {"FINISHED"}
    assert group().file == ""


@pytest.mark.parametrize("service", [{"runner": instant_runner}], indirect=True)
def test_a_taken_picture_outlives_the_folder_that_it_was_taken_into(service: Any, addon: Any, tmp_path: Path) -> None:
    images = importlib.import_module(f"{addon.package}.addon.bridge.objects.image_files")
    taken = tmp_path / "Viewport.png"
    taken.write_bytes(tiny_png())
    images.remember_taken(taken)
    group().file = str(taken)
    assert bpy.ops.assetgen.image_to_model(use_panel_settings=True) == {"FINISHED"}
    job = addon.scripting.last_job()
    sent = Path(job.plan.steps[0].fields["file"])
    assert sent.is_relative_to(addon.data) and sent.read_bytes() == tiny_png()
    assert job.name == "Image to Model: Viewport"
    taken.unlink()
    with pytest.raises(RuntimeError, match=r'The picture "Viewport" is not there any more. Take it again'):
        bpy.ops.assetgen.image_to_model(use_panel_settings=True)


@pytest.mark.parametrize("service", [{"runner": instant_runner}], indirect=True)
def test_a_job_waits_for_a_picture_that_was_taken_a_moment_ago(service: Any, addon: Any, tmp_path: Path) -> None:
    images = importlib.import_module(f"{addon.package}.addon.bridge.objects.image_files")
    go_on, path = threading.Event(), tmp_path / "Viewport.png"

    def save(path: Path) -> None:
        assert go_on.wait(10)
        path.write_bytes(tiny_png())

    images.write_taken(SimpleNamespace(nbytes=1, save=save), path)
    assert not path.exists(), "nothing is encoded by who takes it"
    group().file = str(path)
    threading.Timer(0.2, go_on.set).start()
    assert bpy.ops.assetgen.image_to_model(use_panel_settings=True) == {"FINISHED"}
    assert Path(addon.scripting.last_job().plan.steps[0].fields["file"]).read_bytes() == tiny_png()


def test_a_copied_path_counts_as_a_picture(addon: Any, tmp_path: Path) -> None:
    clipboard = captures(addon, "clipboard")
    path = tmp_path / "a chair.png"
    path.write_bytes(tiny_png())
    for text in (str(path), f'"{path}"\n', path.as_uri()):
        assert clipboard.copied_path(text) == path
    for text in ("", "chair.png", str(tmp_path), f"{path}\n{path}", str(tmp_path / "none.png"), "\0.png"):
        assert clipboard.copied_path(text) is None


def test_pixels_become_a_png_as_they_are(addon: Any, tmp_path: Path) -> None:
    np = pytest.importorskip("numpy")
    pixels = np.arange(2 * 3 * 4, dtype=np.uint8).reshape(2, 3, 4)
    pixels[..., 3] = 255
    path = tmp_path / "x.png"
    importlib.import_module(f"{addon.package}.addon.bridge.objects.png").write(pixels, path)
    image = bpy.data.images.load(str(path))
    assert tuple(image.size) == (3, 2)
    read = np.round(np.array(image.pixels[:]).reshape(2, 3, 4) * 255).astype(np.uint8)
    assert (read == pixels).all(), "the bottom row first, in both"
    assert zlib.crc32(b"IEND").to_bytes(4, "big") == path.read_bytes()[-4:]


def test_the_image_of_a_selected_reference_can_be_used(addon: Any) -> None:
    use = bpy.ops.assetgen.use_shown_image
    assert not use.poll()
    reference = bpy.data.objects.new("Reference", None)
    bpy.context.scene.collection.objects.link(reference)
    bpy.context.view_layer.objects.active = reference
    reference.select_set(True)
    assert not use.poll(), "it shows no image"
    reference.empty_display_type = "IMAGE"
    reference.data = bpy.data.images.new("Plan; side", 4, 4)
    assert use(capability="image_to_model") == use(capability="image_to_image") == {"FINISHED"}
    settings = bpy.context.scene.asset_generation
    assert settings.image_to_model.file == "image:Plan; side"
    assert settings.image_to_image.files == '"image:Plan; side"', "one of several, whatever its name"
    reference.data = bpy.data.images.new("Skin", 4, 4, tiled=True)
    with pytest.raises(RuntimeError, match="divided into UDIM tiles"):
        use(capability="image_to_model")
