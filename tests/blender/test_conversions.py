"""One background Blender makes several uploads and results ready, one after another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import bpy
import numpy as np
import pytest
from asset_generation.addon.core.stages.converter import BackgroundConverter
from asset_generation.addon.core.stages.glb_check import GlbFacts, check
from asset_generation.vendor.background_blender import BlenderFailed
from support.fork_server.command import forked_python
from support.models import meshopt
from support.models.meshes import cube_sphere, read_png, write_glb


@pytest.fixture
def converter() -> Iterator[BackgroundConverter]:
    with closing(BackgroundConverter(forked_python)) as made:
        yield made


def _model(folder: Path, name: str) -> Path:
    """A GLB with one sphere of that name."""
    path = folder / f"{name}.glb"
    write_glb(path, [cube_sphere(2, name=name)])
    return path


def _prepare(converter: BackgroundConverter, model: Path, name: str) -> Path:
    out = model.with_name(f"{name}.blend")
    converter.to_blend(model, out, name, lambda *_: None, lambda: False)
    return out


def test_a_blender_that_was_started_ahead_makes_the_first_conversion(
    converter: BackgroundConverter, tmp_path: Path
) -> None:
    converter.prepare()
    ahead = converter._current()._child
    assert ahead is not None and not ahead.asked
    _prepare(converter, _model(tmp_path, "First"), "First")
    assert converter._current()._child is ahead
    assert ahead.asked == 1
    converter.close()
    assert not ahead.is_alive
    converter.prepare()
    assert not converter._current().is_warm, "nobody would end it"


def test_a_result_that_is_ready_is_drawn(converter: BackgroundConverter, tmp_path: Path) -> None:
    ready, picture = _prepare(converter, _model(tmp_path, "First"), "First"), tmp_path / "preview.png"
    converter.to_picture(ready, picture, lambda: False)
    pixels = read_png(picture.read_bytes())
    assert pixels.shape == (256, 256, 4)
    assert pixels[128, 128, 3] == 255
    assert pixels[0, 0, 3] == 0


def test_a_result_whose_geometry_was_compressed_by_meshopt_arrives(
    converter: BackgroundConverter, tmp_path: Path
) -> None:
    """As a service may send it that was asked for `compress=geometry`: it is paid by then."""
    model = meshopt.compress_glb(_model(tmp_path, "Packed"))
    assert check(model) == GlbFacts(1, 48, 54)
    ready = _prepare(converter, model, "Packed")
    with bpy.data.libraries.load(str(ready)) as (there, here):
        here.meshes = there.meshes
    (mesh,) = here.meshes
    assert (len(mesh.vertices), len(mesh.polygons)) == (54, 48)
    assert np.ptp([corner.co for corner in mesh.vertices], axis=0) == pytest.approx([2, 2, 2])


def test_a_result_has_nothing_of_the_one_before_and_a_broken_file_ends_only_its_own(
    converter: BackgroundConverter, tmp_path: Path
) -> None:
    _prepare(converter, _model(tmp_path, "First"), "First")
    blenders = converter._blenders
    assert blenders is not None and blenders.is_warm, "it waits for the next"
    second = _prepare(converter, _model(tmp_path, "Second"), "Second")
    with bpy.data.libraries.load(str(second)) as (there, _):
        assert (list(there.objects), list(there.collections), len(there.meshes)) == (["Second"], ["Second"], 1)
    broken = tmp_path / "broken.glb"
    broken.write_bytes(b"glTF and nothing else")
    with pytest.raises(BlenderFailed, match="cannot be read") as caught:
        _prepare(converter, broken, "Broken")
    assert caught.value.kind == "ValueError"
    assert not blenders.is_warm, "what has failed may have left anything behind"
    third = _prepare(converter, _model(tmp_path, "Third"), "Third")
    with bpy.data.libraries.load(str(third)) as (there, _):
        assert list(there.objects) == ["Third"]
    converter.close()
    assert not blenders.is_warm
