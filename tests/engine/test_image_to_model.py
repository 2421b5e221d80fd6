from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from asset_generation.vendor.background_blender import BlenderFailed
from support.engine.engine_run import WIDTH, needs_bpy, run_engine
from support.models.meshes import Array, Glb, fbx_face_sizes, png, read_glb, read_png, uv_overlap
from support.models.surfaces import Surface, cut_out, overlap, silhouette, triangles_of

pytestmark = needs_bpy

_LIBRARIES = ("*extern_draco*", "*draco_bridge*")
DRACO = any(any(Path(bpy.__file__).parent.rglob(name)) for name in _LIBRARIES)
"""Whether this bpy can compress geometry: some wheels have no library for it."""

RED, BLUE = (200, 30, 30), (30, 40, 200)


def mug(size: int = 160) -> Array:
    """A body with a handle, whose hole shows the background."""
    y, x = np.mgrid[0:size, 0:size] / size
    body = (np.abs(x - 0.4) < 0.22) & (np.abs(y - 0.55) < 0.32)
    ring = np.hypot(x - 0.65, y - 0.5)
    return body | ((ring < 0.2) & (ring > 0.12))


def picture(path: Path, mask: Array, background: int = 245, noise: float = 0.0) -> Path:
    """The mask in red (left half of the picture) and blue (right half)."""
    pixels = np.full((*mask.shape, 3), background, float)
    pixels[mask] = RED
    pixels[mask & (np.arange(mask.shape[1]) > mask.shape[1] * 0.4)] = BLUE
    pixels += np.random.default_rng(3).normal(0, noise, pixels.shape)
    path.write_bytes(png(np.clip(pixels, 0, 255).astype(np.uint8)))
    return path


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return picture(tmp_path_factory.mktemp("image") / "mug.png", mug())


def model(folder: Path, image: Path, field: str = "file", *, full_size: bool = False, **body: Any) -> Glb:
    run_engine("image_to_model", folder, body, images={field: str(image)}, full_size=full_size)
    return read_glb(folder / "model.glb")


def front(glb: Glb, mask: Array) -> Array:
    """Seen from the front (+Z in glTF) in the picture that the mask cut out would be."""
    return silhouette(triangles_of(glb.parts), glb.bounds, cut_out(mask).shape, 1, 2)


@pytest.mark.slow
def test_the_body_is_closed_has_the_outline_and_shows_the_picture(tmp_path: Path, image: Path) -> None:
    glb = model(tmp_path, image, full_size=True)
    assert overlap(front(glb, mug()), cut_out(mug())) > 0.97
    surface = Surface(glb.parts)
    assert surface.open_edges == 0 and surface.crowded_edges == 0
    assert surface.volume > 0, "facing outwards"
    assert surface.holes() == 1, "the handle's"
    low, high = glb.bounds
    assert np.allclose((low[1], high[1]), (0, 1), atol=1e-4), "on the floor and 1 high"
    assert np.allclose(low + high, (0, 1, 0), atol=1e-4), "in the middle"
    assert 0.2 < high[2] - low[2] < 1, "a body and not a sheet"
    assert uv_overlap(glb.parts) < 0.01
    assert set(glb.images) == {"color", "metallic_roughness", "normal"}
    assert glb.picture("color").shape == (1024, 1024, 3)
    for towards in (1, -1):
        assert near(color_at(glb, -0.3, 0.5, towards), RED), "left in the picture, also through to the back"
        assert near(color_at(glb, 0.1, 0.5, towards), BLUE)


def color_at(glb: Glb, x: float, y: float, towards: int) -> Array:
    """The colour of the surface over (x, y) that looks to +Z (1) or -Z (-1)."""
    (part,) = glb.parts
    assert part.uvs is not None
    corners = part.positions[part.triangles]
    facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2] * towards > 0
    distance = np.hypot(*(corners.mean(axis=1)[:, :2] - (x, y)).T) + np.where(facing, 0, 9)
    colors = glb.picture("color")
    u, v = part.uvs[part.triangles[distance.argmin()]].mean(axis=0)
    return colors[int(v * len(colors)), int(u * len(colors)), :3].astype(int)


def near(color: Array, expected: tuple[int, int, int]) -> bool:
    return bool(np.abs(color - expected).max() < 30)


@pytest.mark.slow
def test_fields_of_texture_and_detail(tmp_path: Path) -> None:
    image = picture(tmp_path / "large.png", mug(500))
    plain = model(tmp_path / "plain", image, texture=False)
    assert not plain.images
    detailed = model(
        tmp_path / "detailed", image, "input", pbr=False, texture_quality="detailed", geometry_quality="detailed"
    )
    assert set(detailed.images) == {"color"}
    assert detailed.picture("color").shape[:2] == (2 * WIDTH, 2 * WIDTH)
    assert detailed.triangles > 2 * plain.triangles
    compressed = run_engine(
        "image_to_model", tmp_path / "small", {"compress": "geometry", "texture": False}, images={"file": str(image)}
    )
    small, large = (folder / "model.glb" for folder in (tmp_path / "small", tmp_path / "plain"))
    assert compressed["files"]["model_url"] == "model.glb"
    if DRACO:
        assert small.stat().st_size < large.stat().st_size / 3


@pytest.mark.each_python
@pytest.mark.slow
def test_few_faces_keep_the_outline(tmp_path: Path, image: Path) -> None:
    glb = model(tmp_path, image, face_limit=900)
    assert 720 <= glb.triangles <= 900
    assert Surface(glb.parts).open_edges == 0
    assert overlap(front(glb, mug()), cut_out(mug())) > 0.94
    low = model(tmp_path / "low", image, smart_low_poly=True)
    assert 1600 <= low.triangles <= 2000
    assert np.ptp(low.picture("normal").reshape(-1, 3).astype(int), axis=0)[:2].min() > 60, "shape in the normals"


@pytest.mark.slow
def test_quads_come_as_fbx_with_a_glb_beside(tmp_path: Path, image: Path) -> None:
    answer = run_engine("image_to_model", tmp_path, {"quad": True, "face_limit": 1500}, images={"file": str(image)})
    assert answer["files"]["model_url"] == "model.fbx"
    sizes = fbx_face_sizes(tmp_path / "model.fbx")
    assert 1200 <= len(sizes) <= 1500 and (sizes == 4).mean() > 0.95
    assert overlap(front(read_glb(tmp_path / "model.glb"), mug()), cut_out(mug())) > 0.9


def test_parts_are_the_pieces_of_the_outline(tmp_path: Path) -> None:
    mask = np.zeros((120, 200), bool)
    mask[20:100, 20:80] = True
    mask[40:90, 110:170] = True
    image = picture(tmp_path / "two.png", mask)
    answer = run_engine(
        "image_to_model", tmp_path, {"generate_parts": True, "texture": False}, images={"file": str(image)}
    )
    glb = read_glb(tmp_path / "model.glb")
    assert sorted(part.name for part in glb.parts) == ["part_1", "part_2"]
    assert not glb.images
    assert answer["facts"]["triangles"] == glb.triangles
    assert overlap(front(glb, mask), cut_out(mask)) > 0.95


@pytest.mark.once
def test_orientation_size_and_views(tmp_path: Path, image: Path) -> None:
    mask = mug()
    aligned = model(tmp_path / "aligned", image, orientation="align_image", texture=False)
    frame = np.array([[-0.5, 0, -1], [0.5, 1, 1]])
    assert overlap(silhouette(triangles_of(aligned.parts), frame, mask.shape, 1, 2), mask) > 0.97
    sized = model(tmp_path / "sized", image, auto_size=True, texture=False)
    printed = cut_out(mask).shape[0] / 72 * 0.0254
    assert np.isclose(sized.bounds[1, 1], printed, rtol=0.02), "72 dots per inch, since the file names no resolution"
    answer = run_engine(
        "image_to_model", tmp_path / "views", {"return_multiview": True}, images={"file": str(image)}, preview=True
    )
    assert set(answer["files"]) == {
        "model_url", "rendered_image_url", "front_view_url", "left_view_url", "back_view_url", "right_view_url",
    }  # fmt: skip
    seen = read_png((tmp_path / "views" / "front_view.png").read_bytes()).astype(int)
    red = (seen[..., 0] - seen[..., 2] > 40).nonzero()[1].mean()
    blue = (seen[..., 2] - seen[..., 0] > 40).nonzero()[1].mean()
    assert red < blue, "seen from the front"


def test_autofix_lets_a_faint_subject_stand_out(tmp_path: Path) -> None:
    pixels = np.full((200, 200, 3), 128, np.uint8)
    y, x = np.mgrid[0:200, 0:200]
    disc = np.hypot(x - 100, y - 100) < 70
    pixels[disc] = 140
    image = tmp_path / "faint.png"
    image.write_bytes(png(pixels))
    with pytest.raises(BlenderFailed, match="stands out"):
        model(tmp_path / "plain", image)
    glb = model(tmp_path / "fixed", image, enable_image_autofix=True)
    assert overlap(front(glb, disc), cut_out(disc)) > 0.95


@pytest.mark.once
def test_a_turn_is_rendered_as_film_and_as_pictures(tmp_path: Path, image: Path) -> None:
    body = {"render_video": True, "render_sequence": True, "face_limit": 500, "texture": False}
    answer = run_engine("image_to_model", tmp_path, body, images={"file": str(image)})
    assert answer["files"]["rendered_video_url"] == "turntable.mp4"
    assert (tmp_path / "turntable.mp4").read_bytes()[4:8] == b"ftyp"
    with zipfile.ZipFile(tmp_path / answer["files"]["rendered_sequence_url"]) as archive:
        names = archive.namelist()
        pictures = [read_png(archive.read(names[number])).astype(int) for number in (0, 6, 12)]
    assert len(names) == 24
    wide = [(np.abs(seen - seen[0, 0]).max(axis=2) > 25).any(axis=0).sum() for seen in pictures]
    assert wide[1] < 0.8 * min(wide[0], wide[2]), "narrower from its side"


def test_what_it_cannot_do_is_refused_in_a_sentence(tmp_path: Path, image: Path) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes(image.read_bytes()[:300])
    empty = picture(tmp_path / "empty.png", np.zeros((50, 50), bool))
    for path, words in (
        (broken, "cannot be read"),
        (empty, "stands out"),
    ):
        with pytest.raises(BlenderFailed, match=words) as caught:
            model(tmp_path / "out", path)
        assert caught.value.kind == "EngineError"
    with pytest.raises(BlenderFailed, match="cannot be read") as caught:
        run_engine("image_to_model", tmp_path, images={"file": str(image), "style_image": str(broken)})
    assert caught.value.kind == "EngineError"
