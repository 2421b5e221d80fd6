"""Convert: a file at the path that was named, the scene as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

bpy = pytest.importorskip("bpy", reason="this Python has no bpy")

from support.addon import add_mesh, block_names  # noqa: E402

pytestmark = pytest.mark.usefixtures("service")


def facts() -> tuple[Any, ...]:
    layer = bpy.context.view_layer
    return (
        block_names(),
        {item.name: (item.hide_get(), item.select_get(), list(item.matrix_world)) for item in layer.objects},
        layer.objects.active,
    )


@pytest.mark.parametrize("path", ["{}/Knight.glb", "{}/Knight"])
def test_the_file_is_written_and_the_scene_left_alone(addon: Any, tmp_path: Path, path: str) -> None:
    add_mesh("Knight")
    before = facts()
    assert bpy.ops.assetgen.convert(filepath=path.format(tmp_path), format="GLTF") == {"FINISHED"}
    assert facts() == before
    target = tmp_path / "Knight.glb"
    assert target.read_bytes()[:4] == b"glTF"
    job = addon.scripting.last_job()
    assert job.text == f"Saved as {target}"
    assert dict(job.delivered) == {"model": str(target)}
    assert addon.scripting.result_objects() == []


def test_it_can_be_brought_in_afterwards(addon: Any, tmp_path: Path) -> None:
    add_mesh("Knight")
    bpy.ops.assetgen.convert(filepath=str(tmp_path / "Knight.glb"), format="GLTF")
    job_id = addon.scripting.last_job().id
    assert bpy.ops.assetgen.job_action(job_id=job_id, action="apply") == {"FINISHED"}
    assert len(addon.scripting.result_objects(job_id)) == 1
    assert addon.state.jobs[job_id].text.startswith("Saved as")


def test_without_a_path_the_file_stays_with_its_job(addon: Any) -> None:
    add_mesh("Knight")
    before = facts()
    assert bpy.ops.assetgen.convert(format="GLTF") == {"FINISHED"}
    assert facts() == before
    assert Path(addon.scripting.last_job().result).is_file()


def test_bringing_it_in_is_a_choice_of_the_call(addon: Any, tmp_path: Path) -> None:
    add_mesh("Knight")
    target = tmp_path / "Knight.glb"
    assert bpy.ops.assetgen.convert(filepath=str(target), format="GLTF", bring_in=True) == {"FINISHED"}
    assert target.is_file()
    assert len(addon.scripting.result_objects()) == 1


def test_a_file_that_a_script_names_is_overwritten_as_by_any_exporter(addon: Any, tmp_path: Path) -> None:
    target = tmp_path / "Knight.glb"
    target.write_bytes(b"old")
    add_mesh("Knight")
    bpy.ops.assetgen.convert(filepath=str(target), format="GLTF")
    assert target.read_bytes()[:4] == b"glTF"
    assert sorted(path.name for path in tmp_path.glob("Knight*")) == ["Knight.glb"]


@pytest.mark.parametrize("path", ["{}/", "{}/nowhere/Knight.glb"])
def test_a_path_that_is_none_is_refused_before_anything_is_sent(addon: Any, tmp_path: Path, path: str) -> None:
    add_mesh("Knight")
    with pytest.raises(RuntimeError, match=r"is a folder|There is no folder"):
        bpy.ops.assetgen.convert(filepath=path.format(tmp_path), format="GLTF")
    assert addon.state.jobs == {}


def test_a_path_beside_the_blend_is_understood(addon: Any, tmp_path: Path) -> None:
    add_mesh("Knight")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    bpy.ops.assetgen.convert(filepath="//Knight.glb", format="GLTF")
    assert (tmp_path / "Knight.glb").is_file()
