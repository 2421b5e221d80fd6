"""Image to Multiview: the image's outline inflated to a body with the image on it, rendered from four sides; no AI.

The back is the front's mirror image, and the sides show how the outline was rounded.
"""

from __future__ import annotations

from typing import Any

import bpy
from mathutils import Vector

from ..array_types import Picture
from ..files import model_io
from ..images.picture_files import as_image, write_picture
from ..materials.projection import VIEWS
from ..mesh import measure
from ..mesh.build import new_object
from ..output import preview, understood
from ..shaders.nodes import NodeGraph
from ..silhouettes import two_sided_texture
from ..silhouettes.inflate import inflated
from ..silhouettes.subject import read_subject
from ..task import Task

_SIZE, _OUTLINE, _TEXTURE = 1024, 200, 1024


def run(task: Task) -> dict[str, Any]:
    """Renders the four views.

    Raises:
        EngineError: There is no image, or nothing can be told from its background.
    """
    path = task.only_image()
    task.report(0.05, "Reading the image")
    subject = read_subject(path)
    model_io.reset()
    task.report(0.2, "Inflating the outline")
    outline = subject.outline(_OUTLINE)
    body = new_object("model", *inflated(outline))
    two_sided_texture.unwrap([body], outline.shape)
    colors = two_sided_texture.maps(subject.colors, subject, _TEXTURE, pbr=False, by_geometry=False).color
    body.data.materials.append(_glowing(colors))
    span = float(measure.bounds([body]).size.max()) * 1.08
    files = {}
    for index, (side, towards) in enumerate(VIEWS.items()):
        task.report(0.3 + 0.17 * index, f"Rendering the {side} view")
        picture = preview.render_shot([body], _SIZE, Vector(towards), flat=True, span=span, lit=False)
        write_picture(task.folder / f"{side}_view.png", picture)
        files[f"{side}_view_url"] = f"{side}_view.png"
    return {"files": files, "values": understood.answer("", (), subject.note), "facts": {}}


def _glowing(colors: Picture) -> Any:
    """A material that shows the picture as it is: its own light and shade are in it already."""
    image = as_image(colors, "projection", is_data=False)
    material = bpy.data.materials.new("Picture")
    graph = NodeGraph(material)
    graph.emit(graph.node("ShaderNodeTexImage", image=image).outputs[0])
    return material
