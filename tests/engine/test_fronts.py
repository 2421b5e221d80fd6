"""Where bodies face: found from their shape, and as one sees them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.engine.engine_run import needs_bpy, run_engine
from support.models.animated import write_turned_glb
from support.models.figures import joined, person
from support.models.rigged import Rigged

pytestmark = needs_bpy


@pytest.mark.parametrize("quarters", [1, *(pytest.param(count, marks=pytest.mark.once) for count in (2, 3))])
def test_what_is_seen_to_face_elsewhere_than_at_rest_is_rigged_as_it_is_seen(tmp_path: Path, quarters: int) -> None:
    shape = joined(person(), "person")
    shape.positions[:] += (3.0, 0.5, -2.0)
    run_engine("rig", tmp_path, model=write_turned_glb(tmp_path / "in.glb", shape, quarters * np.pi / 2, axis=1))
    result = Rigged(tmp_path / "model.glb")
    world = result.world(result.local())
    at = {bone: world[result.node(bone)][:3, 3] for bone in result.bones}
    assert at["L_Foot"][2] + 0.05 < at["L_ToeBase"][2], "it faces +Z"
    assert at["L_Hand"][0] > 3.4 > 2.6 > at["R_Hand"][0]
    shown = np.concatenate(result.skinned(result.local()))
    for end in (np.min, np.max):
        assert end(shown, axis=0) == pytest.approx(end(shape.positions, axis=0), abs=1e-4)
