from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from asset_generation.addon.core.stages import save_copies as save_copies_module
from asset_generation.addon.core.stages.save_copies import save_copies
from load_extension import ROOT


def test_copies_get_one_name_together_and_never_one_that_is_there(tmp_path: Path) -> None:
    source = tmp_path / "model.glb"
    source.write_bytes(b"model")
    view = tmp_path / "view.png"
    view.write_bytes(b"view")
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "Chair_front_view.png").write_bytes(b"mine")
    made = save_copies({"model": source, "front_view": view}, "model", folder, "Chair", tmp_path / "job")
    assert made == [folder / "Chair-2.glb", folder / "Chair-2_front_view.png"]
    assert (folder / "Chair_front_view.png").read_bytes() == b"mine"
    assert not (folder / "Chair.glb").exists()


def test_copies_that_cannot_be_made_leave_nothing_behind(tmp_path: Path) -> None:
    source = tmp_path / "model.glb"
    source.write_bytes(b"model")
    folder = tmp_path / "out"
    with pytest.raises(FileNotFoundError):
        save_copies({"model": source, "front_view": tmp_path / "gone.png"}, "model", folder, "Chair", tmp_path / "job")
    assert list(folder.iterdir()) == []


def test_jobs_that_end_at_once_never_overwrite_each_other(tmp_path: Path) -> None:
    sources = []
    for number in range(8):
        sources.append(tmp_path / f"{number}.glb")
        sources[-1].write_bytes(bytes([number]))
    folder = tmp_path / "out"
    start = threading.Barrier(len(sources))

    def run(path: Path) -> None:
        start.wait()
        save_copies({"model": path}, "model", folder, "Chair", tmp_path / f"job-{path.stem}")

    threads = [threading.Thread(target=run, args=(path,)) for path in sources]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {path.read_bytes() for path in folder.iterdir()} == {bytes([number]) for number in range(8)}


_KILLED = """
import json, os, signal, sys
from pathlib import Path
root, base = sys.argv[1:]
sys.path.insert(0, root + "/scripts")
from load_extension import load_package
load_package()
from asset_generation.addon.core.stages.save_copies import save_copies

def run(case):
    files = {"model": Path(base, "model.glb"), "front_view": Path(base, "view.png")}
    save_copies(files, "model", case / "out", "Chair", case / "the-job")

def kill_at(moment, case):
    seen = 0
    def hook(event, arguments):
        nonlocal seen
        if event in ("open", "os.link", "os.rename", "os.remove", "os.truncate") and str(case) in str(arguments):
            seen += 1
            if seen == moment:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(hook)
    run(case)
    os._exit(0)

def listing(case):
    return sorted([path.name, path.stat().st_size] for path in (case / "out").glob("*") if path.name[0] != ".")

for moment in range(1, 1000):
    case = Path(base, f"case-{moment}")
    (case / "out").mkdir(parents=True)
    child = os.fork()
    if not child:
        kill_at(moment, case)
    _, status = os.waitpid(child, 0)
    killed = listing(case)
    run(case)
    hidden = [path.name for path in (case / "out").iterdir() if path.name[0] == "."]
    print(json.dumps({"moment": moment, "killed": killed, "again": listing(case), "hidden": hidden}))
    if os.WIFEXITED(status):
        break
"""


@pytest.mark.skipif(sys.platform == "win32", reason="it forks")
def test_a_kill_at_any_moment_leaves_no_half_file_and_no_second_name(tmp_path: Path) -> None:
    (tmp_path / "model.glb").write_bytes(b"model" * 100_000)
    (tmp_path / "view.png").write_bytes(b"view" * 1000)
    whole = {"Chair.glb": 500_000, "Chair_front_view.png": 4000}
    done = subprocess.run(
        [sys.executable, "-c", _KILLED, str(ROOT), str(tmp_path)], stdout=subprocess.PIPE, text=True, check=True
    )
    moments = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(moments) > 8, "it was killed at many moments"
    for moment in moments:
        assert all(whole.get(name) == size for name, size in moment["killed"]), moment
        assert dict(moment["again"]) == whole, moment
        assert moment["hidden"] == [], moment


def test_a_copy_that_the_user_has_changed_is_left_alone(tmp_path: Path) -> None:
    source = tmp_path / "model.glb"
    source.write_bytes(b"model")
    (made,) = save_copies({"model": source}, "model", tmp_path / "out", "Chair", tmp_path / "job")
    made.write_bytes(b"painted")
    (again,) = save_copies({"model": source}, "model", tmp_path / "out", "Chair", tmp_path / "job")
    assert made.read_bytes() == b"painted"
    assert again == tmp_path / "out" / "Chair-2.glb"


def test_two_jobs_with_the_same_result_have_a_copy_each(tmp_path: Path) -> None:
    source = tmp_path / "model.glb"
    source.write_bytes(b"model")
    made = [save_copies({"model": source}, "model", tmp_path / "out", "Chair", tmp_path / job) for job in ("a", "b")]
    assert made == [[tmp_path / "out" / "Chair.glb"], [tmp_path / "out" / "Chair-2.glb"]]


def test_a_drive_without_hard_links_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("no hard links here")

    monkeypatch.setattr(os, "link", refuse)
    source = tmp_path / "model.glb"
    source.write_bytes(b"model")
    folder = tmp_path / "out"
    (made,) = save_copies({"model": source}, "model", folder, "Chair", tmp_path / "job")
    assert made.read_bytes() == b"model"
    made.write_bytes(b"")  # as a kill between its name and its content would leave it
    assert save_copies({"model": source}, "model", folder, "Chair", tmp_path / "job") == [made]
    assert made.read_bytes() == b"model"


def test_a_name_that_is_taken_at_the_last_moment_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {key: tmp_path / f"{key}.png" for key in ("left_view", "right_view")}
    for path in files.values():
        path.write_bytes(path.stem.encode())
    folder = tmp_path / "out"
    write_for_real = save_copies_module.write_notes

    def taken(notes: Path, targets: list[Path]) -> None:
        write_for_real(notes, targets)
        if targets[1].name == "Chair_right_view.png":
            targets[1].write_bytes(b"mine")

    monkeypatch.setattr(save_copies_module, "write_notes", taken)
    made = save_copies(files, "", folder, "Chair", tmp_path / "job")
    assert [path.name for path in made] == ["Chair-2_left_view.png", "Chair-2_right_view.png"]
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        "Chair_right_view.png": b"mine",
        "Chair-2_left_view.png": b"left_view",
        "Chair-2_right_view.png": b"right_view",
    }


def test_names_are_as_short_as_the_system_needs_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "model.glb"
    source.write_bytes(b"model")
    folder = tmp_path / "out"
    limit = len(str(folder)) + 40
    monkeypatch.setattr(save_copies_module, "longest_path", lambda: limit)
    files = {"model": source, "front_view": source}
    for job in ("first", "other"):
        made = save_copies(files, "model", folder, "A chair with a long name, for the garden", tmp_path / job)
        assert all(path.read_bytes() == b"model" and len(str(path)) <= limit for path in made)
    assert made[0].name == "A chair with a long-2.glb"
    limit -= 20
    with pytest.raises(OSError, match="too long"):
        save_copies(files, "model", folder, "A chair", tmp_path / "third")


def test_a_name_in_many_bytes_can_be_saved(tmp_path: Path) -> None:
    source = tmp_path / "model.glb"
    source.write_bytes(b"model")
    key = "view_" + "x" * 80
    made = save_copies({key: source}, "", tmp_path / "out", "\U00020000" * 100, tmp_path / "job")
    assert made[0].read_bytes() == b"model"
