"""Large meshes that are read and written beside Blender's importer and exporter of glTF: the same as through them."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import bpy
import pytest
from load_extension import ROOT

SCRIPT = ROOT / "tests" / "support" / "models" / "both_ways.py"

APART = {"ball": 1, "bare": 1, "family": 2, "mixed": 1, "beside a triangle": 1}
"""How many meshes of a model the exporter does not write; what has colours, shape keys or bones is left to it."""

FILLED = {**APART, "sharing": 1, "in many places": 1, "noted": 1}
"""Likewise of the importer, which has to mend what is broken, and knows more ways to write numbers."""

MODELS = ["ball", "bare", "family", "colored", "keyed", "rigged", "mixed", "beside a triangle"]

OF_OTHERS = [
    "twice",
    "interleaved",
    "sparse",
    "quantised",
    "sharing",
    "in many places",
    "noted",
    "marked",
    "compressed",
]
"""The file of the ball, changed to what other exporters write."""


@pytest.fixture(scope="module")
def both_ways(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("models")
    done = subprocess.run([sys.executable, str(SCRIPT), str(folder)], capture_output=True, text=True, check=False)
    line = next((line for line in done.stdout.splitlines() if line.startswith("RESULT ")), None)
    assert line is not None, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(line.removeprefix("RESULT "))
    return found


@pytest.mark.parametrize("model", MODELS + OF_OTHERS)
def test_a_model_is_read_as_by_blenders_importer(both_ways: dict[str, Any], model: str) -> None:
    assert both_ways[model]["read"] == []
    assert both_ways[model]["filled"] == FILLED.get(model, 0)


@pytest.mark.parametrize("model", MODELS)
def test_a_model_is_written_as_by_blenders_exporter(both_ways: dict[str, Any], model: str) -> None:
    assert both_ways[model]["written"] == []
    assert both_ways[model]["apart"] == APART.get(model, 0)


@pytest.mark.parametrize("model", MODELS + OF_OTHERS)
def test_normals_that_stay_the_files_own_shade_a_model_in_the_same_way(both_ways: dict[str, Any], model: str) -> None:
    """Also in a mirror, where packed ones are off at seams. Blender has such normals from 4.5 on; where a mesh has to
    have others, all have.
    """
    assert both_ways[model]["shaded"] == []
    has_them = bpy.app.version >= (4, 5) and model not in {"mixed", "sharing", "beside a triangle"}
    assert both_ways[model]["free"] == (FILLED.get(model, 0) if has_them else 0)
