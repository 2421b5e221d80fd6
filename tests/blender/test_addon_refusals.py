"""What cannot be done is said in a sentence, before anything is written, sent or paid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest
from support.addon import add_mesh, block_names, select
from support.services.local_engine import recorded


def refusal(name: str = "decimate", **fields: Any) -> str:
    with pytest.raises(RuntimeError) as caught:
        getattr(bpy.ops.assetgen, name)(**fields)
    return str(caught.value).strip()


@pytest.fixture(autouse=True)
def nothing_happens(service: Any, addon: Any) -> Any:
    yield
    assert recorded(service, method="POST") == []
    assert list(addon.data.glob("snapshots/*")) == []
    assert not addon.state.jobs


def test_nothing_is_selected() -> None:
    assert refusal() == "Error: Nothing is selected: select a mesh"


def test_a_light_is_selected() -> None:
    bpy.ops.object.light_add()
    bpy.context.object.name = "Sun"
    assert refusal() == 'Error: "Sun" is a light: select a mesh'


def test_the_mesh_has_no_faces() -> None:
    item = add_mesh("Points", "plane")
    item.data.clear_geometry()
    assert refusal() == 'Error: "Points" has no faces: select a mesh with a surface'


def test_modifiers_take_all_faces_away() -> None:
    item = add_mesh("Masked", "plane")
    item.vertex_groups.new(name="Nothing")
    item.modifiers.new("Mask", "MASK").vertex_group = "Nothing"
    assert refusal() == 'Error: "Masked" has no faces: select a mesh with a surface'


@pytest.mark.parametrize(("mode", "words"), [("EDIT", "Edit Mode"), ("SCULPT", "Sculpt Mode")])
def test_another_mode_than_object_mode(mode: str, words: str) -> None:
    add_mesh()
    bpy.ops.object.mode_set(mode=mode)
    assert refusal() == f"Error: Leave {words} first: the mesh is taken in Object Mode"


def test_a_value_out_of_bounds() -> None:
    add_mesh()
    words = refusal(face_limit=100)
    assert "Face Limit" in words and "500" in words and "100" in words


def test_a_file_that_is_not_there() -> None:
    add_mesh()
    assert "There is no file /nowhere/look.png" in refusal("texture", image="/nowhere/look.png")


def test_a_path_beside_the_open_file(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    assert f"There is no file {tmp_path / 'look.png'}" in refusal("image_to_splat", file="//look.png")
    assert not [warning for warning in recwarn if "relative" in str(warning.message)]


def test_a_map_that_is_no_json() -> None:
    add_mesh()
    assert refusal(parameters="[1]") == """Error: Parameters: '[1]' is not a JSON object such as {"key": 1}"""


def test_no_address_is_set(addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASSETGEN_BASE_URL")
    values = addon.prefs.preferences()
    values.service = "REMOTE"
    try:
        add_mesh()
        assert refusal() == "Error: Enter the address of the service in the preferences"
    finally:
        values.service = "LOCAL"


def test_the_address_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    add_mesh()
    monkeypatch.setenv("ASSETGEN_BASE_URL", "https://[")
    assert "must begin with https://" in refusal()


def test_a_name_that_begins_like_a_loopback_address_is_remote(monkeypatch: pytest.MonkeyPatch) -> None:
    add_mesh()
    monkeypatch.setenv("ASSETGEN_BASE_URL", "https://127.evil.example")
    assert "Online access is off" in refusal()


def test_online_access_is_off_and_the_service_is_remote(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSETGEN_BASE_URL", "https://service.example")
    assert not bpy.app.online_access
    add_mesh()
    assert refusal().startswith("Error: Online access is off")


def test_the_data_folder_is_a_file(addon: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path / "file"))
    add_mesh()
    words = refusal()
    assert "file" in words and "preferences" in words
    assert "Traceback" not in words


def test_a_snapshot_that_cannot_be_written(addon: Any) -> None:
    add_mesh()
    addon.session.runtime()
    (addon.data / "snapshots").write_text("a file where the folder should be")
    before = block_names()
    try:
        words = refusal()
        assert words.startswith("Error: The files of the job could not be written to")
        assert "Traceback" not in words
        assert block_names() == before
    finally:
        (addon.data / "snapshots").unlink()


def test_a_selection_with_a_light_beside_the_mesh_is_fine_for_the_glance(addon: Any) -> None:
    from asset_generation.addon.bridge.objects.selection import usable_selection

    mesh = add_mesh("Body")
    bpy.ops.object.light_add()
    light = bpy.context.object
    select(light, mesh)
    assert [item.name for item in usable_selection(bpy.context).objects] == ["Body"]


def test_a_result_that_could_not_come_in_is_not_asked_for() -> None:
    add_mesh()
    bpy.ops.object.mode_set(mode="EDIT")
    words = refusal("text_to_model", prompt="a chair", model_version="v3.1-20260211")
    assert words == "Error: Leave Edit Mode first: the result comes in in Object Mode"
