"""Which part of a result is the result of which part of the model that was worked on, where that can be told for sure.

A service may change the names of parts, lose them, join parts, and bring the whole to a size and place of its own. A
wrong guess would give an object the origin and the parent of another one, so whatever is not clear has no answer.
Shared by both sides of the wall between two Blenders, see :mod:`.mesh_notes`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import NamedTuple

_NUMBER = re.compile(r"\.\d{3,}$")
_LONGEST = 63
"""Bytes of a name up to Blender 4.5; what is longer comes back cut."""

_NEAR = 0.05
"""How far the box of a part may be from that of its source, as a share of the source's diagonal."""

_LEAST = 1e-3
"""The same for flat and tiny parts, as a share of the whole model's diagonal."""

_DISTINCT = 2.0
"""How many times farther away every other source has to be than what counts as near."""

Box = Sequence[float]


class Part(NamedTuple):
    """A part of a model: its name, empty where it is not known, and its box (min x y z, max x y z; or nothing)."""

    name: str
    bounds: Box = ()


def match(sources: Sequence[Part], results: Sequence[Part]) -> list[int | None]:
    """The index of the source that each result came from; None where that cannot be told.

    Args:
        sources: The parts of the model that was worked on.
        results: The parts that came back, in any order, size and place.
    """
    nothing: list[int | None] = [None] * len(results)
    if not sources or len(sources) != len(results):
        return nothing
    if len(sources) == 1:
        return [0]
    by_name = next(
        (found for key in _KEYS if (found := _by_name(sources, results, key)) is not None),
        None,
    )
    by_box = _by_box([source.bounds for source in sources], [result.bounds for result in results])
    if by_name is not None and by_box is not None and by_name != by_box:
        return nothing  # names that were given out anew
    return [*(by_name or by_box or nothing)]


def _exact(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _short(name: str) -> str:
    return _exact(name).encode()[:_LONGEST].decode(errors="ignore")


def _plain(name: str) -> str:
    """What is left where a service takes spaces, dots and the like out of names."""
    return "".join(letter for letter in _exact(name) if letter.isalnum()).casefold()


def _unnumbered(name: str) -> str:
    return _NUMBER.sub("", _short(name))


_KEYS: tuple[Callable[[str], str], ...] = (_exact, _short, _plain, _unnumbered)
"""In what respect names have to be the same, from the strictest on."""


def _by_name(sources: Sequence[Part], results: Sequence[Part], key: Callable[[str], str]) -> list[int] | None:
    """One source for each result by their names; None unless the names tell all of them apart and leave none over."""
    places = {key(source.name): index for index, source in enumerate(sources)}
    names = [key(result.name) for result in results]
    if "" in places or len(places) != len(sources) or set(names) != set(places):
        return None
    return [places[name] for name in names]


def _by_box(sources: Sequence[Box], results: Sequence[Box]) -> list[int] | None:
    """One source for each result by where they are in the whole; None unless every one is near to one source only."""
    if not all(sources) or not all(results):
        return None
    whole, came = _around(sources), _around(results)
    size, came_size = _largest(whole), _largest(came)
    if size <= 0 or came_size <= 0:
        return None
    return _nearest(sources, results, whole, came, size / came_size)


def _nearest(sources: Sequence[Box], results: Sequence[Box], whole: Box, came: Box, scale: float) -> list[int] | None:
    """The same, where both wholes have a size: ``scale`` brings the one that came to that of the source.

    Of thousands of parts only those are compared that begin about where the other one does.
    """
    import numpy as np  # here: enabling the extension must be quick

    boxes = np.array(sources, dtype=np.float64)
    middle, came_middle = (np.tile([_centre(box, axis) for axis in range(3)], 2) for box in (whole, came))
    fitted = (np.array(results, dtype=np.float64) - came_middle) * scale + middle
    diagonals = np.sqrt(((boxes[:, 3:] - boxes[:, :3]) ** 2).sum(axis=1))
    reach = np.maximum(_NEAR * diagonals, _LEAST * _diagonal(whole))
    axis = max(range(3), key=lambda axis: whole[axis + 3] - whole[axis])
    order = np.argsort(boxes[:, axis])
    starts = boxes[order, axis]
    margin = _DISTINCT * reach.max()
    firsts = np.searchsorted(starts, fitted[:, axis] - margin, "left")
    lasts = np.searchsorted(starts, fitted[:, axis] + margin, "right")
    found: list[int] = []
    for box, first, last in zip(fitted, firsts, lasts, strict=True):
        nearby = order[first:last]
        away = np.abs(boxes[nearby] - box).max(axis=1, initial=0.0) / reach[nearby]
        close = np.flatnonzero(away <= _DISTINCT)
        if len(close) != 1 or away[close[0]] > 1:
            return None
        found.append(int(nearby[close[0]]))
    return found if len(set(found)) == len(found) else None


def _around(boxes: Sequence[Box]) -> Box:
    low = [min(box[axis] for box in boxes) for axis in range(3)]
    high = [max(box[axis + 3] for box in boxes) for axis in range(3)]
    return [*low, *high]


def _centre(box: Box, axis: int) -> float:
    return (box[axis] + box[axis + 3]) / 2


def _largest(box: Box) -> float:
    return max(box[axis + 3] - box[axis] for axis in range(3))


def _diagonal(box: Box) -> float:
    return float(sum((box[axis + 3] - box[axis]) ** 2 for axis in range(3)) ** 0.5)
