"""Which fields the form of the local engine has: told from what the engine's sources read."""

from __future__ import annotations

from pathlib import Path

import pytest
from asset_generation.vendor.assetgen.contract import CAPABILITIES, describe
from generation.local_fields import Calls, is_read

NEVER = {"priority", "watermark", "vxc", "check_printable", "mode", "asset_map"}
"""Fields of the online service that no capability of the engine does anything with."""


def read_by(name: str) -> set[str]:
    return {spec.name for spec in describe(CAPABILITIES[name]) if is_read(name, spec)}


@pytest.mark.parametrize("name", CAPABILITIES)
def test_what_only_the_online_service_has_is_not_read(name: str) -> None:
    assert not read_by(name) & NEVER


@pytest.mark.parametrize(
    ("name", "some", "none"),
    [
        ("text_to_model", {"prompt", "face_limit", "model_seed"}, {"model_version", "style_image", "image_seed"}),
        ("image_to_model", {"file", "style_image", "orientation"}, {"model_version", "model_seed"}),
        ("multiview_to_model", {"front", "left", "back", "right"}, {"model_version"}),
        ("texture", {"text", "image", "images", "texture_seed"}, {"model_version"}),
        ("stylize", {"style", "block_size"}, set()),
        ("convert", {"format", "fbx_preset", "texture_size"}, set()),
        ("decimate", {"face_limit", "model_version"}, set()),
        ("text_to_image", {"prompt", "size"}, {"model"}),
        ("edit_multiview", {"front", "back"}, set()),
        ("smart_segment", {"parameters"}, set()),
        ("segment", set(), {"ref_image", "model_version"}),
    ],
)
def test_fields_are_read_or_not(name: str, some: set[str], none: set[str]) -> None:
    assert some <= read_by(name)
    assert not none & read_by(name)


@pytest.mark.parametrize("name", CAPABILITIES)
def test_the_seeds_that_are_said_to_count_are_those_that_are_read(name: str) -> None:
    request = CAPABILITIES[name]
    seeds = {spec.name for spec in describe(request) if spec.seed}
    assert set(request.local_seeds) == seeds & read_by(name)
    assert {other for other in request.local_seeds.values() if other} <= {spec.name for spec in describe(request)}


def test_a_table_of_functions_leads_to_them(tmp_path: Path) -> None:
    (tmp_path / "capabilities").mkdir()
    source = tmp_path / "capabilities" / "stylize.py"
    source.write_text(
        "def run(task):\n    _WAYS['a'](task)\ndef _a(task):\n    task.flag('vxc')\n_WAYS: dict = {'a': _a}\n"
    )
    calls = Calls(tmp_path)
    reached = calls.reached((source, "run"))
    assert {field for each in reached for field in calls.fields_read(each)} == {"vxc"}
