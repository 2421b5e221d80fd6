from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

ROOT = Path(__file__).resolve().parents[2]


def run_python(code: str, *, at_once: bool = True, **environment: str) -> str:
    """Runs code in a fresh Python with bpy, which ends at once or with Blender's own clean-up."""
    head = f"import sys; sys.path.insert(0, {str(ROOT / 'scripts')!r})\nimport bpy\n"
    tail = "\nsys.stdout.flush(); import os; os._exit(0)" if at_once else ""
    done = subprocess.run(
        [sys.executable, "-c", head + code + tail],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": "", **environment},
        timeout=120,
        check=True,
    )
    return done.stdout


LIGHT = {
    *("bridge.callbacks", "bridge.objects.image_files", "bridge.objects.triangle_counts", "bridge.prefs"),
    *("bridge.preload", "bridge.pump", "bridge.recipe_runs", "bridge.redraw", "bridge.results.open_file"),
    *("bridge.session", "bridge.state", "bridge.storage", "bridge.titles"),
    *("core.errors", "core.jobs.place", "core.jobs.stage", "core.log", "core.paths", "core.settings"),
    *("core.status.messages", "core.text_values"),
    *("ops.dialogs", "ops.waiting_press", "ops.file_browser", "ops.reports"),
    *("props.field_info", "props.field_values", "props.task_properties"),
    *("registration", "text_layout", "translation.context", "translation.operator_errors"),
}
"""What is imported at enabling beside the modules that register something. Each costs every start of Blender a tenth of
a millisecond and what is in it: a further one is better imported in the function that needs it.
"""


def test_enabling_loads_what_registers_and_little_else() -> None:
    code = """
from load_extension import enable_extension
enable_extension()
assert len([name for name in dir(bpy.ops.assetgen)]) > 25
ours = {name: module for name, module in sys.modules.items() if name.startswith("asset_generation.")}
registered = {module.__name__ for module in ours["asset_generation.addon.registration"].MODULES}
for name, module in ours.items():
    if name not in registered and not hasattr(module, "__path__"):
        print("loaded:", name)
    for cls in vars(module).values():
        if isinstance(cls, type) and cls.__module__ == name and hasattr(cls, "__dataclass_fields__"):
            print("data class:", name, cls.__name__)
print("end")
"""
    lines = run_python(code).strip().splitlines()
    assert lines[-1] == "end"
    loaded = {line.removeprefix("loaded: asset_generation.") for line in lines if line.startswith("loaded:")}
    assert loaded == {f"addon.{name}" for name in LIGHT} | {"vendor.loopback"}
    assert [line for line in lines if line.startswith("data class:")] == [], "a named tuple is made far more quickly"


def test_enabling_loads_no_packages_and_nothing_slow_of_pythons_own() -> None:
    code = """
from sysconfig import get_paths
packages = {get_paths()[name] for name in ("purelib", "platlib")}
from load_extension import enable_extension
before = set(sys.modules)
enable_extension()
slow = ("asyncio", "concurrent", "decimal", "email", "http", "logging.", "queue", "sqlite3", "ssl", "tempfile", "uuid")
for name in sorted(set(sys.modules) - before):
    path = str(getattr(sys.modules[name], "__file__", None))
    ours = name.startswith("asset_generation.")
    heavy = name.startswith(("asset_generation.vendor.assetgen", "urllib.request", "json", "hashlib", *slow))
    if heavy or (not ours and any(path.startswith(folder) for folder in packages)):
        print("loaded:", name)
print("end")
"""
    lines = run_python(code).strip().splitlines()
    assert lines[-1] == "end"
    assert [line for line in lines if line.startswith("loaded:")] == []


def test_drawing_imports_nothing_that_was_not_loaded_ahead_of_it() -> None:
    code = f"""
sys.path.insert(0, {str(ROOT / "tests")!r})
from load_extension import enable_extension
enable_extension()
from support.panels.drawing import cuts_of, panel
from support.panels.sample_jobs import sample_jobs
from asset_generation.addon.bridge import preload
from asset_generation.addon.bridge.state import state
from asset_generation.addon.core.status.messages import JobChanged
from asset_generation.addon.ops import job_rows
from asset_generation.addon.ui import credits_panel, history_panel, image_panel, job_list, job_panel, main_panel
from asset_generation.addon.ui import recipes_panel
preload._load()
for job in sample_jobs("asset_generation", "local"):
    state.update(JobChanged(job))
job_rows.sync()
bpy.ops.mesh.primitive_cube_add()
before = set(sys.modules)
for cls in (
    *(main_panel.ASSETGEN_PT_main, credits_panel.ASSETGEN_PT_credits, job_panel.ASSETGEN_PT_jobs),
    *(history_panel.ASSETGEN_PT_history, image_panel.ASSETGEN_PT_image, recipes_panel.ASSETGEN_PT_recipes),
):
    cuts_of(panel(cls), 300)
for job in state.jobs.values():
    cuts_of(lambda layout, context: job_list.draw_row(layout, job, context), 300)
print("loaded:", *sorted(name for name in set(sys.modules) - before if name.startswith("asset_generation")))
"""
    lines = run_python(code).strip().splitlines()
    assert [line for line in lines if line.startswith("loaded:")] == ["loaded:"]


def test_a_press_imports_nothing_that_was_not_loaded_ahead_of_it(tmp_path: Path) -> None:
    code = """
from load_extension import enable_extension
enable_extension()
from asset_generation.addon.bridge import preload
preload._load()
before = set(sys.modules)
from asset_generation.addon.bridge import operator_call
from asset_generation.addon.bridge.session import session
from asset_generation.addon.ops import costs  # what the button asks first
bpy.ops.mesh.primitive_cube_add()
operator_call.start_jobs("decimate", None, {"face_limit": 600})
print("loaded:", *sorted(name for name in set(sys.modules) - before if name.startswith("asset_generation")))
session.shutdown()
"""
    nowhere = {"ASSETGEN_BASE_URL": "http://127.0.0.1:9", "ASSETGEN_API_KEY": "key", "ASSETGEN_DATA_DIR": str(tmp_path)}
    lines = run_python(code, **nowhere).strip().splitlines()
    assert [line for line in lines if line.startswith("loaded:")] == ["loaded:"]


def test_blender_ends_well_while_the_extension_is_enabled() -> None:
    code = "from load_extension import enable_extension; enable_extension(); print('enabled')"
    assert "enabled" in run_python(code, at_once=False), "and it neither hung nor crashed"


def test_enabling_twice_leaves_one_of_everything(addon: Any) -> None:
    import addon_utils

    addon_utils.disable(addon.package)
    assert not hasattr(bpy.types.Scene, "asset_generation")
    assert not [name for name in dir(bpy.types) if name.startswith("ASSETGEN_")]
    assert not hasattr(bpy.types, "ASSETGEN_OT_decimate")
    assert not [one for one in bpy.app.handlers.load_post if addon.package in one.__module__]
    addon_utils.enable(addon.package, default_set=True)
    assert bpy.context.scene.asset_generation.decimate.face_limit == 5000
    ours = [(one.__module__, one.__name__) for one in bpy.app.handlers.load_post if addon.package in one.__module__]
    assert ours and len(ours) == len(set(ours))


def test_a_module_that_fails_leaves_nothing_behind(addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    registration = sys.modules[f"{addon.package}.addon.registration"]
    registration.unregister()
    try:
        last = registration.MODULES[-1]
        monkeypatch.setattr(last, "register", lambda: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            registration.register()
        assert not hasattr(bpy.types.Scene, "asset_generation")
        assert not [name for name in dir(bpy.types) if name.startswith("ASSETGEN_")]
    finally:
        monkeypatch.undo()
        registration.register()


def test_an_operator_has_the_fields_of_the_request(addon: Any) -> None:
    properties = bpy.ops.assetgen.decimate.get_rna_type().properties.keys()
    assert {"original_model_task_id", "face_limit", "quad", "bake", "part_names", "model_version"} <= set(properties)


def test_the_key_is_kept_in_a_private_file(addon: Any) -> None:
    values = addon.prefs.preferences()
    values.service = "REMOTE"
    values.base_url = "https://service.example"
    assert addon.prefs.settings().region == "international"
    values.region = "CHINA"
    assert addon.prefs.settings().region == "china"
    stored = addon.data / "keys.json"
    try:
        values.key = "secret-123"
        addon.key_field.known_origin("service.example")
        assert values.key and "secret-123" not in values.key
        assert "secret-123" in stored.read_text()
        assert stored.stat().st_mode & 0o077 == 0
        values.key = values.key  # entered and left without typing
        assert "secret-123" in stored.read_text()
        values.key = ""
        addon.key_field.known_origin("service.example")
        assert "secret-123" not in stored.read_text()
    finally:
        values.base_url, values.region = "", "INTERNATIONAL"
        values.service = "LOCAL"


def test_saved_preferences_do_not_hold_the_key(tmp_path: Path) -> None:
    code = """
from load_extension import enable_extension
enable_extension()
values = bpy.context.preferences.addons["asset_generation"].preferences
values.service, values.base_url, values.key = "REMOTE", "https://service.example", "secret-123"
bpy.ops.wm.save_userpref()
"""
    run_python(code, BLENDER_USER_RESOURCES=str(tmp_path / "user"), ASSETGEN_DATA_DIR=str(tmp_path / "data"))
    (saved,) = (tmp_path / "user").rglob("userpref.blend")
    content = saved.read_bytes()
    assert b"service.example" in content, "the address is saved, so the file is the right one and not compressed"
    assert b"secret-123" not in content


def test_the_limit_of_downloads_is_where_the_error_sends_the_user(addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from asset_generation.addon.core.status.error_messages import present
    from asset_generation.vendor.assetgen import DownloadTooLarge

    values = addon.prefs.preferences()
    label = values.bl_rna.properties["max_download"].name
    assert f'Raise "{label}" in the preferences' in present(DownloadTooLarge("it has 3 GB")).advice
    assert addon.prefs.settings().max_download_bytes == 2 * 1024**3
    try:
        values.max_download = 8.0
        assert addon.prefs.settings().max_download_bytes == 8 * 1024**3
        values.max_download = 0.0
        assert addon.prefs.settings().max_download_bytes > 0
        monkeypatch.setenv("ASSETGEN_MAX_DOWNLOAD", "3")
        assert addon.prefs.settings().max_download_bytes == 3 * 1024**3
    finally:
        values.property_unset("max_download")


def test_proxy_and_certificates_of_the_preferences_are_used(addon: Any, tmp_path: Path) -> None:
    values = addon.prefs.preferences()
    assert (addon.prefs.settings().proxy, addon.prefs.settings().ca_file) == ("", None)
    try:
        values.proxy, values.ca_file = " http://proxy.test:3128 ", str(tmp_path / "firm.pem")
        assert addon.prefs.settings().proxy == "http://proxy.test:3128"
        assert addon.prefs.settings().ca_file == tmp_path / "firm.pem"
    finally:
        values.property_unset("proxy")
        values.property_unset("ca_file")


def test_work_behind_a_window_leaves_a_core_to_it(addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from asset_generation.vendor.background_blender import cores_behind

    assert addon.prefs.settings().blender.cores == 0  # nobody sits in front
    in_window = SimpleNamespace(app=SimpleNamespace(background=False), context=bpy.context)
    monkeypatch.setattr(addon.prefs, "bpy", in_window)
    assert addon.prefs.engine_cores() == cores_behind()
    values = addon.prefs.preferences()
    values.engine_cores = 3
    try:
        assert addon.prefs.engine_cores() == 3
    finally:
        values.property_unset("engine_cores")


def test_a_search_for_cycles_passes_over_what_was_loaded_ahead_as_long_as_we_are_enabled() -> None:
    """Every thread waits for that search, and what was loaded has no end before Blender's."""
    code = """
import gc
from load_extension import enable_extension
extension = enable_extension()
from asset_generation.addon.bridge import preload
preload._load()
print(gc.get_freeze_count(), len(gc.get_objects()))
extension.unregister()
print(gc.get_freeze_count())
"""
    loaded, end = run_python(code).strip().splitlines()[-2:]
    passed_over, searched = map(int, loaded.split())
    assert passed_over > 50_000
    assert searched < passed_over / 20
    assert int(end) == 0


def test_loading_ahead_begins_between_the_first_picture_and_the_next_turn(tmp_path: Path) -> None:
    code = """
from load_extension import enable_extension
enable_extension()
from asset_generation.addon.bridge import preload, startup
begun = []
preload.start = lambda: begun.append(True)
waits = startup._go_on()
print(waits, len(begun))
startup._go_on()
print(len(begun))
startup._state.thread.join()
"""
    first, second = run_python(code, ASSETGEN_DATA_DIR=str(tmp_path)).strip().splitlines()[-2:]
    waits, begun = first.split()
    assert float(waits) > 0, "it is called again after the picture"
    assert (begun, second) == ("0", "1")
