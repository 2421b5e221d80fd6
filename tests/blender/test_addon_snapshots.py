"""The models of one press are written at once, and each job has a snapshot of its own all the same."""

from __future__ import annotations

import importlib
import json
import shutil
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
import pytest
from asset_generation.addon.core.jobs.job import Source, plain
from asset_generation.addon.core.paths import Locations
from asset_generation.vendor.background_blender import run
from support.addon import add_mesh
from support.fork_server.command import forked_python

HEADLESS = Path(__file__).resolve().parents[2] / "addon" / "headless"


@pytest.fixture
def snapshot(addon: Any) -> Any:
    return importlib.import_module(f"{addon.package}.addon.bridge.objects.snapshot")


@pytest.fixture
def selection(addon: Any) -> Any:
    return importlib.import_module(f"{addon.package}.addon.bridge.objects.selection").Selection


def models() -> list[Any]:
    return [add_mesh(name, "cube", location=(3.0 * number, 0, 0)) for number, name in enumerate("ABC")]


def taken(snapshot: Any, selection: Any, folder: Path, items: Sequence[Any]) -> list[Source]:
    with snapshot.Snapshots() as snapshots:
        sources = [
            snapshots.take(bpy.context, selection((item,)), Locations(folder / str(number)))
            for number, item in enumerate(items)
        ]
        assert not any(Path(source.path).exists() for source in sources)
        snapshots.write()
    return sources


def names_in_upload(source: Source, out: Path) -> list[str]:
    assert source.snapshot is not None
    run(forked_python(), HEADLESS / "to_glb.py", {**plain(source.snapshot), "blend": source.path, "out": str(out)})
    data = out.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    return [node["name"] for node in json.loads(data[20 : 20 + length])["nodes"]]


def test_it_is_one_file_and_each_upload_has_its_own_model(snapshot: Any, selection: Any, tmp_path: Path) -> None:
    sources = taken(snapshot, selection, tmp_path, models())
    paths = [Path(source.path) for source in sources]
    assert len(set(paths)) == 3 and len({path.stat().st_ino for path in paths}) == 1
    shutil.rmtree(tmp_path / "0")  # the first job is dismissed
    assert [names_in_upload(source, tmp_path / "out.glb") for source in sources[1:]] == [["B"], ["C"]]


def test_where_a_file_has_one_name_only_each_has_its_own(
    snapshot: Any, selection: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise OSError("Operation not supported")

    monkeypatch.setattr(snapshot.os, "link", refuse)
    sources = taken(snapshot, selection, tmp_path, models())
    assert len({Path(source.path).stat().st_ino for source in sources}) == 3
    assert names_in_upload(sources[2], tmp_path / "out.glb") == ["C"]


def test_very_large_models_have_a_file_each(
    snapshot: Any, selection: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "_SHARED_VERTICES", 23)
    sources = taken(snapshot, selection, tmp_path, models())
    assert len({Path(source.path).stat().st_ino for source in sources}) == 3


def test_linked_models_are_written_and_leave_no_copies(snapshot: Any, selection: Any, tmp_path: Path) -> None:
    bpy.data.libraries.write(str(tmp_path / "library.blend"), set(models()), fake_user=False)
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (_, here):
        here.objects = ["A", "B"]
    linked = list(here.objects)
    for item in linked:
        bpy.context.scene.collection.objects.link(item)
    sources = taken(snapshot, selection, tmp_path, linked)
    assert set(bpy.data.objects) == set(linked)
    assert names_in_upload(sources[1], tmp_path / "out.glb") == ["B"]


def test_one_that_cannot_be_written_is_refused(addon: Any, snapshot: Any, selection: Any, tmp_path: Path) -> None:
    errors = importlib.import_module(f"{addon.package}.addon.core.errors")
    with snapshot.Snapshots() as snapshots:
        source = snapshots.take(bpy.context, selection((models()[0],)), Locations(tmp_path / "gone"))
        shutil.rmtree(tmp_path / "gone")
        with pytest.raises(errors.Refused, match="could not be written"):
            snapshots.write()
    assert not Path(source.path).exists()


def hung(item: Any) -> Any:
    """An armature of one bone that moves an object, lying down; returns it."""
    bpy.ops.object.armature_add()
    armature = bpy.context.object
    item.vertex_groups.new(name=armature.pose.bones[0].name).add(range(len(item.data.vertices)), 1.0, "REPLACE")
    item.modifiers.new("Armature", "ARMATURE").object = armature
    armature.pose.bones[0].rotation_mode = "XYZ"
    armature.pose.bones[0].rotation_euler = (1.5708, 0, 0)
    bpy.context.view_layer.update()
    return armature


@pytest.mark.parametrize("position", ["POSE", "REST"])
def test_what_is_uploaded_stands_as_the_armature_shows_it(
    snapshot: Any, selection: Any, tmp_path: Path, position: str
) -> None:
    item = add_mesh("Tower", "cube", scale=(1, 1, 3))
    bpy.ops.object.transform_apply()
    armature = hung(item)
    armature.data.pose_position = position
    (source,) = taken(snapshot, selection, tmp_path, [item])
    out = tmp_path / "out.glb"
    answer = run(
        forked_python(), HEADLESS / "to_glb.py", {**plain(source.snapshot), "blend": source.path, "out": str(out)}
    )
    (box,) = answer["boxes"]
    size = [round(high - low) for low, high in zip(box[:3], box[3:], strict=True)]
    assert size == ([2, 6, 2] if position == "POSE" else [2, 2, 6])


def test_an_armature_that_poses_is_known_in_either_position(addon: Any) -> None:
    posing_armature = importlib.import_module(f"{addon.package}.addon.bridge.objects.selection").posing_armature
    item, other = add_mesh("Tower", "cube"), add_mesh("Other", "cube")
    assert posing_armature([item, other]) is None
    armature = hung(item)
    for position in ("POSE", "REST"):
        armature.data.pose_position = position
        assert posing_armature([other, item]) == armature
    armature.pose.bones[0].rotation_euler = (1e-5, 0, 0)
    bpy.context.view_layer.update()
    assert posing_armature([other, item]) is None, "an importer's numbers are no pose"
