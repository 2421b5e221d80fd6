"""A sheet with thin teeth, as pins of electronic parts and bristles of brushes are: what a collapse loses first."""

from __future__ import annotations

import numpy as np

from .figures import joined
from .meshes import Array, Shape, bumpy_grid, rod

LENGTH = 0.6
"""Of a tooth, straight down."""


def comb(teeth: int, bend: float) -> tuple[Shape, Array]:
    """A hilly sheet, 2 by 2 wide, with closed teeth of eight sides below it; halfway they are ``bend`` times 0.3 m out
    of line. Returns it and the middles of the teeth's tips, (teeth, 3).
    """
    steps = np.linspace(1, 0, 9)
    line = np.stack((1.2 * bend * steps * (1 - steps), -LENGTH * steps, 0 * steps), axis=1)
    places = np.random.default_rng(3).random((teeth, 2)) * 2 - 1
    starts = np.stack((places[:, 0], np.zeros(teeth), places[:, 1]), axis=1)
    shape = joined([bumpy_grid(40), *[rod(line + start, 0.01) for start in starts]], "comb")
    return shape, starts + line[0]
