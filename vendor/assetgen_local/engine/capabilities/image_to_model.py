"""Image to model: the outline of what the picture shows, inflated to a closed body, with the picture on both sides.

What lies behind the picture is not known: the back is the front's mirror image. Seen from the front, the model has the
picture's outline. It is 1 high, stands on the floor in the middle, and faces -Y (Blender) or +Z (glTF).

``model_version``, the seeds, ``mode`` and ``check_printable`` change nothing. ``orientation=align_image`` leaves the
model where it is in the picture, whose frame is then 1 high. ``auto_size`` makes it as large as it is on the picture
printed at its own resolution, or at 72 dots per inch where the file names none. ``enable_image_autofix`` takes noise
out of the picture and spreads its contrast first. ``generate_parts`` gives separate pieces of the outline as separate
objects. ``style_image`` lends its colours' mean and spread. Videos and sequences show the model turn once.
"""

from __future__ import annotations

from typing import Any

from ..files import model_io
from ..materials import pbr_material
from ..mesh.build import new_object
from ..mesh.connected import regions
from ..output import new_model, understood
from ..silhouettes import two_sided_texture
from ..silhouettes.inflate import inflated
from ..silhouettes.subject import place, read_subject
from ..task import Task

_OUTLINE = {"standard": 176, "detailed": 288}
"""Pixels along the longer side of the outline that is inflated, for each ``geometry_quality``."""


def run(task: Task) -> dict[str, Any]:
    """Makes a model from ``file`` or ``input``.

    Raises:
        EngineError: The picture cannot be read or shows nothing.
    """
    path = task.only_image()
    task.report(0.05, "Reading the image")
    subject = read_subject(path, autofix=task.flag("enable_image_autofix"))
    model_io.reset()
    task.report(0.2, "Inflating the outline")
    outline = subject.outline(_OUTLINE[task.body.get("geometry_quality") or "standard"])
    if task.flag("generate_parts"):
        pieces = regions(outline, diagonal=True)
        objects = [new_object(f"part_{i}", *inflated(pieces == i)) for i in range(1, int(pieces.max()) + 1)]
    else:
        objects = [new_object("model", *inflated(outline))]
    task.report(0.4, "Arranging the faces")
    objects, full = new_model.with_faces(task, objects)
    if task.flag("export_uv", True) or new_model.is_textured(task):
        two_sided_texture.unwrap(objects, outline.shape)
    if new_model.is_textured(task):
        task.report(0.55, "Projecting the image")
        colors = new_model.styled(task, subject.colors, subject.mask)
        size = pbr_material.SIZES[task.body.get("texture_quality") or "standard"]
        soft = task.body.get("texture_alignment") == "geometry"
        maps = two_sided_texture.maps(colors, subject, size, pbr=new_model.has_pbr(task), by_geometry=soft)
        maps = new_model.with_shape_of(full, objects, maps)
        pbr_material.assign(objects, pbr_material.material_of(maps, "Picture"))
    place(task, objects, subject, path)
    answer = new_model.write_answer(task, objects, 0.7)
    answer["values"] |= understood.answer("", (), subject.note)
    return answer
