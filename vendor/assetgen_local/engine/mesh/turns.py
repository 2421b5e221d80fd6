"""Rotation matrices. Bodies face -Y, +X is their left and +Z is up; angles are degrees."""

from __future__ import annotations

import numpy as np

from ..array_types import Array


def turn(pitch: float = 0.0, roll: float = 0.0, yaw: float = 0.0) -> Array:
    """Leans forwards by pitch, to the left by roll, then turns to the left by yaw."""
    return about(2, yaw) @ about(1, roll) @ about(0, pitch)


def about(axis: int, degrees: float) -> Array:
    """A rotation around the x, y or z axis."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    first, second = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[first, first] = matrix[second, second] = cos
    matrix[first, second], matrix[second, first] = -sin, sin
    return matrix


def between(source: Array, target: Array) -> Array:
    """The smallest rotation that turns one direction into another."""
    source, target = unit(source), unit(target)
    axis, cos = np.cross(source, target), float(source @ target)
    if cos < -0.99999:  # opposite: half a turn around anything across
        other = np.eye(3)[int(np.abs(source).argmin())]
        across = unit(np.cross(source, other))
        return np.asarray(2 * np.outer(across, across) - np.eye(3))
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.asarray(np.eye(3) + cross + cross @ cross / (1 + cos))


def unit(vector: Array) -> Array:
    """The vector with length 1."""
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12))
