"""`dev.py strangers` on two tiny shapes: table, sheet, exit code, and that a wrong expectation fails."""

from __future__ import annotations

import csv
import json
import struct
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from devtools.paths import SCRIPTS
from devtools.terminal import clean_environment
from support.engine.engine_run import needs_bpy
from support.models.figures import person
from support.models.meshes import Shape, box, write_glb

pytestmark = [needs_bpy, pytest.mark.slow, pytest.mark.once]


class Run(NamedTuple):
    """A folder of three files, one of which the service takes only as another one, and what the command made of it."""

    models: Path
    out: Path
    done: subprocess.CompletedProcess[str]


def start(models: Path, out: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPTS / "strangers.py"), str(models), "--out", str(out), "--limit", "300"]
    asked = ("--capability", "walk", "--capability", "decimate")
    return subprocess.run(
        [*command, *asked, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=400,
        env=clean_environment(),
        cwd=models,
        check=False,
    )


def write_ply(path: Path, shape: Shape) -> None:
    """A shape as a PLY of text, which has +Z up."""
    corners = np.column_stack((shape.positions[:, 0], -shape.positions[:, 2], shape.positions[:, 1]))
    lines = ["ply", "format ascii 1.0", f"element vertex {len(corners)}"]
    lines += [f"property float {axis}" for axis in "xyz"]
    lines += [f"element face {len(shape.triangles)}", "property list uchar int vertex_indices", "end_header"]
    lines += [" ".join(map(str, corner)) for corner in corners.tolist()]
    lines += [" ".join(map(str, (3, *triangle))) for triangle in shape.triangles.tolist()]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Run:
    models = tmp_path_factory.mktemp("strangers")
    write_ply(models / "crate.ply", box((1, 1, 1)))
    (models / "below").mkdir()
    write_glb(models / "below" / "person.glb", person())
    (models / "broken.glb").write_bytes(b"glTF, or what looks like it")
    (models / "expected.csv").write_text("model,kind,front\ncrate.ply,others,\nbelow/person.glb,biped,-Y\n")
    out = tmp_path_factory.mktemp("out")
    return Run(models, out, start(models, out))


def test_what_is_wrong_with_one_model_stands_in_the_table_and_stops_no_other(first: Run) -> None:
    assert first.done.returncode == 1, first.done.stderr
    figures = json.loads((first.out / "figures.json").read_text(encoding="utf-8"))
    assert list(figures) == ["below/person.glb", "broken.glb", "crate.ply"]
    assert "cut off" in figures["broken.glb"]["steps"]["import"]["error"]
    assert [figures[name]["misses"] for name in ("below/person.glb", "crate.ply")] == [[], []], first.done.stdout
    assert "3 models in" in first.done.stdout and "1 not as expected" in first.done.stdout


def test_the_figures_are_those_of_the_results(first: Run) -> None:
    with (first.out / "table.csv").open(encoding="utf-8") as file:
        rows = {(line["model"], line["step"], line["measure"]): line["value"] for line in csv.DictReader(file)}
    assert rows["crate.ply", "rig check", "kind"] == "others"
    assert rows["crate.ply", "import", "triangles"] == "12"
    assert rows["crate.ply", "rig", "skipped"]
    person_glb = {key[1:]: value for key, value in rows.items() if key[0] == "below/person.glb"}
    assert person_glb["rig check", "kind"] == "biped"
    assert float(person_glb["import", "seen deviation"]) < 1e-4
    assert 0 < float(person_glb["decimate", "deviation"]) < 0.005
    assert int(person_glb["decimate", "faces"]) <= 2000
    assert 0.8 < float(person_glb["rig", "inside"]) <= 1
    assert int(person_glb["rig", "influences"]) <= 4
    assert person_glb["walk", "front"] == "-Y"
    assert 1 < float(person_glb["walk", "stretch"]) < 2


def test_the_sheet_has_a_row_for_each_model_with_pictures(first: Run) -> None:
    content = (first.out / "sheet.png").read_bytes()
    width, height = struct.unpack(">2I", content[16:24])
    assert width > 5 * 150 and height > 3 * 150
    assert len(content) > 20_000  # plain paper would be far less
    assert sorted(path.stem for path in (first.out / "models" / "below" / "person.glb").glob("*.npy")) == [
        *("decimate", "import", "rig", "walk")
    ]


def test_a_wrong_expectation_fails_without_doing_it_all_again(first: Run) -> None:
    before = {path: path.stat().st_mtime_ns for path in first.out.rglob("record.json")}
    table = first.models / "wrong.csv"
    table.write_text("model,kind,front\ncrate.ply,quadruped,\nbelow/person.glb,biped,+X\n")
    asked = ("--resume", "--expected", str(table), "--only", "crate", "--only", "person")
    again = start(first.models, first.out, *asked)
    assert again.returncode == 1
    assert "crate.ply, rig check: expected quadruped, taken for others" in again.stdout
    assert "below/person.glb, walk: faces +X and walks towards -Y" in again.stdout
    assert {path: path.stat().st_mtime_ns for path in first.out.rglob("record.json")} == before
    table.write_text("model,kind,front\ncrate.ply,others,\nbelow/person.glb,biped,-Y\n")
    assert start(first.models, first.out, *asked).returncode == 0


POSED = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from devtools.strangers import plan
from devtools.strangers.in_blender import examined
from devtools.strangers.made import scenes, shapes
folder = Path(sys.argv[1])
scenes.clear()
next(shape for shape in shapes.SHAPES if shape.name == "on_its_tail.glb").build()
scenes.write(model := folder / "posed.glb")
steps = (plan.IMPORT, plan.SOURCE), (plan.DECIMATE, plan.IMPORT)
results = [{"key": key, "path": str(model), "compared": what, "measures": [], "drawn": "plain"} for key, what in steps]
asked = {"source": str(model), "results": results, "folder": str(folder), "joints": {}}
assert not any(answer["trouble"] for answer in examined.examine(asked, print).values())
"""


def test_a_result_is_drawn_in_the_pose_that_one_sees_as_its_source_is(tmp_path: Path) -> None:
    command = [sys.executable, "-c", POSED, str(tmp_path), str(SCRIPTS), str(SCRIPTS.parent / "vendor")]
    subprocess.run(command, check=True, timeout=200, env=clean_environment(), stdout=subprocess.DEVNULL)
    source, result = (np.load(tmp_path / f"{step}.npy") for step in ("import", "decimate"))
    assert (source.min(axis=2) < 200).mean() > 0.2, "nothing is drawn"
    assert np.array_equal(source, result)


COLORED = """
import sys
from pathlib import Path
import bpy
sys.path[:0] = sys.argv[2:]
from devtools.strangers import plan
from devtools.strangers.in_blender import examined
folder = Path(sys.argv[1])
for name in ("painted", "dimmed"):
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.mesh.primitive_cube_add()
    cube = bpy.context.object
    if name == "painted":
        layer = cube.data.color_attributes.new("Color", "FLOAT_COLOR", "POINT")
        layer.data.foreach_set("color", [1.0, 0.0, 0.0, 1.0] * 8)
    else:
        material = bpy.data.materials.new("Dimmed")
        material.use_nodes = True
        nodes, links = material.node_tree.nodes, material.node_tree.links
        shader = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
        picture, mix = nodes.new("ShaderNodeTexImage"), nodes.new("ShaderNodeMix")
        picture.image = bpy.data.images.new("White", 8, 8)
        picture.image.pixels = [1.0] * 256
        picture.image.pack()
        mix.data_type, mix.blend_type, mix.inputs[0].default_value = "RGBA", "MULTIPLY", 1.0
        mix.inputs[7].default_value = (0.0, 1.0, 0.0, 1.0)
        links.new(picture.outputs["Color"], mix.inputs[6])
        links.new(mix.outputs[2], shader.inputs["Base Color"])
        cube.data.materials.append(material)
    model = folder / f"{name}.glb"
    bpy.ops.export_scene.gltf(filepath=str(model), export_vertex_color="ACTIVE")
    made = {"key": name, "path": str(model), "compared": plan.SOURCE, "measures": [], "drawn": "plain"}
    asked = {"source": str(model), "results": [made], "folder": str(folder), "joints": {}}
    assert not any(answer["trouble"] for answer in examined.examine(asked, print).values())
"""


def test_vertex_colours_and_dimmed_pictures_are_drawn_as_they_are(tmp_path: Path) -> None:
    command = [sys.executable, "-c", COLORED, str(tmp_path), str(SCRIPTS), str(SCRIPTS.parent / "vendor")]
    subprocess.run(command, check=True, timeout=200, env=clean_environment(), stdout=subprocess.DEVNULL)
    for name, channel in (("painted", 0), ("dimmed", 1)):
        picture = np.load(tmp_path / f"{name}.npy").astype(int)
        others = np.delete(picture, channel, axis=2).max(axis=2)
        assert (picture[..., channel] > others + 60).mean() > 0.2, name


def test_a_folder_without_models_is_said_so(tmp_path: Path) -> None:
    done = start(tmp_path, tmp_path / "out")
    assert done.returncode == 1
    assert "There is no model in" in done.stderr
