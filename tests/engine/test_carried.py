"""What hangs on bones, and bones that stand otherwise than at rest: they stay where the file has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asset_generation.vendor.background_blender.glb_files import Glb
from support.engine.engine_run import needs_bpy, run_engine
from support.models.animated import read_animations, write_animated_glb
from support.models.carrying import write_carrying_glb
from support.models.meshes import Array, read_png
from support.models.rigged import Rigged

pytestmark = needs_bpy


def places(path: Path, clip: str | None = None, time: float = 0.0) -> Array:
    """Where both bones are, and what the upper one carries, (3, 3)."""
    model = Rigged(path)
    world = model.world(model.local(clip, time))
    return np.array([world[model.node(name)][:3, 3] for name in ("hips", "top", "prop")])


def box_of_the_skin(path: Path) -> Array:
    """Lowest and highest corner of the mesh that follows the bones, (2, 3)."""
    model = Rigged(path)
    points = np.concatenate(model.skinned(model.local()))
    return np.array([points.min(axis=0), points.max(axis=0)])


@pytest.fixture(scope="module")
def moving(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A bent model with clips, and what an import makes of it."""
    folder = tmp_path_factory.mktemp("carried")
    source = write_carrying_glb(folder / "in.glb", bend=0.8)
    run_engine("import_model", folder / "out", model=source)
    return source, folder / "out" / "model.glb"


@pytest.mark.parametrize("time", [0.0, 0.25, 0.5])
@pytest.mark.parametrize("clip", ["walk", "wave"])
def test_a_prop_on_a_bone_and_bones_that_a_clip_leaves_alone_stay_where_they_are(
    moving: tuple[Path, Path], clip: str, time: float
) -> None:
    source, result = moving
    assert np.allclose(places(result, clip, time), places(source, clip, time), atol=2e-3)


def test_a_clip_comes_back_with_the_keys_that_it_had(moving: tuple[Path, Path]) -> None:
    """Between two of them frames were written, and what lies between frames was lost."""
    before, after = (read_animations(path) for path in moving)
    assert set(after) == set(before)
    for clip, channels in before.items():
        for channel, keys in channels.items():
            assert np.shape(after[clip][channel]) == np.shape(keys), (clip, channel)
            assert np.allclose(after[clip][channel], keys, atol=1e-5), (clip, channel)


@pytest.mark.parametrize(
    ("capability", "body"),
    [
        ("decimate", {"face_limit": 40}),
        ("texture", {"texture_prompt": {"text": "red brick"}}),
        ("complete", {}),
        ("convert", {"format": "GLTF"}),
    ],
)
def test_what_does_not_touch_the_clips_gives_them_back_to_the_last_bit(
    tmp_path: Path, capability: str, body: dict[str, Any]
) -> None:
    """Blender's exporter rounds them, and took most of the task's time for a character of many clips."""
    source = write_animated_glb(tmp_path / "in.glb", widening=True)
    run_engine(capability, tmp_path / "out", model=source, body=body)
    before, after = read_animations(source), read_animations(tmp_path / "out" / "model.glb")
    assert set(after) == set(before)
    for clip, channels in before.items():
        # Not by the names of nodes: what bones bend is below another one that has its name.
        (keys,), (own,) = channels.values(), after[clip].values()
        assert np.array_equal(own, keys), clip


@pytest.mark.parametrize("time", [0.25, 0.5])
def test_a_model_that_is_made_larger_moves_in_its_new_size(
    moving: tuple[Path, Path], tmp_path: Path, time: float
) -> None:
    source, _ = moving
    run_engine("convert", tmp_path, model=source, body={"format": "GLTF", "scale_factor": 2.0})
    for clip in ("walk", "wave"):
        expected = 2 * places(source, clip, time)
        assert np.allclose(places(tmp_path / "model.glb", clip, time), expected, atol=4e-3)


def test_clips_stay_in_their_order_and_the_first_is_the_one_that_is_seen(tmp_path: Path) -> None:
    """Blender's exporter sorts them by name, and a figure that had stood still cast a spell."""
    source = write_carrying_glb(tmp_path / "in.glb", bend=0.8)
    glb = Glb.parsed(memoryview(source.read_bytes()))
    glb.document["animations"].reverse()
    glb.write(source)
    run_engine("convert", tmp_path / "out", model=source, body={"format": "GLTF", "scale_factor": 2.0})
    before, after = (list(read_animations(path)) for path in (source, tmp_path / "out" / "model.glb"))
    assert before == ["wave", "walk"], "or this tests nothing"
    assert after == before


def test_a_clip_of_a_morph_target_comes_back_with_its_keys(tmp_path: Path) -> None:
    source = write_animated_glb(tmp_path / "in.glb", widening=True)
    run_engine("import_model", tmp_path / "out", model=source)
    before, after = (read_animations(path)["widen"].values() for path in (source, tmp_path / "out" / "model.glb"))
    assert np.allclose(list(after), list(before), atol=1e-5)


def test_a_model_that_stands_otherwise_than_at_rest_keeps_its_pose(tmp_path: Path) -> None:
    source = write_carrying_glb(tmp_path / "in.glb", bend=0.8, moving=False)
    run_engine("import_model", tmp_path / "out", model=source)
    result = tmp_path / "out" / "model.glb"
    assert np.allclose(places(result), places(source), atol=2e-3)
    assert np.allclose(box_of_the_skin(result), box_of_the_skin(source), atol=2e-3)


@pytest.mark.parametrize("moving", [True, False], ids=["with clips", "without"])
@pytest.mark.parametrize(("capability", "body"), [("import_model", {}), ("convert", {"format": "GLTF"})])
def test_the_picture_shows_a_model_as_one_sees_it_and_not_at_rest(
    tmp_path: Path, capability: str, body: dict[str, Any], moving: bool
) -> None:
    """A triceratops was pictured on its tail, as it was bound to its bones."""
    pictures = []
    for bend in (0.0, 0.8):
        source = write_carrying_glb(tmp_path / f"{bend}.glb", bend=bend, moving=moving)
        run_engine(capability, tmp_path / f"{bend}", model=source, body=body, preview=True)
        pictures.append(read_png((tmp_path / f"{bend}" / "preview.png").read_bytes())[..., :3].astype(int))
    straight, bent = ((np.abs(picture - picture[0, 0]).max(axis=2) > 12) for picture in pictures)
    assert straight.mean() > 0.02
    assert (straight != bent).mean() > 0.3 * straight.mean()
