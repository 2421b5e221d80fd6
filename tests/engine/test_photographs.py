"""Photographs: what stands in front of a background of many colours is found and cut out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from asset_generation.vendor.assetgen_local.engine.errors import EngineError
from asset_generation.vendor.assetgen_local.engine.images import foreground as foregrounds
from asset_generation.vendor.assetgen_local.engine.images.foreground import foreground
from support.engine.engine_run import run_engine
from support.models.meshes import Array, png, read_glb
from support.models.surfaces import cut_out, overlap, silhouette, triangles_of

SIZE = (240, 320)
ROWS, COLUMNS = np.mgrid[0 : SIZE[0], 0 : SIZE[1]] / SIZE[0]
"""From the top; both in heights of the picture."""


def clouds(seed: int, coarsest: int = 4, finest: int = 64) -> Array:
    """Patches of every size, as in leaves, cloth or stone: 0 to 1, (height, width)."""
    random = np.random.default_rng(seed)
    total = np.zeros(SIZE)
    cells = coarsest
    while cells <= finest:
        grid = random.random((cells + 2, cells * 2 + 2))
        y, x = ROWS * cells, COLUMNS * cells
        row, column = y.astype(int), x.astype(int)
        part_y, part_x = y - row, x - column
        top = grid[row, column] * (1 - part_x) + grid[row, column + 1] * part_x
        low = grid[row + 1, column] * (1 - part_x) + grid[row + 1, column + 1] * part_x
        total += (top * (1 - part_y) + low * part_y) / cells**0.7
        cells *= 2
    return np.asarray((total - total.min()) / np.ptp(total))


def of_two(first: tuple[float, ...], second: tuple[float, ...], share: Array) -> Array:
    return np.array(first) * (1 - share[..., None]) + np.array(second) * share[..., None]


def garden() -> Array:
    """Leaves in light and shade above a path."""
    leaves = of_two((0.05, 0.16, 0.04), (0.45, 0.62, 0.2), clouds(1))
    path = of_two((0.45, 0.4, 0.34), (0.62, 0.57, 0.5), clouds(2, 8))
    return np.where((ROWS > 0.75)[..., None], path, leaves)


def room() -> Array:
    """A wall with a lit side and a wooden table."""
    wall = of_two((0.35, 0.37, 0.42), (0.8, 0.78, 0.72), np.clip(COLUMNS / 1.33 + 0.1 * clouds(3), 0, 1))
    grain = of_two((0.3, 0.17, 0.08), (0.58, 0.36, 0.2), np.clip(0.5 + 0.5 * np.sin(90 * ROWS + 6 * clouds(4)), 0, 1))
    return np.where((ROWS > 0.6)[..., None], grain, wall)


def vase() -> Array:
    up = 0.9 - ROWS
    width = 0.16 + 0.09 * np.sin(up * 7.0)
    return (np.abs(COLUMNS - 0.66) < width) & (up > 0) & (up < 0.75)


def mug() -> Array:
    """Away from the middle, with a handle."""
    ring = np.hypot(COLUMNS - 0.78, ROWS - 0.55)
    return ((np.abs(COLUMNS - 0.55) < 0.2) & (np.abs(ROWS - 0.55) < 0.25)) | ((ring < 0.17) & (ring > 0.11))


def bust() -> Array:
    """Cut off by the lower side of the picture."""
    head = np.hypot((COLUMNS - 0.66) / 0.17, (ROWS - 0.33) / 0.2) < 1
    return head | (np.hypot((COLUMNS - 0.66) / 0.4, (ROWS - 1.05) / 0.5) < 1)


def photo(background: Array, subject: Array, colors: tuple[tuple[float, ...], tuple[float, ...]], seed: int) -> Array:
    """A subject with light from the left, a pattern, a shadow on what is behind it, and the camera's noise; 0 to 1."""
    pattern = of_two(*colors, clouds(seed, 6, 24))
    across = np.where(subject, COLUMNS, np.nan)
    middle = np.nanmean(across)
    light = np.clip(1.0 - 0.9 * (COLUMNS - middle), 0.5, 1.3)[..., None]
    shadow = np.mean([np.roll(subject, (step // 2, step), (0, 1)) for step in range(4, 24)], axis=0)[..., None]
    picture = np.where(subject[..., None], pattern * light, background * (1.0 - 0.3 * shadow))
    picture += np.random.default_rng(seed).normal(0, 0.015, picture.shape)
    return np.clip(picture, 0, 1).astype(np.float32)


def found(picture: Array) -> Array:
    """The mask, rows from the top."""
    rgba = np.concatenate((picture, np.ones((*picture.shape[:2], 1), np.float32)), axis=2)
    return foreground(np.ascontiguousarray(rgba[::-1]))[::-1]


RED = ((0.75, 0.15, 0.1), (0.55, 0.08, 0.06))
BLUE = ((0.1, 0.2, 0.6), (0.25, 0.4, 0.8))
PALE = ((0.93, 0.9, 0.82), (0.75, 0.7, 0.66))


@pytest.mark.once
@pytest.mark.parametrize("colors", [RED, BLUE, PALE], ids=["red", "blue", "pale"])
@pytest.mark.parametrize("subject", [vase, mug, bust])
@pytest.mark.parametrize("background", [garden, room])
def test_a_subject_is_told_from_a_background_of_many_colours(background, subject, colors) -> None:  # type: ignore[no-untyped-def]
    mask = subject()
    seen = found(photo(background(), mask, colors, 5))
    share = (seen & mask).sum() / (seen | mask).sum()
    assert share > 0.8


@pytest.mark.once
def test_what_a_subject_encloses_belongs_to_it_unless_it_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    distance = np.hypot(COLUMNS - 0.66, ROWS - 0.5)
    for hole, is_filled in ((0.1, True), (0.25, False)):
        ring = np.asarray((distance < 0.35) & (distance >= hole))
        monkeypatch.setattr(foregrounds, "photo_subject", lambda _, ring=ring: (ring[::-1], 5.0))
        seen = found(photo(room(), ring, BLUE, 6))
        assert seen[distance < hole].all() == is_filled
        assert seen[distance < hole].any() == is_filled


@pytest.mark.once
def test_an_even_sky_over_a_landscape_is_not_taken_for_the_whole_background() -> None:
    mask = vase()
    ground = of_two((0.2, 0.1, 0.03), (0.6, 0.42, 0.2), clouds(8, 8, 32))
    land = np.where((ROWS > 0.5)[..., None], ground, np.array((0.6, 0.75, 0.92)))
    seen = found(photo(land, mask, RED, 5))
    assert (seen & mask).sum() / (seen | mask).sum() > 0.8


@pytest.mark.once
@pytest.mark.parametrize("shade", [1.0, 0.0], ids=["white", "black"])
def test_a_frame_around_a_photograph_is_not_its_background(shade: float) -> None:
    mask = vase()
    framed = np.pad(photo(garden(), mask, RED, 5), ((14, 14), (20, 20), (0, 0)), constant_values=shade)
    seen, mask = found(framed), np.pad(mask, ((14, 14), (20, 20)))
    assert (seen & mask).sum() / (seen | mask).sum() > 0.8


@pytest.mark.once
def test_a_rectangle_without_a_subject_in_it_is_the_subject() -> None:
    rug = of_two((0.45, 0.08, 0.06), (0.7, 0.3, 0.2), clouds(7, 32, 64))
    seen = found(np.pad(rug.astype(np.float32), ((14, 14), (20, 20), (0, 0)), constant_values=1.0))
    assert seen[14:-14, 20:-20].mean() > 0.98


@pytest.mark.once
def test_what_has_no_subject_is_refused() -> None:
    pebbles = of_two((0.3, 0.28, 0.26), (0.7, 0.68, 0.62), clouds(7, 32, 64))
    with pytest.raises(EngineError, match="No one thing stands out"):
        found(pebbles.astype(np.float32))


@pytest.mark.slow
def test_a_photograph_becomes_a_model_and_two_things_are_said_to_be_two(tmp_path: Path) -> None:
    mask = vase()
    one = tmp_path / "vase.png"
    one.write_bytes(png((photo(room(), mask, BLUE, 5) * 255).astype(np.uint8)))
    answer = run_engine("image_to_model", tmp_path / "one", {"texture": False}, images={"file": str(one)})
    glb = read_glb(tmp_path / "one" / "model.glb")
    assert overlap(silhouette(triangles_of(glb.parts), glb.bounds, cut_out(mask).shape, 1, 2), cut_out(mask)) > 0.93
    assert answer["values"] == {}
    two = tmp_path / "two.png"
    pair = (np.hypot(COLUMNS - 0.4, ROWS - 0.5) < 0.2) | (np.hypot(COLUMNS - 0.95, ROWS - 0.5) < 0.2)
    two.write_bytes(png((photo(garden(), pair, RED, 5) * 255).astype(np.uint8)))
    for capability in ("image_to_model", "image_to_splat"):
        body = {"texture": False} if capability == "image_to_model" else {}
        answer = run_engine(capability, tmp_path / capability, body, images={"file": str(two)})
        assert "2 separate things" in answer["values"]["local_engine"]["note"]
