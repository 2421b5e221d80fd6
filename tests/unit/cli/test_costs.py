"""What this month cost, from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.cli.main import main
from support.services.local_engine import KEY, local_engine

Run = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Runs a command against an engine that is asked like an online service; its code and the last that it says."""
    prices = {"text_to_image": Decimal(5), "text_to_model": Decimal(25)}
    with local_engine(tmp_path, prices=prices) as running:
        monkeypatch.setenv("ASSETGEN_BASE_URL", running.base_url)
        monkeypatch.setenv("ASSETGEN_API_KEY", KEY)
        monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path / "data"))

        def call(*arguments: object) -> tuple[int, dict[str, Any]]:
            code = main([*map(str, arguments), "--json"])
            return code, json.loads(capsys.readouterr().out.splitlines()[-1])

        yield call


def test_the_month_is_told_by_operation_and_a_budget_that_is_used_up_ends_with_4(run: Run, tmp_path: Path) -> None:
    assert run("account", "costs")[1]["operations"] == {}
    for words in ("a door", "a gate"):
        code, done = run("text-to-image", "--prompt", words, "--out", tmp_path)
        assert code == 0
    assert run("text-to-model", "--prompt", "a lamp", "--model-version", "P2-20260801", "--out", tmp_path)[0] == 0
    assert run("jobs", "dismiss", done["job"])[0] == 0
    code, told = run("account", "costs")
    month = Decimal(told["month"])
    assert (code, told["left"]) == (0, "")
    assert list(told["operations"]) == ["text_to_model", "text_to_image"], "what cost most comes first"
    assert sum(map(Decimal, told["operations"].values())) == month >= 10, "also what is off the list"
    assert run("account", "costs", "--budget", month + 7) == (0, told | {"left": "7"})
    assert run("account", "costs", "--budget", month) == (4, told | {"left": "0"})
    assert run("account", "costs", "--budget", "ten")[0] == 2


def test_the_local_engine_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("ASSETGEN_BASE_URL", raising=False)
    monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path))
    assert main(["account", "costs"]) == 0
    assert "The local engine is free" in capsys.readouterr().out
