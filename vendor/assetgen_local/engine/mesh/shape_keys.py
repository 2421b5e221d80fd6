"""Carries morph targets (shape keys) and their animations over from a mesh to the reduced one that takes its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from mathutils.bvhtree import BVHTree

from ..array_types import Array
from .fit_to_source import barycentric
from .measure import coordinates, triangle_corners


@dataclass(slots=True)
class SavedShapeKeys:
    """The morph targets that an object had.

    Attributes:
        owner: The object.
        base: Its vertices at rest, (n, 3), its own space.
        triangles: Vertex indices, (m, 3).
        names: Of the targets, without the basis.
        values: How far each is on.
        ways: How far each moves every vertex, (n, 3) each.
        tracks: Animation of the values: name of the track → strips as (name, start, action, slot).
        action: The active action and its slot.
    """

    owner: Any
    base: Array
    triangles: Array
    names: list[str] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    ways: list[Array] = field(default_factory=list)
    tracks: list[tuple[str, list[tuple[str, float, Any, Any]]]] = field(default_factory=list)
    action: tuple[Any, Any] = (None, None)


def take_off(objects: Sequence[Any]) -> list[SavedShapeKeys]:
    """Takes the morph targets off the objects that have some, so that their faces can be changed."""
    return [_taken(scene_object) for scene_object in objects if scene_object.data.shape_keys is not None]


def put_back(taken: Sequence[SavedShapeKeys]) -> None:
    """Gives the objects their targets again: each point moves as the place on the old surface next to it did."""
    for morphs in taken:
        _give_back(morphs)


def _taken(scene_object: Any) -> SavedShapeKeys:
    keys = scene_object.data.shape_keys
    base = _points(keys.reference_key)
    morphs = SavedShapeKeys(scene_object, base, triangle_corners(scene_object.data))
    for block in keys.key_blocks:
        if block != keys.reference_key:
            morphs.names.append(block.name)
            morphs.values.append(float(block.value))
            morphs.ways.append(_points(block) - base)
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
    scene_object.data.vertices.foreach_set("co", base.astype(np.float32).ravel())
    scene_object.data.update()
    return morphs


def _points(block: Any) -> Array:
    flat = np.empty(len(block.data) * 3, np.float32)
    block.data.foreach_get("co", flat)
    return flat.reshape(-1, 3).astype(np.float64)


def _give_back(morphs: SavedShapeKeys) -> None:
    points = coordinates(morphs.owner.data).astype(np.float64)
    tree = BVHTree.FromPolygons(morphs.base.tolist(), morphs.triangles.tolist(), all_triangles=True)
    hits = [tree.find_nearest(point) for point in points.tolist()]
    index = morphs.triangles[[hit[2] for hit in hits]]
    weights = barycentric(morphs.base[index], np.array([hit[0] for hit in hits]))
    morphs.owner.shape_key_add(name="Basis", from_mix=False)
    for name, value, way in zip(morphs.names, morphs.values, morphs.ways, strict=True):
        block = morphs.owner.shape_key_add(name=name, from_mix=False)
        moved = points + (way[index] * weights[..., None]).sum(axis=1)
        block.data.foreach_set("co", moved.astype(np.float32).ravel())
        block.value = value
    _animate(morphs)


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
