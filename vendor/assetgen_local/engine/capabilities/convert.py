"""Convert: the model in six formats, with faces, symmetry, pivot, UVs, textures and animations changed as asked.

``GLTF`` gives a single-file GLB; ``OBJ`` a zip with the material and textures. What a format cannot hold is left out
where that is its nature (STL and 3MF have no textures), and refused where it was asked for by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy

from ..errors import EngineError
from ..files import animation_clips, export_formats, model_io, texture_files, threemf
from ..materials import transfer, vertex_colors
from ..mesh import measure, transform
from ..mesh.build import drop_look, remove
from ..mesh.face_limit import reduced
from ..mesh.merged import merge
from ..motion import in_place
from ..output import answer_files
from ..task import FBX, MODEL, Task

_ANIMATION = ("with_animation", "assemble_animation", "animate_in_place")
_WITHOUT_ANIMATION = ("OBJ", "STL", "3MF")
_MOST_PIXELS = 8192
_POSITIVE = ("face_limit", "scale_factor")
_PAINTED, _TEXTURE_SIZE = 1024**2, 2048  # of a texture that is baked anew, where pictures have as many pixels
_DEFAULT_FLATTEN = 0.02
_NAMES = {"GLTF": MODEL, "USDZ": "model.usdz", "FBX": FBX, "OBJ": "model.zip", "STL": "model.stl", "3MF": "model.3mf"}


def run(task: Task) -> dict[str, Any]:
    """Writes the model in the asked format, and always a ``model.glb`` that later tasks work on.

    Raises:
        EngineError: The model cannot be read, or an option cannot be honoured.
    """
    kind = str(task.body.get("format") or "GLTF").upper()
    _refuse(task, kind)
    task.report(0.02, "Reading the model")
    everything = model_io.load(task.model())
    objects = model_io.parts_named(everything, task.body.get("part_names"))
    remove(scene_object for scene_object in everything if scene_object not in objects)
    task.report(0.15, "Changing the geometry")
    objects = _reduced(task, objects)
    objects = _reshaped(task, objects)
    if task.flag("animate_in_place"):
        in_place.hold()
    if task.flag("assemble_animation"):
        animation_clips.join_all()
    if task.flag("export_vertex_colors"):
        vertex_colors.paint(objects)
    texture_files.limit_size(task.body.get("texture_size"))
    task.report(0.6, f"Writing {kind}")
    model_io.save_glb(
        task.folder / MODEL,
        image_format=task.body.get("texture_format") if kind == "GLTF" else None,
        vertex_colors=task.flag("export_vertex_colors"),
        animations=task.flag("with_animation", True),
        joined=task.flag("assemble_animation"),
        motions_of=None if any(map(task.flag, _ANIMATION[1:])) else task.source,
    )
    # The picture first: some writers move the textures out of the scene.
    result = answer_files.preview_and_answer(task, objects, _NAMES[kind], 0.7)
    _write(task, kind, objects)
    return result


def _refuse(task: Task, kind: str) -> None:
    size = task.body.get("texture_size")
    if size is not None and not 1 <= size <= _MOST_PIXELS:
        raise EngineError(f"texture_size is {size}; the local engine makes textures of 1 to {_MOST_PIXELS} pixels.")
    for name in _POSITIVE:
        if (number := task.body.get(name)) is not None and number <= 0:
            raise EngineError(f"{name} is {number:g}; it has to be more than 0.")
    for name in _ANIMATION:
        if task.flag(name) and kind in _WITHOUT_ANIMATION:
            raise EngineError(f"{kind} files cannot hold animations; choose GLTF, FBX or USDZ, or turn {name} off.")
    if task.flag("export_vertex_colors") and kind not in ("OBJ", "GLTF"):
        raise EngineError(f"Vertex colours are written to OBJ and GLTF only, not to {kind}.")


def _reduced(task: Task, objects: list[Any]) -> list[Any]:
    """Fewer faces, quads, one texture set: whatever of these was asked for."""
    quad, limit = task.flag("quad"), task.body.get("face_limit")
    triangles, diagonal = measure.facts(objects)["triangles"], measure.bounds(objects).diagonal
    source = merge(objects, "source") if quad or task.flag("bake") or task.flag("pack_uv") else None
    if quad:
        drop_look(scene_object.data for scene_object in objects)  # to carry it over takes long, and it is baked anew
        objects = reduced(objects, limit or 0, quad=True)
    elif limit and triangles > limit:
        objects = reduced(objects, limit, quad=False)
    if source is not None:
        painted = sum(image.size[0] * image.size[1] for image in bpy.data.images)
        size = task.body.get("texture_size") or _TEXTURE_SIZE * (painted > _PAINTED)
        transfer.bake_onto(source.whole, objects, size, diagonal, keep_islands=task.flag("pack_uv") and not quad)
        source.remove()
    if quad:
        model_io.keep_only(objects)
    return objects


def _reshaped(task: Task, objects: list[Any]) -> list[Any]:
    if task.flag("force_symmetry"):
        objects = transform.symmetrize(objects)
    if task.flag("flatten_bottom"):
        share = task.body.get("flatten_bottom_threshold")
        transform.flatten_bottom(objects, _DEFAULT_FLATTEN if share is None else float(share))
    transform.place(
        objects,
        scale=float(task.body.get("scale_factor") or 1.0),
        front=task.body.get("export_orientation") or "+x",
        pivot_to_center_bottom=task.flag("pivot_to_center_bottom"),
    )
    return objects


def _write(task: Task, kind: str, objects: Sequence[Any]) -> None:
    """Writes the other formats than GLTF, which is the ``model.glb`` of every conversion."""
    path, textures = task.folder / _NAMES[kind], task.body.get("texture_format")
    animations, joined = task.flag("with_animation", True), task.flag("assemble_animation")
    if kind == "FBX":
        preset = task.body.get("fbx_preset") or "blender"
        export_formats.write_fbx(path, preset=preset, animations=animations, joined=joined, image_format=textures)
    elif kind == "OBJ":
        export_formats.write_obj_zip(path, vertex_colors=task.flag("export_vertex_colors"), image_format=textures)
    elif kind == "USDZ":
        readable = textures if textures in (None, "JPEG") else "PNG"  # what viewers of USDZ read
        export_formats.write_usdz(path, animations=animations, image_format=readable)
    elif kind == "STL":
        export_formats.write_stl(path)
    elif kind == "3MF":
        threemf.write(path, objects)
