"""A model that comes in parts: its own collection, names of the model and the part, and the way back to the service."""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import bpy
import pytest
from support.addon import add_mesh, export_glb, select
from support.services.local_engine import KEY, ask, local_engine

SERVICE_NAMES = ("arm_left", "leg_front_right", "head", "part_1")
NAMES = ("arm.L", "head", "leg front.R", "part 1")


@pytest.fixture(scope="module")
def in_parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of four cubes, under the names that a service gives them."""
    bpy.ops.wm.read_homefile(use_empty=True)
    for number, name in enumerate(SERVICE_NAMES):
        add_mesh(name, "cube", location=(3 * number, 0, 0))
    path = tmp_path_factory.mktemp("parts") / "parts.glb"
    export_glb(path)
    return path


@pytest.fixture
def service(in_parts: Path, addon: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A service that answers everything with the model in parts."""

    def run(
        request: Mapping[str, Any], *, on_progress: Callable[[float, str], None], stopped: Callable[[], bool]
    ) -> dict[str, Any]:
        shutil.copyfile(in_parts, Path(request["output_dir"]) / "model.glb")
        return {"files": {"model_url": "model.glb"}, "values": {}, "facts": {"part_names": list(SERVICE_NAMES)}}

    with local_engine(tmp_path, runner=run) as running:
        monkeypatch.setenv("ASSETGEN_BASE_URL", running.base_url)
        monkeypatch.setenv("ASSETGEN_API_KEY", KEY)
        yield running
        addon.session.shutdown()


def test_parts_get_a_collection_and_the_names_of_model_and_part(service: Any, addon: Any) -> None:
    source = add_mesh("Knight", "cube")
    assert bpy.ops.assetgen.segment() == {"FINISHED"}
    parts = addon.scripting.result_objects()
    collection = bpy.data.collections["Knight parts"]
    assert sorted(item.name for item in parts) == [f"Knight {name}" for name in NAMES]
    assert all(item.data.name == item.name for item in parts)
    assert set(collection.objects) == set(parts)
    assert [child.name for child in bpy.data.collections["Work"].children] == ["Knight parts"]
    assert list(bpy.data.collections["Work"].objects) == [source]
    assert set(bpy.data.collections.keys()) == {"Work", "Knight parts"}, "the one that came is gone"
    layer = bpy.context.view_layer
    assert set(layer.objects.selected) == set(parts)
    assert layer.objects.active in parts, "the next key must not hit the source, which is hidden"


def test_the_next_step_asks_for_parts_under_the_names_of_the_service(service: Any, addon: Any) -> None:
    add_mesh("Knight", "cube")
    bpy.ops.assetgen.segment()
    assert bpy.ops.assetgen.complete(part_names="Knight arm.L, head, Knight leg front.R") == {"FINISHED"}
    step = addon.scripting.last_job().steps[-1]
    sent = ask(service, "GET", f"/v3/tasks/{step.task_id}")["input"]
    assert sent["part_names"] == ["arm_left", "head", "leg_front_right"]
    closed = addon.scripting.result_objects()
    (collection,) = {holder for item in closed for holder in item.users_collection}
    assert collection.name == "Knight parts.001"
    assert collection.name in bpy.data.collections["Work"].children, "beside the first one, not in it"
    assert all(item.name.startswith("Knight ") and "parts" not in item.name for item in closed)


def test_a_part_that_is_named_like_an_object_of_the_user_is_named_after_what_came(service: Any, addon: Any) -> None:
    add_mesh("arm_left", "cube")
    select(add_mesh("Knight", "cube"))
    bpy.ops.assetgen.segment()
    assert "Knight arm.L" in {item.name for item in addon.scripting.result_objects()}
    assert bpy.data.objects["arm_left"]


def test_clean_up_takes_an_empty_collection_of_parts_along(service: Any, addon: Any) -> None:
    add_mesh("Knight", "cube")
    bpy.ops.assetgen.segment()
    bpy.ops.assetgen.complete()
    assert bpy.ops.assetgen.clean_up(job_id=addon.scripting.last_job().id) == {"FINISHED"}
    assert set(bpy.data.collections.keys()) == {"Work", "Knight parts.001"}
    assert len(bpy.data.objects) == 1 + len(NAMES)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("arm_left", "arm.L"),
        ("left_arm", "arm.L"),
        ("leg_front_right", "leg front.R"),
        ("part_0", "part 0"),
        ("Arm.L", "Arm.L"),
        ("Right", "Right"),
        ("left_to_right", "left to right"),
        ("body", "body"),
    ],
)
def test_parts_are_named_as_blender_mirrors_them(addon: Any, part: str, words: str) -> None:
    parts = importlib.import_module(f"{addon.package}.addon.bridge.results.parts")
    assert parts.in_words(part) == words
