"""What a folder expects of its models: the table ``expected.csv`` beside them, and the limits where it says nothing.

The columns are ``model`` (the file's name, with the folder below the given one where it lies in one), ``kind``
(``biped``, ``quadruped`` or ``others``) and ``front`` (``-Y``, ``+Y``, ``-X`` or ``+X``, in Blender's axes). What is
empty, or ends with ``?``, does not count. ``refused`` names the steps, with ``;`` between them, that the engine may
refuse in a sentence. ``joints`` says where bones of the rig begin, as ``L_Thigh 0.1 0 0.95; L_Calf 0.1 0 0.5``: by
their names, in the model's units and Blender's axes. ``note`` is for people. Any other column is a limit by its name
in :data:`AT_MOST` or :data:`AT_LEAST`, as ``deviation:decimate``, and holds for the models that have a number in it.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..terminal import Trouble
from . import plan

NAME = "expected.csv"

FRONTS = ("-Y", "+Y", "-X", "+X")

AT_MOST: Mapping[str, float] = {
    "seen box:import": 0.001,
    "seen deviation:import": 0.001,
    "faces:decimate": 2000,
    "box:decimate": 0.01,
    "deviation:decimate": 0.005,
    "faces:500 faces": 500,
    "box:500 faces": 0.02,
    "deviation:500 faces": 0.015,
    "opened:500 faces": 0.1,
    "box:texture": 0.001,
    "uv overlap:texture": 0.01,
    "black:texture": 0.02,
    "box:rig": 0.01,
    "influences:rig": 4,
    "joints:rig": 0.08,
    "weight error:rig": 0.01,
    "stretch:walk": 2.0,
    "feet:walk": 0.03,
    "box:segment": 0.001,
    "surface:segment": 0.01,
    "box:smart segment": 0.001,
    "surface:smart segment": 0.01,
    "parts:smart segment": plan.PARTS,
    "box:convert": 0.001,
    "deviation:convert": 0.001,
}
"""Measure and step → what it may be at most. Lengths are parts of the diagonal; of joints, of the height."""

AT_LEAST: Mapping[str, float] = {
    "visible:import": 0.5,
    "uv area:texture": 0.3,
    "coloured:texture": 0.8,
    "inside:rig": 0.8,
    "head from:segment": 0.35,
    "parts:segment": 1,
    "parts:smart segment": plan.PARTS,
    "visible:convert": 0.5,
}

MANY_PIECES, DEVIATION_OF_MANY = 1000, 0.01
"""From so many pieces on, decimation may deviate so far."""

LIMBS: Mapping[str, frozenset[str]] = {
    plan.BIPED: frozenset({"head", "arm_left", "arm_right", "leg_left", "leg_right"}),
    plan.QUADRUPED: frozenset(
        {"head", "leg_front_left", "leg_front_right", "leg_hind_left", "leg_hind_right"},
    ),
}
"""The parts that a segmented body has to have, by its kind."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What is expected of one model; empty where nothing is, or where it is in doubt.

    Attributes:
        kind: ``biped``, ``quadruped``, ``others`` or nothing.
        front: Where it faces.
        refused: Steps that the engine may refuse.
        joints: Where bones begin, (x, y, z) by the bone's name.
        limits: Limits that differ for it.
    """

    kind: str = ""
    front: str = ""
    refused: tuple[str, ...] = ()
    joints: Mapping[str, Sequence[float]] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)


def read_expected(path: Path | None) -> dict[str, Expected]:
    """The rows of a table by model; none where there is no table.

    Raises:
        Trouble: The table cannot be read, or says what cannot be expected.
    """
    if path is None or not path.is_file():
        return {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, ValueError, csv.Error) as error:
        raise Trouble(f"{path} cannot be read: {error}") from error
    return {row["model"].strip(): _read_row(row, path) for row in rows if (row.get("model") or "").strip()}


def _read_row(row: Mapping[str, str | None], path: Path) -> Expected:
    texts = {name: (text or "").strip() for name, text in row.items() if name}  # cells beyond the head have none
    kind, front = (_sure(texts.get(name, "")) for name in ("kind", "front"))
    if kind and kind not in (plan.BIPED, plan.QUADRUPED, plan.OTHERS):
        raise Trouble(f"{path}: {texts['model']} has the kind {kind!r}; there are biped, quadruped and others.")
    if front and front not in FRONTS:
        raise Trouble(f"{path}: {texts['model']} has the front {front!r}; there are {', '.join(FRONTS)}.")
    refused = tuple(key.strip() for key in texts.get("refused", "").split(";") if key.strip())
    if unknown := set(refused) - set(plan.KEYS):
        raise Trouble(
            f"{path}: {texts['model']} refuses {', '.join(sorted(unknown))}; there are {', '.join(plan.KEYS)}."
        )
    joints = dict(_joint(text, texts["model"], path) for text in texts.get("joints", "").split(";") if text.strip())
    limits = {}
    for name, text in texts.items():
        if name in ("model", "kind", "front", "refused", "joints", "note") or not text:
            continue
        if name not in AT_MOST and name not in AT_LEAST:
            raise Trouble(f"{path}: no measure is called {name!r}; there are {', '.join([*AT_MOST, *AT_LEAST])}.")
        try:
            limits[name] = float(text)
        except ValueError as error:
            raise Trouble(f"{path}: {texts['model']} has {text!r} for {name}, which is no number.") from error
    return Expected(kind, front, refused, joints, limits)


def _joint(text: str, model: str, path: Path) -> tuple[str, tuple[float, ...]]:
    name, *numbers = text.split()
    try:
        x, y, z = map(float, numbers)
    except ValueError as error:
        raise Trouble(f"{path}: {model} has the joint {text.strip()!r}, which is no name and three numbers.") from error
    return name, (x, y, z)


def _sure(text: str) -> str:
    return "" if text.endswith("?") else text
