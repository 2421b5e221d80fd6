"""Groups of things that touch: pixels of a mask, vertices of a mesh. numpy only."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..array_types import Mask


def groups(count: int, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """The group of each of ``count`` things, numbered from 0, when the two of each pair belong together.

    Args:
        count: How many things there are.
        pairs: Shape (n, 2), indices below ``count``.
    """
    root = np.arange(count, dtype=np.int64)
    first, second = pairs[:, 0], pairs[:, 1]
    while True:
        one, other = root[first], root[second]
        apart = one != other
        if not apart.any():
            break
        first, second, one, other = first[apart], second[apart], one[apart], other[apart]
        np.minimum.at(root, np.maximum(one, other), np.minimum(one, other))
        while True:  # every thing points at its group's smallest member
            up = root[root]
            if (up == root).all():
                break
            root = up
    return np.unique(root, return_inverse=True)[1].reshape(-1)


def regions(mask: Mask, *, diagonal: bool = False) -> NDArray[np.int64]:
    """The connected regions of a mask: 0 where it is false, else 1, 2, ... from the largest region to the smallest.

    Args:
        mask: Shape (height, width).
        diagonal: Whether pixels that only share a corner touch.
    """
    numbers = np.full(mask.shape, -1, np.int64)
    count = int(mask.sum())
    numbers[mask] = np.arange(count)
    shifts: list[tuple[Any, Any]] = [(np.s_[:-1, :], np.s_[1:, :]), (np.s_[:, :-1], np.s_[:, 1:])]
    if diagonal:
        shifts += [(np.s_[:-1, :-1], np.s_[1:, 1:]), (np.s_[:-1, 1:], np.s_[1:, :-1])]
    touching = []
    for here, there in shifts:
        both = mask[here] & mask[there]
        touching.append(np.stack((numbers[here][both], numbers[there][both]), axis=1))
    group = groups(count, np.concatenate(touching))
    order = np.argsort(-np.bincount(group), kind="stable") if count else np.empty(0, np.int64)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(1, len(order) + 1)
    result = np.zeros(mask.shape, np.int64)
    result[mask] = place[group]
    return result
