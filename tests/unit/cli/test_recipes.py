"""``assetgen run`` against a running engine: what it says and writes, and how it ends."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.cli.main import main
from asset_generation.addon.core.recipes.pictures import BackgroundPictures, Tile
from asset_generation.addon.core.stages.converter import BackgroundConverter
from asset_generation.vendor.assetgen_local import LocalService
from load_extension import ROOT
from support.core import GatedRunner, wait_until
from support.fork_server.program import ForkedProgram
from support.services.local_engine import KEY, add_fault, local_engine, recorded, tiny_glb, tiny_png

RECIPE = """
[recipe]
name = "Levels"

[variables]
model = { type = "model" }
faces = [900, 800]

[[step]]
name = "level"
use = "decimate"
from = "{model}"
each = { face_limit = "{faces}" }
out = "{source}_{face_limit}.glb"
"""
Run = Callable[..., tuple[int, list[dict[str, Any]]]]


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[LocalService]:
    with local_engine(tmp_path, **getattr(request, "param", {})) as running:
        monkeypatch.setenv("ASSETGEN_BASE_URL", running.base_url)
        monkeypatch.setenv("ASSETGEN_API_KEY", KEY)
        monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path / "data"))
        (tmp_path / "cat.glb").write_bytes(tiny_glb())
        (tmp_path / "levels.toml").write_text(RECIPE)
        monkeypatch.chdir(tmp_path)
        yield running


@pytest.fixture
def sheets(monkeypatch: pytest.MonkeyPatch) -> list[list[Tile]]:
    """The pictures of all results, which are not drawn."""
    drawn: list[list[Tile]] = []

    def draw(self: BackgroundPictures, title: str, tiles: Sequence[Tile], out: Path) -> None:
        drawn.append(list(tiles))
        out.write_bytes(tiny_png())

    def to_blend(self: BackgroundConverter, model: Path, out: Path, *_: Any, picture: Path, **__: Any) -> None:
        out.write_bytes(b"BLENDER")
        picture.write_bytes(tiny_png())

    monkeypatch.setattr(BackgroundPictures, "contact_sheet", draw)
    monkeypatch.setattr(BackgroundConverter, "to_blend", to_blend)
    return drawn


@pytest.fixture
def run(sheets: list[list[Tile]], capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: object) -> tuple[int, list[dict[str, Any]]]:
        code = main(["run", *map(str, arguments), "--json"])
        told = capsys.readouterr()
        assert told.err == ""
        return code, [json.loads(line) for line in told.out.splitlines()]

    return call


def creations(service: LocalService) -> list[str]:
    paths = [item["path"] for item in recorded(service, method="POST")]
    return [path.rpartition("/")[2] for path in paths if path not in ("/v3/files", "/v3/tasks/list")]


def test_a_recipe_runs_says_how_it_went_and_ends_with_a_picture(
    run: Run, service: LocalService, sheets: list[list[Tile]], tmp_path: Path
) -> None:
    code, told = run("levels.toml", "--set", "model=cat.glb", "--out", "results")
    out = tmp_path / "results"
    assert code == 0
    ended = [event["key"] for event in told if event["event"] == "step"]
    assert (ended[0], sorted(ended[1:])) == ("import cat", ["level (face_limit 800)", "level (face_limit 900)"])
    assert told[-1]["event"] == "done"
    assert told[-1]["files"] == [str(out / "cat_900.glb"), str(out / "cat_800.glb")]
    assert told[-1]["picture"] == str(out / "levels-results.png")
    assert [tile.title for tile in sheets[0]] == ["cat_900.glb", "cat_800.glb"]
    code, told = run("levels.toml", "--set", "model=cat.glb", "--out", "results")
    assert (code, told[-1]["counts"]["unchanged"], len(sheets)) == (0, 3, 1)
    assert sorted(creations(service)) == ["decimate", "decimate", "import"]


def test_a_dry_run_prints_requests_order_and_price_and_sends_and_writes_nothing(
    run: Run, service: LocalService, tmp_path: Path
) -> None:
    before = sorted(tmp_path.iterdir())
    code, told = run("levels.toml", "--set", "model=cat.glb", "--out", "results", "--dry-run")
    assert code == 0
    assert [event["endpoint"] for event in told[:-1]] == ["/v3/models/import", *["/v3/mesh/decimate"] * 2]
    assert [event["waits_for"] for event in told[:-1]] == [[], ["import cat"], ["import cat"]]
    assert (told[-1]["event"], told[-1]["requests"], told[-1]["unknown"]) == ("plan", 3, 3)
    assert recorded(service) == []
    assert sorted(tmp_path.iterdir()) == before, "no data folder, no results"
    run("levels.toml", "--set", "model=cat.glb", "--out", "results")
    code, told = run("levels.toml", "--set", "model=cat.glb", "--set", "faces=900,700", "--out", "results", "--dry-run")
    assert [event["unchanged"] for event in told[:-1]] == [True, True, False]
    assert (told[-1]["requests"], told[-1]["credits"], told[-1]["is_estimate"]) == (1, "5", True)


def test_a_documented_price_is_shown(run: Run, service: LocalService, tmp_path: Path) -> None:
    text = '[[step]]\nname = "a"\nuse = "text_to_model"\nprompt = "x"\nmodel_version = "P2-20260801"\nout = "a.glb"'
    (tmp_path / "new.toml").write_text(text)
    _, told = run("new.toml", "--dry-run")
    assert [event["credits"] for event in told] == ["110", "110"]
    assert told[-1]["is_estimate"] is False


def test_people_read_lines(service: LocalService, sheets: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "levels.toml", "--set", "model=cat.glb", "--out", "results", "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert "2  level (face_limit 900): POST /v3/mesh/decimate  [price unknown]" in said
    assert "     with face_limit = 900" in said
    assert said.endswith("3 of 3 requests to be sent; price: 3 of unknown price\n")
    assert main(["run", "levels.toml", "--set", "model=cat.glb", "--out", "results"]) == 0
    told = capsys.readouterr()
    names = sorted(Path(line).name for line in told.out.splitlines())
    assert names == ["cat_800.glb", "cat_900.glb", "levels-results.png"]
    assert "Levels: 3 done, 0 unchanged" in told.err


def test_what_is_wrong_is_told_with_file_and_line_before_anything_is_sent(
    run: Run, service: LocalService, tmp_path: Path
) -> None:
    (tmp_path / "levels.toml").write_text(RECIPE.replace("face_limit =", "face_limt =") + "quad = 5\n")
    code, told = run("levels.toml", "--set", "model=cat.glb")
    assert code == 2
    assert [(trouble["line"], trouble["file"]) for trouble in told[-1]["troubles"]] == [
        (13, str(tmp_path / "levels.toml")),
        (14, str(tmp_path / "levels.toml")),
    ]
    assert f"{tmp_path / 'levels.toml'}:13: " in told[-1]["message"]
    assert recorded(service) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nothing.toml",), "those that come along are character, game_asset, level_of_detail, print"),
        (("levels.toml", "--set", "model"), "an equals sign"),
        (("levels.toml", "--set", "model=a", "--set", "model=b"), "more than once"),
        (("levels.toml", "--out", "cat.glb"), "is not a folder"),
        (("levels.toml", "--max-credits", "many"), "not a number of credits"),
    ],
)
def test_wrong_arguments(arguments: tuple[str, ...], words: str, run: Run, service: LocalService) -> None:
    code, told = run(*arguments)
    assert (code, words in told[-1]["message"]) == (2, True), told


def test_a_failed_step_is_an_exit_code_and_the_rest_goes_on(run: Run, service: LocalService) -> None:
    add_fault(service, "task", "/v3/mesh/decimate")
    code, told = run("levels.toml", "--set", "model=cat.glb", "--out", "results")
    assert (code, told[-1]["event"], told[-1]["counts"]["failed"], told[-1]["counts"]["done"]) == (1, "error", 1, 2)
    assert run("levels.toml", "--set", "model=cat.glb", "--out", "results")[0] == 0
    assert creations(service).count("import") == 1


def test_no_more_is_spent_than_was_said(run: Run, service: LocalService) -> None:
    run("levels.toml", "--set", "model=cat.glb", "--out", "one")
    code, told = run("levels.toml", "--set", "model=cat.glb", "--out", "two", "--max-credits", "5")
    assert (code, told[-1]["credits"]) == (4, "5")
    assert creations(service).count("decimate") == 3


@pytest.mark.parametrize("service", [{"runner": (gated := GatedRunner())}], indirect=True)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_process_that_is_interrupted_or_killed_goes_on_and_pays_nothing_twice(
    number: int, service: LocalService, sheets: Any, run: Run
) -> None:
    gated.gate.clear()
    arguments = ("run", "levels.toml", "--set", "model=cat.glb", "--out", "results", "--json")
    process = ForkedProgram[bytes](ROOT / "scripts" / "assetgen.py", *arguments, stdout=subprocess.PIPE)
    try:
        wait_until(lambda: creations(service).count("decimate") == 2)
        process.send_signal(number)
        assert process.wait(30) == (130 if number == signal.SIGINT else -number)
    finally:
        process.kill()
        process.communicate()
    gated.gate.set()
    begun = time.monotonic()
    assert run("levels.toml", "--set", "model=cat.glb", "--out", "results")[0] == 0
    assert time.monotonic() - begun < 60
    assert sorted(creations(service)) == ["decimate", "decimate", "import"]
