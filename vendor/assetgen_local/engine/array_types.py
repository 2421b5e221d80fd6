"""The names that the engine has for kinds of arrays; their shapes stand where they are used."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
"""Any array."""

Picture = NDArray[np.float32]
"""Pixels, (height, width, channels), rows from the bottom up as Blender has them; or colours without that order."""

Mask = NDArray[np.bool_]
"""Which of some pixels, voxels or other things."""

Points = NDArray[np.float64]
"""Positions, (n, 3)."""

Faces = NDArray[np.int64]
"""Indices of the corners of faces, (n, 3) or (n, 4)."""
