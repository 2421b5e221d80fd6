"""A batch with the client alone: no Blender, no journal; one model for every line of a text file.

    ASSETGEN_BASE_URL=https://... ASSETGEN_API_KEY=... python3 scripts/examples/batch_with_client.py prompts.txt OUT

`assetgen batch` does more: it remembers what it has started, so that nothing is paid twice. This shows how little is
needed to use the API from a program of your own.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from load_extension import load_package

load_package()

from asset_generation.vendor.assetgen import Client, ConcurrencyError
from asset_generation.vendor.assetgen.contract import TextToModel

VERSION = "v3.1-20260211"
SECONDS = 2.0


def main() -> int:
    """Keeps as many tasks going as the account may have, and reads all of them with one request."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prompts", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    lines = [line.strip() for line in options.prompts.read_text(encoding="utf-8").splitlines()]
    waiting = {f"{number:03}": line for number, line in enumerate(lines) if line}
    waiting = {name: prompt for name, prompt in waiting.items() if not (options.folder / f"{name}.glb").exists()}
    running: dict[str, str] = {}
    failed = 0
    with Client(os.environ["ASSETGEN_API_KEY"], os.environ["ASSETGEN_BASE_URL"]) as client:
        while waiting or running:
            while waiting:
                name, prompt = next(iter(waiting.items()))
                try:
                    task = client.tasks.create(TextToModel(prompt=prompt, model_version=VERSION))
                except ConcurrencyError:  # the account's pool is full: the next one after one of these
                    break
                running[task.task_id] = name
                del waiting[name]
            time.sleep(SECONDS)
            for task_id, detail in client.tasks.list(running).tasks.items():
                if not detail.is_final:
                    continue
                name = running.pop(task_id)
                if detail.output is not None and detail.output.model_url:
                    print(client.download(detail.output.model_url, options.folder, name=name))
                else:
                    failed += 1
                    print(f"{name}: {detail.error_message or detail.status}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
