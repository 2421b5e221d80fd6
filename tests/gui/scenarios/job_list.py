"""The job list: rows with pictures, what is searched for, the grid, and the details of the chosen job."""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from scenarios.jobs import empty_scene
from scenarios.panel import LONG_PROMPT, narrow, set_theme

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

PACKAGE = "bl_ext.user_default.asset_generation"
MANY = 500
REFUSAL = "Not riggable: the two things that it stands on are as wide as they are long, as wheels and tracks are"
"""The longest answer of Rig Check."""


def job_list(stage: Stage) -> Steps:
    """Every kind of job in the list, each of them chosen; then the same as pictures, narrow, light, large, and many."""
    yield from stage.open_side_bar()
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    empty_scene()
    yield from stage.picture("1-empty", side_bar_only=True)
    yield from credits(stage)
    bpy.utils.unregister_class(module("ui.main_panel").ASSETGEN_PT_main)  # room for the pictures
    show(stage, *sample_jobs(stage)[:3])
    yield from stage.picture("2-few", side_bar_only=True)
    jobs = sample_jobs(stage)
    show(stage, *jobs)
    for name in ("running", "lost", "ready", "model", "image", "answer", "failed", "uncertain", "stopped"):
        choose(stage, name)
        yield from stage.picture(f"3-{name}", side_bar_only=True)
    settings = stage.window_manager.asset_generation_jobs
    settings.show_details = True
    for name in ("model", "failed"):
        choose(stage, name)
        yield from stage.picture(f"3-{name}-details", side_bar_only=True)
    settings.show_details = False
    choose(stage, "model")
    stage.seen["order"] = shown(stage)
    settings.words = "knight"
    stage.seen["searched"] = shown(stage)
    yield from stage.picture("4-searched", side_bar_only=True)
    settings.words = ""
    settings.kind = "ASKING"
    stage.seen["asking"] = shown(stage)
    settings.kind = "ALL"
    settings.view = "GRID"
    yield from stage.picture("5-grid", side_bar_only=True)
    settings.view = "LIST"
    yield from looks(stage, "usual")
    with bpy.context.temp_override(area=stage.viewport, region=stage.region("UI")):
        yield from narrow(stage)
    stage.seen["narrow"] = stage.region("UI").width
    yield from looks(stage, "narrow")
    choose(stage, "answer")
    yield from stage.picture("6-narrow-answer", side_bar_only=True)
    choose(stage, "model")
    yield from saved(stage)
    yield from many(stage)


def credits(stage: Stage) -> Steps:
    """What an account has and has spent, and the price on the button; with a budget that is nearly used up."""
    panel = module("ui.credits_panel").ASSETGEN_PT_credits
    bpy.utils.unregister_class(panel)
    panel.bl_options = set()  # open from the beginning
    bpy.utils.register_class(panel)
    session, state = stage.bridge("session").session, stage.bridge("state").state
    values = bpy.context.preferences.addons[PACKAGE].preferences
    yield from stage.picture("1-local", side_bar_only=True)
    values.service, values.base_url, values.key = "REMOTE", "http://127.0.0.1:9", "abc"
    values.monthly_budget = 500
    yield from stage.wait_for("the runtime is there", lambda: session.ready is not None and not session.loading)
    spending = module("core.jobs.spending_table")
    ledger = session.ready._runtime._started.ledger
    for capability, credits, ago in (("text_to_model", "40", 3600), ("texture", "12.5", 0), ("rig", "25", 0)):
        for _ in range(5):
            task = spending.ChargedTask(session.settings.service_id, capability, credits, time.time() - ago)
            ledger.add(task)
    state.update(module("core.status.messages").ServiceChecked(True, "Connected", balance="1220.5", frozen="40"))
    stage.choose("text_to_model")
    fields = bpy.context.scene.asset_generation.text_to_model
    fields.prompt, fields.model_version = "a red wooden chair", "P2-20260801"
    yield from stage.picture("1-credits", side_bar_only=True)
    bpy.ops.assetgen.text_to_model("INVOKE_DEFAULT", use_panel_settings=True)
    yield from stage.wait_for("the job is there", lambda: state.jobs)
    yield 2.0  # the button rests after a press
    stage.seen["jobs_within_budget"] = len(state.jobs)
    values.monthly_budget = 400
    fields = bpy.context.scene.asset_generation.text_to_model
    fields.prompt = "a blue wooden chair"
    before = len(state.jobs)
    bpy.ops.assetgen.text_to_model("INVOKE_DEFAULT", use_panel_settings=True)
    yield from stage.picture("1-budget")
    stage.seen["jobs_beyond_budget"] = len(state.jobs) - before
    stage.window.event_simulate(type="ESC", value="PRESS", x=800, y=400)
    stage.window.event_simulate(type="ESC", value="RELEASE", x=800, y=400)
    for job_id in list(state.jobs):  # nobody answers it
        bpy.ops.assetgen.job_action(job_id=job_id, action="stop")
    yield from stage.wait_for("it is stopped", lambda: not state.running())
    for job_id in list(state.jobs):
        bpy.ops.assetgen.job_action(job_id=job_id, action="dismiss")
    yield from stage.wait_for("it is gone", lambda: not state.jobs)
    values.service, values.monthly_budget = "LOCAL", 0
    yield 0.5


def looks(stage: Stage, width: str) -> Steps:
    """The list and the grid in the dark, in the light, and at one and a half times the size."""
    settings = stage.window_manager.asset_generation_jobs
    for look in ("dark", "light", "large"):
        if look == "light":
            set_theme("Blender_Light")
        bpy.context.preferences.view.ui_scale = 1.5 if look == "large" else 1.0
        yield 0.5
        for view in ("LIST", "GRID"):
            settings.view = view
            yield from stage.picture(f"6-{width}-{look}-{view.lower()}", side_bar_only=True)
        settings.view = "LIST"
        if look == "light":
            set_theme("Blender_Dark")
    bpy.context.preferences.view.ui_scale = 1.0
    yield 0.5


def saved(stage: Stage) -> Steps:
    """A saved file has nothing of the jobs in it."""
    path = stage.folder / "saved.blend"
    settings = stage.window_manager.asset_generation_jobs
    before = [settings.index, len(settings.rows)]
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False, copy=True)
    stage.seen["in_file"] = b"list-model" in path.read_bytes()
    stage.seen["rows_after_saving"] = [before, [settings.index, len(settings.rows)]]
    path.unlink()
    yield 0.1


def many(stage: Stage) -> Steps:
    """Five hundred jobs: what drawing the panel takes, and whether a job can be reached."""
    job = module("core.jobs.job")
    pictures = sorted(stage.folder.glob("*.sample.png"))
    show(
        stage,
        *sample_jobs(stage)[:2],
        *(
            view(
                stage,
                f"many-{number}",
                f"Text to Model: chair number {number}, made of wood",
                job.Stage.APPLIED,
                created_at=time.time() - 100 * number,
                files=(("rendered_image", str(pictures[number % len(pictures)])),),
            )
            for number in range(MANY)
        ),
    )
    yield 1.0
    stage.seen["rows"] = len(stage.window_manager.asset_generation_jobs.rows)
    stage.seen["draw_ms"] = yield from measured(stage)
    yield from stage.picture("7-many", side_bar_only=True)
    stage.window_manager.asset_generation_jobs.view = "GRID"
    stage.seen["grid_ms"] = yield from measured(stage)
    yield from stage.picture("7-many-grid", side_bar_only=True)
    stage.window_manager.asset_generation_jobs.view = "LIST"
    stage.window_manager.asset_generation_jobs.words = "number 321"
    stage.seen["found"] = shown(stage)
    yield from stage.picture("7-many-searched", side_bar_only=True)


def measured(stage: Stage) -> Any:
    """Milliseconds that Python takes to draw the panel, its rows included: the median of many times."""
    panel = module("ui.job_panel").ASSETGEN_PT_jobs
    spent: list[float] = []
    draw = panel.draw

    def timed(self: Any, context: Any) -> None:
        begun = time.perf_counter()
        draw(self, context)  # the rows are drawn inside of it
        spent.append(1000 * (time.perf_counter() - begun))

    panel.draw = timed
    until = time.monotonic() + 20
    while len(spent) < 20 and time.monotonic() < until:
        stage.viewport.tag_redraw()
        yield 0.1
    panel.draw = draw
    stage.seen.setdefault("draws", []).append(len(spent))
    return sorted(spent)[len(spent) // 2]


def show(stage: Stage, *views: Any) -> None:
    """Has the list consist of these jobs: put straight into the state, nothing of them is in the journal."""
    state = stage.bridge("state").state
    messages = module("core.status.messages")
    for job_id in list(state.jobs):
        state.update(messages.JobRemoved(job_id))
    for item in views:
        state.update(messages.JobChanged(item))
    stage.bridge("pump").tick()


def choose(stage: Stage, name: str) -> None:
    bpy.ops.assetgen.choose_job(job_id=f"list-{name}")


def shown(stage: Stage) -> list[str]:
    rows = module("ops.job_rows")
    return [job.id.removeprefix("list-") for job in rows.shown_jobs(bpy.context)]


def view(stage: Stage, job_id: str, name: str, where: Any, fields: dict[str, Any] | None = None, **values: Any) -> Any:
    """A job as the workers would tell of it."""
    job = module("core.jobs.job")
    capability = values.pop("capability", "text_to_model")
    title = name.partition(": ")[2]
    step = job.StepView(capability, "8f2c1d0e-11aa-4b7c-9d21-5a0c77e1b2f4", "success", 1.0, "12.5", 9.0)
    source = job.Source(job.SourceKind.NOTHING, title=title)
    known = {
        "progress": 1.0,
        "text": "Done",
        "actions": frozenset({job.Action.DISMISS}),
        "created_at": time.time() - 600,
        "seconds": 61.0,
        "service_id": "api.service.example",
        "steps": (step,),
        "plan": job.JobPlan(name, source, (job.StepPlan(capability, fields or {}),), job.Delivery()),
    }
    return job.JobView(**{"id": job_id, "name": name, "stage": where, **known, **values})


def sample_jobs(stage: Stage) -> list[Any]:
    """A job of every kind, with long names among them."""
    job = module("core.jobs.job")
    act = job.Action
    ended = frozenset({act.DISMISS, act.APPLY})
    stop = frozenset({act.STOP})
    fields = {"prompt": LONG_PROMPT, "model_version": "v3.1-20260211", "texture": True, "seed": 42}
    chair, tower, room = (picture(stage, name) for name in ("chair", "tower", "room"))
    model = {"blend": "/somewhere/result.blend", "result": "/somewhere/model.glb"}
    now = time.time()
    return [
        view(
            *(stage, "list-running", "Texture A statue with a very long name", job.Stage.WAIT),
            **{"progress": 0.43, "text": "Texture: 43%", "actions": stop, "ends_at": now + 95, "created_at": now - 40},
            capability="texture",
        ),
        view(
            *(stage, "list-model", f"Text to Model: {LONG_PROMPT[:37]}...", job.Stage.APPLIED, fields),
            **{**model, "actions": ended, "files": (("model", "/somewhere/model.glb"), ("rendered_image", chair))},
        ),
        view(
            *(stage, "list-failed", "Rig Knight", job.Stage.FAILED),
            error="There are not enough credits for this task: it needs 25, and 12 are left",
            advice="Top up the balance in the service's console, then press Retry",
            request_id="3f0c2f6e-7a51-4f0e-9d6a-1c3f5a9b2d10",
            actions=frozenset({act.RETRY, act.DISMISS}),
            capability="rig",
        ),
        view(
            *(stage, "list-lost", "Texture Bench", job.Stage.CREATE),
            progress=0.3,
            text="The answer was lost; looking at the service whether the task exists. Nothing is sent meanwhile",
            actions=frozenset({act.STOP, act.LOOK_AGAIN, act.RESEND}),
            created_at=now - 30,
            capability="texture",
        ),
        view(
            *(stage, "list-queued", "Image to Model: sketch", job.Stage.CREATE),
            **{"progress": 0.05, "text": "Waiting for a free slot (3rd in line)", "actions": stop, "created_at": now},
            capability="image_to_model",
            fields={"file": room},
        ),
        view(
            *(stage, "list-ready", "Decimate Knight", job.Stage.READY),
            **{**model, "actions": ended, "capability": "decimate", "created_at": now - 300},
        ),
        view(
            *(stage, "list-image", "Text to Image: a lighthouse on a rock, seen from...", job.Stage.APPLIED),
            **{
                "actions": ended,
                "result": tower,
                "files": (("generated_image", tower),),
                "capability": "text_to_image",
            },
        ),
        view(
            *(stage, "list-answer", "Rig Check Hero", job.Stage.APPLIED),
            **{"answer": REFUSAL, "text": REFUSAL, "capability": "rig_check", "seconds": 3.0},
        ),
        view(
            *(stage, "list-uncertain", "Decimate Lamp", job.Stage.UNCERTAIN),
            text="Please decide",
            error="The answer to the request was lost",
            advice="It may have begun and be charged",
            actions=frozenset({act.ADOPT, act.LOOK_AGAIN, act.RESEND, act.FORGET}),
            capability="decimate",
        ),
        view(
            *(stage, "list-stopped", "Convert Chair", job.Stage.STOPPED),
            **{"text": "Stopped", "actions": frozenset({act.RETRY, act.DISMISS}), "capability": "convert"},
            note="The service has made the task 8f2c1d0e-11aa-4b7c-9d21-5a0c77e1b2f4 as well, which is charged too",
        ),
    ]


def picture(stage: Stage, name: str) -> str:
    """A picture file that stands for one of the service: a shape before a gradient."""
    path = stage.folder / f"{name}.sample.png"
    if not path.exists():
        size = 256
        across, up = np.meshgrid(np.linspace(-1, 1, size), np.linspace(-1, 1, size))
        shapes = {
            "chair": (np.abs(across + 0.35) < 0.08) | ((np.abs(up + 0.1) < 0.1) & (np.abs(across) < 0.4)),
            "tower": (np.abs(across) < 0.25 - 0.1 * up) & (np.abs(up) < 0.7),
            "room": (across**2 + up**2) < 0.4,
        }
        colors = {"chair": (0.7, 0.3, 0.1), "tower": (0.8, 0.1, 0.1), "room": (0.2, 0.5, 0.7)}
        pixels = np.ones((size, size, 4), dtype=np.float32)
        pixels[..., :3] = (0.25 + 0.15 * up)[..., None]
        pixels[shapes[name], :3] = colors[name]
        image = bpy.data.images.new(name, size, size)
        image.pixels.foreach_set(pixels.ravel())
        image.filepath_raw, image.file_format = str(path), "PNG"
        image.save()
        bpy.data.images.remove(image)
    return str(path)


def module(name: str) -> Any:
    return importlib.import_module(f"{PACKAGE}.addon.{name}")
