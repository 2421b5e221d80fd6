"""Painted pixels are copied at the press and become files after it, as Blender itself would have written them."""

from __future__ import annotations

import importlib
import threading
import time
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from asset_generation.addon.core.jobs.late_files import late_files


@pytest.fixture
def unsaved_images(addon: Any) -> Any:
    return importlib.import_module(f"{addon.package}.addon.bridge.objects.unsaved_images")


@pytest.fixture
def pixel_copies(addon: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """With copies ahead for images of any size."""
    module = importlib.import_module(f"{addon.package}.addon.bridge.objects.pixel_copies")
    monkeypatch.setattr(module, "LARGE_BYTES", 1)
    return module


def painted(name: str = "Paint", width: int = 40, height: int = 24, *, is_float: bool = False) -> Any:
    image = bpy.data.images.new(name, width, height, alpha=True, float_buffer=is_float)
    values = np.random.default_rng(1).random(width * height * 4, dtype=np.float32)
    image.pixels.foreach_set(values * 3 if is_float else values)
    return image


def values_of(image: Any) -> Any:
    values = np.empty(len(image.pixels), dtype=np.float32)
    image.pixels.foreach_get(values)
    return values


@pytest.mark.parametrize("is_float", [False, True], ids=["bytes", "floats"])
def test_the_file_holds_what_was_painted(unsaved_images: Any, tmp_path: Path, is_float: bool) -> None:
    image = painted(is_float=is_float)
    images = unsaved_images.save_unsaved([image], tmp_path / "a.blend")
    late_files.wait_for(tmp_path)
    assert list(images) == ["Paint"] and Path(images["Paint"]).suffix == (".exr" if is_float else ".png")
    read = bpy.data.images.load(images["Paint"])
    assert tuple(read.size) == (40, 24) and read.is_float == is_float
    read.alpha_mode = "CHANNEL_PACKED"  # as the numbers are
    np.testing.assert_allclose(values_of(read), values_of(image), atol=1e-6)


def test_linear_floats_become_bytes_on_the_srgb_curve(unsaved_images: Any, tmp_path: Path) -> None:
    image = bpy.data.images.new("Light", 2, 2, alpha=True, float_buffer=True)
    image.pixels.foreach_set(np.array([0.5, 0.001, 4.0, 0.5] * 4, dtype=np.float32))
    unsaved_images.pixels_of(image).save(tmp_path / "own.png")
    values = values_of(bpy.data.images.load(str(tmp_path / "own.png")))
    np.testing.assert_allclose(values[:4] * 255, [188, 3, 255, 128], atol=0.1)


def test_what_happens_after_the_press_changes_nothing(unsaved_images: Any, tmp_path: Path) -> None:
    go_on = threading.Event()
    late_files.add(tmp_path / "first", 1, lambda path: path.touch() if go_on.wait(10) else None)
    image = painted()
    before = values_of(image)
    (path,) = unsaved_images.save_unsaved([image], tmp_path / "a.blend").values()
    image.pixels.foreach_set(np.zeros_like(before))
    bpy.data.images.remove(image)
    assert not Path(path).exists()
    go_on.set()
    late_files.wait_for(tmp_path)
    np.testing.assert_allclose(values_of(bpy.data.images.load(path)), before, atol=1e-6)


def test_a_press_does_not_wait_for_the_encoding(unsaved_images: Any, tmp_path: Path) -> None:
    """Against Blender's own encoding of the same image in the same process: no limit in seconds."""
    image = painted(width=2048, height=2048)
    began = time.thread_time()
    unsaved_images.save_unsaved([image], tmp_path / "a.blend")
    press = time.thread_time() - began
    image.file_format, image.filepath_raw = "PNG", str(tmp_path / "blenders.png")
    began = time.process_time()
    image.save()
    assert press < (time.process_time() - began) / 2
    late_files.wait_for(tmp_path)


def made(copies: Any) -> int:
    """Makes copies as a press that waits does; how many steps that took."""
    deadline, steps = time.monotonic() + 30, 0
    while not copies.step():
        assert time.monotonic() < deadline, "waited in vain"
        steps += 1
        time.sleep(0.001)
    return steps


def test_a_press_goes_on_with_the_copies_that_were_made_before(
    unsaved_images: Any, pixel_copies: Any, tmp_path: Path
) -> None:
    images = [painted("One"), painted("Two", is_float=True)]
    before = [values_of(image) for image in images]
    copies = pixel_copies.PixelCopies.of(images)
    assert made(copies) > 0
    for image, values in zip(images, before, strict=True):
        image.pixels.foreach_set(np.zeros_like(values))
    with copies.used():
        files = unsaved_images.save_unsaved(images, tmp_path / "a.blend")
        assert unsaved_images.pixels_of(images[0]) is unsaved_images.pixels_of(images[0])
    assert not values_of(images[0]).any() and not unsaved_images.pixels_of(images[0]).values.any(), "then as it is"
    late_files.wait_for(tmp_path)
    read = [bpy.data.images.load(files[name]) for name in ("One", "Two")]
    for image, values in zip(read, before, strict=True):
        image.alpha_mode = "CHANNEL_PACKED"
        np.testing.assert_allclose(values_of(image), values, atol=1e-6)


def test_what_is_small_is_copied_at_the_press(pixel_copies: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    image = painted()
    monkeypatch.setattr(pixel_copies, "LARGE_BYTES", 40 * 24 * 4 * 4 + 1)
    assert pixel_copies.PixelCopies.of([image]) is None
    assert pixel_copies.PixelCopies.of([image, painted("Other")]) is not None


def test_an_image_that_changed_meanwhile_is_left_to_the_press(unsaved_images: Any, pixel_copies: Any) -> None:
    gone, scaled, there = painted("Gone"), painted("Scaled"), painted("There")
    copies = pixel_copies.PixelCopies.of([gone, scaled, there])
    bpy.data.images.remove(gone)
    scaled.scale(10, 10)
    there.name = "Renamed"
    made(copies)
    with copies.used():
        assert unsaved_images.pixels_of(scaled).width == 10
        assert unsaved_images.pixels_of(there) is unsaved_images.pixels_of(there)


def test_copies_wait_for_room_and_hold_nobody_up(pixel_copies: Any, tmp_path: Path) -> None:
    go_on = threading.Event()
    late_files.add(tmp_path / "a", 1 << 30, lambda path: path.touch() if go_on.wait(10) else None)
    copies = pixel_copies.PixelCopies.of([painted()])
    assert not any(copies.step() for _ in range(5)) and not copies._made
    go_on.set()
    made(copies)
    assert copies._made


def test_where_there_is_no_memory_the_press_is_left_to_say_so(
    pixel_copies: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = pixel_copies.PixelCopies.of([painted()])

    def no_memory(*_: Any, **__: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(pixel_copies.np, "empty", no_memory)
    made(copies)
    assert not copies._made
