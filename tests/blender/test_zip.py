"""The zip that `dev.py build` made, installed into this Blender as a person would, with its wheels."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ZIP = os.environ.get("ASSETGEN_TEST_ZIP", "")
pytestmark = pytest.mark.skipif(not ZIP, reason="ASSETGEN_TEST_ZIP names no zip; dev.py test builds one")

INSTALL = """
import json, sys
import bpy
import addon_utils
bpy.ops.extensions.package_install_files(filepath=sys.argv[1], repo="user_default", enable_on_install=True)
enabled = [name for name in bpy.context.preferences.addons.keys() if name.endswith(".asset_generation")]
heavy = sorted({"httpx", "pydantic", "starlette"} & set(sys.modules))
has_operator = hasattr(bpy.types, "ASSETGEN_OT_decimate")
for name in enabled:
    addon_utils.disable(name)
still_there = hasattr(bpy.types, "ASSETGEN_OT_decimate")
print(json.dumps({"enabled": enabled, "heavy": heavy, "operator": has_operator, "left": still_there}))
"""

IMPORT_ALL = """
import sys
sys.path.append(sys.argv[1])
import httpx, platformdirs, pydantic, pydantic_core, python_multipart, starlette, tqdm, uvicorn
assert pydantic_core.__file__.startswith(sys.argv[1]), pydantic_core.__file__
class Model(pydantic.BaseModel):
    number: int
assert Model(number="3").number == 3
"""


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("profile")


@pytest.fixture(scope="module")
def installed(profile: Path) -> dict[str, Any]:
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(profile)}
    argv = [sys.executable, "-c", INSTALL, ZIP]
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def test_zip_installs_and_enables(installed: dict[str, Any]) -> None:
    # A zip that Blender refuses prints an error and still ends with FINISHED: only the list of add-ons tells.
    assert installed["enabled"] == ["bl_ext.user_default.asset_generation"]
    assert installed["operator"]
    assert not installed["left"]


def test_enabling_imports_nothing_heavy(installed: dict[str, Any]) -> None:
    assert installed["heavy"] == []


@pytest.mark.usefixtures("installed")
def test_bundled_wheels_are_complete_for_this_python(profile: Path) -> None:
    """A Python without any other packages can import them all from where Blender put them."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    folder = profile / "extensions" / ".local" / "lib" / version / "site-packages"
    argv = [sys.executable, "-I", "-S", "-c", IMPORT_ALL, str(folder)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.usefixtures("installed")
def test_zip_holds_only_what_ships(profile: Path) -> None:
    folder = profile / "extensions" / "user_default" / "asset_generation"
    found = {path.name for path in folder.iterdir()}
    assert found >= {"__init__.py", "addon", "vendor", "blender_manifest.toml", "LICENSE", "README.md"}
    assert not found & {"tests", "scripts", "docs", "pyproject.toml", "build", "dist", "demo-output", ".git", ".ci"}
    assert {path.name for path in (folder / "manual").glob("*.html")} == {
        "guide.html",
        "reference.html",
        "coverage.html",
        "command_line.html",
    }
    assert not (folder / "vendor" / "assetgen_local" / "api" / "faults").exists(), "faults are for tests only"
