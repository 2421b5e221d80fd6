"""The network that finds the subject of a photograph: its arithmetic, and what it does with a picture."""

from __future__ import annotations

import numpy as np
import pytest
from asset_generation.vendor.assetgen_local.engine.images import subject_network
from asset_generation.vendor.assetgen_local.engine.images.subject_network import subject_odds
from support.models.meshes import Array

SEEN = np.random.default_rng(4).normal(size=(7, 10, 3)).astype(np.float32)


def one_by_one(values: Array, weights: Array, stride: int) -> Array:
    """The same as a convolution, place by place: what lies outside of the picture counts nothing."""
    size, apart = len(weights), weights.ndim == 3
    rows, columns = -(-values.shape[0] // stride), -(-values.shape[1] // stride)
    before = [
        max((count - 1) * stride + size - has, 0) // 2
        for count, has in ((rows, values.shape[0]), (columns, values.shape[1]))
    ]
    result = np.zeros((rows, columns, weights.shape[-1]))
    for row, column, y, x in np.ndindex(rows, columns, size, size):
        at = row * stride + y - before[0], column * stride + x - before[1]
        if 0 <= at[0] < values.shape[0] and 0 <= at[1] < values.shape[1]:
            result[row, column] += values[at] * weights[y, x] if apart else values[at] @ weights[y, x]
    return result


@pytest.mark.once
@pytest.mark.parametrize("shape", [(1, 1, 3, 5), (3, 3, 3, 2), (3, 3, 3), (5, 5, 3)])
@pytest.mark.parametrize("stride", [1, 2])
def test_a_layer_gives_what_place_by_place_comes_out(shape: tuple[int, ...], stride: int) -> None:
    weights = np.random.default_rng(5).normal(size=shape).astype(np.float32)
    added = np.arange(shape[-1], dtype=np.float32)
    expected = one_by_one(SEEN, weights, stride) + added
    result = subject_network._convolved(SEEN, iter([(weights, added)]), stride, ends=False)
    np.testing.assert_allclose(result, expected, atol=1e-4)
    ended = subject_network._convolved(SEEN, iter([(weights, added)]), stride)
    np.testing.assert_allclose(ended, np.clip(expected, 0, 6), atol=1e-4)


@pytest.mark.once
def test_all_stored_layers_are_used() -> None:
    stored = subject_network._layers()
    rest = iter(stored)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subject_network, "_layers", lambda: rest)
        subject_odds(np.zeros((40, 60, 3), np.float32))
    assert stored
    assert next(rest, None) is None


@pytest.mark.once
@pytest.mark.parametrize("side", [0.3, 0.7])
def test_the_subject_is_where_it_is_seen(side: float) -> None:
    """Rows from the bottom up, and columns, as in the picture."""
    rows, columns = np.mgrid[0:240, 0:320] / (240, 320)[0]
    ball = np.hypot(columns / 1.333 - side, rows - side) * 4 < 0.8
    shade = np.clip(1.2 - 2 * np.hypot(columns / 1.333 - side - 0.05, rows - side - 0.05), 0, 1)
    noise = np.random.default_rng(2).normal(0, 0.03, (240, 320, 1))
    picture = np.where(ball[..., None], shade[..., None] * (0.9, 0.3, 0.1), (0.35, 0.5, 0.3)) + noise
    odds = subject_odds(np.clip(picture, 0, 1).astype(np.float32))
    assert odds.shape == (subject_network.SIZE // 4,) * 2
    y, x = np.argwhere(odds > 0).mean(axis=0) / (subject_network.SIZE / 4)
    assert abs(y - side) < 0.1
    assert abs(x - side) < 0.1
