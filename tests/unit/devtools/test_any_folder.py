"""A clone works in a folder of any name."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from devtools import commands
from devtools.paths import ROOT
from devtools.suites import process, suite
from devtools.suites.suite import Suite
from devtools.terminal import show


@pytest.fixture(params=["asset-generation", "Ässet generation-3 ö", "it's 100% $HOME"])
def clone(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = tmp_path / request.param
    folder.mkdir()
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def write(path: Path, text: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_bad_names_of_modules_are_found_and_the_folder_is_none(clone: Path) -> None:
    fine = ("__init__.py", "addon/__init__.py", "vendor/a/b/__init__.py", "vendor/a/__main__.py", "scripts/dev.py")
    for name in (*fine, "addon/Bad-Module.py", "vendor/a/b/Worse-One.py", "scripts/bad-package/__init__.py"):
        write(clone / name)
    argv = [sys.executable, "-m", "ruff", "check", "--no-cache", "--select", "N999", "--output-format", "concise", "."]
    done = subprocess.run(argv, cwd=clone, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.stdout.splitlines() == [
        "addon/Bad-Module.py:1:1: N999 Invalid module name: 'Bad-Module'",
        "scripts/bad-package/__init__.py:1:1: N999 Invalid module name: 'bad-package'",
        "vendor/a/b/Worse-One.py:1:1: N999 Invalid module name: 'Worse-One'",
        "Found 3 errors.",
    ], done.stderr


def test_results_of_a_suite_are_found(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(clone / "tests" / "unit" / "test_it.py", "def test_it():\n    pass\n")
    monkeypatch.setattr(process, "ROOT", clone)
    monkeypatch.setattr(suite, "RESULTS", clone / "build" / "test")
    (clone / "build" / "test").mkdir(parents=True)
    (clone / "pyproject.toml").unlink()
    environment: Any = SimpleNamespace(python=Path(sys.executable))
    outcome = process.run_suite(Suite("unit", "unit", environment), ())
    assert (outcome.counts.passed, outcome.trouble) == (1, "")


def test_letters_that_the_terminal_lacks_are_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    monkeypatch.setattr(commands, "_check", lambda *_: show("Ässet generation"))
    commands.main(["check"])
    assert written.getvalue() == b"\\xc4sset generation\n"


@pytest.mark.skipif(os.name == "nt", reason="CI runs a shell script")
def test_ci_runs_the_tests_in_a_folder_with_such_a_name(clone: Path) -> None:
    program = (
        "import os, pathlib, shlex, sys; root = pathlib.Path(__file__).resolve().parents[1]\n"
        "print(root.name, [path.name for path in (root.parent / 'shared').iterdir()], sys.argv[1:])\n"
        "programs = os.environ['BLENDER'], shlex.split(os.environ['BLENDER_SETUP'])[0]\n"
        "print(*[pathlib.Path(program).name for program in programs])\n"
        "pathlib.Path('build/test').mkdir(parents=True)\n"
        "pathlib.Path('build/test/unit.log').write_text('said')\n"
        "sys.exit(3)\n"
    )
    write(clone / "scripts" / "dev.py", program)
    window = clone.parent / "shared" / "tools" / "blender-gui"
    write(window)
    window.chmod(0o755)
    for stale in ("build/ci/Ässet generation-3 ö/build/test/unit.log", "build/test/unit.log", "build/test/old.log"):
        write(clone / stale, "stale")
    (clone / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", clone / ".ci")
    done = subprocess.run(
        ["bash", clone / ".ci" / "run"], cwd="/", capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    assert done.returncode == 3, done.stderr
    assert done.stdout == "Ässet generation-3 ö ['tools'] ['test']\nblender blender-gui\n"
    assert [path.name for path in (clone / "build").iterdir()] == ["test"]
    assert [path.name for path in (clone / "build" / "test").iterdir()] == ["unit.log"]
    assert (clone / "build" / "test" / "unit.log").read_text() == "said"
    assert window.exists()
