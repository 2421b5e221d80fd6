"""A press goes through no mesh: what has to be known of it is found out in the snapshot, and is the same."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from asset_generation.addon.core.jobs.job import JobPlan, Placement, plain
from asset_generation.addon.core.jobs.late_files import late_files
from asset_generation.addon.core.jobs.upload_facts import UploadFacts, awaits_facts, with_facts
from asset_generation.vendor.background_blender import run
from mathutils import Matrix
from support.addon import add_mesh, place_on_points, select
from support.headless import forked_headless
from support.services.local_engine import tiny_png

HEADLESS = Path(__file__).resolve().parents[2] / "addon" / "headless"


@pytest.fixture
def plan(service: Any, addon: Any) -> Callable[[], JobPlan]:
    planning = importlib.import_module(f"{addon.package}.addon.ops.planning")
    info = importlib.import_module(f"{addon.package}.addon.props.task_properties").CAPABILITIES["decimate"]
    return lambda: planning.plan(bpy.context, info, {"face_limit": 600}, addon.session.settings, addon.data)


def _painted(name: str) -> bpy.types.Object:
    item = add_mesh(name, "cube")
    image = bpy.data.images.new("Paint", 8, 8)
    image.pixels.foreach_set(np.tile(np.array((0.2, 0.4, 0.6, 1.0), dtype=np.float32), 64))
    material = bpy.data.materials.new("Skin")
    if not material.node_tree:
        material.use_nodes = True
    material.node_tree.nodes.new("ShaderNodeTexImage").image = image
    item.data.materials.append(material)
    return item


def _packed(name: str) -> bpy.types.Object:
    """A mesh that shows two packed images."""
    item = _painted(name)
    nodes = item.data.materials[0].node_tree.nodes
    for number, content in enumerate((tiny_png(), tiny_png() + b"more")):
        image = bpy.data.images.new(f"Packed {number}", 2, 2)
        image.pack(data=content, data_len=len(content))
        nodes.new("ShaderNodeTexImage").image = image
    return item


def _scene() -> list[bpy.types.Object]:
    """Meshes of many kinds, parented, scaled unevenly and mirrored."""
    empty = bpy.data.objects.new("Holder", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.scale = (1, 2, 0.5)
    plain_one = add_mesh("Plain", location=(1, 2, 3), rotation_euler=(0.1, 0.2, 0.3))
    twin = add_mesh("Twin", "cube", location=(-3, 0, 0), rotation_euler=(0.7, 0, 0.4))
    twin.data = plain_one.data
    twin.scale = (1, -2, 3)
    child = add_mesh("Child", rotation_euler=(0.5, 0.5, 0))
    child.parent = empty
    weighted = add_mesh("Weighted", "cube")
    weighted.vertex_groups.new(name="Half").add([0, 1, 2], 0.5, "REPLACE")
    weighted.data.color_attributes.new("Colour", "FLOAT_COLOR", "POINT")
    bevelled = add_mesh("Bevelled", "cube", location=(0, 9, 0))
    bevelled.modifiers.new("Bevel", "BEVEL").segments = 3
    smooth = add_mesh("Smooth", "cube", location=(0, -9, 0), rotation_euler=(0.3, 0.3, 0))
    smooth.modifiers.new("Subdivision", "SUBSURF").levels = 2
    normals = add_mesh("Normals", "cube", location=(5, 5, 0))
    normals.data.normals_split_custom_set([(0.0, 0.6, 0.8)] * len(normals.data.loops))
    keyed = add_mesh("Keyed", "cube", location=(7, 0, 0))
    keyed.shape_key_add(name="Basis")
    return [plain_one, twin, child, weighted, bevelled, smooth, normals, keyed, _painted("Painted"), _packed("Packed")]


def _facts(plan: JobPlan, folder: Path) -> UploadFacts:
    late_files.wait_for(Path(plan.source.path).parent)
    request = {**plain(plan.source.snapshot), "blend": plan.source.path, "out": str(folder / "out.glb")}
    return UploadFacts.of_answer(run(forked_headless(), HEADLESS / "to_glb.py", request))


def _exact_placement(addon: Any, plan: JobPlan, *objects: bpy.types.Object) -> Placement:
    bridge = f"{addon.package}.addon.bridge.objects"
    snapshot, selection = (importlib.import_module(f"{bridge}.{name}") for name in ("snapshot", "selection"))
    frame = addon.transforms.from_numbers(plan.source.snapshot.frame)
    exact: Placement = snapshot.placement(bpy.context, selection.Selection(objects), frame)
    return exact


def _assert_same_boxes(placement: Any, exact: Placement) -> None:
    assert placement.bounds == pytest.approx(exact.bounds, abs=1e-4)
    for part, wanted in zip(placement.parts, exact.parts, strict=True):
        assert part.bounds == pytest.approx(wanted.bounds, abs=1e-4), part.name


def test_the_facts_of_a_snapshot_are_those_of_the_open_file(addon: Any, plan: Any, tmp_path: Path) -> None:
    objects = _scene()
    select(*objects)
    pressed = plan()
    prints = [addon.provenance.fingerprint_if_lasting(item) for item in objects]
    assert [bool(value) for value in prints] == [item.name != "Keyed" for item in objects]
    assert awaits_facts(pressed) and pressed.source.snapshot.fingerprints == ()
    whole = with_facts(pressed, _facts(pressed, tmp_path))
    assert not awaits_facts(whole)
    assert whole.source.snapshot.fingerprints == tuple(prints)
    _assert_same_boxes(whole.delivery.placement, _exact_placement(addon, pressed, *objects))


def test_what_was_edited_after_the_press_is_not_what_was_uploaded(addon: Any, plan: Any, tmp_path: Path) -> None:
    item = add_mesh("Edited", "cube")
    select(item)
    pressed = plan()
    as_pressed = addon.provenance.fingerprint_if_lasting(item)
    item.data.vertices[3].co.x += 0.5
    item.data.update()
    facts = _facts(pressed, tmp_path)
    assert facts.fingerprints == (as_pressed,)
    assert facts.fingerprints != (addon.provenance.fingerprint_if_lasting(item),)


def test_the_boxes_of_what_geometry_nodes_place_are_measured(addon: Any, plan: Any, tmp_path: Path) -> None:
    add_mesh("Stone", "cube", location=(0, 0, 50))
    item = add_mesh("Field", "plane")
    place_on_points(item)
    select(item)
    pressed = plan()
    whole = with_facts(pressed, _facts(pressed, tmp_path))
    _assert_same_boxes(whole.delivery.placement, _exact_placement(addon, pressed, item))


@pytest.mark.parametrize("turned", [False, True])
def test_a_press_goes_through_no_mesh(addon: Any, plan: Any, monkeypatch: pytest.MonkeyPatch, turned: bool) -> None:
    item = add_mesh("Large", location=(1, 2, 3), rotation_euler=(0.1, 0.2, 0.3))
    item.scale = (1, 2, 3)
    other = add_mesh("Other", "cube", rotation_euler=(0.4, 0, 0))
    select(item, *([other] if turned else []))
    notes = importlib.import_module(f"{addon.package}.addon.headless.mesh_notes")
    for name in ("checksum", "bounds_of"):
        monkeypatch.setattr(notes, name, lambda *_: pytest.fail("a press has no time for it"))
    fingerprint = importlib.import_module(f"{addon.package}.addon.bridge.objects.fingerprint")
    monkeypatch.setattr(fingerprint, "checksum", lambda *_: pytest.fail("a press has no time for it"))
    placement = plan().delivery.placement
    monkeypatch.undo()
    objects = (item, other) if turned else (item,)
    exact = _exact_placement(addon, plan(), *objects)
    if turned:  # what lies aslant gets a box around its box until it is measured
        assert all(
            found <= wanted + 1e-4 if side < 3 else found >= wanted - 1e-4
            for side, (found, wanted) in enumerate(zip(placement.bounds, exact.bounds, strict=True))
        )
    else:
        _assert_same_boxes(placement, exact)


def test_a_box_along_the_axes_of_an_upright_mesh_is_exact(addon: Any) -> None:
    boxes = importlib.import_module(f"{addon.package}.addon.bridge.objects.object_boxes")
    item = add_mesh("Scaled", scale=(2, -3, 0.5), location=(4, 5, 6))
    item.rotation_euler.z = np.pi / 2
    bpy.context.view_layer.update()
    quick = boxes.boxes_of(bpy.context, [item], Matrix.Identity(4), exact=False)
    notes = importlib.import_module(f"{addon.package}.addon.headless.mesh_notes")
    exact = notes.bounds_of([(item.data, item.matrix_world)])
    assert quick[0] == pytest.approx(exact, abs=1e-4)


def test_of_a_job_in_the_journal_the_facts_are_known_to_all(tmp_path: Path, addon: Any, plan: Any) -> None:
    from asset_generation.addon.core.jobs.job import Stage
    from asset_generation.addon.core.jobs.journal import Journal

    select(add_mesh("Known", "cube"))
    pressed = plan()
    mine, other = (Journal(tmp_path / "journal.sqlite3", name) for name in ("me", "other"))
    try:
        mine.add("job", pressed, "local", Stage.UPLOAD)
        assert other.job("job").plan == pressed
        facts = UploadFacts(("0123456789abcdef",), ((0.0, 0.0, 0.0, 2.0, 2.0, 2.0),))
        changed = mine.record_facts("job", facts)
        assert changed.plan == with_facts(pressed, facts) == other.job("job").plan == mine.jobs()[0].plan
        assert changed.plan.delivery.placement.bounds == (0.0, 0.0, 0.0, 2.0, 2.0, 2.0)
    finally:
        mine.close()
        other.close()


def test_a_source_whose_facts_are_not_known_gets_no_task(addon: Any, plan: Any) -> None:
    from dataclasses import replace

    job = importlib.import_module(f"{addon.package}.addon.core.jobs.job")
    records = importlib.import_module(f"{addon.package}.addon.bridge.results.task_records")
    item = add_mesh("Early", "cube")
    select(item)
    pressed = plan()
    step = job.StepView("import_model", task_id="11111111-2222-3333-4444-555555555555")
    view = job.JobView("early", "Early", job.Stage.WAIT, 0.5, "", steps=(step,), plan=pressed, service_id="local")
    records.record_on_sources([item], view, pressed)
    assert addon.provenance.PROPERTY not in item
    facts = UploadFacts((addon.provenance.fingerprint_if_lasting(item),), ((),))
    records.record_on_sources([item], view, replace(with_facts(pressed, facts), name="Known"))
    assert item[addon.provenance.PROPERTY]["task"] == step.task_id


def test_a_press_reads_no_packed_image(addon: Any, plan: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that was opened from a file may have 100 MB of them."""
    item = _packed("Packed")
    select(item)
    wanted = addon.provenance.fingerprint_if_lasting(item)

    def refuse(_image: object) -> str:
        raise AssertionError("its content was read")

    with monkeypatch.context() as patch:
        patch.setattr(addon.fingerprint, "packed_checksum", refuse)
        pressed = plan()
    assert set(pressed.source.snapshot.packed[0]) == {"Packed 0", "Packed 1"}
    late_files.wait_for(addon.data)
    assert _facts(pressed, tmp_path).fingerprints == (wanted,)
    content = tiny_png() + b"other"
    bpy.data.images["Packed 1"].pack(data=content, data_len=len(content))
    assert addon.provenance.fingerprint_if_lasting(item) != wanted
