"""The figures of a result: what of :data:`..plan.STEPS` is measured, by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import bpy
import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from . import measures, scene
from .measures import Array
from .scene import Mesh

_POINTS = 20_000
_SEED = 77  # points and directions of the judge's own: what fits to some points is nearer there than elsewhere
_FRAMES = 12
_PERCENT = 99.0
_SKY = 14
"""Directions in which a point is looked at to know whether it is seen from outside."""


class Found(NamedTuple):
    """What is measured and what it is compared with, both at rest or as they are seen; and where bones should begin."""

    meshes: Sequence[Mesh]
    compared: Array | None
    joints: Mapping[str, Sequence[float]]

    @property
    def triangles(self) -> Array:
        """(n, 3, 3)."""
        return scene.all_triangles(self.meshes)


def measured(names: Sequence[str], found: Found) -> dict[str, Any]:
    """All figures of these measures."""
    return {key: value for name in names for key, value in _MEASURES[name](found).items()}


def _box(found: Found) -> dict[str, Any]:
    assert found.compared is not None
    before, after = measures.box_of(found.compared), measures.box_of(found.triangles)
    return {"box": float(np.abs(after - before).max()) / measures.diagonal_of(before)}


def _deviation(found: Found) -> dict[str, Any]:
    """The distance both ways; of the original, only what is seen from outside counts, and all of it in ``of all``."""
    assert found.compared is not None
    diagonal = measures.diagonal_of(measures.box_of(found.compared))
    after, before = _tree(found.triangles), _tree(found.compared)
    made, _ = measures.random_points(found.triangles, _POINTS, _SEED)
    original, chosen = measures.random_points(found.compared, _POINTS, _SEED + 1)
    normals = measures.normals_of(found.compared)[chosen]
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-30)[:, None]
    is_seen = _seen(original, normals, before, diagonal)
    there, back = _distances(original, after), _distances(made, before)
    seen = there[is_seen] if is_seen.any() else there
    return {
        "deviation": max(float(np.percentile(part, _PERCENT)) for part in (seen, back)) / diagonal,
        "of all": float(np.percentile(np.concatenate((there, back)), _PERCENT)) / diagonal,
    }


def _tree(triangles: Array) -> Any:
    corners = triangles.reshape(-1, 3)
    return BVHTree.FromPolygons(corners.tolist(), np.arange(len(corners)).reshape(-1, 3).tolist(), all_triangles=True)


def _distances(points: Array, tree: Any) -> Array:
    return np.array([tree.find_nearest(point)[3] for point in points.tolist()])


def _seen(points: Array, normals: Array, tree: Any, diagonal: float) -> Array:
    """Whether a straight line leads from each point to the outside, on either side of its face."""
    sky = np.random.default_rng(_SEED).normal(size=(_SKY, 3))
    sky = [Vector(row) for row in sky / np.linalg.norm(sky, axis=1)[:, None]]
    seen = np.zeros(len(points), bool)
    for row, (point, normal) in enumerate(zip(points.tolist(), normals.tolist(), strict=True)):
        place, out = Vector(point), Vector(normal)
        for way in sky:
            start = place + out * (diagonal * 1e-4 if out.dot(way) > 0 else -diagonal * 1e-4)
            if tree.ray_cast(start, way)[0] is None:
                seen[row] = True
                break
    return seen


def _seen_as(found: Found) -> dict[str, Any]:
    """Box and deviation of what is seen."""
    return {f"seen {key}": value for key, value in {**_box(found), **_deviation(found)}.items() if key != "of all"}


def _faces(found: Found) -> dict[str, Any]:
    return {"faces": len(found.triangles)}


def _pieces(found: Found) -> dict[str, Any]:
    pieces = measures.pieces_of(measures.welded(found.triangles))
    return {"triangles": len(found.triangles), "pieces": int(pieces.max()) + 1}


def _opened(found: Found) -> dict[str, Any]:
    """Open edges that the original does not have, as a part of its diagonal."""
    assert found.compared is not None
    more = measures.opened(found.triangles, found.compared)
    return {"opened": more / measures.diagonal_of(measures.box_of(found.compared))}


def _visible(found: Found) -> dict[str, Any]:
    """The part of the surface whose material is more opaque than not."""
    shown = total = 0.0
    for mesh in found.meshes:
        areas = measures.areas_of(mesh.triangles)
        opaque = np.array([scene.look_of(material).alpha > 0.5 for material in mesh.slots] or [True])
        shown += float(areas[opaque[mesh.materials.clip(0, len(opaque) - 1)]].sum())
        total += float(areas.sum())
    return {"visible": shown / max(total, 1e-30)}


def _uv(found: Found) -> dict[str, Any]:
    counts = _coverage(found)
    used = int((counts > 0).sum())
    return {"uv area": used / counts.size, "uv overlap": float((counts > 1).sum()) / max(used, 1)}


def _coverage(found: Found) -> Array:
    layers = [mesh.uvs for mesh in found.meshes if mesh.uvs is not None]
    return measures.coverage_of(np.concatenate(layers) if layers else np.zeros((0, 3, 2)))


def _colour(found: Found) -> dict[str, Any]:
    """How much of the used texture is black, and how much has the warm colour that was asked for."""
    rows, columns = np.nonzero(_coverage(found))
    places = (np.stack((columns, rows), axis=1) + 0.5) / 512
    slots = [material for mesh in found.meshes for material in mesh.slots]
    pictures = [look.picture for look in map(scene.look_of, dict.fromkeys(slots)) if look.picture is not None]
    if not pictures or not len(places):
        return {"black": 1.0, "coloured": 0.0}
    colors = np.concatenate([scene.sample(picture, places) for picture in pictures])
    black = (colors.max(axis=1) < 0.04).mean()
    return {"black": float(black), "coloured": float((colors[:, 0] > colors[:, 2] * 1.15).mean())}


def _joints(found: Found) -> dict[str, Any]:
    """The part of the bones' heads that is inside the body, which are not, and how far the farthest is off."""
    rig = scene.rig()
    if rig is None:
        raise ValueError("the result has no armature")
    heads = np.array([list(rig.matrix_world @ bone.head_local) for bone in rig.data.bones])
    inside = measures.are_inside(heads, found.triangles)
    outside = [bone.name for bone, is_inside in zip(rig.data.bones, inside, strict=True) if not is_inside]
    figures: dict[str, Any] = {"bones": len(heads), "inside": float(inside.mean()), "outside": outside}
    if found.joints:
        places = dict(zip((bone.name for bone in rig.data.bones), heads, strict=True))
        height = float(np.ptp(measures.box_of(found.triangles)[:, 2]))
        figures |= measures.farthest_joint(places, found.joints, height)
    return figures


def _weights(_found: Found) -> dict[str, Any]:
    """The most bones that move one vertex, and how far the sum of weights is from 1 at most."""
    most, error = 0, 0.0
    for item in (each for each in bpy.context.scene.objects if each.type == "MESH"):
        for vertex in item.data.vertices:
            weights = [group.weight for group in vertex.groups if group.weight > 1e-6]
            most, error = max(most, len(weights)), max(error, abs(1 - sum(weights)))
    return {"influences": most, "weight error": error}


def _walk(_found: Found) -> dict[str, Any]:
    """What the walk does to edges (the 99th percentile over its frames) and feet, and where it goes."""
    rig = scene.rig()
    if rig is None:
        raise ValueError("the result has no armature")
    scene.show("REST")
    rest = scene.meshes()
    edges, at_rest = _joined(rest)
    low, high = at_rest.min(axis=0), at_rest.max(axis=0)
    scene.show("POSE")
    start, end = (int(frame) for frame in _action_of(rig).frame_range)
    ratios, soles, roots = [], [], []
    for frame in np.linspace(start, end, _FRAMES).round().astype(int):
        bpy.context.scene.frame_set(int(frame))
        posed = _joined(scene.meshes())[1]
        ratios.append(measures.stretch_of(edges, at_rest, posed, float(np.linalg.norm(high - low)) * 1e-3))
        soles.append(float(posed[:, 2].min()))
        roots.append(np.array(rig.matrix_world @ rig.pose.bones[0].head))
    stretch = np.concatenate(ratios)
    return {
        "stretch": float(np.percentile(stretch, _PERCENT)),
        "most stretch": float(stretch.max()),
        "feet": float(np.abs(np.array(soles) - low[2]).max()) / max(float(high[2] - low[2]), 1e-12),
        "front": measures.axis_of(roots[-1] - roots[0]),
    }


def _action_of(rig: Any) -> Any:
    data = rig.animation_data
    actions = [data.action] if data.action is not None else []
    actions += [strip.action for track in data.nla_tracks for strip in track.strips]
    return actions[0]


def _joined(found: Sequence[Mesh]) -> tuple[Array, Array]:
    starts = np.cumsum([0, *(len(mesh.points) for mesh in found)])
    edges = np.concatenate([mesh.edges + start for mesh, start in zip(found, starts, strict=False)])
    return edges, np.concatenate([mesh.points for mesh in found])


def _parts(found: Found) -> dict[str, Any]:
    """Names of the parts, where the head begins (part of the height), the largest one and the surface's change."""
    areas = {mesh.name: float(measures.areas_of(mesh.triangles).sum()) for mesh in found.meshes}
    total = sum(areas.values())
    figures: dict[str, Any] = {"parts": len(areas), "names": sorted(areas), "largest": max(areas.values()) / total}
    if found.compared is not None:
        figures["surface"] = abs(total / float(measures.areas_of(found.compared).sum()) - 1)
    head = next((mesh for mesh in found.meshes if mesh.name == "head"), None)
    if head is not None and "leg_left" in areas:
        low, high = measures.box_of(found.triangles)[:, 2]
        figures["head from"] = float((np.percentile(head.points[:, 2], 2) - low) / max(high - low, 1e-12))
    return figures


_MEASURES: Mapping[str, Callable[[Found], dict[str, Any]]] = {
    "box": _box,
    "deviation": _deviation,
    "seen": _seen_as,
    "faces": _faces,
    "pieces": _pieces,
    "open": _opened,
    "visible": _visible,
    "uv": _uv,
    "colour": _colour,
    "joints": _joints,
    "weights": _weights,
    "walk": _walk,
    "parts": _parts,
}
