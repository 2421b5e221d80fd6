"""The made shapes: each is one that some way of looking at models takes for something else."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from . import bodies, scenes
from .bodies import Line, Point, joints_of


class Shape(NamedTuple):
    """One file: its name, what is expected of it, what it is there for, and what puts it into an empty scene.

    ``joints`` are where bones of its rig begin, by their names.
    """

    name: str
    kind: str
    front: str
    note: str
    build: Callable[[], None]
    joints: Mapping[str, Point] = MappingProxyType({})


def _body(lines: list[Line]) -> Callable[[], None]:
    return lambda: _add_body(lines)


def _add_body(lines: list[Line]) -> None:
    scenes.add_body("body", lines)


def _with_sword() -> None:
    """Held in a hand of arms half down, and long enough to stand on the floor."""
    scenes.add_body("body", bodies.person(arms=35))
    x, y, z = bodies.hand_of(35)
    scenes.add_box("sword", (x, y - z * 0.35, z / 2 + 0.01), (0.035, 0.012, z), tilt=np.radians(-35))
    scenes.add_box("guard", (x, y - 0.04, z - 0.06), (0.2, 0.03, 0.03))


def _with_shields() -> None:
    """Something in both hands, and nothing of it alike on the two sides."""
    scenes.add_body("body", bodies.person(arms=20))
    scenes.add_box("shield", bodies.hand_of(20) + np.array((0.05, -0.08, 0)), (0.4, 0.04, 0.6))
    scenes.add_box("staff", bodies.hand_of(20, -1) + np.array((0, -0.02, 0.1)), (0.03, 0.03, 1.6))


def _with_coat() -> None:
    """A coat that stands off the body and hides the legs down to the shins, open in front, one layer thick."""
    scenes.add_body("body", bodies.person())
    scenes.add_coat("coat", top=(0.19, 1.36), bottom=(0.36, 0.3))


def _turned() -> None:
    scenes.add_body("body", bodies.person())
    scenes.turn_all((0, 0, np.pi / 2))


def _turned_joints() -> dict[str, Point]:
    return {name: (-y, x, z) for name, (x, y, z) in joints_of().items()}


def _stag() -> None:
    """Antlers are objects that hang on the bone of the head, under a rig."""
    body = scenes.add_body("body", bodies.beast())
    antlers = [Line((0.05 * s, -0.85, 1.35), (0.3 * s, -0.75, 1.8), 0.03, 0.015) for s in (1, -1)]
    antlers += [Line((0.18 * s, -0.8, 1.58), (0.22 * s, -0.98, 1.75), 0.02, 0.012) for s in (1, -1)]
    horns = scenes.add_body("antlers", antlers, whole=False)
    bones = {
        "root": ("", (0, 0.4, 0.8), (0, -0.4, 0.8)),
        "neck": ("root", (0, -0.5, 0.85), (0, -0.8, 1.26)),
        "head": ("neck", (0, -0.8, 1.26), (0, -1.02, 1.35)),
    }
    rig = scenes.add_rig(bones, [body])
    scenes.hang_on(horns, rig, "head")
    scenes.pose(rig, "head", (0.35, 0, 0), about=(0, -0.8, 1.26))


def _on_its_tail() -> None:
    """At rest it stands upright on its tail; the pose that one sees stands on four legs."""
    body = scenes.add_body("body", bodies.beast(head=0.75, tail=0.45, front=0.1, hind=0.11))
    scenes.turn_all((-np.pi / 2, 0, 0))
    rig = scenes.add_rig({"root": ("", (0, 0, 0), (0, 0, 0.5))}, [body])
    scenes.pose(rig, "root", (np.pi / 2, 0, 0))


def _cart() -> None:
    scenes.add_box("bed", (0, 0, 0.75), (0.9, 1.6, 0.12))
    for x in (-0.42, 0.42):
        scenes.add_box("side", (x, 0, 0.95), (0.05, 1.6, 0.3))
        scenes.add_box("shaft", (x * 0.7, -1.2, 0.7), (0.06, 1.1, 0.06))
        for y in (-0.5, 0.5):
            scenes.add_wheel("wheel", (x * 1.2, y, 0.38), 0.38)


def _chair() -> None:
    scenes.add_box("seat", (0, 0, 0.48), (0.5, 0.5, 0.07))
    scenes.add_box("back", (0, 0.23, 0.85), (0.5, 0.05, 0.7))
    for x in (-0.21, 0.21):
        for y in (-0.21, 0.21):
            scenes.add_box("leg", (x, y, 0.24), (0.06, 0.06, 0.48))


def _table() -> None:
    scenes.add_box("top", (0, 0, 0.74), (1.6, 0.8, 0.06))
    for x in (-0.7, 0.7):
        for y in (-0.32, 0.32):
            scenes.add_box("leg", (x, y, 0.37), (0.08, 0.08, 0.74))


def _lamp() -> None:
    """A foot, a pole and two arms: as tall and thin as somebody with arms."""
    lines = [Line((0, 0, 0.1), (0, 0, 1.5), 0.05, 0.05), Line((0, 0, 0.03), (0, 0, 0.06), 0.22, 0.2)]
    lines += [Line((0, 0, 1.4), (0.4 * s, 0, 1.5), 0.03, 0.03) for s in (1, -1)]
    scenes.add_body("lamp", [*lines, Line((0, 0, 1.6), (0, 0, 1.7), 0.14, 0.1)])


def _fish() -> None:
    lines = [Line((0, -0.5, 0.5), (0, 0.5, 0.5), 0.25, 0.06), Line((0, 0.55, 0.35), (0, 0.7, 0.7), 0.04, 0.04)]
    lines += [Line((0.15 * s, -0.2, 0.45), (0.4 * s, 0, 0.3), 0.05, 0.02) for s in (1, -1)]
    scenes.add_body("fish", [*lines, Line((0, -0.1, 0.7), (0, 0.2, 0.85), 0.05, 0.02)])


def _bird() -> None:
    """Two legs and no arms; its wings lie on its body."""
    lines = [Line((0, -0.1, 0.45), (0, 0.2, 0.4), 0.17, 0.1), Line((0, -0.2, 0.68), (0, -0.22, 0.7), 0.1, 0.1)]
    lines += [Line((0, -0.3, 0.68), (0, -0.4, 0.66), 0.03, 0.01), Line((0, 0.25, 0.4), (0, 0.55, 0.33), 0.06, 0.03)]
    for s in (0.07, -0.07):
        lines += [Line((s, 0, 0.35), (s, 0, 0.04), 0.022, 0.02), Line((s, 0.02, 0.02), (s, -0.1, 0.02), 0.02, 0.015)]
    scenes.add_body("bird", lines)


def _machine() -> None:
    """Two thousand small boxes on a large one, no two of whose faces share a point."""
    numbers = np.random.default_rng(3)
    boxes = [((0.0, 0.0, 0.5), (1.6, 0.8, 0.6))]
    for place in numbers.uniform(-1, 1, (2000, 3)):
        axis = int(numbers.integers(3))
        place[axis] = np.sign(place[axis])
        x, y, z = place * (0.8, 0.4, 0.3) + (0, 0, 0.5)
        boxes.append(((x, y, z), tuple(numbers.uniform(0.015, 0.09, 3))))
    scenes.add_loose_boxes("machine", boxes)


def _display() -> None:
    """A panel with twenty-four times twenty-four lamps, an object and a material each."""
    scenes.add_loose_boxes("panel", [((0.0, 0.1, 1.0), (2.1, 0.1, 2.1))])
    for number in range(576):
        x, z = number % 24 * 0.08 - 0.92, number // 24 * 0.08 + 0.08
        scenes.add_loose_boxes(f"lamp {number}", [((x, 0.04, z), (0.05, 0.02, 0.05))])


def _invisible() -> None:
    scenes.add_body("body", bodies.person(), alpha=0.0)


SHAPES = (
    Shape("man_in_t_pose.glb", "biped", "-Y", "nothing is difficult", _body(bodies.person()), joints_of()),
    Shape(
        *("man_soles_touch.glb", "biped", "-Y", "the soles touch"),
        *(_body(bodies.person(arms=30, stance=0.06)), joints_of(arms=30, stance=0.06)),
    ),
    Shape(
        *("man_arms_down.glb", "biped", "-Y", "the arms hang down", _body(bodies.person(arms=78)), joints_of(arms=78)),
    ),
    Shape("man_with_sword.glb", "biped", "-Y", "the sword stands on the floor", _with_sword, joints_of(arms=35)),
    Shape("man_with_shield.glb", "biped", "-Y", "both hands hold something", _with_shields, joints_of(arms=20)),
    Shape("man_in_coat.glb", "biped", "-Y", "a coat hides the legs", _with_coat, joints_of()),
    Shape("man_turned.glb", "biped", "+X", "faces +X", _turned, _turned_joints()),
    Shape("man_invisible.fbx", "biped", "-Y", "all materials have an alpha of 0", _invisible, joints_of()),
    Shape("horse.glb", "quadruped", "-Y", "nothing is difficult", _body(bodies.beast())),
    Shape("horse_grazing.glb", "quadruped", "-Y", "the head is on the floor", _body(bodies.beast(head=0.1))),
    Shape("horse_long_tail.glb", "quadruped", "-Y", "so is the tail", _body(bodies.beast(tail=0.04))),
    Shape("bull.glb", "quadruped", "-Y", "thin hind legs", _body(bodies.beast(head=0.9, front=0.12, hind=0.05))),
    Shape("stag.glb", "quadruped", "-Y", "antlers hang on a bone", _stag),
    Shape("on_its_tail.glb", "quadruped", "-Y", "stands upright at rest", _on_its_tail),
    Shape("cart.glb", "others", "", "four wheels and two shafts", _cart),
    Shape("chair.glb", "others", "", "four legs", _chair),
    Shape("table.glb", "others", "", "four legs", _table),
    Shape("lamp.glb", "others", "", "two arms", _lamp),
    Shape("fish.glb", "others", "", "fins", _fish),
    Shape("bird.glb", "others", "", "two legs, no arms", _bird),
    Shape("machine.glb", "others", "", "thousands of pieces", _machine),
    Shape("display.glb", "others", "", "hundreds of objects", _display),
)


def write_all(folder: Path, report: Callable[[float, str], None]) -> list[str]:
    """Writes all shapes and their table into the folder; answers with their names."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, shape in enumerate(SHAPES):
        report(number / len(SHAPES), shape.name)
        scenes.clear()
        shape.build()
        scenes.write(folder / shape.name)
    with (folder / "expected.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("model", "kind", "front", "joints", "note"))
        writer.writerows((shape.name, shape.kind, shape.front, _joints(shape), shape.note) for shape in SHAPES)
    return [shape.name for shape in SHAPES]


def _joints(shape: Shape) -> str:
    return "; ".join(f"{name} {x:g} {y:g} {z:g}" for name, (x, y, z) in shape.joints.items())
