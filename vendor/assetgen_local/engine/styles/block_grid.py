"""A model as blocks: which are filled, and with what colour."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..array_types import Array, Mask, Picture
from ..body.voxel_paths import nearest_of
from ..mesh.connected import grown, outside

_ENOUGH = 0.6  # of the usual amount of surface in a block: what has less is not filled


@dataclass(frozen=True, slots=True)
class SurfaceSamples:
    """Points on a surface.

    Attributes:
        points: (n, 3), evenly over the surface.
        colors: On the sRGB curve, (n, 3).
        marks: More points of the surface without colours, so that none of its faces is missed; (m, 3).
    """

    points: Array
    colors: Array
    marks: Array


@dataclass(frozen=True, slots=True)
class BlockGrid:
    """Blocks on a grid.

    Attributes:
        filled: (x, y, z).
        colors: On the sRGB curve, (x, y, z, 3); of the nearest surface where a filled block has none.
        low: Corner of the first block.
        size: Edge lengths of a block, (3,).
    """

    filled: Mask
    colors: Picture
    low: Array
    size: Array


def block_grid_of(samples: SurfaceSamples, blocks: int, height: float = 1.0) -> BlockGrid:
    """Fills the blocks that a model's surface passes through or encloses.

    Args:
        samples: Of the surface.
        blocks: Along the longest side.
        height: Of a block, in the unit of its width.
    """
    everything = np.concatenate((samples.points, samples.marks))
    low, high = everything.min(axis=0), everything.max(axis=0)
    size = np.full(3, float((high - low).max()) / blocks) * (1.0, 1.0, height)
    # A whole number of blocks around the middle, standing on the model's lowest point.
    shape = np.maximum(np.ceil((high - low) / size - 1e-6), 1).astype(int)
    middle = (low + high) / 2
    low = np.array([*(middle - shape * size / 2)[:2], low[2]])
    index = _blocks_at(samples.points, low, size, shape)
    flat = np.ravel_multi_index(tuple(index.T), tuple(shape))
    count = np.bincount(flat, minlength=int(shape.prod()))
    mean = np.stack([np.bincount(flat, channel, len(count)) for channel in samples.colors.T], axis=1)
    colors = (mean / np.maximum(count, 1)[:, None]).reshape(*shape, 3).astype(np.float32)
    colored = (count > 0).reshape(shape)
    touched = colored.copy()
    touched[tuple(_blocks_at(samples.marks, low, size, shape).T)] = True
    inside = ~outside(touched)
    slight = touched & (count.reshape(shape) < _ENOUGH * np.median(count[count > 0]))
    filled = inside & ~(slight & ~_supported(slight, inside))
    if not filled.any():
        filled = inside
    known, others = np.argwhere(colored), np.argwhere(grown(filled) & ~colored)  # some are filled later
    colors[tuple(others.T)] = colors[tuple(known[nearest_of(known, np.arange(len(known)), others)].T)]
    return BlockGrid(filled, colors, low, size)


def _blocks_at(points: Array, low: Array, size: Array, shape: Array) -> NDArray[np.int64]:
    return np.clip(np.floor((points - low) / size).astype(np.int64), 0, shape - 1)


def _supported(slight: Mask, inside: Mask) -> Mask:
    """Blocks with filled ones on two opposite sides: taking them out would cut something apart."""
    padded = np.pad(inside & ~slight, 1)
    result = np.zeros(inside.shape, bool)
    for axis in range(3):
        result |= (np.roll(padded, 1, axis) & np.roll(padded, -1, axis))[1:-1, 1:-1, 1:-1]
    return result
