"""A colour of its own for each part, so that a picture shows where a model was cut."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from typing import Any

import bpy

from ..output.answer_files import put_on
from ..shaders.nodes import Graph

_GOLDEN = 0.618034
"""Turns by this part of a circle never come back to a colour that was there."""


def tint(parts: Sequence[Any]) -> None:
    """Replaces the materials of the parts. The model is to be written before."""
    for number, part in enumerate(parts):
        material = bpy.data.materials.new(part.name)
        surface = Graph(material).surface()
        surface.inputs["Base Color"].default_value = (*colorsys.hsv_to_rgb(number * _GOLDEN % 1.0, 0.62, 0.8), 1.0)
        surface.inputs["Roughness"].default_value = 0.6
        put_on([part], material)
