"""Which sheets of a heap are seen from outside, and from which side. Blender's axes: +Z up."""

from __future__ import annotations

import numpy as np
import pytest
from asset_generation.vendor.assetgen_local.engine.array_types import Array
from support.engine.engine_run import needs_bpy
from support.models.meshes import box, cube_sphere

pytestmark = [needs_bpy, pytest.mark.each_python]

FAR = np.array([300.0, -200.0, 50.0])
"""Where the models stand: what is small beside this must not be lost in rounding."""


def tufts(count: int) -> tuple[Array, Array]:
    """Open tubes of four sides that stand out of a ball: points (8 * count, 3), outwards; triangles (8 * count, 3)."""
    numbers = np.random.default_rng(4)
    out = numbers.normal(size=(count, 3))
    out /= np.linalg.norm(out, axis=1)[:, None]
    one = np.cross(out, numbers.normal(size=(count, 3)))
    one /= np.linalg.norm(one, axis=1)[:, None]
    other = np.cross(out, one)
    ring = np.stack((one, other, -one, -other), axis=1) * 0.01
    points = np.concatenate((out[:, None] * 0.9 + ring, out[:, None] * 1.3 + ring), axis=1)
    start = np.arange(4)
    after = (start + 1) % 4
    tube = np.concatenate((np.stack((start, after, after + 4), 1), np.stack((start, after + 4, start + 4), 1)))
    return points.reshape(-1, 3), (tube + 8 * np.arange(count)[:, None, None]).reshape(-1, 3)


def test_sheets_that_look_inwards_are_told_from_those_that_look_outwards() -> None:
    import bpy
    from asset_generation.vendor.assetgen_local.engine.mesh.outward import looks, sheets_of

    points, faces = tufts(1500)
    turned = np.repeat(np.random.default_rng(1).random(1500) < 0.3, 8)
    faces[turned] = faces[turned][:, ::-1]
    before = len(bpy.data.objects), len(bpy.data.meshes)
    way = looks(sheets_of(faces), points + FAR, faces, np.zeros(len(faces), bool))
    assert (way[turned] == -1).mean() > 0.995
    assert (way[~turned] == 1).mean() > 0.995
    assert (len(bpy.data.objects), len(bpy.data.meshes)) == before, "nothing is left behind"


def test_what_is_shut_in_is_seen_by_nobody_but_through_glass() -> None:
    from asset_generation.vendor.assetgen_local.engine.mesh.outward import looks, seen_points, sheets_of

    shell, core = cube_sphere(8), box((0.5, 0.5, 0.5))
    points = np.concatenate((shell.positions, core.positions)) + FAR
    faces = np.concatenate((shell.triangles, core.triangles + len(shell.positions)))
    inside = np.arange(len(faces)) >= len(shell.triangles)
    solid = looks(sheets_of(faces), points, faces, np.zeros(len(faces), bool))
    assert (solid[~inside] == 1).all()
    assert (solid[inside] == 0).all()
    assert (looks(sheets_of(faces), points, faces, ~inside) == 1).all(), "the shell is of glass"
    away = np.linalg.norm(seen_points(points, faces) - FAR, axis=1)
    assert away.min() > 0.5, "points of the shell alone"
    assert len(away) > 4000


def test_the_sky_is_measured_on_both_sides_of_a_point() -> None:
    import bpy
    from asset_generation.vendor.assetgen_local.engine.mesh.outward import sides_seen

    # The bottom of a pit as deep as it is wide. The scene has something else, which lies where it would be over the
    # pit: what sees stands at the origin, in the size of 1.
    bpy.ops.mesh.primitive_plane_add(size=1000, location=(0, 0, 2))
    lid = bpy.context.object
    try:
        pit = box((1.0, 1.0, 1.0))
        centres = pit.positions[pit.triangles].mean(axis=1)
        open_box = pit.triangles[centres[:, 2] < 0.5 - 1e-6]
        assert len(open_box) == len(pit.triangles) - 2
        bottom = np.tile(FAR - np.array([0.0, 0.0, 0.5]), (400, 1))
        up, down = sides_seen(bottom, np.tile((0.0, 0.0, 1.0), (400, 1)), pit.positions + FAR, open_box).mean(axis=0)
    finally:
        mesh = lid.data
        bpy.data.objects.remove(lid)
        bpy.data.meshes.remove(mesh)
    assert down == 1.0
    # What of the light of a hemisphere comes through a square of side 1, straight above at a distance of 1: 0.2395.
    assert 0.21 < up < 0.27


def test_what_has_faces_for_either_side_is_of_the_sheets_that_it_has_with_one() -> None:
    """Each of its faces was a sheet, and Decimate left out those that no line happened to meet."""
    from asset_generation.vendor.assetgen_local.engine.mesh.outward import looks, sheets_of

    shell = cube_sphere(6)
    sheet = sheets_of(shell.triangles)
    assert sheet.max() == 5, "its sides do not share points"
    faces = np.concatenate((shell.triangles, shell.triangles[:, ::-1]))
    assert np.array_equal(sheets_of(faces), np.tile(sheet, 2))
    assert (looks(np.tile(sheet, 2), shell.positions, faces, np.zeros(len(faces), bool)) == 1).all(), "none is turned"
