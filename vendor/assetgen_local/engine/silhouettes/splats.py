"""Gaussian splats: a surface covered with small flat ones, their file, and a picture of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from ..array_types import Array, Picture
from ..images.resample import area_mean
from ..mesh.build import filled
from ..mesh.measure import spread_points, triangle_areas, values

_BASE = 0.28209479177387814  # the constant spherical harmonic: a colour is 0.5 + this times f_dc
_FLAT = 0.15  # thickness over radius
_OVERLAP = 0.75  # radius over the distance between splats
_OPACITY = 0.97
_OVERSAMPLING = 2
_BACKGROUND = 0.37


@dataclass(frozen=True, slots=True)
class Splats:
    """Flat splats on a surface.

    Attributes:
        points: Where they are, (n, 3).
        normals: Unit vectors across them, (n, 3).
        colors: On the sRGB curve, (n, 3).
        radius: Standard deviation along the surface, in the unit of the points.
    """

    points: Array
    normals: Array
    colors: Array
    radius: float

    def write(self, path: Path) -> None:
        """Writes a binary PLY with the properties that viewers of 3D Gaussian splats read, +Y up.

        Args:
            path: Where to.
        """
        names = ["x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2", "opacity"]
        names += ["scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"]
        count = len(self.points)
        scales = np.log(np.array((self.radius, self.radius, self.radius * _FLAT)))
        rows = np.concatenate(
            (
                _y_up(self.points),
                _y_up(self.normals),
                (self.colors - 0.5) / _BASE,
                np.full((count, 1), np.log(_OPACITY / (1 - _OPACITY))),
                np.tile(scales, (count, 1)),
                _rotations(_y_up(self.normals)),
            ),
            axis=1,
        )
        header = ["ply", "format binary_little_endian 1.0", f"element vertex {count}"]
        header += [*(f"property float {name}" for name in names), "end_header", ""]
        path.write_bytes("\n".join(header).encode("ascii") + rows.astype("<f4").tobytes())

    def picture(self, towards: Array, size: int) -> Picture:
        """What they look like without perspective, (size, size, 3), sRGB, bottom row first.

        Args:
            towards: Unit vector to the viewer; +Z is up.
            size: Pixels.
        """
        right = np.cross((0.0, 0.0, 1.0), towards)
        right /= np.linalg.norm(right)
        up = np.cross(towards, right)
        seen = self.points @ np.stack((right, up, towards), axis=1)
        low, high = seen.min(axis=0), seen.max(axis=0)
        large = size * _OVERSAMPLING
        scale = 0.9 * large / max(high[0] - low[0], high[1] - low[1])
        place = (seen[:, :2] - (low + high)[:2] / 2) * scale + large / 2
        reach = int(np.ceil(self.radius * scale * 1.8))
        light = (0.55 + 0.45 * np.clip(self.normals @ towards, 0.0, 1.0))[:, None]
        picture = np.full((large, large, 3), _BACKGROUND, np.float32)
        order = np.argsort(seen[:, 2])
        order = order[(self.normals[order] @ towards) > -0.2]
        steps = np.arange(-reach, reach + 1)
        across, upwards = (grid.ravel() for grid in np.meshgrid(steps, steps))
        disc = across**2 + upwards**2 <= (self.radius * scale * 1.7) ** 2
        x = (place[order, 0].astype(int)[:, None] + across[disc]).clip(0, large - 1)
        y = (place[order, 1].astype(int)[:, None] + upwards[disc]).clip(0, large - 1)
        # Written from far to near, so the nearest stays.
        picture[y.ravel(), x.ravel()] = np.repeat((self.colors * light)[order], int(disc.sum()), axis=0)
        return area_mean(picture, size, size)


def cover(vertices: Array, triangles: Array, count: int) -> tuple[Array, Array, float]:
    """Places for splats, spread evenly over a surface: points (n, 3), unit normals (n, 3) and their radius."""
    mesh = filled(bpy.data.meshes.new("covered"), vertices, triangles, np.full(len(triangles), 3))
    corners = np.concatenate((vertices, values(mesh.vertices, "normal", 3)), axis=1)[triangles]
    bpy.data.meshes.remove(mesh)
    points, normals = np.hsplit(spread_points(corners, count)[0], 2)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    return points, normals, float(np.sqrt(triangle_areas(corners[..., :3]).sum() / count)) * _OVERLAP


def _y_up(vectors: Array) -> Array:
    """From +Z up and the front towards -Y to +Y up and the front towards +Z."""
    return np.stack((vectors[:, 0], vectors[:, 2], -vectors[:, 1]), axis=1)


def _rotations(normals: Array) -> Array:
    """Quaternions (w, x, y, z) that turn +Z to the normals."""
    real = 1.0 + normals[:, 2]
    turned = np.stack((real, -normals[:, 1], normals[:, 0], np.zeros(len(normals))), axis=1)
    turned[real < 1e-6] = (0.0, 1.0, 0.0, 0.0)
    return turned / np.linalg.norm(turned, axis=1, keepdims=True)
