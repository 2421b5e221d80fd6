"""Tests of how boxes are packed into a square; numpy alone."""

from __future__ import annotations

import numpy as np
import pytest
from asset_generation.vendor.assetgen_local.engine.mesh.packing import packed


@pytest.mark.parametrize("count", [1, 2, 50, 400, 3000])
def test_boxes_lie_next_to_each_other_with_room_around_them(count: int) -> None:
    sizes = np.sort(np.random.default_rng(count).lognormal(0.0, 0.8, (count, 2)), axis=1)
    margin = 0.002
    scale, low = packed(sizes, margin)
    high = low + sizes * scale
    assert (low >= margin - 1e-9).all() and (high <= 1 - margin + 1e-9).all()
    # Boxes that overlap on both axes are one and the same, even when each has its room around it.
    near, far = low - margin + 1e-9, high + margin - 1e-9
    over = ((near[:, None] < far[None]) & (near[None] < far[:, None])).all(axis=2)
    assert over.sum() == count
    grown = sizes * scale + 2 * margin
    assert grown.prod(axis=1).sum() > (0.65 if count > 2 else 0.1)


def test_a_margin_never_takes_the_most_of_the_map() -> None:
    scale, low = packed(np.ones((10_000, 2)), 0.1)
    assert (scale**2) * 10_000 > 0.1
    assert (low >= 0).all() and (low + scale <= 1).all()


def test_boxes_without_size_are_placed() -> None:
    scale, low = packed(np.zeros((5, 2)), 0.001)
    assert np.isfinite(scale) and ((low >= 0) & (low <= 1)).all()
