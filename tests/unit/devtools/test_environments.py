"""The environments that the project makes for itself."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from devtools.environments import environment
from devtools.environments.environment import Environment
from devtools.environments.roots import read_roots
from devtools.terminal import Trouble


def test_no_python_removes_the_environment_that_it_runs_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Environment(read_roots().blenders[0])
    monkeypatch.setattr(environment, "VENVS", tmp_path)
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    made.folder.mkdir(parents=True)
    monkeypatch.setattr(sys, "prefix", str(made.folder))
    with pytest.raises(Trouble, match="use another one"):
        made.make(Path(sys.executable))
    assert made.folder.is_dir()
