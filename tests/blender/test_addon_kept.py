"""What an object is beside its mesh stays with its result: settings, properties, constraints, names."""

from __future__ import annotations

from typing import Any

import bpy
import pytest
from asset_generation.addon.bridge.results import kept_properties
from support.addon import add_mesh, box_error, select, world_box


def run(addon: Any, *sources: bpy.types.Object, capability: str = "decimate", **fields: Any) -> list[bpy.types.Object]:
    select(*sources)
    assert getattr(bpy.ops.assetgen, capability)(**fields) == {"FINISHED"}
    bpy.context.view_layer.update()
    return list(addon.scripting.result_objects())


def painted(item: bpy.types.Object, *names: str) -> bpy.types.Object:
    """Gives an object materials of these names, a third of its faces each, with an image for the colour."""
    for index, name in enumerate(names):
        material = bpy.data.materials.new(name)
        material.use_nodes = True
        image = bpy.data.images.new("base_color", 4, 4)
        image.pixels[:] = [index / 4, 0.5, 0.1, 1.0] * 16  # the exporter writes the same picture once
        image.pack()
        nodes = material.node_tree.nodes
        texture = nodes.new("ShaderNodeTexImage")
        texture.image = image
        material.node_tree.links.new(texture.outputs[0], nodes["Principled BSDF"].inputs["Base Color"])
        item.data.materials.append(material)
        for polygon in item.data.polygons:
            if polygon.index % len(names) == index:
                polygon.material_index = index
    return item


def test_nothing_but_what_differs_is_set() -> None:
    """To set something takes Blender much longer than to ask for it, and two of its arrays are never equal."""
    one, other = add_mesh("Knight"), add_mesh("Squire")
    kept = kept_properties._Settings(one.bl_rna.properties, kept_properties._PROPERTIES)
    assert list(kept.differing(one, other)) == []
    one.color, one.pass_index, one.lock_scale = (1, 0.5, 0.25, 1), 7, (False, True, False)
    other.show_wire = True
    found = dict(kept.differing(one, other))
    assert found.keys() == {"color", "pass_index", "lock_scale", "show_wire"}
    assert (found["color"], found["show_wire"]) == ((1, 0.5, 0.25, 1), False)


def test_settings_and_properties_stay(service: Any, addon: Any) -> None:
    source = add_mesh("Knight")
    source.pass_index, source.color, source.display_type = 7, (1, 0.5, 0.25, 1), "WIRE"
    source.show_name = source.show_in_front = source.show_wire = True
    source.visible_camera, source.is_holdout, source.hide_select = False, True, True
    source.lock_location = (True, False, True)
    source["rank"] = 3
    source.id_properties_ui("rank").update(min=0, max=9, description="How high")
    source["parts"] = {"head": [1.0, 2.0], "friend": source}
    source.data["scan"] = "B"
    source.hide_select = False
    (result,) = run(addon, source)
    assert (result.pass_index, tuple(result.color), result.display_type) == (7, (1, 0.5, 0.25, 1), "WIRE")
    assert result.show_name and result.show_in_front and result.show_wire
    assert not result.visible_camera and result.is_holdout and not result.hide_render
    assert tuple(result.lock_location) == (True, False, True)
    assert result["rank"] == 3 and result.id_properties_ui("rank").as_dict()["max"] == 9
    assert list(result["parts"]["head"]) == [1.0, 2.0] and result["parts"]["friend"] == source
    assert result.data["scan"] == "B"
    assert addon.provenance.PROPERTY in result and addon.provenance.PROPERTY in source
    assert result[addon.provenance.PROPERTY]["task"] != source[addon.provenance.PROPERTY]["task"]


def test_constraints_stay_and_move_a_result_once(service: Any, addon: Any) -> None:
    aim = bpy.data.objects.new("Aim", None)
    bpy.context.scene.collection.objects.link(aim)
    aim.location = (4, 1, 2)
    source = add_mesh("Knight", location=(1, 0, 0), rotation_euler=(7.0, 0.1, 0.2))
    copy = source.constraints.new("COPY_LOCATION")
    copy.target, copy.use_offset = aim, True
    source.constraints.new("LIMIT_ROTATION").name = "Upright"
    bpy.context.view_layer.update()
    wanted = world_box(source)
    (result,) = run(addon, source)
    assert [item.name for item in result.constraints] == ["Copy Location", "Upright"]
    assert result.constraints[0].target == aim
    assert box_error(world_box(result), wanted) < 1e-4
    assert result.rotation_euler.x == pytest.approx(7.0)
    aim.location.x += 3
    assert box_error(world_box(result), world_box(source)) < 1e-4


def test_a_constraint_between_two_sources_is_one_between_their_results(service: Any, addon: Any) -> None:
    first, second = add_mesh("First", "cube"), add_mesh("Second", "cone", location=(3, 0, 0))
    second.constraints.new("TRACK_TO").target = first
    bpy.context.view_layer.update()
    results = {item.name: item for item in run(addon, first, second)}
    assert results["Second decimated"].constraints[0].target == results["First decimated"]


def test_a_posed_source_is_not_posed_twice(service: Any, addon: Any) -> None:
    """Its modifiers are part of the upload: what comes is the mesh as it was posed, without the armature."""
    source = add_mesh("Knight", "cube")
    armature = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.scene.collection.objects.link(armature)
    select(armature)
    bpy.ops.object.mode_set(mode="EDIT")
    bone = armature.data.edit_bones.new("Bone")
    bone.tail = (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    source.vertex_groups.new(name="Bone").add(range(len(source.data.vertices)), 1.0, "REPLACE")
    source.modifiers.new("Armature", "ARMATURE").object = armature
    armature.pose.bones["Bone"].location = (2, 0, 1)
    bpy.context.view_layer.update()
    wanted = world_box(source)
    assert wanted[0].x > 0.9
    (result,) = run(addon, source)
    assert not result.modifiers
    assert box_error(world_box(result), wanted) < 1e-4


def test_results_are_named_after_source_and_deed(service: Any, addon: Any) -> None:
    source = painted(add_mesh("Knight"), "Skin")
    (textured,) = run(addon, source, capability="texture", text="rust")
    assert (textured.name, textured.data.name) == ("Knight textured", "Knight textured")
    assert [slot.material.name for slot in textured.material_slots] == ["Knight textured"]
    (again,) = run(addon, source, capability="texture", text="gold")
    assert (again.name, again.active_material.name) == ("Knight textured 2", "Knight textured 2")
    (decimated,) = run(addon, textured)
    assert decimated.name == "Knight textured decimated"
    images = {image.name for image in bpy.data.images} - {"base_color"}
    assert images == {
        "Knight textured Base Color",
        "Knight textured Base Color 2",
        "Knight textured decimated Base Color",
    }
    blocks = [block.name for table in ("objects", "meshes", "materials") for block in getattr(bpy.data, table)]
    assert not [name for name in blocks if ".0" in name]


def test_several_materials_keep_what_their_own_names_say(service: Any, addon: Any) -> None:
    source = painted(add_mesh("Knight"), "Knight Skin", "Iron", "Material")
    (result,) = run(addon, source)
    names = [slot.material.name for slot in result.material_slots]
    assert names == ["Knight decimated Skin", "Knight decimated Iron", "Knight decimated 3"]
    assert {"Knight decimated Iron Base Color", "Knight decimated 3 Base Color"} <= set(bpy.data.images.keys())


def test_no_material_is_shared_by_the_results_of_several_sources(service: Any, addon: Any) -> None:
    sources = [add_mesh("Sphere", "uv_sphere"), add_mesh("Torus", "torus", location=(3, 0, 0))]
    painted(sources[0], "Baked")
    sources[1].data.materials.append(sources[0].data.materials[0])
    results = run(addon, *sources)
    assert {item.name: item.active_material.name for item in results} == {
        "Sphere decimated": "Sphere decimated",
        "Torus decimated": "Torus decimated",
    }
    assert "Sphere and 1 more decimated Base Color" in bpy.data.images


def test_the_results_of_very_many_sources_share_their_materials_as_they_came(service: Any, addon: Any) -> None:
    """A copy for each takes Blender a millisecond or more, and it stands still for all of them."""
    sources = [add_mesh(f"Bolt {number}", "cube", location=(3 * number, 0, 0)) for number in range(52)]
    painted(sources[0], "Steel", "Brass")
    painted(sources[1], "Own")
    for number, source in enumerate(sources[2:]):
        source.data.materials.append(sources[0].data.materials[number % 2])
    before = len(bpy.data.materials)
    results = {item.name: item for item in run(addon, *sources)}
    assert len(results) == 52 and len(bpy.data.materials) == before + 3
    names = {name: [slot.material.name for slot in item.material_slots] for name, item in results.items()}
    both = ["Bolt 0 and 51 more decimated Steel", "Bolt 0 and 51 more decimated Brass"]
    assert names["Bolt 0 decimated"] == both
    assert names["Bolt 1 decimated"] == ["Bolt 1 decimated"]
    assert [names[f"Bolt {number} decimated"] for number in range(2, 52)] == [[both[n % 2]] for n in range(50)]
    pictures = [item.active_material.node_tree.nodes["Image Texture"].image.name for item in results.values()]
    # The picture of Steel is that of Own as well.
    assert set(pictures) == {"Bolt 0 and 51 more decimated Base Color", "Bolt 0 and 51 more decimated Brass Base Color"}


def test_a_long_name_keeps_what_was_done(service: Any, addon: Any) -> None:
    source = painted(add_mesh("Ö" * 31), "Skin")
    (first,) = run(addon, source)
    (second,) = run(addon, source, face_limit=700)
    assert first.name.endswith(" decimated") and second.name.endswith("Ö decimated 2")
    assert len(second.name.encode()) <= 63
    assert second.active_material.node_tree.nodes["Image Texture"].image.name.endswith(" decimated Base Color 2")


def test_the_source_can_stay_visible(service: Any, addon: Any) -> None:
    source = add_mesh("Knight")
    run(addon, source, source_after="KEEP")
    assert not source.hide_get() and not source.hide_render


def test_sources_can_go_into_a_hidden_collection(service: Any, addon: Any) -> None:
    first, second = add_mesh("Knight"), add_mesh("Horse", "cube", location=(3, 0, 0))
    (result,) = run(addon, first, source_after="COLLECT")
    run(addon, second, source_after="COLLECT")
    sources = bpy.data.collections["Sources"]
    assert sorted(sources.objects.keys()) == ["Horse", "Knight"]
    assert list(first.users_collection) == [sources]
    layer = bpy.context.view_layer.layer_collection.children["Sources"]
    assert layer.hide_viewport and sources.hide_render and not first.visible_get()
    assert not first.hide_get() and not first.hide_render, "one click on the eye brings it back as it was"
    assert [collection.name for collection in result.users_collection] == ["Work"] and result.visible_get()
    assert [item.name for item in bpy.data.collections if item.name.startswith("Sources")] == ["Sources"]


def test_what_another_scene_shows_is_hidden_and_not_collected(service: Any, addon: Any) -> None:
    source = add_mesh("Knight")
    bpy.data.scenes.new("Other").collection.objects.link(source)
    run(addon, source, source_after="COLLECT")
    assert source.hide_get() and "Sources" not in bpy.data.collections


def test_a_result_can_take_the_name_of_its_source(service: Any, addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    source = painted(add_mesh("Knight"), "Skin")
    values = addon.prefs.preferences()
    values.result_names = "SAME"
    try:
        (result,) = run(addon, source)
        assert (result.name, source.name) == ("Knight", "Knight source")
        assert result.active_material.name == "Knight"
        (again,) = run(addon, result, face_limit=700)
        assert (again.name, result.name, source.name) == ("Knight", "Knight source 2", "Knight source")
        (new,) = run(addon, again, face_limit=800, result_names="NEW")
        assert (new.name, again.name) == ("Knight decimated", "Knight")
    finally:
        values.result_names = "NEW"


def test_hidden_from_rendering_is_kept_unless_it_is_our_own(service: Any, addon: Any) -> None:
    helper = add_mesh("Collider", "cube")
    helper.hide_render = True
    (result,) = run(addon, helper)
    assert result.hide_render
    source = add_mesh("Knight")
    run(addon, source)
    assert source.hide_render
    (again,) = run(addon, source, face_limit=700)
    assert not again.hide_render
