"""One decimation, by the local engine and by the same steps in one plain script, in fresh processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from load_extension import ROOT, load_package

load_package()

from asset_generation.vendor.assetgen import Client
from asset_generation.vendor.assetgen.contract import Decimate, FileObject, ImportModel
from asset_generation.vendor.assetgen_local import LocalService, Options

FACES = 5000

_MAKE = """
import sys, os
import bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.mesh.primitive_monkey_add()
bpy.ops.object.modifier_add(type="SUBSURF")
bpy.context.object.modifiers[0].levels = 3
bpy.ops.export_scene.gltf(filepath=sys.argv[1], export_apply=True)
sys.stdout.flush()
os._exit(0)
"""

_PLAIN = """
import importlib, json, os, sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import bpy
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location("engine_main", Path(sys.argv[1]) / "assetgen_local" / "engine" / "main.py")
main = module_from_spec(spec)
spec.loader.exec_module(main)
main._load_package()
importlib.import_module("assetgen_engine.output.answer_files")
request = json.loads(sys.argv[2])
begun = time.perf_counter()
main.work(request, lambda fraction, words: None)
print("SECONDS", time.perf_counter() - begun, flush=True)
os._exit(0)
"""


def _python(code: str, *arguments: str) -> str:
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    return done.stdout


def _plain(model: Path, folder: Path) -> float:
    request = {
        "type": "decimate",
        "task_id": "plain",
        "body": {"face_limit": FACES},
        "model": str(model),
        "images": {},
        "output_dir": str(folder),
    }
    said = _python(_PLAIN, str(ROOT / "vendor"), json.dumps(request))
    return float(next(line for line in said.splitlines() if line.startswith("SECONDS")).split()[1])


def _served(model: Path, folder: Path) -> tuple[float, float]:
    """Seconds of the first task, whose Blender has to start, and of one that finds it warm."""
    with LocalService(folder, Options()) as service, Client(service.key, service.base_url) as client:
        token = client.files.upload(model)
        begun = time.perf_counter()
        imported = client.tasks.create(ImportModel(file=FileObject(type="glb", file_token=token)))
        client.tasks.wait(imported.task_id, interval=0.05)
        cold = time.perf_counter() - begun
        time.sleep(5)  # until the next Blender is warm
        begun = time.perf_counter()
        task = client.tasks.create(Decimate(input=imported.task_id, face_limit=FACES))
        client.tasks.wait(task.task_id, interval=0.05)
        return cold, time.perf_counter() - begun


def main() -> None:
    """Prints the figures."""
    with tempfile.TemporaryDirectory(prefix="assetgen-bench-") as name:
        folder = Path(name)
        model = folder / "monkey.glb"
        _python(_MAKE, str(model))
        plain = folder / "plain"
        plain.mkdir()
        reference = _plain(model, plain)
        cold, own = _served(model, folder / "service")
    print(json.dumps({"own": own * 1000, "reference": reference * 1000, "cold": cold * 1000}), flush=True)


main()
os._exit(0)
