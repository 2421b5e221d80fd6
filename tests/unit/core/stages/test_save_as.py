from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from asset_generation.addon.core.jobs.replaceable import replaceable_files
from asset_generation.addon.core.stages import save_as as save_as_module
from asset_generation.addon.core.stages.save_as import save_as
from load_extension import ROOT

OBJ = b"# made\nmtllib model.mtl\no Knight\nv 0 0 0\nusemtl model.mtl\n"
MTL = b"newmtl wood.png\nKd 1 1 1\nmap_Kd -s 1 1 1 wood grain.png\nmap_Bump textures\\bump.png\r\nmap_Ks wood.png\n"


@pytest.fixture
def archive(tmp_path: Path) -> list[Path]:
    """What was unpacked from a service's OBJ: the model first."""
    folder = tmp_path / "job" / "model-files"
    (folder / "textures").mkdir(parents=True)
    files = {
        "model.obj": OBJ,
        "model.mtl": MTL,
        "wood grain.png": b"grain",
        "wood.png": b"wood",
        "textures/bump.png": b"bump",
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in files]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def stl(tmp_path: Path, content: bytes = b"solid") -> Path:
    path = tmp_path / "model.stl"
    path.write_bytes(content)
    return path


def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir(exist_ok=True)
    return folder


def test_a_file_gets_the_name_that_the_user_chose(tmp_path: Path) -> None:
    target = out(tmp_path) / "Sir Knight v1.2.STL"
    assert save_as(stl(tmp_path), [], target, (), tmp_path / "job") == [target]
    assert contents(target.parent) == {"Sir Knight v1.2.STL": b"solid"}


def test_what_lay_there_when_the_user_chose_it_is_overwritten(tmp_path: Path) -> None:
    target = out(tmp_path) / "Knight.stl"
    target.write_bytes(b"old")
    agreed = replaceable_files(target)
    assert save_as(stl(tmp_path), [], target, agreed, tmp_path / "job") == [target]
    assert contents(target.parent) == {"Knight.stl": b"solid"}


@pytest.mark.parametrize("agreed", [False, True])
def test_what_came_there_since_stays_and_the_file_is_beside_it(tmp_path: Path, agreed: bool) -> None:
    target = out(tmp_path) / "Knight.stl"
    seen = ()
    if agreed:
        target.write_bytes(b"old")
        seen = replaceable_files(target)
    target.write_bytes(b"another's work")
    made = save_as(stl(tmp_path), [], target, seen, tmp_path / "job")
    assert made == [target.with_name("Knight-2.stl")]
    assert contents(target.parent) == {"Knight.stl": b"another's work", "Knight-2.stl": b"solid"}


def test_what_comes_there_at_the_last_moment_stays_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = out(tmp_path) / "Knight.stl"
    write_for_real = save_as_module.write_notes

    def taken(notes: Path, targets: list[Path]) -> None:
        write_for_real(notes, targets)
        if targets == [target]:
            target.write_bytes(b"mine")

    monkeypatch.setattr(save_as_module, "write_notes", taken)
    assert save_as(stl(tmp_path), [], target, (), tmp_path / "job") == [target.with_name("Knight-2.stl")]
    assert contents(target.parent) == {"Knight.stl": b"mine", "Knight-2.stl": b"solid"}


def test_an_obj_has_library_and_textures_beside_it_under_its_own_name(tmp_path: Path, archive: list[Path]) -> None:
    target = out(tmp_path) / "Knight.obj"
    made = save_as(archive[0], archive[1:], target, (), tmp_path / "job")
    assert made[0] == target
    found = contents(target.parent)
    assert sorted(found) == ["Knight.mtl", "Knight.obj", "Knight_bump.png", "Knight_wood grain.png", "Knight_wood.png"]
    assert found["Knight.obj"] == OBJ.replace(b"mtllib model.mtl", b"mtllib Knight.mtl")
    assert found["Knight.mtl"] == (
        b"newmtl wood.png\nKd 1 1 1\nmap_Kd -s 1 1 1 Knight_wood grain.png\nmap_Bump Knight_bump.png\r\n"
        b"map_Ks Knight_wood.png\n"
    )


def test_textures_of_others_stay_and_the_same_again_is_there_once(tmp_path: Path, archive: list[Path]) -> None:
    target = out(tmp_path) / "Knight.obj"
    (target.parent / "Knight_wood.png").write_bytes(b"painted by hand")
    save_as(archive[0], archive[1:], target, (), tmp_path / "first")
    before = contents(target.parent)
    assert before["Knight_wood.png"] == b"painted by hand"
    assert before["Knight_wood-2.png"] == b"wood"
    assert b"map_Ks Knight_wood-2.png" in before["Knight.mtl"]
    archive[0].write_bytes(OBJ + b"v 1 1 1\n")
    archive[1].write_bytes(MTL + b"Ns 5\n")
    made = save_as(archive[0], archive[1:], target, replaceable_files(target), tmp_path / "second")
    after = contents(target.parent)
    assert made[0] == target
    assert sorted(after) == sorted(before)
    assert after["Knight.obj"].endswith(b"v 1 1 1\n")
    assert after["Knight.mtl"].endswith(b"Ns 5\n")


def test_what_a_model_of_another_kind_refers_to_keeps_its_name(tmp_path: Path, archive: list[Path]) -> None:
    model = archive[0].with_suffix(".fbx")
    model.write_bytes(b"Kaydara")
    target = out(tmp_path) / "Knight.fbx"
    (target.parent / "wood.png").write_bytes(b"mine")
    made = save_as(model, archive[3:], target, (), tmp_path / "job")
    assert made[0] == target.parent / "Knight-2" / "Knight-2.fbx"
    assert contents(target.parent) == {
        "wood.png": b"mine",
        "Knight-2/Knight-2.fbx": b"Kaydara",
        "Knight-2/wood.png": b"wood",
        "Knight-2/textures/bump.png": b"bump",
    }


def test_the_kind_of_the_file_is_what_it_is_and_not_what_was_asked_for(tmp_path: Path) -> None:
    target = out(tmp_path) / "Knight.glb"
    assert save_as(stl(tmp_path), [], target, (), tmp_path / "job") == [target.with_suffix(".stl")]


def test_a_folder_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        save_as(stl(tmp_path), [], tmp_path / "unplugged" / "Knight.stl", (), tmp_path / "job")
    assert not (tmp_path / "unplugged").exists()


def test_a_file_that_is_held_open_leaves_everything_as_it_was(
    tmp_path: Path, archive: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    target = out(tmp_path) / "Knight.obj"
    target.write_bytes(b"old")
    seen = replaceable_files(target)
    replace = os.replace

    def refuse(source: Path, place: Path) -> None:
        if place == target:
            raise PermissionError(13, "held by another program", str(place))
        replace(source, place)

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(PermissionError):
        save_as(archive[0], archive[1:], target, seen, tmp_path / "job")
    assert contents(target.parent) == {"Knight.obj": b"old"}
    monkeypatch.undo()
    assert save_as(archive[0], archive[1:], target, seen, tmp_path / "job")[0] == target
    assert len(contents(target.parent)) == 5


_KILLED = """
import json, os, signal, sys
from pathlib import Path
root, base = sys.argv[1:]
sys.path.insert(0, root + "/scripts")
from load_extension import load_package
load_package()
from asset_generation.addon.core.jobs.replaceable import replaceable_files
from asset_generation.addon.core.stages.save_as import save_as

def run(case, seen):
    files = [Path(base, name) for name in ("model.obj", "model.mtl", "wood.png")]
    save_as(files[0], files[1:], case / "out" / "Knight.obj", seen, case / "the-job")

def kill_at(moment, case, seen):
    count = 0
    def hook(event, arguments):
        nonlocal count
        if event in ("open", "os.link", "os.rename", "os.remove", "os.truncate") and str(case) in str(arguments):
            count += 1
            if count == moment:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(hook)
    run(case, seen)
    os._exit(0)

for moment in range(1, 1000):
    case = Path(base, f"case-{moment}")
    (case / "out").mkdir(parents=True)
    if moment % 2:
        (case / "out" / "Knight.obj").write_bytes(b"old")
    seen = replaceable_files(case / "out" / "Knight.obj")
    child = os.fork()
    if not child:
        kill_at(moment, case, seen)
    _, status = os.waitpid(child, 0)
    run(case, seen)
    print(json.dumps({"moment": moment, "again": sorted(path.name for path in (case / "out").iterdir())}))
    if os.WIFEXITED(status):
        break
"""


@pytest.mark.skipif(sys.platform == "win32", reason="it forks")
def test_a_kill_at_any_moment_leaves_no_second_name(tmp_path: Path, archive: list[Path]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _KILLED, str(ROOT), str(archive[0].parent)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    moments = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(moments) > 10, "it was killed at many moments"
    for moment in moments:
        assert moment["again"] == ["Knight.mtl", "Knight.obj", "Knight_wood.png"], moment
