"""What the engine makes of texture prompts, in small: many at once, in one background process."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from asset_generation.vendor.background_blender import BlenderCommand, run
from numpy.typing import NDArray

from ..fork_server.command import forked_python

Array = NDArray[Any]

SCRIPT = Path(__file__).with_name("bake_surfaces.py")


@dataclass(frozen=True, slots=True)
class Baked:
    """A prompt's surface: colours on the sRGB curve, opacity, roughness, metalness, height; (n, n) or (n, n, 3)."""

    color: Array
    opacity: Array
    height: Array
    roughness: Array
    metallic: Array

    @property
    def hls(self) -> tuple[float, float, float]:
        """Hue in degrees, lightness and saturation of the mean colour."""
        hue, lightness, saturation = colorsys.rgb_to_hls(*self.color.reshape(-1, 3).mean(axis=0))
        return hue * 360, lightness, saturation

    def statistics(self) -> Array:
        """What makes a material recognisable, each number from about 0 to 1."""
        flat = self.color.reshape(-1, 3)
        tones = self.color.mean(axis=2)
        fine = np.abs(np.diff(tones, axis=1)).mean() + np.abs(np.diff(tones, axis=0)).mean()
        numbers = (*flat.mean(axis=0), *(3 * flat.std(axis=0)), 8 * fine, self.roughness.mean(), self.metallic.mean())
        return np.array([*numbers, self.opacity.mean(), 2 * self.height.std()])


def bake_surfaces(
    folder: Path, prompts: Mapping[str, str], *, seed: int = 1, materials: bool = False, alone: bool = False
) -> tuple[dict[str, Baked], dict[str, str]]:
    """The prompts' surfaces by key, and every word for a material with the first word for the same one.

    ``alone`` is as in :func:`.engine_run.run_engine`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / "surfaces.npz"
    request = {"prompts": dict(prompts), "seed": seed, "materials": materials, "output": str(output)}
    command = BlenderCommand.of_python() if alone else forked_python()
    answer = run(command, SCRIPT, request, timeout=300)
    surfaces = {}
    with np.load(output) as file:
        for name in file.files:
            kind, _, key = name.partition(":")
            if kind == "color":
                color, orm = file[name], file[f"orm:{key}"]
                surfaces[key] = Baked(color[..., :3], color[..., 3], *np.moveaxis(orm, 2, 0))
    return surfaces, answer["materials"]
