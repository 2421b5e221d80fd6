"""Runs every capability of the local engine once and shows all the results on one picture.

Run it through ``python3 scripts/dev.py sheet``. What the engine cannot do is left out and named.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from load_extension import ROOT, load_package

load_package()

from asset_generation.vendor.assetgen import APIError, Client, TaskFailedError
from asset_generation.vendor.assetgen.contract import VIEWS, TaskDetail, capability
from asset_generation.vendor.assetgen_local import LocalService, Options

SAMPLES = ROOT.parent / "shared" / "data" / "models"
OUTPUT = ROOT / "docs" / "pictures" / "capabilities.png"
_VERSION = {"model_version": "v3.1-20260211"}
_COLUMNS = 7


class Entry(NamedTuple):
    """One tile.

    Attributes:
        key: What other entries call it.
        capability: What is run.
        source: The entry whose task it works on, by key; empty for none.
        fields: The request's other fields.
        detail: The caption's second line.
    """

    key: str
    capability: str
    source: str
    fields: dict[str, Any]
    detail: str


def _stylized(source: str) -> Iterable[Entry]:
    for style in ("lego", "voxel", "minecraft", "voronoi", "keyring", "fridge_magnet", "keycap"):
        yield Entry(style, "stylize", source, {"style": style}, style.replace("_", " "))


ENTRIES = (
    Entry("chair", "text_to_model", "", {"prompt": "a tall wooden chair"} | _VERSION, "a tall wooden chair"),
    Entry("robot", "text_to_model", "", {"prompt": "a red metal robot"} | _VERSION, "a red metal robot"),
    Entry("tower", "text_to_model", "", {"prompt": "an old stone tower"} | _VERSION, "an old stone tower"),
    Entry("refined", "refine", "tower", {}, "the tower"),
    Entry("image", "text_to_image", "", {"prompt": "a blue ceramic mug", "size": "1024x1024"}, "a blue ceramic mug"),
    Entry("variants", "image_to_image", "image", {"template": "variants"}, "template variants"),
    Entry("gold", "image_to_image", "image", {"prompt": "golden"}, "golden"),
    Entry("views", "image_to_multiview", "image", {}, "four views of the mug"),
    Entry("edited", "edit_multiview", "views", {"prompts": [{"view": "front", "prompt": "green"}]}, "front: green"),
    Entry("inflated", "image_to_model", "image", {**_VERSION}, "the mug's image"),
    Entry("hull", "multiview_to_model", "views", {**_VERSION}, "the mug's views"),
    Entry("splat", "image_to_splat", "image", {}, "the mug's image"),
    Entry("spot", "import_model", "spot.glb", {}, "spot.glb"),
    Entry("rusty", "texture", "spot", {"texture_prompt": {"text": "rusty iron"}}, "rusty iron"),
    Entry("low", "decimate", "spot", {"face_limit": 1000}, "1,000 faces"),
    Entry("converted", "convert", "spot", {"format": "FBX", "flatten_bottom": True}, "FBX, flat bottom"),
    Entry("segmented", "segment", "robot", {}, "the robot"),
    Entry("completed", "complete", "segmented", {}, "its parts, closed"),
    Entry("smart", "smart_segment", "spot", {}, "spot.glb"),
    Entry("check", "rig_check", "spot", {}, "spot.glb"),
    Entry("rigged", "rig", "robot", {}, "the robot"),
    Entry("walking", "retarget", "rigged", {"animation": "preset:walk"}, "preset:walk"),
    *_stylized("spot"),
)


def main() -> int:
    """Runs all entries and writes the picture; returns the exit code."""
    parser = argparse.ArgumentParser(prog="dev.py sheet", description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=Path, default=SAMPLES, help="folder with spot.glb")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="the picture (default: docs/pictures)")
    parser.add_argument("--only", action="append", metavar="KEY", help="run only this entry and what it needs")
    options = parser.parse_args()
    entries = _wanted(options.only)
    with tempfile.TemporaryDirectory(prefix="assetgen-sheet-") as folder:
        with LocalService(Path(folder) / "engine", Options()) as service, _client(service) as client:
            tiles = _Sheet(client, options.models, Path(folder)).run(entries)
        from demonstration.sheet import compose

        options.output.parent.mkdir(parents=True, exist_ok=True)
        compose(tiles, min(_COLUMNS, len(tiles)), options.output.absolute())
    missing = len(entries) - len(tiles)
    print(f"Wrote {options.output} with {len(tiles)} results; {missing} left out")
    return 1 if missing else 0


def _client(service: LocalService) -> Client:
    return Client(service.key, service.base_url)


def _wanted(keys: list[str] | None) -> tuple[Entry, ...]:
    if not keys:
        return ENTRIES
    chosen = set(keys)
    for entry in reversed(ENTRIES):
        if entry.key in chosen:
            chosen.add(entry.source)
    return tuple(entry for entry in ENTRIES if entry.key in chosen)


class _Sheet:
    """Runs entries in their order; those that stand by themselves could run at once, but the engine has few cores."""

    def __init__(self, client: Client, models: Path, folder: Path) -> None:
        self._client = client
        self._models = models
        self._folder = folder
        self._tasks: dict[str, TaskDetail] = {}

    def run(self, entries: Iterable[Entry]) -> list[Any]:
        """The tiles of all entries that could be done."""
        from demonstration.sheet import Tile

        tiles = []
        for entry in entries:
            begun = time.monotonic()
            try:
                task = self._tasks[entry.key] = self._run(entry)
            except (KeyError, OSError, APIError, TaskFailedError) as error:
                print(f"{entry.key:12} {entry.capability:18} left out: {error}", flush=True)
                continue
            print(f"{entry.key:12} {entry.capability:18} {time.monotonic() - begun:5.1f} s", flush=True)
            label = capability(entry.capability).label
            tiles.append(Tile(label, entry.detail, self._pictures(entry, task), _words(task)))
        return tiles

    def _run(self, entry: Entry) -> TaskDetail:
        model = capability(entry.capability)
        fields = dict(entry.fields)
        if entry.source:
            fields[model.source_field or "input"] = self._source(entry)
        if entry.capability == "multiview_to_model":
            fields["original_model_task_id"] = fields.pop("input")
        created = self._client.tasks.create(model.model_validate(fields))
        return self._client.tasks.wait(created.task_id, interval=0.5)

    def _source(self, entry: Entry) -> Any:
        if entry.capability == "import_model":
            path = self._models / entry.source
            return {"type": path.suffix[1:], "file_token": self._client.files.upload(path)}
        return self._tasks[entry.source].task_id

    def _pictures(self, entry: Entry, task: TaskDetail) -> list[Path]:
        """The image that the task gave, the four views, or the picture of the model."""
        links = task.output.links() if task.output else {}
        views = [f"{view}_view" for view in VIEWS]
        keys = next((keys for keys in (["generated_image"], views, ["rendered_image"]) if set(keys) <= set(links)), [])
        return [self._client.download(links[key], self._folder, name=f"{entry.key}-{key}") for key in keys]


def _words(task: TaskDetail) -> str:
    output = task.output
    if output is None or output.riggable is None:
        return "no picture"
    return f"riggable: {output.rig_type}" if output.riggable else "not riggable"


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # bpy's own exit has been seen to hang and to crash
