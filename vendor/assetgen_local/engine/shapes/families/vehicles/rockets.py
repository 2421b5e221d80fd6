"""Rockets and spaceships."""

from __future__ import annotations

import numpy as np

from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solids import ball, circle, curve, lathe, plate, ring, tube


def rocket(spec: PromptSpec) -> list[ModelPart]:
    """Rockets standing on their fins, with portholes, nozzles and boosters."""
    hull = spec.surface("body", "white paint", main=True)
    accent = spec.surface("fin", "shiny red paint")
    segments, slim = spec.round(48), spec.noun == "missile"
    belly = 0.3 if slim else spec.vary("belly", 0.62, 0.8)
    shape = [(belly * 0.55, 0.55), (belly * 0.86, 1.1), (belly, 1.9), (belly * 0.9, 2.9), (belly * 0.62, 3.6)]
    line = curve(shape, spec.steps(7))
    if slim or spec.says("saturn", "realistic", "space x", "modern"):
        belly = 0.42
        line = np.array([(belly, 0.5), (belly, 1.6), (belly, 2.6), (belly * 0.98, 3.5)])
    top = line[-1]
    body = lathe([(0, line[0][1]), *line, (0, top[1])], segments)
    tip_line = [(top[0] + 0.003, -0.02), (top[0] * 0.72, 0.42), (top[0] * 0.34, 0.8), (0.02, 1.1)]
    nose_line = curve(tip_line, spec.steps(5)) + np.array((0, top[1]))
    nose = lathe([(0, top[1] - 0.02), *nose_line, (0, top[1] + 1.13)], segments)
    tip = tube([(0, 0, top[1] + 1.05), (0, 0, top[1] + 1.4)], [0.02, 0.012], spec.round(10))

    def radius(z: float) -> float:
        return float(np.interp(z, line[:, 1], line[:, 0]))

    heights = (line[0][1] + 0.12, top[1] - 0.05, *((1.5,) if slim else ()))
    bands = [ring(radius(z), 0.025, segments, 8, 0.05).moved(z=z) for z in heights]
    flare = [(0, 0.62), (0.22, 0.62), (0.2, 0.5), (0.34, 0.18), (0.31, 0.18), (0.17, 0.48), (0, 0.5)]
    nozzle = lathe(flare, spec.round(32), 0.015)
    parts = [
        part("body", hull, body),
        made_of(spec, "nose", accent, nose),
        made_of(spec, "tip", "steel", tip),
        made_of(spec, "bands", "steel", *bands),
        made_of(spec, "nozzle", "dark steel", nozzle),
    ]
    count = spec.count("fin", 4 if slim else spec.choose("fins", 3, 4), 12)
    foot = radius(1.0)
    for index in range(count):
        reach = 0.35 if slim else 0.78
        high = 0.6 if slim else 1.0
        flat = curve([(0, 0.5 + high), (reach * 0.55, 0.3 + high * 0.55), (reach, 0.0)], spec.steps(6))
        back = curve([(reach * 0.8, 0.0), (reach * 0.5, 0.3), (0, 0.52)], spec.steps(5))
        rim = np.concatenate((flat, back)) + np.array((foot * 0.8 - 0.03, 0.0))
        fin = plate(rim, 0.09, 0.03).moved(z=-0.045).turned("x", 90)
        parts.append(part(f"fin_{index + 1}", accent, fin.turned("z", 360 * (index + 0.5) / count + 90)))
    windows = spec.count("window", spec.number("porthole", 0 if slim else 2), 12)
    frames, panes = [], []
    for index in range(windows):
        z = (2.75 - 0.62 * index) if windows <= 3 else 2.6 - 0.7 * (index % 2)
        turn = 0 if windows <= 3 else 360 * index / windows
        y = -radius(z) + 0.01
        frames.append(ring(0.19, 0.045, spec.round(32), 10).turned("x", 90).moved(y=y, z=z).turned("z", turn))
        panes.append(ball((0.185, 0.06, 0.185), spec.round(24)).moved(y=y + 0.012, z=z).turned("z", turn))
    parts += [made_of(spec, "window_frames", "brass", *frames), made_of(spec, "windows", "blue glass", *panes)]
    boosters = spec.count("booster", 2 if spec.noun == "shuttle" else 0, 8)
    for index, place in enumerate(circle(boosters, radius(1.6) + 0.2)):
        shape = [(0, 0.25), (0.2, 0.25), (0.16, 0.42), (0.21, 0.5), (0.21, 2.0), (0.13, 2.4), (0.03, 2.6), (0, 2.62)]
        booster = lathe(shape, spec.round(28), 0.05).moved(*place)
        parts.append(made_of(spec, f"booster_{index + 1}", hull, booster))
    return parts
