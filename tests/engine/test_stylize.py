from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asset_generation.vendor.background_blender import BlenderFailed
from support.engine.engine_run import needs_bpy, run_engine
from support.models.meshes import Array, Glb, bumpy_grid, cube_sphere, png, read_glb, torus, write_glb
from support.models.surfaces import Surface, overlap, silhouette, triangles_of

pytestmark = needs_bpy

RED, BLUE = (200, 40, 30), (30, 60, 190)


@pytest.fixture(scope="module")
def ball(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ball of radius 1 around (2, 3, -1), red to +X, +Y and +Z, blue to the other sides."""
    pixels = np.zeros((96, 96, 3), np.uint8)
    for side in range(6):
        pixels[(1 - side // 3) * 48 :][:48, (side % 3) * 32 :][:, :32] = BLUE if side % 2 else RED
    path = tmp_path_factory.mktemp("ball") / "ball.glb"
    return write_glb(path, [cube_sphere(12)], texture=png(pixels), offset=(2, 3, -1))


def stylize(folder: Path, model: Path, **body: Any) -> tuple[Glb, dict[str, Any]]:
    answer = run_engine("stylize", folder, body, model=model)
    return read_glb(folder / "model.glb"), answer


def assert_closed(glb: Glb) -> None:
    """Every part on its own, and facing outwards."""
    for part in glb.parts:
        surface = Surface([part])
        assert surface.open_edges == 0, part.name
        assert surface.volume > 0, part.name


def assert_in_place(glb: Glb, model: Path, slack: float) -> None:
    assert np.abs(glb.bounds - read_glb(model).bounds).max() < slack


def colors_at(glb: Glb, direction: tuple[float, float, float]) -> Array:
    """Mean colour of the tenth of the surface that lies furthest in a direction."""
    far, colors = [], []
    picture = glb.picture("color")[..., :3].astype(float)
    for part in glb.parts:
        if part.uvs is None:
            continue
        far.append(part.positions[part.triangles].mean(axis=1) @ np.array(direction))
        column, row = (part.uvs[part.triangles].mean(axis=1) * len(picture)).astype(int).clip(0, len(picture) - 1).T
        colors.append(picture[row, column])
    distance = np.concatenate(far)
    return np.asarray(np.concatenate(colors)[distance >= np.quantile(distance, 0.9)].mean(axis=0))


def is_near(color: Array, expected: tuple[int, int, int], slack: float = 40) -> bool:
    return bool(np.abs(color - expected).max() < slack)


@pytest.mark.slow
def test_lego_is_the_default_and_has_a_stud_on_every_open_top(tmp_path: Path, ball: Path) -> None:
    glb, answer = stylize(tmp_path / "default", ball)
    facts = answer["facts"]
    assert facts["triangles"] == glb.triangles < 60_000
    surface = Surface(glb.parts)
    assert surface.open_edges == 0 and surface.volume > 0
    piece = surface.pieces()
    heights = np.array([np.ptp(surface.positions[piece == number, 1]) for number in range(int(piece.max()) + 1)])
    block = 2 / 32
    studs = heights < 0.5 * block
    assert studs.sum() == facts["studs"] and (~studs).sum() == facts["bricks"]
    # One for each place of the grid that the ball has seen from above.
    assert facts["studs"] == pytest.approx(np.pi * 16**2, rel=0.08)
    assert np.allclose(heights[~studs], 1.2 * block, rtol=0.06), "bricks are 1.2 times as high as wide"
    assert_in_place(glb, ball, 2 * block)
    assert is_near(colors_at(glb, (1, 0, 0)), RED) and is_near(colors_at(glb, (-1, 0, 0)), BLUE)
    large, coarse = stylize(tmp_path / "large", ball, style="lego", block_size=100)
    assert coarse["facts"]["studs"] == pytest.approx(np.pi * 5**2, rel=0.2)
    assert large.triangles < glb.triangles / 5


@pytest.mark.once
def test_voxels_are_cubes_of_the_size_that_was_asked_for(tmp_path: Path, ball: Path) -> None:
    glb, answer = stylize(tmp_path / "default", ball, style="voxel")
    assert answer["facts"]["blocks"] == pytest.approx(4 / 3 * np.pi * 20**3, rel=0.12), "filled, 40 along a side"
    assert answer["facts"]["triangles"] == glb.triangles < 40_000
    surface = Surface(glb.parts)
    assert surface.open_edges == 0 and surface.crowded_edges == 0
    assert surface.volume == pytest.approx(answer["facts"]["blocks"] * 0.05**3, rel=1e-3)
    steps = (surface.positions - surface.positions.min(axis=0)) / 0.05
    assert np.abs(steps - steps.round()).max() < 1e-3
    assert_in_place(glb, ball, 0.06)
    assert is_near(colors_at(glb, (0, 0, 1)), RED) and is_near(colors_at(glb, (0, 0, -1)), BLUE)
    _, coarse = stylize(tmp_path / "coarse", ball, style="voxel", block_size=125)
    assert coarse["facts"]["blocks"] == pytest.approx(4 / 3 * np.pi * 4**3, rel=0.4)
    slim = cube_sphere(12)
    cigar = write_glb(tmp_path / "cigar.glb", [replace(slim, positions=slim.positions * (1, 0.25, 0.25))])
    _, finest = stylize(tmp_path / "finest", cigar, style="voxel", block_size=1)
    assert finest["facts"]["blocks"] == pytest.approx(4 / 3 * np.pi * 64 * 16 * 16, rel=0.1), "128 at most"


def test_minecraft_has_few_kinds_of_blocks_with_crisp_textures(tmp_path: Path, ball: Path) -> None:
    glb, _ = stylize(tmp_path, ball, style="minecraft", block_size=50)
    assert_closed(glb)
    assert is_near(colors_at(glb, (1, 0, 0)), RED, 60) and is_near(colors_at(glb, (-1, 0, 0)), BLUE, 60)
    (sampler,) = glb.document["samplers"]
    assert sampler["magFilter"] == 9728, "nearest: the pixels stay square"
    (part,) = glb.parts
    assert part.uvs is not None
    kinds = np.unique((part.uvs[part.triangles].mean(axis=1) * 8).astype(int), axis=0)
    assert 2 <= len(kinds) <= 12


@pytest.mark.once
def test_the_lattice_is_closed_struts_with_holes(tmp_path: Path, ball: Path) -> None:
    fine, answer = stylize(tmp_path / "fine", ball, style="voronoi")
    assert answer["facts"]["triangles"] <= 60_000
    surface = Surface(fine.parts)
    assert surface.open_edges == 0
    assert surface.holes() > 20, "many windows"
    assert 0 < surface.volume < 0.2 * 4 / 3 * np.pi, "mostly air"
    assert_in_place(fine, ball, 0.15)
    assert is_near(colors_at(fine, (1, 0, 0)), RED)
    coarse, few = stylize(tmp_path / "coarse", ball, style="voronoi", block_size=250)
    assert few["facts"]["knots"] < answer["facts"]["knots"] / 4
    assert Surface(coarse.parts).holes() < surface.holes() / 3


@pytest.mark.slow
def test_the_key_ring_has_a_hole_from_the_front_to_the_back(tmp_path: Path, ball: Path) -> None:
    glb, _ = stylize(tmp_path, ball, style="keyring")
    assert_closed(glb)
    holes = {part.name: Surface([part]).holes() for part in glb.parts}
    assert sorted(holes.values()) == [0, 1]
    ring = next(part for part in glb.parts if holes[part.name])
    body = next(part for part in glb.parts if not holes[part.name])
    low, high = ring.positions.min(axis=0), ring.positions.max(axis=0)
    assert low[1] < body.positions[:, 1].max() < high[1], "it stands in the body's top"
    seen = silhouette(triangles_of([ring, body]), np.array([low, high]), (64, 64), 1, 2)
    assert not seen[24:40, 28:36].all(), "one can look through it from the front"
    assert is_near(colors_at(glb, (1, 0, 0)), RED)


@pytest.mark.slow
def test_the_magnet_is_the_front_half_on_a_flat_back(tmp_path: Path, ball: Path) -> None:
    glb, _ = stylize(tmp_path, ball, style="fridge_magnet")
    assert_closed(glb)
    low, high = glb.bounds
    assert low[2] == pytest.approx(-1, abs=0.03), "cut through the middle"
    assert high[2] == pytest.approx(0, abs=0.03)
    corners = triangles_of(glb.parts)
    back = (np.abs(corners[:, :, 2] - low[2]) < 1e-3).all(axis=1)
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    assert area[back].sum() == pytest.approx(np.pi, rel=0.08), "a flat disc"
    box = read_glb(ball).bounds
    outline = silhouette(corners, box, (100, 100), 1, 2)
    assert overlap(outline, silhouette(triangles_of(read_glb(ball).parts), box, (100, 100), 1, 2)) > 0.96


@pytest.mark.slow
def test_the_keycap_is_hollow_and_has_a_socket_for_a_cross(tmp_path: Path, ball: Path) -> None:
    glb, _ = stylize(tmp_path, ball, style="keycap")
    assert_closed(glb)
    parts = {part.name: part for part in glb.parts}
    assert set(parts) == {"model", "cap", "stem"}
    cap, stem = Surface([parts["cap"]]), Surface([parts["stem"]])
    box = np.ptp(parts["cap"].positions, axis=0)
    assert cap.volume < 0.4 * box.prod(), "hollow"
    width = box[0]
    floor = parts["stem"].positions[:, 1].min()
    socket = np.unique(stem.positions[np.abs(stem.positions[:, 1] - floor) < 1e-4], axis=0)
    middle = (parts["stem"].positions.min(axis=0) + parts["stem"].positions.max(axis=0)) / 2
    across = np.abs(socket - middle)[:, [0, 2]] / width * 18
    inside = across[np.hypot(*across.T) < 2.5]
    assert inside.max() == pytest.approx(2.05, abs=0.05), "the arms of the cross, for a cap of 18 mm"
    assert np.sort(inside, axis=1)[:, 0].max() == pytest.approx(0.65, abs=0.05)
    assert parts["model"].positions[:, 1].min() < parts["cap"].positions[:, 1].max(), "the model is sunk into the top"


@pytest.mark.slow
def test_open_and_plain_models_become_closed_ones(tmp_path: Path) -> None:
    """A sheet without any material, and a ring with vertex colours."""
    sheet = write_glb(tmp_path / "sheet.glb", [bumpy_grid(40)])
    glb, answer = stylize(tmp_path / "sheet", sheet, style="voxel", block_size=50)
    assert_closed(glb)
    assert answer["facts"]["blocks"] >= 400
    ring = write_glb(tmp_path / "ring.glb", [torus(24, (0.9, 0.5, 0.05))])
    glb, _ = stylize(tmp_path / "ring", ring, style="voxel")
    assert Surface(glb.parts).holes() == 1, "the hole stays open"
    # The colour is linear in the file.
    assert is_near(colors_at(glb, (1, 0, 0)), (243, 188, 63), 20)


@pytest.mark.slow
def test_parts_of_different_materials_keep_their_colours(tmp_path: Path) -> None:
    """A sheet with a texture, and a ball with vertex colours."""
    sheet = bumpy_grid(30)
    ball = cube_sphere(8, 0.5, (3, 0, 0))
    ball = replace(ball, uvs=None, colors=np.tile((0.02, 0.3, 0.03), (len(ball.positions), 1)))
    model = write_glb(tmp_path / "in.glb", [sheet, ball], texture=png(np.full((8, 8, 3), RED, np.uint8)))
    glb, _ = stylize(tmp_path / "out", model, style="keyring")
    assert_closed(glb)
    assert is_near(colors_at(glb, (-1, 0, 0)), RED)
    red, green, blue = colors_at(glb, (1, 0, 0))
    assert green > red + 60 and green > blue + 60


@pytest.mark.slow
def test_a_picture_comes_when_asked_for_and_unknown_styles_are_refused(tmp_path: Path, ball: Path) -> None:
    answer = run_engine("stylize", tmp_path, {"style": "voxel", "block_size": 100, "render_image": True}, model=ball)
    assert answer["files"] == {"model_url": "model.glb", "rendered_image_url": "preview.png"}
    assert (tmp_path / "preview.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(BlenderFailed, match="no style 'clay'") as caught:
        run_engine("stylize", tmp_path, {"style": "clay"}, model=ball)
    assert caught.value.kind == "EngineError"
