"""Applies a model: it is appended, placed, shown instead of its source, and given its provenance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import bpy
from mathutils import Matrix

from ...core.jobs.job import JobPlan, JobView, Placement
from ...core.jobs.place import Place
from ...headless import mesh_notes
from ...headless.mesh_notes import MeshFacts
from ..objects import snapshot, transforms
from ..objects.provenance import TaskProvenance
from . import (
    assembly,
    chosen_place,
    collection_links,
    kept_properties,
    local_view,
    naming,
    parents,
    placing,
    result_selection,
    source_fate,
    task_records,
    visibility,
)
from .append import append
from .datablocks import added_blocks, known_blocks
from .owners import Owned, owned
from .pairs import Pair, paired


class _Order(NamedTuple):
    """What a result is brought in for.

    Attributes:
        job: What made it.
        plan: What was asked for.
        sources: What the job worked on, as far as that is in this file.
        scene: Where it goes.
        context: Tells what is seen.
        spot: What there is of the place that was chosen.
    """

    job: JobView
    plan: JobPlan
    sources: Sequence[bpy.types.Object]
    scene: bpy.types.Scene
    context: bpy.types.Context
    spot: chosen_place.Spot

    @property
    def placement(self) -> Placement | None:
        """What is known of the sources and their place; None for what is made of nothing in the scene."""
        return self.plan.delivery.placement

    @property
    def takes_source_place(self) -> bool:
        """Whether it goes where something is that it was made from."""
        return self.placement is not None and self.placement.takes_source_place

    @property
    def layer(self) -> bpy.types.ViewLayer:
        """The view layer of the scene that is seen, or would be."""
        return self.context.view_layer if self.context.scene == self.scene else self.scene.view_layers[0]


class _Home(NamedTuple):
    """Where a result is linked: ``name`` is that of the model, ``collection`` its own one where it comes in parts."""

    name: str
    collection: bpy.types.Collection


class _Model(NamedTuple):
    """What came, and of what it came.

    Attributes:
        objects: All of it.
        pairs: Its meshes, with their sources.
        notes: Its meshes, with what the background Blender found out about them.
    """

    objects: list[bpy.types.Object]
    pairs: list[Pair]
    notes: dict[bpy.types.Object, MeshFacts | None]

    @property
    def bounds(self) -> mesh_notes.Bounds:
        """The box around it as it came."""
        return mesh_notes.union(
            notes.bounds if notes else mesh_notes.bounds_of([(item.data, transforms.world_of(item))])
            for item, notes in self.notes.items()
        )


class _Placed(NamedTuple):
    """A model in its place.

    Attributes:
        matrix: The world matrix of the whole.
        roots: Its objects without a parent among them.
        worlds: Where each of these is to stand; world matrices.
        moves: How the sources were moved meanwhile.
        common: The move that all of them made.
    """

    matrix: Matrix
    roots: list[Owned]
    worlds: dict[bpy.types.Object, Matrix]
    moves: placing.Moves
    common: Matrix


def apply(
    job: JobView,
    plan: JobPlan,
    sources: Sequence[bpy.types.Object],
    scene: bpy.types.Scene,
    context: bpy.types.Context,
) -> list[bpy.types.Object]:
    """Puts the prepared model of a job into a scene and returns its objects.

    A motion for a rig that is there becomes an action of that rig; its objects are those that it moves.

    Args:
        job: The job; its ``blend`` is there.
        plan: What was asked for.
        sources: What the job worked on, as far as that is in this file.
        scene: Where to.
        context: Tells what is seen.
    """
    order = _Order(job, plan, sources, scene, context, chosen_place.find(job, plan.delivery.placement, scene))
    if context.scene == scene:
        context.view_layer.update()  # a script may have moved the sources a moment ago
    home = _home(order)
    task = task_records.task_of(job, sources)
    known = known_blocks(but=assembly.uids_of_current()) if job.gives_motion else {}
    objects = append(Path(job.blend), home.collection)
    result_selection.deselect(objects, scene)
    stays = order.placement is None or order.placement.place is Place.SOURCE
    if job.gives_motion and stays and (moved := _give_motion(objects, order, task, known)):
        return moved
    model = _Model(objects, paired(objects, sources, order.placement), _notes_of_meshes(objects))
    placed = _place(model, order, home.collection)
    task_records.record(model.notes, model.objects, task, placed.matrix)
    task_records.record_on_sources(sources, job, plan)
    _follow_sources(model, order, placed)
    _name(model, order, home.name)
    _put_away_and_select(model, order)
    return model.objects


def _home(order: _Order) -> _Home:
    """Where a result is to be linked, and what it is called; a model that comes in parts gets a collection."""
    from . import parts  # here: enabling the extension need not wait for it

    name = parts.model_name(order.job, order.placement, order.sources)
    collection = _collection(order.scene, order.placement, order.sources)
    return _Home(name, parts.new_collection(name, collection) if order.job.gives_parts else collection)


def _give_motion(
    objects: Sequence[bpy.types.Object], order: _Order, task: TaskProvenance, known: Mapping[str, set[int]]
) -> list[bpy.types.Object]:
    """Gives a motion to the rig that is there, of which nothing else that came is kept; no objects where none is."""
    from .motions import apply_motion

    given = apply_motion.onto_rig_in_file(objects, order.sources, task, order.scene)
    if given is None:
        return []
    bpy.data.batch_remove([block for block in added_blocks(known) if block not in given.actions])
    return given.objects


def _place(model: _Model, order: _Order, collection: bpy.types.Collection) -> _Placed:
    """Puts a model where its sources are by now, or beside what is at the cursor; adds what has to hold it there."""
    placement, objects, bounds = order.placement, model.objects, model.bounds
    moves = placing.moves_of(order.sources, placement, order.scene)
    common = placing.common_move(moves, placement)
    matrix = common @ placing.model_matrix(placement, bounds if order.job.keeps_shape else (), order.context)
    if placement is None:
        matrix = placing.moved_to_free_place(matrix, bounds, order.layer, objects)
    elif not order.takes_source_place:
        matrix = chosen_place.matrix(order.spot, order.job, placement, matrix, bounds, order.layer, objects)
    stretched = placement is not None and placement.target is not None and placement.target.stretch
    worlds = placing.place(objects, matrix, collection, stretched=stretched)
    came = set(objects)
    objects += [item for item in worlds if item not in came]
    roots = owned(objects, model.pairs, order.sources, placement)
    if not order.job.gives_parts:  # those have a collection of their own
        collection_links.follow_collections(chosen_place.owned_by(order.spot, roots), order.scene, collection)
    return _Placed(matrix, roots, worlds, moves, common)


def _follow_sources(model: _Model, order: _Order, placed: _Placed) -> None:
    """Has each object be what its source is by now: its place, its parent, its settings, where it is seen. What does
    not take the place of its source keeps the one that it has.
    """
    if not order.takes_source_place:
        chosen_place.follow_target(order.spot, placed.roots, model.objects, placed.worlds)
        kept_properties.carry_over(model.pairs)
        local_view.show(model.objects, order.sources, order.scene, order.context)
        return
    worlds = placing.follow_moves(placed.roots, placed.worlds, placed.moves, placed.common)
    parents.follow_parents(placed.roots, model.pairs, model.objects, worlds)
    kept_properties.carry_over(model.pairs)
    visibility.follow_visibility(placed.roots, order.scene)
    local_view.show(model.objects, order.sources, order.scene, order.context)


def _name(model: _Model, order: _Order, name: str) -> None:
    """Names all of a model; the sources, too, where the results take their names. ``name`` is that of the whole."""
    own_names = {item: notes.name if notes else "" for item, notes in model.notes.items()}
    if order.job.gives_parts:
        from . import parts

        parts.name_parts(own_names, name)
    else:
        naming.name_result(model.objects, model.pairs, order.job, order.placement, own_names)
    if order.job.gives_motion:
        from .motions import apply_motion

        mesh_name = next((item.name for item in model.objects if item.type == "MESH"), "")
        apply_motion.dress_own(model.objects, mesh_name)


def _put_away_and_select(model: _Model, order: _Order) -> None:
    """Puts the sources away and selects the result in their stead; last, because it changes what is the user's own."""
    taken_over = [
        layer
        for objects in (order.sources, *([item] for item in order.spot.replaced))
        for layer in result_selection.layers_to_select_in(objects, order.scene, order.layer)
    ]
    if order.placement is not None:
        brings_rig = any(item.type == "ARMATURE" for item in model.objects)
        replaced = [*order.sources, *(_rigs_of(order.sources) if brings_rig else [])]
        source_fate.put_away(replaced, order.placement, order.scene)
        chosen_place.clear(order.spot, order.placement, order.scene)
    for layer in dict.fromkeys(taken_over):
        result_selection.select(model.objects, layer)


def _collection(
    scene: bpy.types.Scene, placement: Placement | None, sources: Sequence[bpy.types.Object]
) -> bpy.types.Collection:
    """Where the source is now; where it was when it is gone."""
    if sources and sources[0].name in scene.objects:
        name = snapshot.collection_of(scene, sources[0])
        return bpy.data.collections[name] if name else scene.collection
    if placement is not None and placement.collection:
        collection = bpy.data.collections.get(placement.collection)
        if collection is not None and collection in set(scene.collection.children_recursive):
            return collection
    return scene.collection


def _notes_of_meshes(objects: Sequence[bpy.types.Object]) -> dict[bpy.types.Object, MeshFacts | None]:
    """The meshes among the objects, with what the background Blender found out about them."""
    return {item: mesh_notes.pop_notes(item) for item in objects if item.type == "MESH"}


def _rigs_of(sources: Sequence[bpy.types.Object]) -> list[bpy.types.Object]:
    """The armatures that move these meshes and nothing else."""
    rigs = {rig for item in sources if item.type == "MESH" and (rig := item.find_armature()) is not None}
    others = {item.find_armature() for item in bpy.data.objects if item.type == "MESH" and item not in sources}
    return [rig for rig in rigs if rig not in others]
