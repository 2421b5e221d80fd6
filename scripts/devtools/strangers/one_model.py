"""One model through the local engine's service, as a client has it done, and the record of what came."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..paths import ROOT
from . import plan
from .expected import Expected
from .plan import Step

if TYPE_CHECKING:
    from asset_generation.vendor.assetgen import Client
    from asset_generation.vendor.assetgen.contract import TaskDetail

LOOK = Path(__file__).parent / "in_blender" / "look.py"

_POLL_SECONDS = 0.2
_GIVEN_UP_SECONDS = 900.0
_LOOKED_AT_SECONDS = 600.0

Record = dict[str, Any]
"""Of a step: ``seconds``, ``error`` (of the engine), ``skipped`` (why it was not run), ``values`` (what the task
answered beside files), ``figures`` and ``trouble`` (why they could not be measured)."""


def key_of(model: Path, expected: Expected) -> str:
    """A text that changes with the model, the joints it is measured against, the engine and this command."""
    joints = json.dumps(expected.joints, sort_keys=True)
    return hashlib.sha256(model.read_bytes() + (_code() + joints).encode()).hexdigest()[:24]


@cache
def _code() -> str:
    digest = hashlib.sha256()
    for folder in ("vendor/assetgen_local/engine", "vendor/background_blender", "scripts/devtools/strangers"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            digest.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


class ModelRun:
    """Runs the steps of one model one after the other.

    Args:
        client: Of the service.
        model: The file.
        expected: Of it: what is not recognised is rigged as the kind that it is, and measured against its joints.
        folder: Where results, pictures and the record are kept.
    """

    def __init__(self, client: Client, model: Path, expected: Expected, folder: Path) -> None:
        self._client = client
        self._model = self._sent = model
        self._kind = expected.kind
        self._joints = expected.joints
        self._folder = folder
        self._tasks: dict[str, TaskDetail] = {}
        self._records: dict[str, Record] = {}
        self._files: dict[str, Path] = {}

    def run(self, steps: Sequence[Step], tell: Callable[[str], None]) -> dict[str, Record]:
        """The records of the steps by their keys; what fails is in them."""
        self._folder.mkdir(parents=True, exist_ok=True)
        for picture in self._folder.glob("*.npy"):
            picture.unlink()
        for step in steps:
            tell(step.key)
            self._records[step.key] = self._record(step)
        tell("looking at it")
        self._look(steps)
        for path in self._files.values():
            path.unlink(missing_ok=True)  # only figures and pictures are kept
        return self._records

    def _record(self, step: Step) -> Record:
        record: Record = {"seconds": 0.0, "error": "", "skipped": "", "values": {}, "figures": {}, "trouble": ""}
        record["skipped"] = self._reason_against(step)
        if record["skipped"]:
            return record
        began = time.monotonic()
        try:
            task = self._tasks[step.key] = self._done(step)
        # Whatever goes wrong with a stranger's model belongs into the table, and ends nothing else.
        except Exception as error:
            record["error"] = _sentence(error)
        else:
            record["values"] = _values(task)
            self._fetch(step, task, record)
        record["seconds"] = round(time.monotonic() - began, 2)
        return record

    def _reason_against(self, step: Step) -> str:
        if step.after and step.after not in self._tasks:
            return f"{step.after} gave nothing"
        body = self._records.get(plan.CHECK, {}).get("values", {}).get("kind") or self._kind
        if step.key in (plan.RIG, plan.WALK) and body not in plan.WALKS:
            return "taken for no body that can be rigged"
        if step.bodies_only and not {body, self._kind} & plan.WALKS.keys():
            return "no body"
        return ""

    def _done(self, step: Step) -> TaskDetail:
        from asset_generation.vendor.assetgen.contract import capability

        model = capability(step.capability)
        fields: dict[str, Any] = dict(step.fields)
        if step.after:
            fields[model.source_field or ""] = self._tasks[step.after].task_id
        else:
            self._sent = self._file_to_send()
            token = self._client.files.upload(self._sent)
            fields[model.source_field or ""] = {"type": self._sent.suffix[1:].lower(), "file_token": token}
        if step.key == plan.RIG:
            fields[plan.RIG_TYPE] = self._records[plan.CHECK]["values"].get("kind") or self._kind
        if step.key == plan.WALK:
            fields |= plan.WALKS[self._tasks[plan.RIG].output.rig_type or plan.BIPED]  # type: ignore[union-attr]
        created = self._client.tasks.create(model.model_validate(fields))
        return self._client.tasks.wait(created.task_id, interval=_POLL_SECONDS, timeout=_GIVEN_UP_SECONDS)

    def _file_to_send(self) -> Path:
        """The model as the extension sends it: what the service does not take becomes a GLB in a background Blender."""
        from asset_generation.addon.core.stages.converter import BackgroundConverter, needs_blender
        from asset_generation.vendor.background_blender import BlenderCommand

        if not needs_blender(str(self._model)):
            return self._model
        glb = self._files["sent"] = self._folder / "sent.glb"
        with closing(BackgroundConverter(BlenderCommand.of_python)) as converter:
            converter.file_to_glb(self._model, "", glb, lambda *_: None, lambda: False)
        return glb

    def _fetch(self, step: Step, task: TaskDetail, record: Record) -> None:
        link = task.output.model_url if task.output else None
        if not link:
            return
        try:
            self._files[step.key] = self._client.download(link, self._folder, name=f"{step.key}-model")
        except Exception as error:  # as above
            record["error"] = _sentence(error)

    def _look(self, steps: Sequence[Step]) -> None:
        from asset_generation.vendor.background_blender import BlenderCommand, BlenderTrouble, run

        results: list[dict[str, Any]] = [
            {
                "key": step.key,
                "path": str(self._files[step.key]),
                "compared": step.compared,
                "measures": step.measures,
                "drawn": step.drawn,
            }
            for step in steps
            if step.key in self._files and (step.measures or step.drawn)
        ]
        if not results:
            return
        request = {
            "source": str(self._sent),
            "results": results,
            "folder": str(self._folder),
            "joints": self._joints,
        }
        try:
            answers: Mapping[str, Any] = run(BlenderCommand.of_python(), LOOK, request, timeout=_LOOKED_AT_SECONDS)
        except BlenderTrouble as error:
            answers = {result["key"]: {"figures": {}, "trouble": str(error)} for result in results}
        for key, answer in answers.items():
            self._records[key] |= answer


def _values(task: TaskDetail) -> dict[str, Any]:
    output = task.output
    if output is None or output.riggable is None:
        return {}
    return {"kind": output.rig_type, "reason": output.reason or ""}


def _sentence(error: Exception) -> str:
    detail = getattr(error, "detail", None)  # what the engine says of it, without the number of the task
    text = getattr(detail, "error_message", None) or str(error)
    return " ".join(text.split())[:300] or type(error).__name__


def kept(folder: Path, key: str, steps: Sequence[Step]) -> dict[str, Record] | None:
    """The records that an earlier run left, if it was of the same model and code and has all the steps."""
    try:
        stored = json.loads((folder / "record.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    records: dict[str, Record] = stored.get("steps", {})
    if stored.get("key") != key or any(step.key not in records for step in steps):
        return None
    return {step.key: records[step.key] for step in steps}


def keep(folder: Path, key: str, records: Mapping[str, Record]) -> None:
    """Stores the records for a later run."""
    text = json.dumps({"key": key, "steps": records}, indent=1)
    (folder / "record.json").write_text(text + "\n", encoding="utf-8")
