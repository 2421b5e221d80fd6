"""The pump: no news is left lying, and no timer runs when none can come."""

from __future__ import annotations

import importlib
import threading
import time
from collections.abc import Sequence
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from support.addon import add_mesh
from support.services.local_engine import instant_runner

MESSAGES = 600  # each is taken by a tick of its own, which looks at all jobs


def core(addon: Any, name: str) -> Any:
    """A module of the extension that is enabled."""
    return importlib.import_module(f"{addon.package}.addon.core.{name}")


def test_the_pump_goes_on_until_all_news_is_taken(service: Any, addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    add_mesh("Thing")
    bpy.ops.assetgen.decimate()
    while addon.pump.tick() is not None:
        pass
    job = addon.scripting.last_job()
    changed = core(addon, "status.messages").JobChanged
    for number in range(MESSAGES):
        addon.session.news.put(changed(job._replace(id=f"other-{number}")))
    monkeypatch.setattr(addon.pump, "DRAIN_SECONDS", 0.0001)
    ticks = 1
    while addon.pump.tick() is not None:
        ticks += 1
    assert ticks > 1
    assert addon.session.news.empty()
    assert len(addon.state.jobs) == 1 + MESSAGES


class _Gate:
    """An engine whose tasks take until the test opens the gate."""

    def __init__(self) -> None:
        self.opened = threading.Event()

    def __call__(self, request: Any, **hooks: Any) -> dict[str, Any]:
        assert self.opened.wait(60)
        return instant_runner(request, **hooks)


_GATE = _Gate()


@pytest.mark.parametrize("service", [{"runner": _GATE}], indirect=True)
def test_a_job_that_is_taken_over_is_heard_of(service: Any, addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addon.pump, "OTHERS_INTERVAL", 0.2)
    jobs = core(addon, "jobs.job")
    step = jobs.StepPlan("text_to_model", {"prompt": "a chair", "model_version": "v3.1-20260211"})
    other = core(addon, "runtime.runtime").Runtime(addon.prefs.settings(), news=SimpleQueue())
    other.start()
    try:
        addon.session.runtime()
        assert addon.pump.tick() == 0.2, "nothing goes on here, but a job of the other one may be taken over"
        job_id = other.submit(jobs.JobPlan("Chair", jobs.Source(jobs.SourceKind.NOTHING), (step,), jobs.Delivery()))
    finally:
        other.shutdown()
    _GATE.opened.set()
    until = time.monotonic() + 60
    while (interval := addon.pump.tick()) is not None:
        assert time.monotonic() < until
        time.sleep(interval)
    assert addon.state.jobs[job_id].stage == "applied", "with the last news no timer is wanted any more"


def test_a_timer_that_rests_is_woken(addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    registered: list[float] = []
    timers = SimpleNamespace(
        is_registered=lambda _: bool(registered),
        register=lambda _, first_interval, persistent: registered.append(first_interval),
        unregister=lambda _: registered.clear(),
    )
    monkeypatch.setattr(addon.pump, "bpy", SimpleNamespace(app=SimpleNamespace(background=False, timers=timers)))
    addon.pump.start()
    addon.pump.start()
    assert len(registered) == 1
    registered[0] = addon.pump.OTHERS_INTERVAL
    monkeypatch.setattr(addon.pump, "tick", lambda: addon.pump.OTHERS_INTERVAL)
    assert addon.pump._on_timer() == addon.pump.OTHERS_INTERVAL
    addon.pump.start()
    assert registered == [0.02]
    registered.clear()  # before the real timers are back


BAKES = {
    "a render": (("RENDER",), (), "Waits until the render is done"),
    "a bake": (("OBJECT_BAKE",), (), "Waits until the bake is done"),
    "a bake of a fluid": ((), ("FLUID_OT_bake_all",), "Waits until the bake is done"),
    "a bake of nodes": ((), ("OBJECT_OT_simulation_nodes_cache_bake",), "Waits until the bake is done"),
    "a bake that has ended, but no event came since": ((), ("OBJECT_OT_bake",), ""),
    "a recording of the screen": ((), ("WM_OT_screencast_keys",), ""),
}


@pytest.mark.parametrize("case", BAKES)
def test_nothing_comes_in_while_blender_bakes(addon: Any, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    jobs, operators, words = BAKES[case]
    in_a_window(addon, monkeypatch, jobs, operators)
    assert addon.idle.busy_reason() == words


def test_nothing_comes_in_while_a_press_waits(addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    in_a_window(addon, monkeypatch, operators=["ASSETGEN_OT_convert"])
    assert addon.idle.busy_reason() == "", "the file browser keeps an operator in the list"
    monkeypatch.setattr(addon.state, "waiting_presses", {1})
    assert addon.idle.busy_reason() == "Waits until the running tool ends"
    in_a_window(addon, monkeypatch, operators=["WM_OT_screencast_keys"])
    assert addon.idle.busy_reason() == "", "Blender took the press away and called nothing of it"


def test_a_press_whose_waiting_fails_holds_nothing_up(addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting_press = importlib.import_module(f"{addon.package}.addon.ops.waiting_press")
    monkeypatch.setattr(addon.state, "waiting_presses", set())
    done: list[str] = []

    def note(name: str) -> Any:
        return lambda *_, **__: done.append(name)

    window = SimpleNamespace(cursor_modal_set=note("wait"), cursor_modal_restore=note("restore"))
    manager = SimpleNamespace(
        event_timer_add=note("timer"), event_timer_remove=note("no timer"), modal_handler_add=note("modal")
    )
    workspace = SimpleNamespace(status_text_set=note("text"))
    context = SimpleNamespace(window=window, window_manager=manager, workspace=workspace)
    press = waiting_press.WaitingPress()
    assert press.wait(context, "Waits", lambda: 1 / 0, note("go on")) == {"RUNNING_MODAL"}
    press._timer = object()
    assert addon.state.waiting_presses
    with pytest.raises(ZeroDivisionError):
        press.modal(context, SimpleNamespace(type="TIMER", value="NOTHING"))
    assert not addon.state.waiting_presses
    assert done == ["timer", "modal", "wait", "text", "no timer", "restore", "text"]


def in_a_window(
    addon: Any, monkeypatch: pytest.MonkeyPatch, jobs: Sequence[str] = (), operators: Sequence[str] = ()
) -> None:
    """Has the bridge see a window in which these go on."""

    def is_job_running(kind: str) -> bool:
        bpy.app.is_job_running(kind)  # raises for a kind that this Blender does not know
        return kind in jobs

    window = SimpleNamespace(
        modal_operators=[SimpleNamespace(bl_idname=name, bl_options=set()) for name in operators],
        view_layer=bpy.context.view_layer,
    )
    context = SimpleNamespace(window_manager=SimpleNamespace(windows=[window]))
    app = SimpleNamespace(is_job_running=is_job_running, background=False)
    monkeypatch.setattr(addon.idle, "bpy", SimpleNamespace(app=app, context=context))
