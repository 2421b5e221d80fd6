"""What is printed with --json is what docs/events.schema.json says, for every command that has it."""

from __future__ import annotations

import argparse
import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.cli import events
from asset_generation.addon.cli.main import build_parser, main
from asset_generation.addon.cli.options import command_name
from asset_generation.vendor.assetgen.contract import CAPABILITIES
from load_extension import ROOT
from support.events import check_events
from support.services.local_engine import KEY, local_engine, tiny_glb, tiny_png

VERSION = ["--model-version", "v3.1-20260211"]
ARGUMENTS: dict[str, list[str]] = {
    "text-to-model": ["--prompt", "a chair", *VERSION],
    "text-to-image": ["--prompt", "a chair"],
    "import-model": ["{model}"],
    "decimate": ["{model}", "--face-limit", "900"],
    "rig-check": ["{model}"],
    "tasks show": ["{task}", "00000000-0000-0000-0000-000000000000"],
    "files upload": ["{model}"],
    "account balance": [],
    "account usage": [],
    "account costs": [],
    "jobs list": ["--all"],
    "jobs again": ["{job}"],
    "jobs wait": [],
    "jobs stop": ["{job}"],
    "storage list": [],
    "storage delete": ["{job}"],
    "jobs dismiss": ["{job}"],
    "storage restore": ["{job}"],
}
"""How commands succeed, in the order in which they are run; all others are run without arguments, and refuse that."""


def commands(
    parser: argparse.ArgumentParser, path: tuple[str, ...] = ()
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command that can be called, by its words."""
    groups = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not groups:
        yield " ".join(path), parser
    for group in groups:
        for name, child in group.choices.items():
            yield from commands(child, (*path, name))


LEAVES = dict(commands(build_parser()))
WITH_JSON = [name for name, parser in LEAVES.items() if "--json" in parser._option_string_actions]


def test_every_command_prints_events_as_documented(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "chair.glb").write_bytes(tiny_glb())
    (tmp_path / "chair.png").write_bytes(tiny_png())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSETGEN_API_KEY", KEY)
    monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("ASSETGEN_WEBHOOK_SECRET", raising=False)
    places = {"model": "chair.glb"}
    told: set[str] = set()
    with local_engine(tmp_path) as service:
        monkeypatch.setenv("ASSETGEN_BASE_URL", service.base_url)
        for name in [*ARGUMENTS, *(name for name in WITH_JSON if name not in ARGUMENTS)]:
            code = main([*name.split(), *[word.format(**places) for word in ARGUMENTS.get(name, [])], "--json"])
            out = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
            check_events(out)
            told |= {event["event"] for event in out}
            assert code in (0, 1, 2) and (out or name == "jobs wait"), name
            if name == "decimate":
                places |= {"job": out[-1]["job"], "task": out[-1]["tasks"][-1]}
    assert told >= {
        *("progress", "done", "error", "task", "uploaded", "balance", "usage", "costs", "job", "dismissed"),
        *("stored", "storage", "question", "restored"),
    }


def test_every_capability_has_json() -> None:
    assert {command_name(model) for model in CAPABILITIES.values()} <= set(WITH_JSON)


def _calls() -> Iterator[tuple[str, ast.Call, str]]:
    """The calls that tell of something, with the kind that they name."""
    for path in sorted((ROOT / "addon" / "cli").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("event", "result")
            ):
                kind = node.args[0] if node.args else None
                if isinstance(kind, ast.Constant) and len(node.args) >= 2:
                    yield f"{path.name}:{node.lineno}", node, str(kind.value)


def test_every_kind_that_is_told_of_is_declared_with_its_fields() -> None:
    fields: dict[str, set[str]] = {}
    for event in events.EVENTS:
        for kind in events.kinds_of(event):
            fields.setdefault(kind, set()).update(event.__annotations__)
    calls = list(_calls())
    assert len(calls) > 20
    for place, call, kind in calls:
        assert kind in fields, f"{place}: say in addon/cli/events.py what a {kind!r} has"
        named = {keyword.arg for keyword in call.keywords if keyword.arg is not None}
        assert named <= fields[kind], f"{place}: {kind!r} has no {', '.join(sorted(named - fields[kind]))}"


def test_what_is_not_documented_is_noticed() -> None:
    good: dict[str, Any] = {"event": "dismissed", "message": "Dismissed", "job": "j"}
    check_events([good])
    for bad in ({**good, "more": 1}, {**good, "job": 1}, {"event": "dismissed", "message": ""}, {**good, "event": "x"}):
        with pytest.raises(AssertionError, match=r"events\.py"):
            check_events([bad])
