"""One job of the extension with the local engine, and one plain script that does the same, in fresh processes.

``job.py decimate LEVELS`` or ``job.py texture LEVELS``; the model is a monkey's head that was subdivided so often: 3 is
63k triangles, 4 is 252k, 5 is 1,008k. Prints one JSON object: milliseconds, processor time with that of all processes
that took part, and what the background Blenders of the first job spent on each stage.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from load_extension import ROOT, enable_extension

FACES = 20_000
TEXTURE = 2048
SURFACE = "rusty iron"
_PLAIN = Path(__file__).with_name("plain_job.py")
_ENGINE = ROOT / "vendor" / "assetgen_local" / "engine" / "main.py"


def main() -> None:
    """Prints the figures."""
    work, levels = sys.argv[1], int(sys.argv[2])
    with tempfile.TemporaryDirectory(prefix="assetgen-bench-") as folder:
        source = Path(folder) / "source.blend"
        triangles = _make(source, levels)
        reference, reference_cpu = _run_plain(work, source, Path(folder) / "plain.blend")
        log = Path(folder) / "stages"
        os.environ["ASSETGEN_STAGES"] = str(log)
        enable_extension()
        before = _processor_time()
        begun = time.time()
        own = [_press(work) for _ in range(2)]
        _close()  # ends the local engine, whose processor time counts from then on
        stages = _stages(log, begun + own[0] / 1000)
    answer = {
        "own": own[0],
        "second": own[1],
        "own_cpu_of_both": (_processor_time() - before) * 1000,
        "reference": reference,
        "reference_cpu": reference_cpu,
        "triangles": triangles,
        "stages": stages,
        "blender": bpy.app.version_string,
    }
    print(json.dumps(answer), flush=True)
    os._exit(0)


def _make(path: Path, levels: int) -> int:
    """A textured model in the scene that is open, which is saved; its triangles."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.mesh.primitive_monkey_add()
    item = bpy.context.active_object
    item.modifiers.new("Subdivide", "SUBSURF").levels = levels
    bpy.ops.object.modifier_apply(modifier="Subdivide")
    image = bpy.data.images.new("Noise", TEXTURE, TEXTURE)
    image.pixels.foreach_set(np.random.default_rng(1).random(TEXTURE * TEXTURE * 4, dtype=np.float32))
    image.pack()
    material = bpy.data.materials.new("Noise")
    material.use_nodes = True
    node = material.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    material.node_tree.links.new(node.outputs[0], material.node_tree.nodes["Principled BSDF"].inputs["Base Color"])
    item.data.materials.append(material)
    _make_surface(item)
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    return len(item.data.loops) - 2 * len(item.data.polygons)


def _make_surface(item: Any) -> None:
    """The surface that the engine paints for the words, as a material, so that the plain script has the same one."""
    sys.path.insert(0, str(ROOT / "vendor"))
    spec = importlib.util.spec_from_file_location("engine_main", _ENGINE)
    assert spec is not None and spec.loader is not None
    entry = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(entry)
    entry._load_package()
    prompt, shading, measure = (
        importlib.import_module(f"assetgen_engine.{name}")
        for name in ("materials.prompt", "materials.shading", "mesh.measure")
    )
    shader = shading.Shader(prompt.surface_of(SURFACE), measure.bounds([item]), 1)
    graph, layer = shader._graph, shader._layer
    surface, bump = graph.surface(), graph.node("ShaderNodeBump")
    graph.plug(bump.inputs["Height"], layer.height)
    bump.inputs["Distance"].default_value = shader.relief
    values = {"Base Color": layer.color, "Roughness": layer.roughness, "Metallic": layer.metallic}
    for name, value in (values | {"Normal": bump.outputs[0]}).items():
        graph.plug(surface.inputs[name], value)
    shader.material.name = SURFACE
    shader.material.use_fake_user = True


def _stages(log: Path, end: float) -> list[tuple[str, str, float, float]]:
    """Until a moment: script, stage, seconds and processor seconds of each stage, process by process."""
    processes: dict[int, list[dict[str, Any]]] = {}
    for line in log.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if entry["clock"] <= end:
            processes.setdefault(entry["process"], []).append(entry)
    found = []
    for entries in processes.values():
        found.append((entries[0]["script"], "Blender's start", 0.0, entries[0]["processor"]))
        for here, after in pairwise(entries):
            spent = (after["clock"] - here["clock"], after["processor"] - here["processor"])
            found.append((here["script"], here["stage"], *spent))
    return found


def _run_plain(work: str, source: Path, out: Path) -> tuple[float, float]:
    """Milliseconds of the plain script, its Blender's start included, and its processor time."""
    before, begun = _processor_time(), time.perf_counter()
    arguments = [sys.executable, str(_PLAIN), work, str(source), str(FACES), str(out)]
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - begun) * 1000, (_processor_time() - before) * 1000


def _press(work: str) -> float:
    """Milliseconds from the press until the result is in the scene."""
    from asset_generation.addon.bridge import scripting

    source = bpy.data.objects["Suzanne"]
    source.hide_set(False)
    bpy.ops.object.select_all(action="DESELECT")
    source.select_set(True)
    bpy.context.view_layer.objects.active = source
    begun = time.perf_counter()
    if work == "decimate":
        bpy.ops.assetgen.decimate(face_limit=FACES)
    else:
        bpy.ops.assetgen.texture(text=SURFACE)
    took = (time.perf_counter() - begun) * 1000
    assert scripting.result_objects(), "the job gave no object"
    return took


def _processor_time() -> float:
    """Seconds of this process and of those that it has waited for, with theirs."""
    return sum(os.times()[:4])


def _close() -> None:
    import addon_utils

    addon_utils.disable("asset_generation")  # what is left registered at exit hangs some Blenders


main()
