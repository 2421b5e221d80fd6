"""Jobs of every kind, with names that are far too long for a side bar: as the workers would tell of them."""

from __future__ import annotations

import importlib
import time
from typing import Any

LONG = (
    "a red wooden chair with a woven seat, carved legs and a high back, worn at the edges, as it would stand in the"
    " kitchen of an old farmhouse"
)
TASK = "8f2c1d0e-11aa-4b7c-9d21-5a0c77e1b2f4"


def sample_jobs(package: str, service_id: str) -> list[Any]:
    """The jobs, the running ones among them."""
    job = importlib.import_module(f"{package}.addon.core.jobs.job")
    act, stage = job.Action, job.Stage
    now = time.time()

    def view(name: str, where: Any, actions: tuple[Any, ...], capability: str = "text_to_model", **facts: Any) -> Any:
        fields = {"prompt": LONG, "model_version": "v3.1-20260211", "texture": True, "model_seed": 42}
        source = job.Source(job.SourceKind.NOTHING, title=LONG)
        known = {
            "progress": 1.0,
            "text": "Done",
            "created_at": now - 600,
            "seconds": 3725.0,
            "service_id": service_id,
            "steps": (job.StepView(capability, TASK, "success", 1.0, "1212.5", 9.0),),
            "plan": job.JobPlan(name, source, (job.StepPlan(capability, fields),), job.Delivery()),
            "actions": frozenset(actions),
        }
        return job.JobView(**{"id": f"sample-{name}", "name": f"{name}: {LONG}", "stage": where, **known, **facts})

    model = {"blend": "/somewhere/result.blend", "result": "/somewhere/model.glb"}
    ended = (act.DISMISS, act.APPLY)
    return [
        view("Texture", stage.WAIT, (act.STOP,), "texture", progress=0.43, text="Texture: 43%", ends_at=now + 3000),
        view("Upload", stage.UPLOAD, (act.STOP,), "rig", progress=0.07, text="Uploading 12 of 1250 MB"),
        view("Queued", stage.CREATE, (act.STOP,), progress=0.0, text="Waiting for a free slot (123rd in line)"),
        view(
            *("Lost", stage.CREATE, (act.STOP, act.LOOK_AGAIN, act.RESEND), "texture"),
            text="The answer was lost; looking at the service whether the task exists. Nothing is sent meanwhile",
        ),
        view("Ready", stage.READY, ended, "decimate", **model),
        view("Model", stage.APPLIED, ended, **model, understood="Understood: red; not understood: farmhouse"),
        view("Motion", stage.APPLIED, ended, "retarget", **model, gives_motion=True),
        view("Image", stage.APPLIED, ended, "text_to_image", files=(("generated_image", "/somewhere/image.png"),)),
        view(
            *("Views", stage.APPLIED, ended, "image_to_multiview"),
            files=tuple((f"{side}_view", f"/somewhere/{side}.png") for side in ("front", "left", "back", "right")),
        ),
        view("Check", stage.APPLIED, (act.DISMISS,), "rig_check", answer="Riggable: biped"),
        view(
            *("Failed", stage.FAILED, (act.RETRY, act.DISMISS), "rig"),
            error="There are not enough credits for this task: it needs 25, and 12 are left",
            advice="Top up the balance in the service's console, then press Retry",
            request_id="3f0c2f6e-7a51-4f0e-9d6a-1c3f5a9b2d10",
        ),
        view(
            *("Uncertain", stage.UNCERTAIN, (act.ADOPT, act.LOOK_AGAIN, act.RESEND, act.FORGET), "decimate"),
            text="Please decide",
            error="The answer to the request was lost",
            advice="It may have begun and be charged",
        ),
        view(
            *("Stopped", stage.STOPPED, (act.RETRY, act.DISMISS), "convert"),
            text="Stopped",
            note=f"The service has made the task {TASK} as well, which is charged too",
        ),
    ]
