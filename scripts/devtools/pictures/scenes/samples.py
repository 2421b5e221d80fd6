"""Jobs in states that last too short for a picture, or need a service in trouble: put straight into the list."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from .studio import module

if TYPE_CHECKING:
    from devtools.window.driver import Stage

_TASK = "8f2c1d0e-11aa-4b7c-9d21-5a0c77e1b2f4"
_REQUEST = "3f0c2f6e-7a51-4f0e-9d6a-1c3f5a9b2d10"
_LOCAL_ID = "local"


def running(stage: Stage) -> list[Any]:
    """Three jobs that go on: one that is worked on, one that is uploaded, one that waits for its turn."""
    stop = frozenset({module("core.jobs.job").Action.STOP})
    now = time.time()
    stages = module("core.jobs.job").Stage
    return [
        _view(
            *(stage, "texture", "Texture Knight", stages.WAIT),
            **{"progress": 0.62, "text": "Texture: 62%", "actions": stop, "ends_at": now + 179, "created_at": now - 30},
        ),
        _view(
            *(stage, "rig", "Rig Robot", stages.UPLOAD),
            **{"progress": 0.18, "text": "Uploading", "actions": stop, "created_at": now - 20},
        ),
        _view(
            *(stage, "image_to_model", "Image to Model: sketch.png", stages.CREATE),
            **{"progress": 0.05, "text": "Waiting for a free slot (2nd in line)", "actions": stop, "created_at": now},
        ),
    ]


def failed(stage: Stage) -> Any:
    """A job that the account has no credits for."""
    job = module("core.jobs.job")
    return _view(
        *(stage, "rig", "Rig Knight", job.Stage.FAILED),
        progress=0.3,
        text="Failed",
        error="There are not enough credits for this task: insufficient balance. The last one like it cost 25."
        " Nothing was charged",
        advice="Test Connection in the preferences shows the balance. Buy credits at the service, then press Retry",
        request_id=_REQUEST,
        actions=frozenset({job.Action.RETRY, job.Action.DISMISS}),
    )


def looking(stage: Stage) -> Any:
    """A job whose paid request was not answered, and that looks whether the service has the task."""
    job = module("core.jobs.job")
    return _view(
        *(stage, "texture", "Texture Bench", job.Stage.CREATE),
        progress=0.3,
        text="The answer was lost; looking at the service whether the task exists."
        " Nothing is sent meanwhile (at most 84 s more)",
        request_id=_REQUEST,
        actions=frozenset({job.Action.STOP, job.Action.LOOK_AGAIN, job.Action.RESEND}),
        created_at=time.time() - 30,
    )


def uncertain(stage: Stage) -> Any:
    """A job of which nobody knows whether it was paid."""
    job, act = module("core.jobs.job"), module("core.jobs.job").Action
    return _view(
        *(stage, "decimate", "Decimate Lamp", job.Stage.UNCERTAIN),
        progress=0.3,
        text="Please decide",
        error="The answer to the request was lost, and the service has one task of this kind,"
        " but does not say what it works on",
        advice=f"Adopt takes the task {_TASK}, Look Again searches once more,"
        " Resend Now starts another task, which may be paid twice, Forget gives up",
        request_id=_REQUEST,
        actions=frozenset({act.ADOPT, act.LOOK_AGAIN, act.RESEND, act.FORGET}),
    )


def add(stage: Stage, *views: Any) -> None:
    """Adds jobs to the list, the first of them on top, and chooses that."""
    messages = module("core.status.messages")
    state = stage.bridge("state").state
    for view in views:
        state.update(messages.JobChanged(view))
    stage.bridge("pump").tick()


def remove(stage: Stage, *views: Any) -> None:
    """Takes them off again."""
    messages = module("core.status.messages")
    for view in views:
        stage.bridge("state").state.update(messages.JobRemoved(view.id))
    stage.bridge("pump").tick()


def _view(stage: Stage, capability: str, name: str, where: Any, **values: Any) -> Any:
    job = module("core.jobs.job")
    source = job.Source(job.SourceKind.NOTHING, title=name.partition(": ")[2])
    plan = job.JobPlan(name, source, (job.StepPlan(capability, {}),), job.Delivery())
    known = {
        "created_at": time.time() - 1,
        "seconds": 31.0,
        "service_id": stage.bridge("session").session.settings.service_id,
        "steps": (job.StepView(capability, _TASK, "running", 0.5, "", 9.0),),
        "plan": plan,
    }
    return job.JobView(**{"id": f"sample-{name}", "name": name, "stage": where, **known, **values})
