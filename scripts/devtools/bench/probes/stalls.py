"""Times what runs on the main thread for a mesh of a million triangles, and Blender's own glTF operator for the same.

``stalls.py out`` or ``stalls.py in``; prints one JSON object.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import bpy
import numpy as np
from load_extension import enable_extension

SIDE = 708  # vertices along an edge; 2 * 707 * 707 = 999,698 triangles
TEXTURE = 2048


def main() -> None:
    """Prints the figures."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    enable_extension()
    with tempfile.TemporaryDirectory(prefix="assetgen-bench-") as folder:
        measure = {"out": _out, "in": _in}[sys.argv[1]]
        own, reference, triangles = measure(Path(folder))
    version = bpy.app.version_string
    print(json.dumps({"own": own, "reference": reference, "triangles": triangles, "blender": version}), flush=True)
    _close()


def _out(folder: Path) -> tuple[float, float, int]:
    from asset_generation.addon.bridge import prefs
    from asset_generation.addon.core.requests.build import check
    from asset_generation.addon.ops import planning
    from asset_generation.addon.props.task_properties import CAPABILITIES

    terrain = _terrain()
    check("decimate", {"face_limit": 5000})  # imports are paid for by the warm-up, not by the press of the button
    settings = prefs.settings()
    info = CAPABILITIES["decimate"]
    own = _milliseconds(lambda: planning.plan(bpy.context, info, {"face_limit": 5000}, settings, settings.data_dir))
    reference = _milliseconds(
        lambda: bpy.ops.export_scene.gltf(filepath=str(folder / "out.glb"), use_selection=True, export_format="GLB")
    )
    return own, reference, len(terrain.data.loops) - 2 * len(terrain.data.polygons)


def _in(folder: Path) -> tuple[float, float, int]:
    from asset_generation.addon.bridge import prefs
    from asset_generation.addon.bridge.results import apply_result, assembly, naming
    from asset_generation.addon.bridge.results.open_file import open_file
    from asset_generation.addon.core.jobs.job import JobView, Stage, StepView
    from asset_generation.addon.headless import __path__ as headless
    from asset_generation.addon.ops import planning
    from asset_generation.addon.props.task_properties import CAPABILITIES
    from asset_generation.vendor.background_blender import BlenderCommand, run

    terrain = _terrain()
    plan = planning.plan(
        bpy.context, CAPABILITIES["decimate"], {"face_limit": 5000}, prefs.settings(), prefs.data_dir()
    )
    glb, blend = folder / "result.glb", folder / "result.blend"
    bpy.ops.export_scene.gltf(filepath=str(glb), use_selection=True, export_format="GLB")
    request = {"model": str(glb), "out": str(blend), "name": "result"}
    run(BlenderCommand.of_python(), Path(next(iter(headless))) / "to_blend.py", request)
    job = JobView(
        id="bench",
        name="bench",
        stage=Stage.READY,
        progress=1.0,
        text="",
        steps=(StepView("decimate", task_id="bench"),),
        blend=str(blend),
        plan=plan,
        keeps_shape=True,
    )
    table: Future[assembly.Table | None] = Future()
    table.set_result(assembly.read_table(blend, bpy.app.version[:2]))
    coming, went_on, pieces = assembly.begin(blend, table, naming.likely_titles(job)), [True], [0.0]
    while went_on[-1]:
        pieces.append(_milliseconds(lambda: went_on.append(coming.step())))
    own = max(*pieces, _milliseconds(lambda: apply_result.apply(job, bpy.context)))
    result = open_file.objects_of("bench")[0]
    triangles = len(result.data.loops) - 2 * len(result.data.polygons)
    assert triangles == len(terrain.data.loops) - 2 * len(terrain.data.polygons)
    reference = _milliseconds(lambda: bpy.ops.import_scene.gltf(filepath=str(glb)))
    return own, reference, triangles


def _terrain() -> bpy.types.Object:
    """A bumpy, unwrapped grid of a million triangles with a noisy texture, selected and active."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=SIDE - 1, y_subdivisions=SIDE - 1, size=2, calc_uvs=True)
    terrain = bpy.context.active_object
    mesh = terrain.data
    positions = np.empty(len(mesh.vertices) * 3, dtype=np.float32)
    mesh.vertices.foreach_get("co", positions)
    points = positions.reshape(-1, 3)
    points[:, 2] = 0.1 * np.sin(9 * points[:, 0]) * np.cos(7 * points[:, 1])
    mesh.vertices.foreach_set("co", positions)
    mesh.update()
    image = bpy.data.images.new("Noise", TEXTURE, TEXTURE)
    image.pixels.foreach_set(np.random.default_rng(1).random(TEXTURE * TEXTURE * 4, dtype=np.float32))
    image.pack()
    material = bpy.data.materials.new("Noise")
    material.use_nodes = True
    tree = material.node_tree
    texture = tree.nodes.new("ShaderNodeTexImage")
    texture.image = image
    tree.links.new(texture.outputs["Color"], tree.nodes["Principled BSDF"].inputs["Base Color"])
    mesh.materials.append(material)
    bpy.context.view_layer.update()
    return terrain


def _milliseconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def _close() -> None:
    import addon_utils

    addon_utils.disable("asset_generation")  # what is left registered at exit hangs some Blenders


main()
