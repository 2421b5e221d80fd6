"""Turns a model file that the service does not take into the GLB that is uploaded. Runs in a background Blender.

Request: ``model`` (whatever Blender opens: a .blend, too, and a GLB that has its pictures in files beside it),
``object`` (of a .blend, the one that is meant with all that hangs on it; empty for everything that is rendered) and
``out``. The GLB is all it gives: its answer is empty.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "vendor"))

import bpy
from background_blender.child import Report, main
from background_blender.importers import READERS, last_line
from background_blender.operators import call, is_there

_OTHER_READERS = {"abc": ("wm", "alembic_import"), "dae": ("wm", "collada_import")}
"""Importers that not every Blender has."""


def work(request: dict[str, Any], report: Report) -> dict[str, Any]:
    """Opens the model and writes it as one GLB."""
    model = Path(request["model"])
    kind = model.suffix.lower().lstrip(".")
    report(0.05, f"Opening {model.name}")
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    if kind == "blend":
        _load(model, request["object"])
    else:
        _read(model, kind)
        if kind in ("glb", "gltf"):
            _check_pictures(model)
    report(0.4, "Looking for faces")
    if not _has_faces():
        raise ValueError(f"There are no faces in {model.name}.")
    report(0.5, "Writing the model")
    call(
        bpy.ops.export_scene.gltf,
        filepath=request["out"],
        export_format="GLB",
        export_yup=True,
        export_apply=kind == "blend",  # modifiers, as they are seen; a file of another format has none
        export_image_format="AUTO",
        export_vertex_color="MATERIAL",
        export_active_vertex_color_when_no_material=True,
        export_cameras=False,
        export_lights=False,
        export_rest_position_armature=False,  # the joints stand as they are seen, which may be far from their rest
        use_active_scene=True,
    )
    report(1.0, "Ready for upload")
    return {}


def _read(model: Path, kind: str) -> None:
    try:
        if kind in READERS:
            READERS[kind](model)
            return
        module, name = _OTHER_READERS[kind]
        group = getattr(bpy.ops, module)
        if not is_there(group, name):
            raise ValueError(f"this Blender does not open .{kind} files")
        call(getattr(group, name), filepath=str(model), as_background_job=False)
    except Exception as error:  # importers raise anything on broken files
        raise ValueError(f"{model.name} cannot be read: {last_line(error)}") from error


def _check_pictures(model: Path) -> None:
    """The glTF importer goes on without a picture that is not there, and the look would be lost."""
    for image in bpy.data.images:
        if (
            image.source == "FILE"
            and image.packed_file is None
            and not Path(bpy.path.abspath(image.filepath)).is_file()
        ):
            raise ValueError(f"{model.name} needs {Path(image.filepath).name}, which is not where it says")


def _load(blend: Path, wanted: str) -> None:
    """Takes objects of a .blend into the scene, without running anything that is in it."""
    try:
        with bpy.data.libraries.load(str(blend), link=False) as (there, here):
            if wanted and wanted not in there.objects:
                raise LookupError(f"There is no object named {wanted} in {blend.name}.")
            here.objects = list(there.objects)
    except OSError as error:
        raise ValueError(f"{blend.name} is not a .blend file that can be opened.") from error
    objects = [item for item in here.objects if item is not None]
    kept = [item for item in objects if _is_part_of(item, wanted)] if wanted else objects
    for item in objects:
        if item not in kept or (item.hide_render and not wanted):
            bpy.data.objects.remove(item)
            continue
        # Hidden objects are not evaluated, and the file keeps how they were shown.
        item.hide_viewport = False
        bpy.context.scene.collection.objects.link(item)
        item.hide_set(False)
    bpy.context.view_layer.update()


def _is_part_of(item: bpy.types.Object, wanted: str) -> bool:
    above: Any = item
    while above is not None:
        if above.name == wanted:
            return True
        above = above.parent
    return any(
        modifier.type == "ARMATURE" and modifier.object is item for modifier in bpy.data.objects[wanted].modifiers
    )


def _has_faces() -> bool:
    """Whether anything in the scene is seen with faces: a curve can be, and a mesh need not."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    for instance in depsgraph.object_instances:
        if instance.object.type not in {"MESH", "CURVE", "SURFACE", "META", "FONT"}:
            continue
        mesh = instance.object.to_mesh()
        found = mesh is not None and len(mesh.polygons) > 0
        instance.object.to_mesh_clear()
        if found:
            return True
    return False


if __name__ == "__main__":
    main(work)
