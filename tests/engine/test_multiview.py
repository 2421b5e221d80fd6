from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from asset_generation.vendor.background_blender import BlenderFailed
from support.engine.engine_run import needs_bpy, run_engine
from support.models.meshes import Array, Part, box, cube_sphere, png, read_glb, read_png
from support.models.surfaces import Surface, cut_out, overlap, silhouette, triangles_of

pytestmark = needs_bpy

SIDES = {"front": 1, "left": -3, "back": -1, "right": 3}
"""The glTF axis that runs to the right in each view, negative where it runs to the left."""

COLORS = {"front": (210, 40, 40), "left": (40, 180, 60), "back": (40, 60, 210), "right": (220, 200, 40)}
SIZE = 180


@pytest.fixture(scope="module")
def shape() -> list[Part]:
    """A body on a foot, with a nose to the front (+Z) and an arm to its left (+X)."""
    pieces = [
        cube_sphere(10, 0.5, (0, 1.0, 0)),
        box((0.5, 0.5, 0.9), (0, 0.25, 0)),
        box((0.2, 0.2, 0.5), (0, 1.1, 0.55)),
        box((0.6, 0.2, 0.2), (0.6, 0.95, 0)),
    ]
    return [Part(piece.name, piece.positions, piece.triangles, None, False) for piece in pieces]


def seen(parts: list[Part], side: str, size: int = SIZE) -> Array:
    """The outline of a model in a square picture around its middle, 10 % larger than the model."""
    corners = triangles_of(parts)
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    half = np.full(3, (high - low).max() * 0.55)
    middle = (low + high) / 2
    return silhouette(corners, np.array([middle - half, middle + half]), (size, size), SIDES[side], 2)


@pytest.fixture(scope="module")
def views(shape: list[Part], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("views")
    for side, color in COLORS.items():
        pixels = np.full((SIZE, SIZE, 3), 250, np.uint8)
        pixels[seen(shape, side)] = color
        (folder / f"{side}.png").write_bytes(png(pixels))
    return {side: str(folder / f"{side}.png") for side in COLORS}


@pytest.mark.each_python
@pytest.mark.slow
@pytest.mark.parametrize("sides", [("front", "left"), ("front", "back"), ("front", "left", "back", "right")])
def test_the_body_has_the_outline_of_every_view(
    tmp_path: Path, shape: list[Part], views: dict[str, str], sides: tuple[str, ...]
) -> None:
    run_engine("multiview_to_model", tmp_path, {}, images={side: views[side] for side in sides})
    glb = read_glb(tmp_path / "model.glb")
    for side in sides:
        ours, theirs = cut_out(seen(glb.parts, side, 300)), cut_out(seen(shape, side, 300))
        assert abs(ours.shape[1] / ours.shape[0] - theirs.shape[1] / theirs.shape[0]) < 0.04, side
        theirs = theirs[np.ix_(*(np.arange(n) * m // n for n, m in zip(ours.shape, theirs.shape, strict=True)))]
        assert overlap(ours, theirs) > 0.9, side
    surface = Surface(glb.parts)
    assert surface.open_edges == 0 and surface.volume > 0
    low, high = glb.bounds
    assert np.allclose((low[1], high[1]), (0, 1), atol=1e-4), "on the floor and 1 high"
    assert set(glb.images) == {"color", "metallic_roughness", "normal"}
    colors = glb.picture("color").reshape(-1, 3).astype(int)
    for side in sides:
        assert (np.abs(colors - COLORS[side]).max(axis=1) < 25).mean() > 0.03, f"the {side} view is on it"


@pytest.mark.slow
def test_fields_of_the_result(tmp_path: Path, views: dict[str, str]) -> None:
    images = {side: views[side] for side in ("front", "right")}
    answer = run_engine("multiview_to_model", tmp_path / "few", {"face_limit": 900, "pbr": False}, images=images)
    few = read_glb(tmp_path / "few" / "model.glb")
    assert 720 <= few.triangles <= 900 and answer["facts"]["triangles"] == few.triangles
    assert set(few.images) == {"color"}
    run_engine("multiview_to_model", tmp_path / "plain", {"texture": False}, images=images)
    assert not read_glb(tmp_path / "plain" / "model.glb").images


def test_orthographic_views_keep_their_common_frame(tmp_path: Path) -> None:
    """A side view that shows only the lower half of the body: taken as it is, or stretched to the body's height."""
    images = {}
    for side, top in (("front", 20), ("left", 80)):
        pixels = np.full((140, 140, 3), 255, np.uint8)
        pixels[top:130, 50:90] = COLORS[side]
        images[side] = str(tmp_path / f"{side}.png")
        Path(images[side]).write_bytes(png(pixels))
    depths = {}
    for same in (True, False):
        folder = tmp_path / str(same)
        run_engine("multiview_to_model", folder, {"orthographic_projection": same, "texture": False}, images=images)
        size = np.ptp(read_glb(folder / "model.glb").bounds, axis=0)
        depths[same] = size[2] / size[0]
    assert depths[True] == pytest.approx(1.0, abs=0.1), "as deep as wide in pixels"
    assert depths[False] == pytest.approx(110 / 50, abs=0.2), "magnified to the front's height"


def test_the_front_alone_will_do_and_a_side_will_not(tmp_path: Path, views: dict[str, str]) -> None:
    body = {"texture": False, "pbr": False}
    run_engine("multiview_to_model", tmp_path, body, images={"front": views["front"]})
    assert (tmp_path / "model.glb").stat().st_size > 1000
    with pytest.raises(BlenderFailed, match="from the front or from the back") as caught:
        run_engine("multiview_to_model", tmp_path / "side", body, images={"left": views["left"]})
    assert caught.value.kind == "EngineError"


@pytest.mark.each_python
def test_splats_lie_on_the_body_and_have_the_image_s_colours(tmp_path: Path, views: dict[str, str]) -> None:
    answer = run_engine("image_to_splat", tmp_path, {}, images={"file": views["front"]}, preview=True)
    assert answer["files"] == {"model_url": "model.ply", "rendered_image_url": "preview.png"}
    header, _, data = (tmp_path / "model.ply").read_bytes().partition(b"end_header\n")
    lines = header.decode("ascii").split("\n")
    assert lines[:2] == ["ply", "format binary_little_endian 1.0"]
    names = [line.split()[2] for line in lines if line.startswith("property float")]
    assert names == [
        *("x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2", "opacity"),
        *("scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"),
    ]
    count = int(next(line for line in lines if line.startswith("element vertex")).split()[2])
    assert answer["facts"]["splats"] == count and len(data) == count * len(names) * 4
    rows = np.array(list(struct.iter_unpack(f"<{len(names)}f", data[: 4000 * 68])))
    rows = np.concatenate((rows, np.frombuffer(data, "<f4").reshape(count, -1)[::7]))
    assert np.isfinite(rows).all()
    assert np.allclose(np.linalg.norm(rows[:, 13:], axis=1), 1, atol=1e-4), "rotations"
    colors = 0.5 + 0.28209479 * rows[:, 6:9]
    assert np.abs(np.median(colors, axis=0) * 255 - COLORS["front"]).max() < 10
    scales = np.exp(rows[0, 10:13])
    assert scales[2] < scales[0] < 0.05, "small and flat"
    w, x, y, z = rows[:, 13:].T
    across = np.stack((2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)), axis=1)
    assert np.allclose(across, rows[:, 3:6], atol=1e-3), "their thin axis is the normal"
    assert rows[:, 1].min() > -0.01 and 0.98 < rows[:, 1].max() < 1.01
    points = np.frombuffer(data, "<f4").reshape(count, -1)[:, :2]
    mask = cut_out(read_png(Path(views["front"]).read_bytes())[..., 1] < 200)
    filled = np.zeros(mask.shape, bool)
    column = (points[:, 0] - points[:, 0].min()) / np.ptp(points[:, 0]) * (mask.shape[1] - 1)
    row = (1 - points[:, 1] / points[:, 1].max()) * (mask.shape[0] - 1)
    filled[row.round().astype(int).clip(0, len(mask) - 1), column.round().astype(int)] = True
    assert overlap(filled, mask) > 0.9
