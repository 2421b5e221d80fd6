"""The whole job on a real mesh: decimate and texture it through the panel's own operators, and show what came of it.

Run it through ``python3 scripts/dev.py demo [MODEL]``, which prepares what it needs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from pathlib import Path

from load_extension import ROOT

OUTPUT = ROOT / "demo-output"


def main() -> int:
    """Runs the demo and returns its exit code."""
    parser = argparse.ArgumentParser(prog="dev.py demo", description=__doc__.splitlines()[0])
    parser.add_argument("model", nargs="?", type=Path, help="your own model: GLB, OBJ, FBX, STL, PLY or .blend")
    parser.add_argument("--faces", type=int, default=5000, help="most faces after decimation (default: 5000)")
    parser.add_argument("--prompt", default="rusty iron", help="what the texture shall look like (default: rusty iron)")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder for the results (default: demo-output)")
    options = parser.parse_args()
    model = options.model.absolute() if options.model else None
    output = options.output.absolute()
    _prepare(output)

    import bpy
    from asset_generation.addon.bridge.session import session
    from asset_generation.addon.cli import model_files
    from asset_generation.addon.cli.process import Step, StepFailed, run_step
    from asset_generation.addon.cli.progress import reporter
    from asset_generation.addon.cli.silence_stdout import silence
    from asset_generation.addon.core.errors import CoreError
    from load_extension import enable_extension

    begun = time.monotonic()
    show = reporter(as_json=False, stream=sys.stdout)
    bpy.ops.wm.read_homefile(use_empty=True)
    enable_extension()
    try:
        objects = _subject(model, show)
        before = list(objects)
        results = []
        for step in (Step("decimate", {"face_limit": options.faces}), Step("texture", {"text": options.prompt})):
            results.append(run_step(step, objects, show))
            objects = list(results[-1].objects)
        with silence():
            model_files.save_model(output / "result.glb", objects)
            model_files.save_model(output / "result.blend", objects)
        show.event("picture", "Rendering the picture")
        _picture(before, objects, output / "result.png")
    except (StepFailed, CoreError) as error:
        show.close()
        print(f"The demo failed: {error}", file=sys.stderr)
        return 1
    finally:
        session.shutdown()
    from demonstration.table import table

    print(f"\n{table(results)}\n\nWrote {output / 'result.blend'}, result.glb and result.png", end="")
    print(f" in {time.monotonic() - begun:.1f} s, by the local engine (no AI, free).")
    return 0


def _prepare(output: Path) -> None:
    """An empty folder for the results, and a Blender that neither sees nor touches the user's own set-up and jobs."""
    output.mkdir(parents=True, exist_ok=True)
    work = output / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    os.environ["ASSETGEN_DATA_DIR"] = str(work)
    os.environ["BLENDER_USER_RESOURCES"] = str(work / "blender")
    for name in ("ASSETGEN_BASE_URL", "ASSETGEN_API_KEY"):
        os.environ.pop(name, None)
    from load_extension import load_package

    load_package()


def _subject(model: Path | None, show: object) -> list[object]:
    """The model that was named, or Suzanne."""
    from asset_generation.addon.cli import model_files
    from asset_generation.addon.cli.silence_stdout import silence

    if model is None:
        from demonstration.subject import add_suzanne

        objects = [add_suzanne()]
        name = "Suzanne, subdivided and displaced"
    else:
        with silence():
            objects = model_files.open_model(model)
        name = model.name
    print(f"{name}: {model_files.triangles(objects):,} triangles", flush=True)
    return objects


def _picture(before: list[object], after: list[object], path: Path) -> None:
    from asset_generation.addon.cli import model_files
    from demonstration.picture import render

    captions = (
        f"before: {model_files.triangles(before):,} triangles",
        f"after: {model_files.triangles(after):,} triangles",
    )
    render(before, after, captions, path)


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # bpy's own exit has been seen to hang and to crash
