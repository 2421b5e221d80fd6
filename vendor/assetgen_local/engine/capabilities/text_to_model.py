"""Text to Model: a parametric model of the thing that the prompt names, built from its words; no AI.

Of 22 families (furniture, vessels, plants, buildings, arms, vehicles, people, robots, animals and more) the words
choose kind, parts, counts, proportions, colours and materials; for other things there is an abstract sculpture.
``image_seed``, ``model_version``, ``check_printable`` and ``style_image`` change nothing.
"""

from __future__ import annotations

from typing import Any

from ..errors import EngineError
from ..files import model_io
from ..materials import pbr_material
from ..materials.prompt import surface_of
from ..materials.shading import Shader, painted
from ..mesh import measure
from ..mesh.face_limit import reduced
from ..mesh.merged import merge
from ..mesh.unwrap import unwrap
from ..output import new_model
from ..output.understood import of_thing
from ..shapes import catalog, scene
from ..shapes.model import ModelPart
from ..shapes.prompt_spec import PromptSpec, read_prompt
from ..shapes.solid import quads_only
from ..task import Task

DETAILED = 1.7
"""How much finer lines are cut for ``geometry_quality`` detailed."""

SMART_TRIANGLES, SMART_QUADS = (500, 20_000), (500, 10_000)
_COARSEST, _FINEST = 0.3, 3.0
_GREY = (0.6, 0.6, 0.6)


def run(task: Task) -> dict[str, Any]:
    """Builds the model.

    Raises:
        EngineError: There is no prompt, or there are too few faces for the shape.
    """
    return make_model(task, spec_of(task))


def spec_of(task: Task) -> PromptSpec:
    """What the request asks for.

    Raises:
        EngineError: There is no prompt.
    """
    prompt = str(task.body.get("prompt") or "").strip()
    if not prompt:
        raise EngineError("A model needs a prompt that says what it is.")
    spec = read_prompt(prompt, str(task.body.get("negative_prompt") or ""), task.body.get("model_seed"))
    return spec.finer(DETAILED if task.body.get("geometry_quality") == "detailed" else 1.0)


def make_model(task: Task, spec: PromptSpec) -> dict[str, Any]:
    """Builds, paints and writes a model with the options of the request."""
    task.report(0.05, "Building the shape")
    model_io.reset()
    textured = new_model.is_textured(task)
    objects, parts = shaped(task, spec)
    if textured:
        texture(task, objects, scene.surfaces(parts), spec)
    else:
        task.report(0.6, "Assembling the material")
        if task.flag("export_uv", True):
            whole = merge(objects, "unwrapped")
            unwrap(whole.whole, pbr_material.SIZES["standard"])
            whole.write_back_uv()
            whole.remove()
        pbr_material.assign(objects, pbr_material.plain_material("Plain", _GREY))
    answer = new_model.write_answer(task, objects, 0.75)
    answer["values"] |= of_thing(spec, is_painted=textured)
    return answer


def shaped(task: Task, spec: PromptSpec) -> tuple[list[Any], list[ModelPart]]:
    """The objects of the model within the limits of the request, and the parts that they were made of."""
    parts = catalog.build_parts(spec)
    quad, limit = task.flag("quad"), task.body.get("face_limit")
    count = _count(parts, quad)
    if limit is None and task.flag("smart_low_poly"):
        low, high = SMART_QUADS if quad else SMART_TRIANGLES
        limit = min(max(count // 6, low), high)
    if limit is not None:
        parts = _near(spec, int(limit), quad)
    if task.flag("generate_parts"):
        objects = [scene.one_object([entry], quads=quad, name=entry.name) for entry in parts]
    else:
        objects = [scene.one_object(parts, quads=quad)]
    if limit is not None and _count(parts, quad) > limit:
        objects = reduced(objects, int(limit), quad=quad)
    return objects, parts


def _count(parts: list[ModelPart], quad: bool) -> int:
    return sum(len(quads_only(entry.solid).sizes) if quad else entry.solid.triangles for entry in parts)


def _near(spec: PromptSpec, limit: int, quad: bool) -> list[ModelPart]:
    """The shape in the fineness that comes nearest to the limit: from below if possible, else from above."""
    detail = spec.detail
    for _ in range(6):
        parts = catalog.build_parts(spec.finer(detail / spec.detail))
        share = limit / max(_count(parts, quad), 1)
        if 1.0 <= share < 1.35 or (share < 1 and detail <= _COARSEST) or (share > 1 and detail >= _FINEST):
            return parts
        detail = min(max(detail * (share * 0.9) ** 0.5, _COARSEST), _FINEST)
    return parts


def texture(task: Task, objects: list[Any], surfaces: list[str], spec: PromptSpec) -> None:
    """Paints the surfaces and bakes them to maps on UVs without overlap."""
    (whole,) = objects
    size = pbr_material.SIZES[task.body.get("texture_quality") or "standard"]
    task.report(0.2, "Unwrapping")
    unwrap(whole, size)
    seed = task.body.get("texture_seed")
    first = spec.seed if seed is None else int(seed)
    box = measure.bounds(objects)
    shaders = [Shader(surface_of(words), box, (first + index) % 2**31) for index, words in enumerate(surfaces)]
    maps = painted(whole, shaders, size, pbr=new_model.has_pbr(task), report=task.report)
    pbr_material.assign(objects, pbr_material.material_of(maps, "Texture"))
