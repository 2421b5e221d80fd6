"""What the panel says in numbers: triangles that are uploaded, and the balance after a charge."""

from __future__ import annotations

import itertools
import time
from typing import Any

import pytest

bpy = pytest.importorskip("bpy", reason="this Python has no bpy")

from asset_generation.addon.bridge import balance  # noqa: E402
from asset_generation.addon.bridge.objects.selection import triangle_count  # noqa: E402
from asset_generation.addon.bridge.objects.triangle_counts import TriangleCounts, on_depsgraph_update  # noqa: E402
from support.addon import add_mesh, place_on_points, select  # noqa: E402
from support.services.local_engine import recorded  # noqa: E402


def evaluated(item: Any) -> int:
    """Counted the slow way: a mesh made of what is seen."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    mesh = bpy.data.meshes.new_from_object(item.evaluated_get(depsgraph), depsgraph=depsgraph)
    mesh.calc_loop_triangles()
    return len(mesh.loop_triangles)


def counted(*items: Any) -> int | None:
    counts = TriangleCounts()
    before = counts.total(items)
    assert before is None or not any(item.modifiers for item in items), "nothing is evaluated for drawing"
    bpy.context.view_layer.update()
    counts.count([bpy.context.view_layer])
    return counts.total(items)


@pytest.mark.usefixtures("addon")
@pytest.mark.parametrize(
    "kinds",
    [
        ("SUBSURF",),
        ("CAST", "SUBSURF"),
        ("MIRROR", "SUBSURF"),
        ("SUBSURF", "CAST"),
        ("ARRAY",),
        ("WIREFRAME",),
        ("DECIMATE",),
    ],
)
def test_triangles_are_those_that_are_uploaded(kinds: tuple[str, ...]) -> None:
    item = add_mesh("Knight")
    for kind in kinds:
        modifier = item.modifiers.new(kind, kind)
        if kind == "SUBSURF":
            modifier.levels = 2
        if kind == "DECIMATE":
            modifier.ratio = 0.5
    assert counted(item) == evaluated(item)


@pytest.mark.usefixtures("addon")
def test_what_is_not_shown_is_not_counted() -> None:
    item = add_mesh("Knight")
    item.modifiers.new("Subdivision", "SUBSURF").levels = 0
    assert counted(item) == 968
    item.modifiers[0].levels = 3
    assert counted(item) == evaluated(item) > 60_000
    item.modifiers[0].show_viewport = False
    assert counted(item) == 968
    item.modifiers[0].show_viewport = True
    render = bpy.context.scene.render
    render.use_simplify, render.simplify_subdivision = True, 1
    assert counted(item) == evaluated(item)
    render.use_simplify = False


@pytest.mark.usefixtures("addon")
def test_instances_count_as_often_as_they_are_placed() -> None:
    item = add_mesh("Field", "plane")
    place_on_points(item)
    assert counted(item) == 4 * 12


@pytest.mark.usefixtures("addon")
def test_instances_are_counted_for_as_long_as_it_computes_and_not_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    item = add_mesh("Field", "plane")
    place_on_points(item)
    hours = itertools.count(step=3600)
    monkeypatch.setattr(time, "monotonic", lambda: float(next(hours)))
    assert counted(item) == 4 * 12
    seconds = itertools.count()
    monkeypatch.setattr(time, "thread_time", lambda: float(next(seconds)))
    assert counted(item) is None, "there may be any number"


@pytest.mark.usefixtures("addon")
def test_several_objects_are_counted_together_and_plain_ones_at_once() -> None:
    one, other = add_mesh("One", "cube"), add_mesh("Other", "cube")
    assert TriangleCounts().total([one, other]) == 24
    other.modifiers.new("Array", "ARRAY").count = 3
    select(one, other)
    assert counted(one, other) == 12 + 36


@pytest.mark.usefixtures("addon")
def test_a_changed_mesh_is_counted_anew_and_a_moved_one_is_not() -> None:
    item = add_mesh("Knight", "cube")
    item.modifiers.new("Array", "ARRAY").count = 2
    counts = TriangleCounts()
    counts.total([item])
    seen: list[bool] = []

    def look(_scene: Any, depsgraph: Any) -> None:
        counts.changed(depsgraph)
        seen.append(counts.is_changing())

    bpy.app.handlers.depsgraph_update_post.append(look)
    try:
        bpy.context.view_layer.update()
        time.sleep(0.15)
        seen.clear()
        item.location.x = 4
        bpy.context.view_layer.update()
        assert seen == [False]
        item.modifiers[0].count = 5
        bpy.context.view_layer.update()
        assert seen == [False, True]
    finally:
        bpy.app.handlers.depsgraph_update_post.remove(look)
    assert on_depsgraph_update in bpy.app.handlers.depsgraph_update_post
    assert triangle_count(item) == 12


def test_the_balance_is_asked_for_after_a_charge(service: Any, addon: Any) -> None:
    assert bpy.ops.assetgen.test_service() == {"FINISHED"}
    before = float(addon.state.service.balance)
    add_mesh("Thing")
    assert bpy.ops.assetgen.decimate(face_limit=600) == {"FINISHED"}
    until = time.monotonic() + 20
    while float(addon.state.service.balance) == before and time.monotonic() < until:
        addon.pump.tick()
        time.sleep(0.02)
    paid = float(addon.scripting.last_job().credits)
    assert paid > 0
    assert float(addon.state.service.balance) == before - paid


@pytest.mark.usefixtures("addon")
def test_many_charges_are_few_questions(service: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance, "PAUSE_SECONDS", 600.0)
    add_mesh("Thing")
    for _ in range(4):
        assert bpy.ops.assetgen.decimate(face_limit=600) == {"FINISHED"}
    assert len(recorded(service, "/v3/account/balance")) == 1
