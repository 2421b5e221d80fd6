"""Every capability as a job: what it begins with, what it is fed with, and what comes of it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core.errors import Refused
from asset_generation.addon.core.jobs.job import Action, Delivery, JobPlan, JobView, Source, SourceKind, Stage, StepPlan
from asset_generation.addon.core.runtime.runtime import Runtime
from asset_generation.vendor.assetgen.contract import CAPABILITIES, Gives
from asset_generation.vendor.assetgen_local import LocalService
from asset_generation.vendor.background_blender import BlenderFailed
from support.core import (
    SCENE,
    InstantConverter,
    imported_task,
    new_plan,
    rested,
    runtime_on,
    selection_plan,
    settings_for,
    shown,
    task_plan,
)
from support.services.local_engine import (
    add_fault,
    ask,
    clear_faults,
    instant_runner,
    local_engine,
    recorded,
    tiny_glb,
    tiny_png,
)

pytest_plugins = ("support.core_fixtures",)
pytestmark = pytest.mark.usefixtures("hurry")

VERSION = "v3.1-20260211"
VIEWS = ["front_view", "left_view", "back_view", "right_view"]


@pytest.fixture
def image(tmp_path: Path) -> str:
    path = tmp_path / "look.png"
    path.write_bytes(tiny_png())
    return str(path)


def first_steps(image: str) -> dict[str, StepPlan]:
    """The capabilities that a job can begin with, with the fields that they need."""
    fields: dict[str, dict[str, Any]] = {
        "text_to_model": {"prompt": "a chair", "model_version": VERSION},
        "image_to_model": {"file": image, "model_version": VERSION},
        "multiview_to_model": {"front": image, "back": image, "model_version": VERSION},
        "image_to_splat": {"file": image},
        "text_to_image": {"prompt": "a chair"},
        "image_to_image": {"files": [image], "prompt": "older"},
        "image_to_multiview": {"file": image},
    }
    return {name: StepPlan(name, given) for name, given in fields.items()}


def later_steps(image: str) -> dict[str, tuple[str, StepPlan]]:
    """The other capabilities, each with the one whose result it works on."""
    fields: dict[str, tuple[str, dict[str, Any]]] = {
        "texture": ("text_to_model", {"text": "rusty"}),
        "refine": ("text_to_model", {}),
        "stylize": ("text_to_model", {"style": "voxel"}),
        "convert": ("text_to_model", {"format": "FBX"}),
        "rig_check": ("text_to_model", {}),
        "rig": ("text_to_model", {}),
        "retarget": ("rig", {"animation": "preset:walk"}),
        "decimate": ("text_to_model", {"face_limit": 5000}),
        "segment": ("text_to_model", {"ref_image": image}),
        "complete": ("segment", {}),
        "smart_segment": ("text_to_model", {}),
        "edit_multiview": ("image_to_multiview", {"front": "a hat"}),
    }
    return {name: (before, StepPlan(name, given)) for name, (before, given) in fields.items()}


def plan_for(name: str, image: str) -> JobPlan:
    """The shortest job that ends with a capability."""
    if name == "import_model":
        raise AssertionError("an import needs a model")
    steps = [name]
    while steps[0] in later_steps(image):
        steps.insert(0, later_steps(image)[steps[0]][0])
    chain = [first_steps(image).get(step) or later_steps(image)[step][1] for step in steps]
    return new_plan(*chain, name=f"Try {name}")


def detail(service: LocalService, task_id: str) -> dict[str, Any]:
    return ask(service, "GET", f"/v3/tasks/{task_id}")


def test_every_capability_is_here() -> None:
    assert {*first_steps(""), *later_steps(""), "import_model"} == set(CAPABILITIES)


@pytest.mark.parametrize("name", [name for name in CAPABILITIES if name != "import_model"])
def test_a_job_of_every_capability(
    runtime: Runtime, service: LocalService, tmp_path: Path, image: str, name: str
) -> None:
    job_id = runtime.submit(plan_for(name, image))
    job = rested(runtime, job_id)
    assert job.stage is Stage.READY, job
    assert job.progress == 1.0
    assert job.steps[-1].capability == name
    fed = [detail(service, step.task_id)["input"] for step in job.steps]
    for before, told in zip(job.steps, fed[1:], strict=False):
        assert before.task_id in told.values(), "each step works on the task of the one before"
    match CAPABILITIES[name].gives:
        case Gives.ANSWER:
            assert (job.answer, job.result, job.files, job.blend) == ("Riggable: biped", "", (), "")
            assert job.text == "Riggable: biped"
        case Gives.IMAGES:
            keys = VIEWS if "multiview" in name else ["generated_image"]
            assert [key for key, _ in job.files] == keys
            assert [Path(path).name for _, path in job.files] == [f"{key}.png" for key in keys]
            assert all(Path(path).read_bytes() == tiny_png() for _, path in job.files)
            assert (job.result, job.blend) == (job.files[0][1], "")
        case _:
            assert dict(job.files)["model"] == job.result
            assert Path(job.blend).read_bytes() == b"BLENDER of " + Path(job.result).read_bytes()
    assert runtime.claim_apply(job_id)
    runtime.applied(job_id, "shown")
    assert runtime.job(job_id).stage is Stage.APPLIED


def test_images_can_be_brought_in_again_and_answers_are_only_dismissed(runtime: Runtime, image: str) -> None:
    for name, actions in (
        ("text_to_image", {Action.APPLY, Action.DISMISS}),
        ("rig_check", {Action.DISMISS}),
    ):
        job_id = runtime.submit(plan_for(name, image))
        rested(runtime, job_id)
        assert runtime.claim_apply(job_id)
        runtime.applied(job_id)
        assert runtime.job(job_id).actions == actions


@pytest.mark.parametrize("name", ["text_to_image", "image_to_multiview", "rig_check", "image_to_splat"])
def test_without_a_scene_a_job_ends_when_its_result_is_saved(runtime: Runtime, image: str, name: str) -> None:
    plan = plan_for(name, image)
    job = rested(runtime, runtime.submit(JobPlan(plan.name, plan.source, plan.steps, Delivery())))
    assert job.stage is Stage.APPLIED, job.error
    assert job.text == ("Riggable: biped" if name == "rig_check" else f"Saved as {job.result}")
    assert job.blend == ""


def test_a_job_of_words_uploads_nothing_and_one_of_images_only_them(
    runtime: Runtime, service: LocalService, image: str
) -> None:
    rested(runtime, runtime.submit(plan_for("text_to_model", image)))
    assert recorded(service, "/v3/files") == []
    rested(runtime, runtime.submit(plan_for("multiview_to_model", image)))
    assert len(recorded(service, "/v3/files")) == 1, "the same file for two views is uploaded once"


def test_views_go_into_their_slots(runtime: Runtime, service: LocalService, image: str) -> None:
    job = rested(runtime, runtime.submit(plan_for("multiview_to_model", image)))
    slots = detail(service, job.steps[0].task_id)["input"]["files"]
    assert [bool(slot) for slot in slots] == [True, False, True, False]
    assert slots[0]["type"] == "png"


def test_an_image_goes_on_as_a_model_without_being_uploaded(
    runtime: Runtime, service: LocalService, image: str
) -> None:
    steps = first_steps(image)
    plan = new_plan(
        steps["text_to_image"],
        StepPlan("image_to_multiview"),
        StepPlan("multiview_to_model", {"model_version": VERSION}),
        StepPlan("rig"),
        StepPlan("retarget", {"animations": ["preset:walk", "preset:run"]}),
    )
    job = rested(runtime, runtime.submit(plan))
    assert job.stage is Stage.READY, job.error
    assert recorded(service, "/v3/files") == []
    assert detail(service, job.steps[1].task_id)["input"]["input"] == job.steps[0].task_id
    assert detail(service, job.steps[2].task_id)["input"]["original_model_task_id"] == job.steps[1].task_id


def test_a_task_of_the_right_kind_is_a_source(runtime: Runtime, image: str) -> None:
    rig = rested(runtime, runtime.submit(plan_for("rig", image))).steps[-1].task_id
    job = rested(runtime, runtime.submit(task_plan(rig, StepPlan("retarget", {"animation": "preset:run"}))))
    assert job.stage is Stage.READY, job.error
    picture = rested(runtime, runtime.submit(plan_for("text_to_image", image))).steps[-1].task_id
    job = rested(runtime, runtime.submit(task_plan(picture, StepPlan("image_to_model", {"model_version": VERSION}))))
    assert job.stage is Stage.READY, job.error


def test_retry_uploads_an_image_of_a_later_step_again_when_its_token_may_have_expired(
    runtime: Runtime, service: LocalService, image: str
) -> None:
    add_fault(service, "status", path="/v3/mesh/segment", status=400, code=1004, message="the token has expired")
    job_id = runtime.submit(plan_for("segment", image))
    assert rested(runtime, job_id).stage is Stage.FAILED
    assert len(recorded(service, "/v3/files")) == 1
    runtime.act(job_id, Action.RETRY)
    done = rested(runtime, job_id)
    assert done.stage is Stage.READY, done.error
    assert len(recorded(service, "/v3/files")) == 2
    assert len(recorded(service, "/v3/generation/text-to-model")) == 1, "the first task is not made again"


# Plans that cannot work


RETARGET = StepPlan("retarget", {"animation": "preset:walk"})
TEXT = StepPlan("text_to_model", {"prompt": "a", "model_version": VERSION})
TEXTURE = StepPlan("texture", {"text": "rusty"})


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ((TEXT, TEXTURE, RETARGET), "Retarget cannot follow Texture: it works on the result of Rig"),
        ((TEXT, StepPlan("decimate"), StepPlan("complete")), "Complete cannot follow Decimate"),
        ((TEXT, StepPlan("rig_check"), StepPlan("rig")), "Rig cannot follow Rig Check: it works on a model"),
        ((TEXT, TEXTURE, StepPlan("refine")), "Refine cannot follow Texture: it works on the result of Text to Model"),
        ((TEXT, TEXT), "Text to Model cannot follow Text to Model: it does not work on an earlier task"),
        ((TEXT, StepPlan("import_model")), "Import Model cannot follow Text to Model: it takes an uploaded model"),
        (
            (StepPlan("text_to_image", {"prompt": "a"}), StepPlan("stylize", {"style": "lego"})),
            "Stylize cannot follow Text to Image",
        ),
        ((StepPlan("edit_multiview", {"front": "a hat"}),), "works on a task"),
        ((StepPlan("image_to_model", {"model_version": VERSION}),), "Give at least one of file and input; given: none"),
        (
            (StepPlan("multiview_to_model", {"model_version": VERSION}),),
            "Give at least one of front/left/back/right, inputs and original_model_task_id; given: none",
        ),
    ],
)
def test_steps_that_cannot_feed_each_other_are_refused(
    runtime: Runtime, service: LocalService, steps: tuple[StepPlan, ...], words: str
) -> None:
    with pytest.raises(Refused) as caught:
        runtime.submit(new_plan(*steps))
    assert words in str(caught.value)
    assert runtime.jobs() == []
    assert recorded(service) == []


def test_a_selection_cannot_be_what_needs_a_rig(runtime: Runtime, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="Retarget cannot follow Import Model: it works on the result of Rig"):
        runtime.submit(selection_plan(tmp_path, RETARGET))
    with pytest.raises(Refused, match="Text to Image does not work on a model"):
        source = selection_plan(tmp_path).source
        runtime.submit(JobPlan("x", source, (StepPlan("text_to_image", {"prompt": "a"}),), SCENE))


def test_a_task_of_the_wrong_kind_is_refused_before_anything_is_sent(
    runtime: Runtime, service: LocalService, tmp_path: Path
) -> None:
    task = imported_task(runtime, tmp_path)
    creations = len(recorded(service, method="POST"))
    words = "Retarget works on the result of Rig; this task is one of Import Model"
    with pytest.raises(Refused, match=words):
        runtime.submit(task_plan(task, RETARGET))
    with pytest.raises(Refused, match=words):
        fields = {**RETARGET.fields, "original_model_task_id": task}
        runtime.submit(new_plan(StepPlan("retarget", fields)))
    with pytest.raises(Refused, match="Text to Model does not work on an earlier task"):
        runtime.submit(task_plan(task, TEXT))
    assert len(recorded(service, method="POST")) == creations


def test_a_task_that_nobody_knows_is_for_the_service_to_judge(runtime: Runtime, service: LocalService) -> None:
    job = rested(runtime, runtime.submit(task_plan("11111111-1111-4111-8111-111111111111", RETARGET)))
    assert (job.stage, job.steps[0].task_id) == (Stage.FAILED, "")
    assert "2001" in job.error


@pytest.mark.parametrize(
    ("values", "answer"),
    [
        ({"riggable": False, "reason": "it has no separate legs."}, "Not riggable: it has no separate legs"),
        ({"riggable": False, "reason": " "}, "Not riggable"),
        ({"riggable": False, "reason": 7}, "Not riggable"),
        (
            {"riggable": True, "rig_type": "biped", "local_engine": {"note": "The confidence is 83%"}},
            "Riggable: biped. The confidence is 83%",
        ),
        ({"riggable": True, "rig_type": "biped", "reason": "x"}, "Riggable: biped"),
    ],
)
def test_a_rig_check_tells_the_reason_that_a_service_gives(tmp_path: Path, values: dict[str, Any], answer: str) -> None:
    def runner(request: Mapping[str, Any], **named: Any) -> dict[str, Any]:
        if request["type"] != "rig_check":
            return instant_runner(request, **named)
        return {"files": {}, "values": values, "facts": {}}

    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        job = rested(runtime, runtime.submit(selection_plan(tmp_path, StepPlan("rig_check"))))
    assert (job.answer, job.text) == (answer, answer), job.error


# Deliveries


def with_extras(request: Mapping[str, Any], **named: Any) -> dict[str, Any]:
    """A model with everything that the API can give beside it."""
    answer = instant_runner(request, **named)
    folder = Path(request["output_dir"])
    for name in ("preview.png", "video.mp4", "base.png", "front.png"):
        (folder / name).write_bytes(b"\0\0\0\x18ftypmp42" if name.endswith("mp4") else tiny_png())
    answer["files"] |= {
        "rendered_image_url": "preview.png",
        "rendered_video_url": "video.mp4",
        "multiview_basecolor_url": "base.png",
        "front_view_url": "front.png",
    }
    return answer


FETCHED = {
    "model": "model.glb",
    "rendered_image": "preview.png",
    "rendered_video": "rendered_video.mp4",
    "multiview_basecolor": "multiview_basecolor.png",
    "front_view": "front_view.png",
}
"""The names of what :func:`with_extras` gives; the extensions tell that each is what its key says."""


def names(job: JobView) -> dict[str, str]:
    return {key: Path(path).name for key, path in job.files}


def test_what_comes_beside_a_model_is_fetched_and_delivered_with_it(tmp_path: Path, image: str) -> None:
    folder = tmp_path / "out"
    with (
        local_engine(tmp_path, runner=with_extras) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        for _ in range(2):
            plan = new_plan(TEXT, delivery=Delivery(folder=str(folder)), name="Chair")
            job = rested(runtime, runtime.submit(plan))
            assert job.stage is Stage.APPLIED, job.error
    assert names(job) == FETCHED
    copies = {path.name for path in folder.iterdir()}
    for stem in ("Chair", "Chair-2"):
        assert {
            f"{stem}.glb",
            f"{stem}_rendered_image.png",
            f"{stem}_rendered_video.mp4",
            f"{stem}_multiview_basecolor.png",
            f"{stem}_front_view.png",
        } <= copies
    assert job.text.startswith(f"Saved as {folder / 'Chair-2.glb'} and ")


def test_an_extra_that_cannot_be_had_fails_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with (
        local_engine(tmp_path, runner=with_extras) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
        caplog.at_level(logging.WARNING),
    ):
        add_fault(service, "expire_link", path="/_files/*/video.mp4", times=None)
        job = rested(runtime, runtime.submit(new_plan(TEXT)))
    assert job.stage is Stage.READY, job.error
    assert names(job) == {key: name for key, name in FETCHED.items() if key != "rendered_video"}
    assert "its rendered video could not be fetched" in caplog.text


def test_the_picture_of_a_model_that_was_worked_on_here_is_drawn_where_it_is_loaded(tmp_path: Path) -> None:
    with (
        local_engine(tmp_path, runner=with_extras) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        job = shown(runtime, runtime.submit(selection_plan(tmp_path, StepPlan("decimate"))))
        assert job.stage is Stage.READY, job.error
        read = [one["path"].rsplit("/", 1)[-1] for one in recorded(service, method="GET")]
    assert names(job) == FETCHED, "the same files, whoever drew the picture"
    assert "video.mp4" in read and "preview.png" not in read


@pytest.mark.parametrize("file", ["model.glb", "preview.png", "video.mp4", "front.png"])
def test_every_link_that_has_expired_is_renewed(tmp_path: Path, file: str) -> None:
    with (
        local_engine(tmp_path, runner=with_extras) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        add_fault(service, "expire_link", path=f"/_files/*/{file}")
        job = rested(runtime, runtime.submit(new_plan(TEXT)))
        reads = len(recorded(service, f"/v3/tasks/{job.steps[0].task_id}", "GET"))
    assert job.stage is Stage.READY, job.error
    assert names(job) == FETCHED
    assert reads == 1


def test_images_go_into_a_folder_under_their_names(runtime: Runtime, tmp_path: Path, image: str) -> None:
    folder = tmp_path / "out"
    for name in ("image_to_multiview", "text_to_image"):
        plan = new_plan(first_steps(image)[name], delivery=Delivery(folder=str(folder)), name="Chair")
        assert rested(runtime, runtime.submit(plan)).stage is Stage.APPLIED
    assert sorted(path.name for path in folder.iterdir()) == [
        "Chair.png",
        "Chair_back_view.png",
        "Chair_front_view.png",
        "Chair_left_view.png",
        "Chair_right_view.png",
    ]


def test_an_image_that_cannot_be_had_fails_the_job_and_retry_fetches_the_rest(
    runtime: Runtime, service: LocalService, image: str
) -> None:
    add_fault(service, "expire_link", path="/_files/*/back.png", times=None)
    job_id = runtime.submit(new_plan(first_steps(image)["image_to_multiview"]))
    failed = rested(runtime, job_id)
    assert failed.stage is Stage.FAILED
    assert [key for key, _ in failed.files] == ["front_view", "left_view"]
    assert "paid and stays yours" in failed.advice
    clear_faults(service)
    runtime.act(job_id, Action.RETRY)
    done = rested(runtime, job_id)
    assert done.stage is Stage.READY, done.error
    assert [key for key, _ in done.files] == VIEWS
    fetched = [one["path"].rsplit("/", 1)[-1] for one in recorded(service, method="GET") if one["status"] == 200]
    assert fetched.count("front.png") == 1, "what is here already is not fetched again"
    assert len(recorded(service, "/v3/generation/image-to-multiview")) == 1


def test_an_image_of_no_known_kind_is_kept_and_said(tmp_path: Path) -> None:
    def runner(request: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        (Path(request["output_dir"]) / "image.png").write_bytes(b"\0\1\2\3 some new kind")
        return {"files": {"generated_image_url": "image.png"}, "values": {}, "facts": {}}

    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        job = rested(runtime, runtime.submit(new_plan(StepPlan("text_to_image", {"prompt": "a"}))))
    assert job.stage is Stage.READY, job.error
    assert job.result.endswith("generated_image.bin")
    assert job.text == f"What came back is not an image of any kind that is known here; it is kept as {job.result}"
    assert Path(job.result).read_bytes().startswith(b"\0\1\2\3")


def test_a_model_of_no_known_kind_is_kept_and_said(tmp_path: Path) -> None:
    def runner(request: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        (Path(request["output_dir"]) / "model.glb").write_bytes(b"\0\1\2\3 some new kind")
        return {"files": {"model_url": "model.glb"}, "values": {}, "facts": {}}

    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        job = rested(runtime, runtime.submit(new_plan(TEXT)))
    assert job.stage is Stage.FAILED
    kept = job.error.rpartition("kept as ")[2]
    assert Path(kept).read_bytes().startswith(b"\0\1\2\3")
    assert Action.RETRY in job.actions


def test_a_splat_that_blender_cannot_show_is_saved_all_the_same(
    runtime: Runtime, converter: InstantConverter, image: str
) -> None:
    converter.errors.append(BlenderFailed("no importer likes it"))
    job = rested(runtime, runtime.submit(plan_for("image_to_splat", image)))
    assert job.stage is Stage.APPLIED
    assert job.text == f"Blender cannot show this splat; the file is {job.result}"
    assert job.result.endswith("model.ply")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"riggable": True, "rig_type": "quadruped"}, "Riggable: quadruped"),
        ({"riggable": True}, "Riggable"),
        ({"riggable": False}, "Not riggable"),
    ],
)
def test_an_answer_is_words(tmp_path: Path, values: dict[str, Any], words: str) -> None:
    def runner(request: Mapping[str, Any], **named: Any) -> dict[str, Any]:
        answer = instant_runner(request, **named)
        return {**answer, "values": values} if request["type"] == "rig_check" else answer

    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        job = rested(runtime, runtime.submit(new_plan(TEXT, StepPlan("rig_check"))))
    assert (job.stage, job.answer) == (Stage.READY, words)
    assert job.files == ()


def test_an_answer_that_is_missing_is_told_and_asked_for_again(tmp_path: Path) -> None:
    def runner(request: Mapping[str, Any], **named: Any) -> dict[str, Any]:
        answer = instant_runner(request, **named)
        return {**answer, "values": {}} if request["type"] == "rig_check" else answer

    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        job = rested(runtime, runtime.submit(new_plan(TEXT, StepPlan("rig_check"))))
    assert job.stage is Stage.FAILED
    assert "gives no answer" in job.error
    assert Action.RETRY in job.actions


def test_a_lost_answer_of_a_job_of_words_is_found_by_its_words(runtime: Runtime, service: LocalService) -> None:
    path = "/v3/generation/text-to-model"
    add_fault(service, "drop_after", path=path)
    job = rested(runtime, runtime.submit(new_plan(TEXT)))
    assert job.stage is Stage.READY, job.error
    assert len(recorded(service, path, "POST")) == 1
    assert Path(job.result).read_bytes() == tiny_glb()


@pytest.mark.parametrize(("delivery", "stage"), [(SCENE, Stage.READY), (Delivery(), Stage.APPLIED)])
def test_a_model_file_that_is_imported_from_a_scene_comes_into_it(
    runtime: Runtime, tmp_path: Path, delivery: Delivery, stage: Stage
) -> None:
    job = rested(runtime, runtime.submit(import_plan(tmp_path, delivery)))
    assert job.stage is stage, job.error
    assert bool(job.result and job.blend) == (stage is Stage.READY)


def test_a_selection_that_is_imported_is_in_the_scene_already(runtime: Runtime, tmp_path: Path) -> None:
    job = rested(runtime, runtime.submit(import_plan(tmp_path, SCENE, selection_plan(tmp_path).source)))
    assert (job.stage, job.result, job.blend) == (Stage.APPLIED, "", "")


def test_an_import_whose_service_sends_no_model_back_is_done(tmp_path: Path) -> None:
    def runner(request: Mapping[str, Any], **named: Any) -> dict[str, Any]:
        return {**instant_runner(request, **named), "files": {}}

    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        job = rested(runtime, runtime.submit(import_plan(tmp_path, SCENE)))
    assert job.stage is Stage.APPLIED, job.error
    assert job.text == "Uploaded; the service sends nothing back that could be brought in"


def import_plan(folder: Path, delivery: Delivery, source: Source | None = None) -> JobPlan:
    model = folder / "model.glb"
    model.write_bytes(tiny_glb())
    source = source or Source(SourceKind.MODEL_FILE, str(model))
    return JobPlan("In", source, (StepPlan("import_model"),), delivery)
