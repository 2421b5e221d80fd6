"""In which collections a result is and where it is seen: as its source is at that moment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest
from support.addon import add_mesh, select
from support.finished_job import arrive, started


def add_collection(name: str, parent: Any = None) -> Any:
    collection = bpy.data.collections.new(name)
    (parent or bpy.context.scene.collection).children.link(collection)
    return collection


def layer_collection(name: str, layer: Any = None) -> Any:
    return (layer or bpy.context.view_layer).layer_collection.children[name]


def homes(item: bpy.types.Object) -> set[str]:
    return {collection.name for collection in item.users_collection}


def test_the_result_is_in_all_collections_of_its_source(addon: Any, tmp_path: Path) -> None:
    source = add_mesh("Thing")
    job = started(addon, tmp_path, source)
    add_collection("Shelf").objects.link(source)
    add_collection("Inner", bpy.data.collections["Work"]).objects.link(source)
    bpy.context.scene.collection.objects.link(source)
    bpy.data.collections["Work"].objects.unlink(source)
    (result,) = arrive(addon, job)
    assert homes(result) == homes(source) == {"Shelf", "Inner", bpy.context.scene.collection.name}


def test_a_collection_of_another_scene_is_left_alone(addon: Any, tmp_path: Path) -> None:
    source, other = add_mesh("Thing"), bpy.data.scenes.new("Other")
    other.collection.objects.link(source)
    (result,) = arrive(addon, started(addon, tmp_path, source))
    assert homes(result) == {"Work"}
    assert not source.hide_render and not source.hide_get(view_layer=other.view_layers[0])


def test_what_is_placed_as_an_instance_goes_on_being_rendered(addon: Any, tmp_path: Path) -> None:
    source, kit = add_mesh("Thing"), bpy.data.collections.new("Kit")
    kit.objects.link(source)
    instance = bpy.data.objects.new("Instance", None)
    instance.instance_type, instance.instance_collection = "COLLECTION", kit
    bpy.context.scene.collection.objects.link(instance)
    (result,) = arrive(addon, started(addon, tmp_path, source))
    assert homes(result) == {"Work"}
    assert source.hide_get() and not source.hide_render


def test_each_result_goes_to_the_collections_of_its_own_source(addon: Any, tmp_path: Path) -> None:
    first, second = add_mesh("First", "cube"), add_mesh("Second", location=(5, 0, 0))
    add_collection("Shelf").objects.link(second)
    bpy.data.collections["Work"].objects.unlink(second)
    select(first, second)
    results = arrive(addon, started(addon, tmp_path, first, second))
    assert [homes(item) for item in results] == [{"Work"}, {"Shelf"}]


def test_a_source_that_was_hidden_meanwhile_has_a_hidden_result(addon: Any, tmp_path: Path) -> None:
    source = add_mesh("Thing")
    job = started(addon, tmp_path, source)
    source.hide_set(True)
    source.hide_render = True
    (result,) = arrive(addon, job)
    assert result.hide_get() and result.hide_render


def test_a_second_result_of_the_same_source_is_seen(addon: Any, tmp_path: Path) -> None:
    source = add_mesh("Thing")
    jobs = [started(addon, tmp_path, source) for _ in range(2)]
    for job in jobs:
        (result,) = arrive(addon, job)
        assert result.visible_get() and not result.hide_render and not result.hide_viewport
    assert source.hide_get()


def test_where_it_is_rendered_and_by_what_is_kept(addon: Any, tmp_path: Path) -> None:
    source = add_mesh("Thing")
    job = started(addon, tmp_path, source)
    source.is_holdout = source.is_shadow_catcher = source.hide_render = True
    source.visible_shadow = source.visible_glossy = False
    (result,) = arrive(addon, job)
    assert result.is_holdout and result.is_shadow_catcher and result.hide_render
    assert not result.visible_shadow and not result.visible_glossy and result.visible_diffuse
    assert result.visible_get()


@pytest.mark.parametrize("how", ["hide_viewport", "exclude"])
def test_a_hidden_collection_hides_the_result_and_shows_it_alone_again(addon: Any, tmp_path: Path, how: str) -> None:
    source = add_mesh("Thing")
    job = started(addon, tmp_path, source)
    setattr(layer_collection("Work"), how, True)
    (result,) = arrive(addon, job)
    assert homes(result) == {"Work"}
    assert not result.visible_get()
    setattr(layer_collection("Work"), how, False)
    bpy.context.view_layer.update()
    assert result.visible_get() and not source.visible_get()


def test_every_view_layer_sees_the_result_where_it_saw_the_source(addon: Any, tmp_path: Path) -> None:
    source, layers = add_mesh("Thing"), bpy.context.scene.view_layers
    second, third = layers.new("Second"), layers.new("Third")
    job = started(addon, tmp_path, source)
    source.hide_set(True, view_layer=second)
    layer_collection("Work", third).exclude = True
    (result,) = arrive(addon, job)
    assert result.visible_get() and not source.visible_get()
    assert result.hide_get(view_layer=second) and source.hide_get(view_layer=second)
    assert result.name not in third.objects
