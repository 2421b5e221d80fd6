"""A batch as a job of a render farm: an Open Job Description template, whose tasks are ranges of rows."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

_MOST_TASKS = 1024
"""Values that a task parameter may have, by the specification."""

_NOTICE_SECONDS = 60
"""Between the farm's wish that a task ends and its end by force: so long a batch may take to write its report."""

TEMPLATE, PARAMETERS, ASSETS = "template.yaml", "parameter_values.yaml", "asset_references.yaml"
"""The files of a job bundle, as AWS Deadline Cloud takes it."""


class FarmJob(NamedTuple):
    """A batch for a farm.

    Attributes:
        name: What the job is called.
        table: The table of rows.
        out: The folder of results, which all workers must reach.
        rows: How many rows there are.
        rows_a_task: How many of them one task works off.
        command: The program and its first arguments, as a worker calls it.
        options: Further options of the batch.
        inputs: Files that rows name.
        folder: Where the template will lie.
    """

    name: str
    table: Path
    out: Path
    rows: int
    rows_a_task: int
    command: Sequence[str]
    options: Sequence[str] = ()
    inputs: Sequence[str] = ()
    folder: Path | None = None


def row_ranges(rows: int, rows_a_task: int) -> list[str]:
    """Ranges as the command line takes them; longer ones where there would be more than a farm takes."""
    length = max(rows_a_task, math.ceil(rows / _MOST_TASKS))
    return [f"{first}-{min(rows, first + length - 1)}" for first in range(1, rows + 1, length)]


def template(job: FarmJob) -> dict[str, Any]:
    """The job template, by the specification jobtemplate-2023-09."""
    program, *arguments = job.command
    arguments += ["batch", "{{Param.Table}}", "--out", "{{Param.Results}}", "--rows", "{{Task.Param.Rows}}"]
    return {
        "specificationVersion": "jobtemplate-2023-09",
        "name": job.name,
        "description": "Rows of a table, each of which is paid for once. Address, key and limits of the service come"
        " from the worker's environment (ASSETGEN_BASE_URL, ASSETGEN_REGION, ASSETGEN_API_KEY).",
        "parameterDefinitions": [
            _path(job, "Table", job.table, "FILE", "IN", "The table of rows (.csv or .jsonl)"),
            _path(job, "Results", job.out, "DIRECTORY", "OUT", "Where results go: a folder that all workers share"),
            {
                "name": "Program",
                "type": "STRING",
                "default": program,
                "description": "What a worker starts: Blender with the extension, or a Python",
            },
        ],
        "steps": [
            {
                "name": "Batch",
                "parameterSpace": {
                    "taskParameterDefinitions": [
                        {"name": "Rows", "type": "STRING", "range": row_ranges(job.rows, job.rows_a_task)}
                    ]
                },
                "script": {
                    "actions": {
                        "onRun": {
                            "command": "{{Param.Program}}",
                            "args": [*arguments, *job.options],
                            "cancelation": {
                                "mode": "NOTIFY_THEN_TERMINATE",
                                "notifyPeriodInSeconds": _NOTICE_SECONDS,
                            },
                        }
                    }
                },
            }
        ],
    }


def bundle(job: FarmJob) -> dict[str, str]:
    """The files of a job bundle, by their names."""
    values = parameter_values(job)
    assets = {
        "assetReferences": {
            "inputs": {"filenames": [str(job.table), *job.inputs], "directories": []},
            "outputs": {"directories": [str(job.out)]},
            "referencedPaths": [],
        }
    }
    parameters = {"parameterValues": [{"name": name, "value": value} for name, value in values.items()]}
    return {TEMPLATE: as_yaml(template(job)), PARAMETERS: as_yaml(parameters), ASSETS: as_yaml(assets)}


def as_yaml(value: Mapping[str, Any]) -> str:
    """Plain data as YAML; texts are in double quotes, as JSON writes them, which YAML reads as well."""
    return "".join(f"{line}\n" for line in _lines(value))


def parameter_values(job: FarmJob) -> dict[str, str]:
    """The values of the job's parameters on this computer, by their names."""
    return {"Table": str(job.table), "Results": str(job.out), "Program": job.command[0]}


def _path(job: FarmJob, name: str, path: Path, kind: str, flow: str, description: str) -> dict[str, Any]:
    """A parameter for a path. Only one below the template's own folder may be its default, by the specification."""
    is_below = job.folder is not None and path.is_relative_to(job.folder)
    default = {"default": path.relative_to(job.folder).as_posix()} if is_below and job.folder is not None else {}
    return {"name": name, "type": "PATH", "objectType": kind, "dataFlow": flow, **default, "description": description}


def _lines(value: Any) -> Iterable[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if _is_scalar(item):
                yield f"{key}: {_scalar(item)}"
            else:
                yield f"{key}:"
                yield from (f"  {line}" for line in _lines(item))
    else:
        for item in value:
            lines = [_scalar(item)] if _is_scalar(item) else list(_lines(item))
            yield f"- {lines[0]}"
            yield from (f"  {line}" for line in lines[1:])


def _is_scalar(value: Any) -> bool:
    return not isinstance(value, Mapping | list | tuple) or not value


def _scalar(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
