"""Rotation matrices. Bodies face -Y, +X is their left and +Z is up; angles are degrees."""

from __future__ import annotations

import numpy as np
from mathutils import Matrix, Vector

from ..array_types import Array


def turn(pitch: float = 0.0, roll: float = 0.0, yaw: float = 0.0) -> Array:
    """Leans forwards by pitch, to the left by roll, then turns to the left by yaw."""
    return about(2, yaw) @ about(1, roll) @ about(0, pitch)


def about(axis: int, degrees: float) -> Array:
    """A rotation around the x, y or z axis."""
    return np.array(Matrix.Rotation(np.radians(degrees), 3, "XYZ"[axis]), float)


def between(source: Array, target: Array) -> Array:
    """The smallest rotation that turns one direction into another."""
    return np.array(Vector(source).rotation_difference(Vector(target)).to_matrix(), float)


def unit(vector: Array) -> Array:
    """The vector with length 1."""
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12))
