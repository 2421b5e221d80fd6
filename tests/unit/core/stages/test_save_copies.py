from __future__ import annotations

import threading
from pathlib import Path

import pytest
from asset_generation.addon.core.stages.save_copies import save_copies


def test_copies_get_one_name_together_and_never_one_that_is_there(tmp_path: Path) -> None:
    source = tmp_path / "model.glb"
    source.write_bytes(b"model")
    view = tmp_path / "view.png"
    view.write_bytes(b"view")
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "Chair_front_view.png").write_bytes(b"mine")
    made = save_copies({"model": source, "front_view": view}, "model", folder, "Chair")
    assert made == [folder / "Chair-2.glb", folder / "Chair-2_front_view.png"]
    assert (folder / "Chair_front_view.png").read_bytes() == b"mine"
    assert not (folder / "Chair.glb").exists()


def test_copies_that_cannot_be_made_leave_nothing_behind(tmp_path: Path) -> None:
    source = tmp_path / "model.glb"
    source.write_bytes(b"model")
    folder = tmp_path / "out"
    with pytest.raises(FileNotFoundError):
        save_copies({"model": source, "front_view": tmp_path / "gone.png"}, "model", folder, "Chair")
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
        save_copies({"model": path}, "model", folder, "Chair")

    threads = [threading.Thread(target=run, args=(path,)) for path in sources]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {path.read_bytes() for path in folder.iterdir()} == {bytes([number]) for number in range(8)}
