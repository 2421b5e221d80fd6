"""What is imported in the background reads nothing outside of the result's own folder, and names nothing there."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("bpy", reason="this Python has no bpy")

from asset_generation.addon.core.stages import zip_files
from asset_generation.addon.core.stages.own_files.clean import keep_inside
from asset_generation.vendor.background_blender import run
from load_extension import ROOT
from support.headless import forked_headless
from support.services.local_engine import tiny_png

WRITER = ROOT / "tests" / "support" / "models" / "reaching_out.py"
TO_BLEND = ROOT / "addon" / "headless" / "to_blend.py"
LAYER = """#usda 1.0
(
    subLayers = [@{part}@]
)
def Xform "Part" (
    prepend references = @{part}@
)
{{
}}
def Xform "Other" (
    prepend payload = @../../{folder}/part.usda@
)
{{
}}
def Mesh "Own"
{{
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
}}
"""


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of models; what they refer to is beside it, in ``elsewhere``."""
    root = tmp_path_factory.mktemp("reaching")
    own, other = root / "own", root / "elsewhere"
    own.mkdir()
    other.mkdir()
    (other / "decoy.png").write_bytes(tiny_png())
    subprocess.run([sys.executable, str(WRITER), str(own), str(other)], check=True, capture_output=True, timeout=120)
    layer = LAYER.format(part=other / "part.usda", folder=other.name)
    (own / "layer.usda").write_text(layer, encoding="utf-8")
    return own


def blend_of(model: Path, out: Path) -> bytes:
    run(forked_headless(), TO_BLEND, {"model": str(model), "out": str(out), "name": "Result"})
    return out.read_bytes()


def packed(folder: Path, *files: Path) -> Path:
    """An archive of these files, where a result would lie."""
    folder.mkdir()
    archive = folder / "model.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in files:
            file.write(path, path.name)
    return archive


CASES = {
    "obj": ("model.obj", "model.mtl"),
    "fbx": ("model.fbx",),
    "usdc": ("model.usdc",),
    "usda": ("model.usda",),
    "layer": ("layer.usda",),
}


@pytest.mark.parametrize("name", CASES)
def test_nothing_outside_is_read_and_the_model_is_there(models: Path, tmp_path: Path, name: str) -> None:
    archive = packed(tmp_path / "results", *(models / file for file in CASES[name]))
    # Beside the folder of what is unpacked, so that relative paths lead there as well.
    shutil.copytree(models.parent / "elsewhere", archive.parent / "elsewhere")
    before = archive.read_bytes()
    model = zip_files.unpack(archive)
    found = keep_inside(model, archive)
    assert archive.read_bytes() == before
    blend = blend_of(found.model, tmp_path / "out.blend")
    assert tiny_png() not in blend, "the decoy was read"
    assert b"elsewhere" not in blend, "who appends the result would look for the decoy"
    assert ("part.usda" if name == "layer" else "decoy.png") in found.note


def test_a_result_that_is_no_archive_is_changed_in_a_copy(models: Path, tmp_path: Path) -> None:
    result = Path(shutil.copy(models / "model.fbx", tmp_path / "model.fbx"))
    found = keep_inside(result, result)
    assert result.read_bytes() == (models / "model.fbx").read_bytes()
    assert found.model != result and "decoy.png" in found.note
    assert b"elsewhere" not in blend_of(found.model, tmp_path / "out.blend")


@pytest.mark.parametrize("name", ["obj", "usdc", "usda"])
def test_a_texture_that_came_along_is_found_by_its_name(models: Path, tmp_path: Path, name: str) -> None:
    picture = models.parent / "elsewhere" / "decoy.png"
    archive = packed(tmp_path / "results", picture, *(models / file for file in CASES[name]))
    found = keep_inside(zip_files.unpack(archive), archive)
    assert found.note == ""
    assert tiny_png() in blend_of(found.model, tmp_path / "out.blend")


def test_a_usdz_is_cleaned_layer_by_layer(models: Path, tmp_path: Path) -> None:
    package = tmp_path / "model.usdz"
    with zipfile.ZipFile(package, "w") as file:
        file.write(models / "model.usdc", "root.usdc")
    found = keep_inside(package, package)
    assert found.model.name == "root.usdc" and "decoy.png" in found.note
    assert b"elsewhere" not in blend_of(found.model, tmp_path / "out.blend")


def test_what_slips_through_is_neither_packed_nor_named(models: Path, tmp_path: Path) -> None:
    blend = blend_of(models / "model.obj", tmp_path / "out.blend")
    assert tiny_png() not in blend
    assert str(models.parent / "elsewhere").encode() not in blend
