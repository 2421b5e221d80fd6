"""Several selected models: one job for all of them, or one for each."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import bpy
import pytest
from mathutils import Matrix
from support.addon import add_mesh
from support.finished_job import arrive, started
from support.services.local_engine import recorded

IMPORT = "/v3/models/import"


def add_meshes(names: str) -> list[Any]:
    meshes = [add_mesh(name, "monkey", location=(3.0 * number, 0, 0)) for number, name in enumerate(names)]
    select_all(meshes)
    return meshes


def select_all(items: list[Any]) -> None:
    bpy.ops.object.select_all(action="DESELECT")
    for item in items:
        item.select_set(True)
    bpy.context.view_layer.objects.active = items[0]
    bpy.context.view_layer.update()


def box_of(item: Any) -> list[float]:
    """The least and the most of each axis, in the world."""
    points = [item.matrix_world @ vertex.co for vertex in item.data.vertices]
    return [pick(point[axis] for point in points) for pick in (min, max) for axis in range(3)]


def test_each_model_has_a_job_and_a_result_of_its_own(service: Any, addon: Any) -> None:
    meshes = add_meshes("ABC")
    assert bpy.ops.assetgen.decimate(each=True, face_limit=900) == {"FINISHED"}
    jobs = addon.scripting.last_jobs()
    assert [job.name for job in jobs] == ["Decimate A", "Decimate B", "Decimate C"]
    assert [job.plan.steps[-1].fields for job in jobs] == [{"face_limit": 900}] * 3
    results = [addon.scripting.result_objects(job.id) for job in jobs]
    for mesh, (result,) in zip(meshes, results, strict=True):
        assert box_of(result) == pytest.approx(box_of(mesh), abs=1e-3)
        assert mesh.hide_get()
    assert len(recorded(service, IMPORT)) == 3
    # What came of them is known to the service, model by model.
    select_all([result for (result,) in results])
    assert bpy.ops.assetgen.decimate(each=True, face_limit=800) == {"FINISHED"}
    assert len(recorded(service, IMPORT)) == 3, "nothing is uploaded again"
    assert len({job.plan.source.task_id for job in addon.scripting.last_jobs()}) == 3


def test_together_is_one_job(service: Any, addon: Any) -> None:
    add_meshes("ABC")
    assert bpy.ops.assetgen.decimate(face_limit=900) == {"FINISHED"}
    (job,) = addon.scripting.last_jobs()
    assert job.name == "Decimate 3 Objects"


def test_all_sources_of_one_job_are_left_out_of_renders_and_nothing_else_is(service: Any, addon: Any) -> None:
    meshes = add_meshes("ABC")
    bystander = add_mesh("Bystander", "cube", location=(0, 9, 0))
    select_all(meshes)
    assert bpy.ops.assetgen.decimate(face_limit=900) == {"FINISHED"}
    assert [mesh.hide_render for mesh in meshes] == [True, True, True]
    assert not any(mesh.hide_viewport for mesh in meshes)
    (job,) = addon.scripting.last_jobs()
    seen = [bystander, *addon.scripting.result_objects(job.id)]
    assert len(seen) == 4
    assert not any(item.hide_render for item in seen)


def test_what_is_one_model_to_the_service_stays_one(service: Any, addon: Any) -> None:
    sources = importlib.import_module(f"{addon.package}.addon.ops.sources")
    table = importlib.import_module(f"{addon.package}.addon.props.task_properties").CAPABILITIES
    meshes = add_meshes("ABCD")
    task = addon.provenance.TaskProvenance("11111111-2222-3333-4444-555555555555", service.base_url, "segment")
    addon.provenance.write(meshes[1:3], task, Matrix.Identity(4), ["", ""])

    def names(capability: str) -> list[list[str]]:
        return [[item.name for item in model.objects] for model in sources.models_in(bpy.context, table[capability])]

    assert names("decimate") == [["A"], ["B", "C"], ["D"]]
    meshes[1].select_set(False)
    assert names("decimate") == [["A"], ["C"], ["D"]], "of a part alone the service has no task"
    assert names("text_to_model") == []


def test_one_that_cannot_be_done_keeps_all_from_being_sent(service: Any, addon: Any) -> None:
    meshes = add_meshes("AB")
    task = addon.provenance.TaskProvenance(
        "11111111-2222-3333-4444-555555555555", addon.session.settings.service_id, "rig"
    )
    addon.provenance.write(meshes[:1], task, Matrix.Identity(4), [""])
    with pytest.raises(RuntimeError, match="Retarget works on a rigged result"):
        bpy.ops.assetgen.retarget(each=True, animation="walk")
    assert addon.state.jobs == {}
    assert not [one for one in recorded(service, method="POST") if "retarget" in one["path"]]


def test_to_place_more_objects_asks_no_more_of_them_for_its_collections(
    addon: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time Python goes through all objects of all collections, so that thousands would take minutes."""
    asked: list[str] = []
    of_one = bpy.types.Object.users_collection

    def users_collection(item: bpy.types.Object) -> Any:
        asked.append(item.name)
        return of_one.fget(item)

    times = []
    for count in (2, 8):
        items = add_meshes("ABCDEFGH"[:count])
        job = started(addon, tmp_path, *items)
        with monkeypatch.context() as patch:
            patch.setattr(bpy.types.Object, "users_collection", property(users_collection))
            assert len(arrive(addon, job)) == count
        times.append(len(asked))
        asked.clear()
        bpy.data.batch_remove(list(bpy.data.objects))
    assert times[0] == times[1]
