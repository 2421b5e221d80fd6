"""Carries morph targets (shape keys) and their animations over from a mesh to the reduced one that takes its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..array_types import Array
from .build import move_points
from .fit_to_source import barycentric
from .measure import closest, coordinates, tree_of_faces, triangle_corners, values


@dataclass(slots=True)
class SavedShapeKeys:
    """The morph targets that an object had.

    Attributes:
        owner: The object.
        base: Its vertices at rest, (n, 3), its own space.
        triangles: Vertex indices, (m, 3).
        targets: Without the basis, as (name, how far it is on, how far it moves every vertex, (n, 3)).
        tracks: Animation of the values: name of the track → strips as (name, start, action, slot).
        action: The active action and its slot.
    """

    owner: Any
    base: Array
    triangles: Array
    targets: list[tuple[str, float, Array]] = field(default_factory=list)
    tracks: list[tuple[str, list[tuple[str, float, Any, Any]]]] = field(default_factory=list)
    action: tuple[Any, Any] = (None, None)


def take_off(objects: Sequence[Any]) -> list[SavedShapeKeys]:
    """Takes the morph targets off the objects that have some, so that their faces can be changed."""
    return [_taken(scene_object) for scene_object in objects if scene_object.data.shape_keys is not None]


def put_back(taken: Sequence[SavedShapeKeys]) -> None:
    """Gives the objects their targets again: each point moves as the place on the old surface next to it did."""
    for morphs in taken:
        points = coordinates(morphs.owner.data).astype(np.float64)
        face, places = closest(tree_of_faces(morphs.base, morphs.triangles), points)
        index = morphs.triangles[face]
        weights = barycentric(morphs.base[index], places)
        morphs.owner.shape_key_add(name="Basis", from_mix=False)
        for name, value, way in morphs.targets:
            block = morphs.owner.shape_key_add(name=name, from_mix=False)
            moved = points + (way[index] * weights[..., None]).sum(axis=1)
            block.data.foreach_set("co", moved.astype(np.float32).ravel())
            block.value = value
        _animate(morphs)


def _taken(scene_object: Any) -> SavedShapeKeys:
    keys = scene_object.data.shape_keys
    base = _points(keys.reference_key)
    morphs = SavedShapeKeys(scene_object, base, triangle_corners(scene_object.data))
    for block in keys.key_blocks:
        if block != keys.reference_key:
            morphs.targets.append((block.name, float(block.value), _points(block) - base))
    if keys.animation_data is not None:
        data = keys.animation_data
        morphs.action = (data.action, getattr(data, "action_slot", None))
        for track in data.nla_tracks:
            strips = [(s.name, s.frame_start, s.action, getattr(s, "action_slot", None)) for s in track.strips]
            morphs.tracks.append((track.name, strips))
        for action in {morphs.action[0], *(strip[2] for _name, strips in morphs.tracks for strip in strips)}:
            if action is not None:
                action.use_fake_user = True
    scene_object.shape_key_clear()
    move_points(scene_object.data, base)
    return morphs


def _points(block: Any) -> Array:
    return values(block.data, "co", 3).astype(np.float64)


def _animate(morphs: SavedShapeKeys) -> None:
    if morphs.action[0] is None and not morphs.tracks:
        return
    data = morphs.owner.data.shape_keys.animation_data_create()
    for name, strips in morphs.tracks:
        track = data.nla_tracks.new()
        track.name, track.mute = name, True
        for strip_name, start, action, slot in strips:
            strip = track.strips.new(strip_name, round(start), action)
            if slot is not None:
                strip.action_slot = slot
    data.action, slot = morphs.action
    if slot is not None:
        data.action_slot = slot
