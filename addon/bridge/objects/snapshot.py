"""Takes the selection out: a .blend written in milliseconds, and what a background Blender needs to know beside it."""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import bpy
from mathutils import Matrix

from ...core.errors import Refused
from ...core.jobs.job import ModelPart, Placement, Snapshot, SnapshotObject, Source, SourceKind
from ...core.paths import Locations, make_private
from ...headless import mesh_notes
from ...translation.operator_errors import words_of
from . import object_boxes, provenance, source_poses, transforms, unsaved_images
from .selection import Selection

_SHARED_VERTICES = 1_000_000
"""Of all models of a press. Where there are more, each has a file of its own: the data folder may be on a drive where
every job needs a copy, and to write them takes as long either way.
"""


def has_layers(objects: Sequence[bpy.types.Object]) -> bool:
    """Whether objects have vertex groups or colours, which can go over to a result."""
    return any(item.vertex_groups or item.data.color_attributes for item in objects)


class Snapshots:
    """The snapshots of one press, written together: every call of Blender's own costs some milliseconds by itself.

    Each has a path of its own, and the files behind them are one: its content goes with the last job that has it. Used
    as ``with``, at whose end the scene is as it was.
    """

    def __init__(self) -> None:
        self._parts: list[tuple[Path, list[bpy.types.Object]]] = []
        self._copies = contextlib.ExitStack()

    def take(
        self,
        context: bpy.types.Context,
        selection: Selection,
        locations: Locations,
        task_id: str = "",
        *,
        rigged: bool = False,
    ) -> Source:
        """Describes the selected objects; the .blend is there after :meth:`write`.

        With a ``task_id`` it is not for an upload: the task has the model, and the snapshot what is painted on it here.
        ``rigged`` is whether rigs go along in the upload.

        Raises:
            Refused: Their images could not be written.
        """
        path = locations.snapshots / f"{uuid.uuid4().hex}.blend"
        matrix = transforms.upload_matrix(selection.objects)
        here = self._copies.enter_context(local_objects(selection.objects))
        self._parts.append((path, here))
        with _refused(path):
            make_private(path.parent)
            images = [] if task_id else unsaved_images.images_of_objects(selection.objects)
            pixels = unsaved_images.save_unsaved(images, path)
        looks = () if task_id else tuple(provenance.looks_if_lasting(selection.objects))
        packed = tuple(tuple(image.name for image in seen.packed) for seen in looks)
        snapshot = Snapshot(
            objects=tuple(
                SnapshotObject(local_object.name, item.name, transforms.to_numbers(item.matrix_world))
                for local_object, item in zip(here, selection.objects, strict=True)
            ),
            frame=transforms.to_numbers(matrix),
            scene_frame=context.scene.frame_current,
            images=pixels,
            layered=has_layers(selection.objects),
            looks=tuple(seen.text for seen in looks),
            packed=packed if any(packed) else (),
            rigged=rigged,
        )
        return Source(SourceKind.TASK if task_id else SourceKind.SELECTION, str(path), task_id, snapshot=snapshot)

    def write(self) -> None:
        """Writes what was taken.

        Raises:
            Refused: It could not be done.
        """
        if not self._parts:
            return
        (first, _), *others = self._parts
        every = [item for _, objects in self._parts for item in objects]
        shared = sum(len(item.data.vertices) for item in every) <= _SHARED_VERTICES
        _write(first, every if shared else self._parts[0][1])
        for path, objects in others:
            if not (shared and _link(first, path)):
                _write(path, objects)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._copies.close()


def write(
    context: bpy.types.Context, selection: Selection, locations: Locations, task_id: str = "", *, rigged: bool = False
) -> Source:
    """Writes the selected objects to a snapshot of their own and describes it; see :meth:`Snapshots.take`.

    Raises:
        Refused: The snapshot could not be written.
    """
    with Snapshots() as snapshots:
        source = snapshots.take(context, selection, locations, task_id, rigged=rigged)
        snapshots.write()
    return source


def _link(source: Path, target: Path) -> bool:
    """Whether a file has got a second name, which not every drive knows."""
    try:
        os.link(source, target)
    except OSError:
        return False
    return True


def _write(path: Path, objects: Sequence[bpy.types.Object]) -> None:
    with _refused(path):
        bpy.data.libraries.write(str(path), set(objects), path_remap="ABSOLUTE", fake_user=False)


@contextmanager
def _refused(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, RuntimeError) as error:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        reason = getattr(error, "strerror", None) or words_of(error)
        if reason in ("", "Success"):  # what Blender says of a disk that is full
            reason = "the disk may be full"
        raise Refused(
            f"The selection could not be written to {path.parent}: {reason}",
            "Make room on the disk",
        ) from error


def placement(
    context: bpy.types.Context,
    selection: Selection,
    matrix: Matrix,
    *,
    fitted: bool = True,
    exact: bool = True,
    part_names: Sequence[str] = (),
) -> Placement:
    """Where the result of a job on the selection goes, ``matrix`` being the world matrix of the service's model.

    ``fitted`` is whether the result is brought to the size of the selection where it has another one; ``exact`` whether
    its boxes are final, or will be measured when the upload is made (``upload_facts``); ``part_names`` are what the
    objects are called in that model, where it is not what they are called here.
    """
    boxes: list[mesh_notes.Bounds] = [() for _ in selection.objects]
    bounds: mesh_notes.Bounds = ()
    if fitted:
        boxes = object_boxes.boxes_of(context, selection.objects, matrix.inverted(), exact=exact)
        bounds = mesh_notes.union(boxes)
    names = part_names or [item.name for item in selection.objects]
    return Placement(
        frame=transforms.to_numbers(matrix),
        bounds=bounds,
        collection=collection_of(context.scene, selection.objects[0]),
        sources=tuple((item.name, item.session_uid) for item in selection.objects),
        poses=source_poses.all_poses(selection.objects, context.scene),
        parts=tuple(map(ModelPart, names, boxes)),
    )


def collection_of(scene: bpy.types.Scene, item: bpy.types.Object) -> str:
    """The name of a collection of this scene that holds the object and can be added to; empty for the scene's own."""
    here = set(scene.collection.children_recursive)
    for collection in item.users_collection:
        if collection in here and collection.library is None and collection.override_library is None:
            return str(collection.name)
    return ""


@contextmanager
def local_objects(objects: Sequence[bpy.types.Object]) -> Iterator[list[bpy.types.Object]]:
    """The objects, with a temporary local copy for each linked one: that would be written as a mere reference, see
    docs/platform.md.
    """
    copies: list[bpy.types.Object] = []
    try:
        here = []
        for item in objects:
            if item.library is not None:
                item = item.copy()
                copies.append(item)
            here.append(item)
        yield here
    finally:
        for copy in copies:
            bpy.data.objects.remove(copy)
