"""Vertex groups and colours of a source go over to its result where the operation keeps the surface."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector
from support.addon import add_mesh, echo_runner, normalising_runner, select
from support.services.local_engine import recorded


def painted(item: bpy.types.Object) -> bpy.types.Object:
    """Weights that fall along x, a group of one side, colours of corners by face, and colours of points by place."""
    low, high = -1.4, 1.4
    slope, side = item.vertex_groups.new(name="Slope"), item.vertex_groups.new(name="Left Ohr ä")
    for vertex in item.data.vertices:
        slope.add([vertex.index], (vertex.co.x - low) / (high - low), "REPLACE")
        if vertex.co.x > 0.2:
            side.add([vertex.index], 1.0, "REPLACE")
    faces = item.data.color_attributes.new("Faces", "BYTE_COLOR", "CORNER")
    for polygon in item.data.polygons:
        for index in polygon.loop_indices:
            faces.data[index].color = (1, 0, 0, 1) if polygon.center.z > 0.1 else (0, 0, 1, 1)
    places = item.data.color_attributes.new("Places", "FLOAT_COLOR", "POINT")
    for vertex in item.data.vertices:
        places.data[vertex.index].color = (*((value + 2) / 4 for value in vertex.co), 1.0)
    item.data.attributes.active_color_name = item.data.attributes.default_color_name = "Places"
    return item


def weights(item: bpy.types.Object) -> dict[str, Any]:
    names = [group.name for group in item.vertex_groups]
    found = np.zeros((len(names), len(item.data.vertices)))
    for vertex in item.data.vertices:
        for element in vertex.groups:
            found[element.group, vertex.index] = element.weight
    return dict(zip(names, found, strict=True))


def colours(item: bpy.types.Object, name: str) -> Any:
    attribute = item.data.color_attributes[name]
    found = np.empty(len(attribute.data) * 4, np.float32)
    attribute.data.foreach_get("color", found)
    return found.reshape(-1, 4)


def by_data_transfer(source: bpy.types.Object, result: bpy.types.Object) -> bpy.types.Object:
    """A copy of a result to which Blender's own Data Transfer has given the weights of the source."""
    copy = bpy.data.objects.new("Check", result.data.copy())
    copy.vertex_groups.clear()
    copy.matrix_world = result.matrix_world
    bpy.context.scene.collection.objects.link(copy)
    select(source, copy)
    bpy.ops.object.data_transfer(
        data_type="VGROUP_WEIGHTS",
        use_create=True,
        vert_mapping="POLYINTERP_NEAREST",
        layers_select_src="ALL",
        layers_select_dst="NAME",
    )
    return copy


def run(addon: Any, *sources: bpy.types.Object, capability: str = "decimate", **fields: Any) -> list[bpy.types.Object]:
    select(*sources)
    assert getattr(bpy.ops.assetgen, capability)(**fields) == {"FINISHED"}
    bpy.context.view_layer.update()
    return [item for item in addon.scripting.result_objects() if item.type == "MESH"]


def face_at(item: bpy.types.Object, place: Vector) -> bpy.types.MeshPolygon:
    """The face of a mesh that is nearest to a place; its own coordinates."""
    return item.data.polygons[item.closest_point_on_mesh(place)[3]]


PLACE = {"location": (3.0, -2.0, 1.5), "rotation_euler": (0.4, -0.7, 1.9), "scale": (0.5, 3.0, 1.2)}


@pytest.mark.parametrize("service", [{"runner": echo_runner}, {"runner": normalising_runner}], indirect=True)
def test_weights_are_those_of_blenders_own_data_transfer(service: Any, addon: Any) -> None:
    source = painted(add_mesh("Knight", **PLACE))
    (result,) = run(addon, source)
    found, wanted = weights(result), weights(by_data_transfer(source, result))
    assert list(found) == ["Slope", "Left Ohr ä"]
    for name, values in wanted.items():
        assert float(np.abs(found[name] - values).max()) < 2e-3
    assert float(np.ptp(found["Slope"])) > 0.5 and 0 < float(found["Left Ohr ä"].mean()) < 1


def test_colours_keep_their_kind_and_place(service: Any, addon: Any) -> None:
    source = painted(add_mesh("Knight", **PLACE))
    (result,) = run(addon, source)
    kinds = {item.name: (item.data_type, item.domain) for item in result.data.color_attributes}
    assert kinds["Faces"] == ("BYTE_COLOR", "CORNER") and kinds["Places"] == ("FLOAT_COLOR", "POINT")
    assert result.data.color_attributes.active_color.name == "Places"
    places = colours(result, "Places")
    wanted = np.array([[*((value + 2) / 4 for value in vertex.co), 1.0] for vertex in result.data.vertices])
    assert float(np.abs(places - wanted).max()) < 1e-3
    faces = colours(result, "Faces")
    to_source = source.matrix_world.inverted() @ result.matrix_world
    right = [
        bool((faces[index][0] > 0.5) == (face_at(source, to_source @ polygon.center).center.z > 0.1))
        for polygon in result.data.polygons
        for index in polygon.loop_indices
    ]
    assert np.mean(right) > 0.99


def test_each_of_several_gets_its_own(service: Any, addon: Any) -> None:
    first, second = painted(add_mesh("First")), add_mesh("Second", "cube", location=(4, 0, 0))
    second.vertex_groups.new(name="Top").add([0, 1], 0.5, "REPLACE")
    results = {item.name: item for item in run(addon, first, second)}
    assert list(weights(results["First decimated"])) == ["Slope", "Left Ohr ä"]
    assert list(weights(results["Second decimated"])) == ["Top"]
    assert not [item for item in bpy.data.objects if item.name.startswith("Source")]


def test_so_do_results_of_a_task_that_needed_no_upload(service: Any, addon: Any) -> None:
    source = painted(add_mesh("Knight", **PLACE))
    (first,) = run(addon, source)
    before = len(recorded(service, "/v3/files", "POST"))
    (textured,) = run(addon, first, capability="texture", text="rust")
    assert len(recorded(service, "/v3/files", "POST")) == before
    assert addon.scripting.last_job().plan.source.kind == "task"
    found, wanted = weights(textured), weights(first)
    assert list(found) == ["Slope", "Left Ohr ä"]
    assert all(float(np.abs(found[name] - wanted[name]).max()) < 2e-3 for name in wanted)
    assert list(addon.data.glob("snapshots/*")) == []


def test_another_shape_gets_none(service: Any, addon: Any) -> None:
    source = painted(add_mesh("Knight"))
    (result,) = run(addon, source, capability="stylize", style="lego")
    assert not result.vertex_groups
    assert "Places" not in result.data.color_attributes


@pytest.mark.slow
def test_many_weights_come_as_attributes(service: Any, addon: Any) -> None:
    """Appending vertex groups of a large mesh would hold Blender up."""
    source = add_mesh("Large", "grid")
    bpy.context.view_layer.objects.active.modifiers.new("Fine", "SUBSURF").levels = 5
    source.vertex_groups.new(name="Edge").add([0, 1, 2], 1.0, "REPLACE")
    (result,) = run(addon, source)
    assert len(result.data.vertices) > 40_000
    assert not result.vertex_groups
    attribute = result.data.attributes["Edge"]
    assert (attribute.data_type, attribute.domain) == ("FLOAT", "POINT")
    values = np.empty(len(attribute.data), np.float32)
    attribute.data.foreach_get("value", values)
    assert 0 < float(values.mean()) < 0.1 and float(values.max()) > 0.9
