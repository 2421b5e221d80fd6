"""A few colours for many faces, and the texture that holds them: a cell for each colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..array_types import Array, Picture
from ..images.picture_files import as_image
from ..shaders.nodes import NodeGraph

_ROUNDS = 12


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours in cells of a square texture.

    Attributes:
        colors: sRGB, (n, 3).
        cell: Pixels along a cell's side, a power of two.
    """

    colors: Array
    cell: int = 8

    @property
    def columns(self) -> int:
        """Cells beside each other: a power of two."""
        return 1 << max(0, (int(np.ceil(np.sqrt(len(self.colors)))) - 1).bit_length())

    def nearest(self, colors: Array) -> NDArray[np.int64]:
        """The number of the colour that is most like each of these, (m, 3)."""
        batches = [
            ((part[:, None] - self.colors[None]) ** 2 @ _EYE).argmin(axis=1)
            for part in np.array_split(np.asarray(colors, np.float32), max(1, len(colors) // 20_000))
        ]
        return np.concatenate(batches)

    def square(self, numbers: Array, inset: float) -> Array:
        """UVs of the four corners of a cell, counter-clockwise, for each of these colours: (m, 4, 2).

        Args:
            numbers: Of the colours, (m,).
            inset: What is left out along the cell's rim, as a part of the cell.
        """
        corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * (1 - 2 * inset) + inset
        start = np.stack((numbers % self.columns, numbers // self.columns), axis=1)
        return (start[:, None] + corners[None]) / self.columns

    def picture(self, variation: float = 0.0, edge: float = 1.0) -> Picture:
        """The texture, bottom row first.

        Args:
            variation: How much the pixels of a cell differ in brightness.
            edge: Factor of a cell's outermost pixels.
        """
        size = self.columns * self.cell
        numbers = np.arange(self.columns**2).reshape(self.columns, self.columns)
        colors = np.pad(self.colors, ((0, self.columns**2 - len(self.colors)), (0, 0)), "edge")
        result = colors[numbers].repeat(self.cell, axis=0).repeat(self.cell, axis=1)
        light = np.random.default_rng(0).normal(1.0, variation, (size, size)) if variation else np.ones((size, size))
        place = np.arange(size) % self.cell
        rim = (place == 0) | (place == self.cell - 1)
        light[rim[:, None] | rim[None, :]] *= edge
        return np.clip(result * light[..., None], 0.0, 1.0).astype(np.float32)

    def material(self, picture: Picture, roughness: float, *, crisp: bool = False) -> Any:
        """A material that shows the texture; ``crisp`` keeps its pixels square."""
        material = bpy.data.materials.new("Palette")
        graph = NodeGraph(material)
        surface = graph.surface()
        surface.inputs["Roughness"].default_value = roughness
        image = as_image(picture, "palette", is_data=False)
        node = graph.node("ShaderNodeTexImage", image=image, interpolation="Closest" if crisp else "Linear")
        graph.plug(surface.inputs["Base Color"], node.outputs[0])
        return material


_EYE = np.array([0.3, 0.5, 0.2], np.float32)
"""How much the eye minds differences in red, green and blue."""


def palette_of(colors: Array, most: int) -> Palette:
    """The colours that stand for many others best (k-means, started from the extremes, the same every time).

    Args:
        colors: sRGB, (n, 3).
        most: Colours in the palette, at most.
    """
    seen = np.unique(np.round(colors * 63).astype(int), axis=0, return_counts=True)
    values, weight = seen[0] / 63, seen[1].astype(float)
    centres = [np.average(values, axis=0, weights=weight)]
    distance = np.full(len(values), np.inf)
    while len(centres) < min(most, len(values)):
        distance = np.minimum(distance, ((values - centres[-1]) ** 2) @ _EYE)
        centres.append(values[(distance * np.sqrt(weight)).argmax()])
    palette = Palette(np.array(centres, np.float32))
    for _ in range(_ROUNDS):
        of = palette.nearest(values)
        total = np.bincount(of, weight, len(palette.colors))
        mean = np.stack([np.bincount(of, weight * axis, len(total)) for axis in values.T], axis=1)
        kept = np.where(total[:, None] > 0, mean / np.maximum(total, 1e-9)[:, None], palette.colors)
        palette = Palette(kept.astype(np.float32))
    return palette
