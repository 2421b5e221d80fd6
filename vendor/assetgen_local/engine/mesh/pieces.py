"""Connected pieces of anything that is given as pairs."""

from __future__ import annotations

import numpy as np

from ..array_types import Array


def connected(source: Array, target: Array, count: int) -> Array:
    """A number for each of ``count`` things, the same for those that pairs connect: the smallest of their indices.

    Args:
        source: One thing of each pair.
        target: The other one.
        count: How many things there are.
    """
    label = np.arange(count)
    while True:
        apart = label[source] != label[target]
        if not apart.any():
            return label
        source, target = source[apart], target[apart]
        first, second = label[source], label[target]
        np.minimum.at(label, np.maximum(first, second), np.minimum(first, second))
        while not np.array_equal(label[label], label):
            label = label[label]


def by_size(label: Array, sizes: Array | None = None) -> Array:
    """The labels renamed 0, 1, ...: the largest first, of equal ones the one that begins first.

    Args:
        label: A label of each thing.
        sizes: The size of each thing; 1 where left out.
    """
    _, first, index = np.unique(label, return_index=True, return_inverse=True)
    index = index.reshape(-1)
    total = np.bincount(index, sizes, len(first))
    rank = np.empty(len(first), np.int32)
    rank[np.lexsort((first, -total))] = np.arange(len(first))
    result: Array = rank[index]
    return result
