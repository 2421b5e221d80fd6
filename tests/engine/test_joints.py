"""Joints lie inside the body, also where a limb is as thin as the voxels that it is measured in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from devtools.strangers.in_blender.measures import are_inside
from support.engine.engine_run import needs_bpy, run_engine
from support.models.bodies import BIPEDS, QUADRUPEDS
from support.models.meshes import write_glb
from support.models.rigged import Rigged

pytestmark = needs_bpy


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *(pytest.param(name, "biped", marks=pytest.mark.once) for name in ("gun", "shield", "book")),
        ("crocodile", "quadruped"),
    ],
)
def test_joints_are_inside_and_not_in_voxels_that_the_surface_only_passes(tmp_path: Path, name: str, kind: str) -> None:
    shapes = (BIPEDS | QUADRUPEDS)[name]()
    run_engine("rig", tmp_path, {"rig_type": kind}, model=write_glb(tmp_path / "in.glb", shapes))
    result = Rigged(tmp_path / "model.glb")
    world = result.world(result.local())
    heads = np.array([world[result.node(bone)][:3, 3] for bone in result.bones])
    triangles = np.concatenate([shape.positions[shape.triangles] for shape in shapes]).astype(float)
    outside = [bone for bone, within in zip(result.bones, are_inside(heads, triangles), strict=True) if not within]
    assert not outside
