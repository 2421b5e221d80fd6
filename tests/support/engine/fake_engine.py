"""Stands in for a background Blender with the engine's script: behaves as ``parameters.behave`` of the request says.

Started as ``python fake_engine.py .../engine/main.py -- FOLDER``, and speaks the exchange of ``background_blender``.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

exchange = Path(sys.argv[sys.argv.index("--") + 1])
while (byte := os.read(0, 1)) != b"\n":  # the request is there when the parent says so
    if not byte:
        os._exit(3)
request: dict[str, Any] = json.loads((exchange / "request.json").read_text(encoding="utf-8"))
behaviour = (request["body"].get("parameters") or {}).get("behave", "work")
folder = Path(request["output_dir"])


def end_with_parent() -> None:
    """What the real child does as well."""
    while os.read(0, 4096):
        pass
    os._exit(3)


def answer(content: dict[str, Any]) -> None:
    part = exchange / "answer.part"
    part.write_text(json.dumps(content), encoding="utf-8")
    os.replace(part, exchange / "answer.json")


threading.Thread(target=end_with_parent, daemon=True).start()
(folder / "pid").write_text(str(os.getpid()))
print('@assetgen {"progress": 0.42, "message": "at it"}', flush=True)
if behaviour == "crash":
    os._exit(11)
if behaviour == "hang":
    time.sleep(600)
if behaviour == "reject":
    answer({"error": {"kind": "EngineError", "message": "The model has no faces.", "traceback": "not for users"}})
    os._exit(1)
if request["model"] is not None:
    (folder / "model.glb").write_bytes(Path(request["model"]).read_bytes())
answer({"result": {"files": {"model_url": "model.glb"}, "values": {}, "facts": {"faces": 1}}})
os._exit(0)
