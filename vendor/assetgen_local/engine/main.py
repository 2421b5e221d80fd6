"""Entry of the engine, started by path: reads one request, runs the capability it names, answers with files and facts.

Request: ``{"type": capability, "task_id": ..., "body": {...}, "model": path or None, "images": {field: path or list},
"source": {"capability": ..., "body": {...}, "facts": {...}, "files": {output key: path}} or None, "output_dir": ...,
"preview": True, False or "later"}``.
Answer: ``{"files": {output key: name in output_dir}, "values": {...}, "facts": {"faces": ..., "triangles": ...,
"vertices": ...}}``.

A capability works when a file of its name lies in ``capabilities/``, with a function ``run(task)``. The service looks
into the folder as well, and refuses what is missing in it.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent
_PACKAGE = "assetgen_engine"

_CAPABILITIES = "capabilities"


def _load_package() -> None:
    """Makes this folder importable without its parents, whose own imports need packages that Blender does not have."""
    spec = importlib.util.spec_from_file_location(
        _PACKAGE, _HERE / "__init__.py", submodule_search_locations=[str(_HERE)]
    )
    assert spec is not None and spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[_PACKAGE] = package
    spec.loader.exec_module(package)


def work(request: dict[str, Any], report: Any) -> dict[str, Any]:
    """Runs the capability that the request names.

    Raises:
        EngineError: The input cannot be processed, in a sentence for the user.
    """
    task_class = importlib.import_module(f"{_PACKAGE}.task").Task
    errors = importlib.import_module(f"{_PACKAGE}.errors")
    name = request["type"]
    if not (_HERE / _CAPABILITIES / f"{name}.py").is_file():
        raise errors.EngineError(f"The local engine cannot do {name!r} yet.")
    capability = importlib.import_module(f"{_PACKAGE}.{_CAPABILITIES}.{name}")
    answer: dict[str, Any] = capability.run(task_class.from_request(request, report))
    return answer


if __name__ == "__main__":
    # Python puts this folder first, where our module names would hide others of the same name.
    sys.path[:] = [entry for entry in sys.path if not entry or Path(entry).resolve() != _HERE]
    sys.path.insert(0, str(_HERE.parents[1]))
    _load_package()
    from background_blender.child import main

    main(work, warm_up=lambda: importlib.import_module(f"{_PACKAGE}.output.answer_files"))
