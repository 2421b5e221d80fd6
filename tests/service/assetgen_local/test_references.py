"""What requests to the local engine may refer to: earlier tasks and uploaded files, in every documented form."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from asset_generation.vendor.assetgen.contract import CAPABILITIES, VIEWS, Gives, capability
from asset_generation.vendor.assetgen_local import LocalService
from asset_generation.vendor.assetgen_local.engine.task import Task
from support.requests.bodies import SMALLEST, V31
from support.services.local_engine import add_fault, ask, local_engine, wait_for_end
from support.services.references import RecordingRunner, References, make_references, post, refused, run

WORDS = {"prompt": "a chair", "model_version": V31}


@pytest.fixture(scope="module")
def runner() -> RecordingRunner:
    return RecordingRunner()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, runner: RecordingRunner) -> Iterator[LocalService]:
    with local_engine(tmp_path_factory.mktemp("engine"), runner=runner) as running:
        yield running


@pytest.fixture(scope="module")
def references(service: LocalService) -> References:
    return make_references(service)


# --- references to tasks

NAMED_BY = {
    "multiview_to_model": "original_model_task_id",
    **{
        name: model.source_field
        for name, model in CAPABILITIES.items()
        if model.source_field and name != "import_model"
    },
}
TAKES_IMAGE = {
    "image_to_model": WORDS,
    "image_to_splat": {},
    "image_to_image": {"prompt": "red"},
    "image_to_multiview": {},
}


def referring(references: References, name: str, task: str) -> dict[str, Any]:
    """The smallest body, with another task."""
    return {**references.put_into(name, SMALLEST[name]), str(NAMED_BY[name]): task}


@pytest.mark.parametrize("name", NAMED_BY)
def test_a_source_must_exist_have_succeeded_and_be_of_an_eligible_type(
    service: LocalService, references: References, name: str
) -> None:
    field = NAMED_BY[name]
    refused(service, name, referring(references, name, str(uuid.uuid4())), 404, 2001)
    message = refused(service, name, referring(references, name, f"task_{references.source(name)}"))
    assert f"`{field}` is" in message and "bare UUID" in message
    takes = capability(name).source_takes
    for made_by, task in references.tasks.items():
        gives_model = capability(made_by).gives is Gives.MODEL
        if made_by in takes or (not takes and gives_model):
            assert post(service, name, referring(references, name, task)).status_code == 200
            continue
        message = refused(service, name, referring(references, name, task))
        assert f"`{field}` names a task of the type {capability(made_by).task_type}; allowed: one " in message
        assert ("that gives a model" in message) == (not takes)
        assert all(capability(one).task_type in message for one in takes)


@pytest.mark.parametrize("name", NAMED_BY)
def test_a_source_that_has_not_succeeded_is_refused(service: LocalService, references: References, name: str) -> None:
    made_by = next(one for one, task in references.tasks.items() if task == references.source(name))
    add_fault(service, "task", capability(made_by).endpoint, error_code=2008)
    failed = ask(service, "POST", capability(made_by).endpoint, references.put_into(made_by, SMALLEST[made_by]))[
        "task_id"
    ]
    assert wait_for_end(service, failed)["status"] == "failed"
    message = refused(service, name, referring(references, name, failed))
    assert f"`{NAMED_BY[name]}` names a task that is failed; allowed: one that is success" in message


@pytest.mark.parametrize("name", NAMED_BY)
def test_a_bare_uuid_in_input_is_the_source_too(
    service: LocalService, references: References, runner: RecordingRunner, name: str
) -> None:
    body = referring(references, name, "")
    del body[str(NAMED_BY[name])]
    detail = run(service, name, {**body, "input": references.source(name)})
    assert detail["input"] == {**body, "input": references.source(name)}
    previous = Task.from_request({**runner.requests[detail["task_id"]]}, lambda *_: None).previous
    assert previous is not None and previous.files
    message = refused(service, name, {**body, "input": references.tasks["rig_check"]})
    assert "`input` names a task of the type rig-check" in message


def test_views_of_a_multiview_are_its_images(
    service: LocalService, references: References, runner: RecordingRunner
) -> None:
    source = references.tasks["image_to_multiview"]
    bodies: list[tuple[str, dict[str, Any]]] = [
        ("edit_multiview", {"original_task_id": source, "prompts": [{"view": "left", "prompt": "red"}]}),
        ("multiview_to_model", {"original_model_task_id": source, "model_version": V31, "files": "whatever"}),
        ("multiview_to_model", {"inputs": [{"task_id": source}], "model_version": V31}),
        # Not read here; the reference is the other field.
        ("multiview_to_model", {"inputs": [{"task_id": source}], "model_version": V31, "original_task_id": "x"}),
    ]
    for name, body in bodies:
        task = Task.from_request({**runner.requests[run(service, name, body)["task_id"]]}, lambda *_: None)
        assert set(task.images) == set(VIEWS)
        assert all(path.name == f"{view}.png" and source in path.parts for view, path in task.images.items())
        assert task.source is None and task.previous is not None
        assert task.previous.capability == "image_to_multiview"


@pytest.mark.parametrize("name", TAKES_IMAGE)
def test_the_image_of_a_task_is_an_image(
    service: LocalService, references: References, runner: RecordingRunner, name: str
) -> None:
    source = references.tasks["text_to_image"]
    detail = run(service, name, {**TAKES_IMAGE[name], "input": source})
    task = Task.from_request({**runner.requests[detail["task_id"]]}, lambda *_: None)
    assert task.previous is not None and task.image("file", "input") == task.previous.files["generated_image_url"]
    for made_by in ("import_model", "rig_check", "image_to_multiview"):
        message = refused(service, name, {**TAKES_IMAGE[name], "input": references.tasks[made_by]})
        assert "`input` names a task of the type" in message and "text-to-image or image-to-image" in message


# --- references to files


def image_bodies(references: References, file: Any) -> dict[str, dict[str, Any]]:
    """A body for each field that takes an image."""
    source = references.tasks["import_model"]
    slots = [file, {"file_token": references.image}, {}, {}]
    return {
        "file": {"model_version": V31, "file": file},
        "style_image": {"model_version": V31, "input": references.image, "style_image": file},
        "files.front": {"model_version": V31, "files": slots},
        "ref_image": {"original_model_task_id": source, "ref_image": file},
        "texture_prompt.image": {"original_model_task_id": source, "texture_prompt": {"image": file}},
        "texture_prompt.images": {"original_model_task_id": source, "texture_prompt": {"images": [file] * 4}},
        "files": {"prompt": "red", "files": [{"file_token": references.image}, file]},
    }


IMAGE_FIELDS = {
    "file": "image_to_model",
    "style_image": "image_to_model",
    "files.front": "multiview_to_model",
    "ref_image": "segment",
    "texture_prompt.image": "texture",
    "texture_prompt.images": "texture",
    "files": "image_to_image",
}
FORMS: dict[str, tuple[type, ...]] = {
    "file": (dict,),
    "style_image": (str, dict),
    "files.front": (dict,),
    "ref_image": (str,),
    "texture_prompt.image": (str, dict),  # the API does not show it
    "texture_prompt.images": (str, dict),
    "files": (dict,),
}


@pytest.mark.parametrize("field", IMAGE_FIELDS)
def test_an_image_field_takes_tokens_of_images_that_have_arrived(
    service: LocalService, references: References, runner: RecordingRunner, field: str
) -> None:
    name = IMAGE_FIELDS[field]
    awaited = ask(service, "POST", "/v3/files/presign", {})["file_token"]
    wrong = {
        references.model: "is a glb file; allowed: an image",
        awaited: "no file has been sent",
        f"file_{uuid.uuid4()}": "is not valid or has expired",
        "v2.encrypted": "is not valid or has expired",
    }

    def forms(token: str) -> list[Any]:
        return [form for form in (token, {"type": "png", "file_token": token}) if isinstance(form, FORMS[field])]

    for token, words in wrong.items():
        for form in forms(token):
            message = refused(service, name, image_bodies(references, form)[field])
            assert f"`{field}`" in message and words in message
    url = "https://example.invalid/a.png"
    for form in (url, {"type": "png", "url": url}, {"object": {"bucket": "elsewhere", "key": "a.png"}}):
        message = refused(service, name, image_bodies(references, form)[field])
        assert f"`{field}`" in message
    for form in ({"data": "aGVsbG8="}, {"type": "png"}, "data:image/png;base64,aGVsbG8=", "http://a/b.png", 5):
        message = refused(service, name, image_bodies(references, form)[field])
        assert field.split(".")[0] in message
    # A bare UUID was a token once.
    assert field in refused(service, name, image_bodies(references, references.image.removeprefix("file_"))[field])

    stored = [{"object": {"bucket": "local", "key": references.image}}] if dict in FORMS[field] else []
    for form in (*forms(references.image), *stored):
        detail = run(service, name, image_bodies(references, form)[field])
        images = Task.from_request({**runner.requests[detail["task_id"]]}, lambda *_: None).images[
            field.rpartition(".")[2]
        ]
        for path in images if isinstance(images, list) else [images]:
            assert path.name == f"{references.image}.png" and path.is_file()


@pytest.mark.parametrize("field", [field for field, forms in FORMS.items() if len(forms) == 1])
def test_a_file_has_the_form_that_the_api_shows_and_no_other(
    service: LocalService, references: References, field: str
) -> None:
    other = references.image if dict in FORMS[field] else {"type": "png", "file_token": references.image}
    message = refused(service, IMAGE_FIELDS[field], image_bodies(references, other)[field])
    allowed = "a file object with" if dict in FORMS[field] else "a file token (file_<uuid>) or an https URL"
    assert field in message and (allowed in message or field == "files")


@pytest.mark.parametrize("name", ["image_to_model", "image_to_splat", "image_to_image", "image_to_multiview"])
def test_base64_as_file_is_400_and_says_what_a_file_must_specify(service: LocalService, name: str) -> None:
    message = refused(service, name, {**TAKES_IMAGE[name], "file": {"type": "png", "data": "aGVsbG8="}})
    assert "must specify url, object or file_token" in message


def test_views_come_in_every_documented_form(
    service: LocalService, references: References, runner: RecordingRunner
) -> None:
    token = references.image
    file = {"type": "png", "file_token": token}
    forms: list[tuple[dict[str, Any], set[str]]] = [
        ({"files": [file, {}, file, {}]}, {"front", "back"}),
        ({"files": [file] * 4}, set(VIEWS)),
        ({"inputs": [token, token]}, {"front", "left"}),
        ({"inputs": [{"front": token}, {"right": file}]}, {"front", "right"}),
        ({"inputs": [{"view": "front", **file}, {"view": "back", **file}]}, {"front", "back"}),
    ]
    for form, views in forms:
        detail = run(service, "multiview_to_model", {"model_version": V31, **form})
        assert set(runner.requests[detail["task_id"]]["images"]) == views
