from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
from devtools.environments import bpy_module
from devtools.environments.targets import PLATFORMS
from devtools.environments.targets import SHIPPED as TARGETS
from devtools.packaging import manifest
from devtools.packaging.package import SHIPPED
from devtools.packaging.wheel_lock import Wheel, read_wheels
from devtools.paths import MANIFEST, ROOT, WHEELS_LOCK

SENTENCE = re.compile(r"^.{1,63}[A-Za-z0-9)\]}]$")
"""Blender's rule for the tagline and for the reasons of permissions: at most 64 characters, no stop at the end."""

NEEDED = {"httpx", "pydantic", "pydantic-core", "platformdirs", "tqdm", "starlette", "uvicorn", "python-multipart"}


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return tomllib.loads(MANIFEST.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def wheels() -> list[Wheel]:
    return read_wheels(WHEELS_LOCK)


def test_identity(data: dict[str, Any]) -> None:
    assert data["id"] == "asset_generation"
    assert data["blender_version_min"] == "4.2.0"
    assert data["license"] == ["SPDX:GPL-3.0-or-later"]
    assert set(data["platforms"]) == set(PLATFORMS)


def test_version_is_that_of_pyproject(data: dict[str, Any]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert data["version"] == project["project"]["version"]


def test_sentences_follow_blenders_rule(data: dict[str, Any]) -> None:
    for sentence in (data["tagline"], *data["permissions"].values()):
        assert SENTENCE.match(sentence), sentence


def test_tags_are_allowed(data: dict[str, Any]) -> None:
    names: dict[str, Any] = {}
    tags = bpy_module.allowed_tags(Path(sys.prefix))
    exec(tags.read_text(encoding="utf-8"), names)
    assert set(data["tags"]) <= names["addons"]


def test_wheels_are_those_of_the_lock(data: dict[str, Any], wheels: list[Wheel]) -> None:
    assert manifest.is_current()
    assert data["wheels"] == sorted(f"./vendor/wheels/{wheel.filename}" for wheel in wheels)


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_every_target_gets_everything_once(wheels: list[Wheel], target: Any) -> None:
    names = [wheel.name for wheel in wheels if wheel.targets([target])]
    assert set(names) >= NEEDED
    assert len(names) == len(set(names))


def test_one_version_of_a_package_for_all(wheels: list[Wheel]) -> None:
    assert len({wheel.name for wheel in wheels}) == len({(wheel.name, wheel.version) for wheel in wheels})


def test_lock_names_no_index() -> None:
    locks = [WHEELS_LOCK, *(ROOT / "scripts" / "locks").iterdir()]
    for lock in locks:
        assert "://" not in lock.read_text(encoding="utf-8"), lock.name


def test_what_does_not_ship_is_excluded(data: dict[str, Any]) -> None:
    """A zip that Blender builds straight from a clone holds the same as ours, which has a manual besides."""
    patterns = data["build"]["paths_exclude_pattern"]
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("the list of files comes from git")
    listed = subprocess.run([git, "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    top = {name.split("/")[0] + ("/" if "/" in name else "") for name in listed}
    left = {name for name in top if not any(fnmatch(name, pattern.lstrip("/")) for pattern in patterns)}
    left = {name for name in left if not name.startswith(".")}  # ".*" is in the patterns, checked below
    assert {name.rstrip("/") for name in left} <= set(SHIPPED)
    assert {".*", "__pycache__/"} <= set(patterns)
    assert not [name for name in SHIPPED if any(fnmatch(name, pattern.strip("/")) for pattern in patterns)]
