from __future__ import annotations

from pathlib import Path

import pytest
from devtools.paths import ROOT
from devtools.structure.imports import circle, source_files
from devtools.structure.layers import LAYERS, layer_of, violations


def test_no_source_breaks_a_rule() -> None:
    assert "\n".join(map(str, violations(ROOT))) == ""


def test_no_import_runs_in_a_circle() -> None:
    assert " -> ".join(circle(ROOT)) == ""


def test_every_layer_is_there() -> None:
    # A folder that was renamed would otherwise go unchecked under its old name.
    assert [layer.path for layer in LAYERS if not (ROOT / layer.path).exists()] == []


def test_rules_name_layers_that_exist() -> None:
    paths = {layer.path for layer in LAYERS}
    assert {name.rstrip("/") for layer in LAYERS for name in layer.inside} <= paths


def test_walk_finds_sources_of_all_kinds() -> None:
    found = {path.relative_to(ROOT).as_posix() for path in source_files(ROOT)}
    assert {"__init__.py", "addon/core/jobs/job.py", "vendor/assetgen/contract/answers/tasks.py"} <= found


def test_layers_below_the_bridge_know_no_blender() -> None:
    for path in (
        "addon/core/x.py",
        "vendor/assetgen/x.py",
        "vendor/assetgen_local/x.py",
        "vendor/background_blender/x.py",
    ):
        layer = layer_of(path)
        assert layer is not None
        assert "bpy" not in layer.outside


@pytest.mark.parametrize(
    ("file", "source", "complaint"),
    [
        ("addon/core/x.py", "import bpy", "addon.core may not import bpy"),
        ("addon/core/x.py", "def f():\n    from mathutils import Vector", "addon.core may not import mathutils"),
        ("addon/core/x.py", "from ..bridge import pump", "addon.core may not import addon.bridge"),
        ("addon/core/x.py", "from ..bridge.pump import tick", "addon.core may not import addon.bridge"),
        ("addon/core/x.py", "import httpx", "addon.core may not import httpx"),
        ("addon/core/x.py", "from ...vendor import assetgen_local", "addon.core may not import vendor.assetgen_local"),
        ("addon/core/jobs/x.py", "from ..stages import create", "addon.core.jobs may not import addon.core.stages"),
        ("addon/core/jobs/x.py", "from ..limits import backoff", "addon.core.jobs may not import addon.core.limits"),
        ("addon/bridge/x.py", "from ..ui import panel", "addon.bridge may not import addon.ui"),
        (
            "addon/bridge/x.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ..ui import panel",
            "addon.bridge may not import addon.ui",
        ),
        ("addon/bridge/x.py", "from ...vendor.assetgen import Client", "addon.bridge may not import vendor.assetgen"),
        ("addon/ui/x.py", "import asset_generation.addon.core", "addon.ui may not import asset_generation"),
        ("addon/ui/x.py", "from ....elsewhere import y", "addon.ui may not import a package above the root"),
        (
            "vendor/assetgen/x.py",
            "from ..assetgen_local import y",
            "vendor.assetgen may not import vendor.assetgen_local",
        ),
        (
            "vendor/assetgen/contract/x.py",
            "from ..client import y",
            "vendor.assetgen.contract may not import vendor.assetgen",
        ),
        (
            "vendor/assetgen_local/x.py",
            "from ..assetgen import Client",
            "vendor.assetgen_local may not import vendor.assetgen",
        ),
        ("vendor/assetgen_local/x.py", "from .engine import task", "may not import vendor.assetgen_local.engine"),
        (
            "vendor/assetgen_local/engine/x.py",
            "import starlette",
            "vendor.assetgen_local.engine may not import starlette",
        ),
        ("vendor/background_blender/x.py", "import numpy", "vendor.background_blender may not import numpy"),
        ("vendor/background_blender/x.py", "import background_blender.child", "has to be imported relatively"),
        ("addon/unheard_of/x.py", "", "belongs to no layer"),
        ("addon/bridge/x.py", "import sys\nsys.path.insert(0, '')", "edits sys.path"),
        ("addon/bridge/x.py", "import sys\nsys.path[:0] = ['']", "edits sys.path"),
        ("addon/bridge/x.py", "import sys\nsys.path += ['']", "edits sys.path"),
        ("addon/core/x.py", "import site\nsite.addsitedir('')", "edits sys.path"),
        ("vendor/assetgen_local/engine/mesh/x.py", "import sys\nsys.path.append('')", "edits sys.path"),
    ],
)
def test_violation_is_found(clone: Path, file: str, source: str, complaint: str) -> None:
    _write(clone / file, source)
    found = [str(violation) for violation in violations(clone)]
    assert len(found) == 1
    assert found[0].startswith(f"{file}:")
    assert complaint in found[0]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("addon/core/x.py", "import json\nfrom .job import Stage\nfrom ...vendor.assetgen import Client"),
        ("addon/bridge/x.py", "import bpy\nfrom ..core import job"),
        (
            "vendor/assetgen_local/api/x.py",
            "from ...assetgen.contract import tasks\nfrom starlette.routing import Route",
        ),
        (
            "addon/headless/x.py",
            "import sys\nsys.path.insert(0, '')\nfrom background_blender.child import main\nimport bpy",
        ),
    ],
)
def test_what_is_allowed_passes(clone: Path, file: str, source: str) -> None:
    _write(clone / file, source)
    assert violations(clone) == []


@pytest.mark.parametrize(
    "back",
    [
        "from .x import a",
        "def f():\n    from . import x",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .x import a",
    ],
)
def test_a_circle_is_found_wherever_it_hides(clone: Path, back: str) -> None:
    folder = clone / "addon" / "core" / "jobs"
    _write(folder / "x.py", "from . import y")
    _write(folder / "y.py", "from ..errors import a\nfrom . import z")
    _write(folder / "z.py", "import json")
    assert circle(clone) == []
    _write(folder / "z.py", back)
    assert set(circle(clone)) == {f"addon/core/jobs/{name}.py" for name in "xyz"}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository with all layers, empty but for the packages that the examples import from."""
    for layer in LAYERS:
        _write(tmp_path / (layer.path if layer.path.endswith(".py") else f"{layer.path}/__init__.py"), "")
    return tmp_path


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
