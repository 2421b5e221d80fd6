"""Blender's main thread opens, reads and asks for nothing in the data folder, whatever is pressed or drawn."""

from __future__ import annotations

import importlib
import os
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from support.addon import add_mesh, select
from support.services.local_engine import recorded

TEXT = {"prompt": "a chair", "model_version": "v3.1-20260211"}


class _Watch:
    """What the main thread did in a folder. An audit hook cannot be taken away again, so there is one for all tests."""

    def __init__(self) -> None:
        self.folder = ""
        self.seen: list[str] = []

    def look(self, event: str, *arguments: Any) -> None:
        if not self.folder or threading.current_thread() is not threading.main_thread():
            return
        for argument in arguments:
            if isinstance(argument, (str, bytes, os.PathLike)):
                path = os.fsdecode(argument).removeprefix("file:").removeprefix("//")
                if path.startswith(self.folder):
                    self.seen.append(f"{event} {path.removeprefix(self.folder)}")


_watch = _Watch()
_FILE_EVENTS = ("open", "os.", "shutil.", "glob.", "pathlib.", "sqlite3.", "tempfile.", "fcntl.", "msvcrt.")


def _on_event(event: str, arguments: tuple[Any, ...]) -> None:
    if _watch.folder and event.startswith(_FILE_EVENTS) and event != "os.putenv":
        _watch.look(event, *arguments)


sys.addaudithook(_on_event)


@pytest.fixture
def watched(addon: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[_Watch]:
    """Watches the data folder: what is opened there, listed, made, removed and looked at, and every SQL statement."""
    for name in ("stat", "lstat", "access", "readlink"):  # these tell no audit hook
        original = getattr(os, name)

        def looked(path: Any, *rest: Any, _original: Any = original, _name: str = name, **options: Any) -> Any:
            _watch.look(_name, path)
            return _original(path, *rest, **options)

        monkeypatch.setattr(os, name, looked)
    database = importlib.import_module(f"{addon.package}.addon.core.jobs.database").Database
    for name in ("reading", "writing"):
        original = getattr(database, name)

        @contextmanager
        def used(own: Any, _original: Any = original, _name: str = name) -> Iterator[Any]:
            _watch.look(f"journal {_name}", str(addon.data))
            with _original(own) as execute:
                yield execute

        monkeypatch.setattr(database, name, used)
    _watch.folder, _watch.seen = str(addon.data), []
    yield _watch
    _watch.folder = ""


def test_what_is_watched_is_seen(addon: Any, watched: _Watch) -> None:
    addon.data.mkdir()
    (addon.data / "file").write_text("")
    (addon.data / "file").is_file()
    sqlite3.connect(addon.data / "journal.sqlite3").close()
    thread = threading.Thread(target=(addon.data / "other").write_text, args=("",))
    thread.start()
    thread.join()
    assert watched.seen == ["os.mkdir ", "open /file", "stat /file", "sqlite3.connect /journal.sqlite3"]


def test_no_press_and_no_tick_touches_the_data_folder(service: Any, addon: Any, watched: _Watch) -> None:
    source = add_mesh("Thing")
    image = bpy.data.images.new("Painted", 8, 8)
    image.pixels[0] = 0.5
    assert bpy.ops.assetgen.decimate() == {"FINISHED"}
    job = addon.scripting.last_job()
    allowed = {f"stat {job.blend.removeprefix(watched.folder)}"}  # a worker has just read all of it
    select(source)
    source.data.materials.append(_material_with(image))
    assert bpy.ops.assetgen.texture(image="image:Painted") == {"FINISHED"}
    allowed.add(f"stat {addon.scripting.last_job().blend.removeprefix(watched.folder)}")
    for action in ("apply", "dismiss"):
        assert bpy.ops.assetgen.job_action(job_id=job.id, action=action) == {"FINISHED"}
    with pytest.raises(RuntimeError):
        bpy.ops.assetgen.job_action(job_id=job.id, action="stop")
    assert bpy.ops.assetgen.clear_jobs() == {"FINISHED"}
    assert bpy.ops.assetgen.test_service() == {"FINISHED"}
    assert addon.state.jobs == {}
    assert [line for line in watched.seen if line not in allowed] == []


def test_no_setting_touches_the_data_folder(
    service: Any, addon: Any, watched: _Watch, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    preferences = importlib.import_module(f"{addon.package}.addon.preferences")
    values = SimpleNamespace(base_url="https://service.example")
    monkeypatch.delenv("ASSETGEN_API_KEY")
    addon.session.runtime()
    preferences._set_key(values, "secret-123")
    assert preferences._get_key(values) == addon.key_field.MASK
    until(lambda: not addon.key_field.is_asking(), addon)
    assert (addon.data / "keys.json").is_file() or addon.key_field.origin("service.example") == "keyring"
    watched.seen.clear()
    preferences._set_key(values, "")
    addon.preflight.obstacle(addon.prefs.settings())
    answers = _slow_drive(addon, monkeypatch)
    monkeypatch.setenv("ASSETGEN_DATA_DIR", str(addon.data / "elsewhere"))
    addon.session.follow_settings()
    assert addon.session.loading
    answers.set()
    until(lambda: not addon.session.loading and not addon.key_field.is_asking(), addon)
    assert watched.seen == []


def test_the_jobs_of_the_old_data_folder_go_and_those_of_the_new_one_come(
    service: Any, addon: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    add_mesh("Thing")
    bpy.ops.assetgen.decimate()
    first = addon.scripting.last_job().id
    answers = _slow_drive(addon, monkeypatch)
    monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path / "other"))
    addon.pump.tick()
    assert addon.session.loading and addon.state.jobs == {}
    answers.set()
    until(lambda: not addon.session.loading, addon)
    assert addon.state.jobs == {}
    monkeypatch.setenv("ASSETGEN_DATA_DIR", str(addon.data))
    until(lambda: first in addon.state.jobs, addon)


def test_a_key_that_cannot_be_kept_is_told(addon: Any) -> None:
    addon.data.mkdir()
    (addon.data / "keys.json.part").mkdir()
    (addon.data / "keys.json.part" / "in the way").write_text("")
    told: list[str] = []
    addon.key_field.store("service.example", "secret-123", lambda error, warning: told.append(error))
    assert addon.key_field.origin("service.example") is None
    assert addon.key_field.origin_text("service.example") == "Storing..."
    until(lambda: bool(told), addon)
    if addon.key_field.origin("service.example") == "keyring":
        pytest.skip("this system has a keyring")
    assert told[0] and addon.key_field.is_missing("service.example")


def test_what_is_staged_is_gone_at_the_end(service: Any, addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    add_mesh("Thing")
    bpy.ops.assetgen.decimate()
    root = addon.session._staging._root
    assert root.is_dir() and root.stat().st_mode & 0o077 == 0
    assert [path.name for path in root.iterdir()] == ["owners"], "what was entered is in the data folder"
    addon.session.shutdown()
    assert not root.exists()


def test_a_full_temporary_folder_refuses_the_press(
    service: Any, addon: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    add_mesh("Thing")
    addon.session.runtime()
    (tmp_path / "in the way").write_text("")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "in the way"))
    with pytest.raises(RuntimeError, match="The folder for temporary files"):
        bpy.ops.assetgen.decimate()
    assert recorded(service, method="POST") == [] and addon.state.jobs == {}


def _slow_drive(addon: Any, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Lets no data folder be opened before the event is set: otherwise it may be open before one has looked."""
    answers = threading.Event()
    runtime = importlib.import_module(f"{addon.package}.addon.core.runtime.runtime").Runtime
    start = runtime.start

    def started(own: Any) -> None:
        assert answers.wait(30.0), "nobody let the drive answer"
        start(own)

    monkeypatch.setattr(runtime, "start", started)
    return answers


def _material_with(image: bpy.types.Image) -> bpy.types.Material:
    material = bpy.data.materials.new("Painted")
    material.use_nodes = True
    material.node_tree.nodes.new("ShaderNodeTexImage").image = image
    return material


def until(condition: Callable[[], bool], addon: Any, seconds: float = 30.0) -> None:
    """Ticks until something is so."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        addon.pump.tick()
        time.sleep(0.01)
