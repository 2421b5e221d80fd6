"""The local engine's creation endpoints: what each accepts, what it may refer to, what it gives, what it costs."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest
from asset_generation.vendor import assetgen_local
from asset_generation.vendor.assetgen.contract import CAPABILITIES, VIEWS, Category, Gives, TaskDetail, capability
from asset_generation.vendor.assetgen_local import LocalService
from asset_generation.vendor.assetgen_local.abilities import abilities, engine_modules
from asset_generation.vendor.assetgen_local.engine.task import Task
from asset_generation.vendor.assetgen_local.options import DEFAULT_PRICES, RateGroup
from asset_generation.vendor.assetgen_local.regions import Region
from support.bodies import LARGEST, P1, P2, SMALLEST, V31
from support.local_engine import KEY, add_fault, ask, instant_runner, local_engine, wait_for_end
from support.references import References, make_references, run

BEARER = {"Authorization": f"Bearer {KEY}"}
WORDS = {"prompt": "a chair", "model_version": V31}


class Recorder:
    """The instant runner, which remembers what it was asked."""

    def __init__(self) -> None:
        self.requests: dict[str, Mapping[str, Any]] = {}

    def __call__(self, request: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        self.requests[request["task_id"]] = request
        return instant_runner(request, **more)


@pytest.fixture(scope="module")
def runner() -> Recorder:
    return Recorder()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, runner: Recorder) -> Iterator[LocalService]:
    with local_engine(tmp_path_factory.mktemp("engine"), runner=runner) as found:
        yield found


@pytest.fixture(scope="module")
def known(service: LocalService) -> References:
    return make_references(service)


def post(service: LocalService, name: str, body: Any) -> httpx.Response:
    return httpx.post(service.base_url + capability(name).endpoint, json=body, headers=BEARER)


def refused(service: LocalService, name: str, body: Any, status: int = 400, code: int = 1004) -> str:
    """The message of an answer that says no."""
    answer = post(service, name, body)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    message: str = answer.json()["message"]
    return message


# --- what is accepted


@pytest.mark.parametrize("bodies", [SMALLEST, LARGEST], ids=["smallest", "largest"])
@pytest.mark.parametrize("name", CAPABILITIES)
def test_what_the_api_documents_is_accepted_and_echoed(
    service: LocalService, known: References, name: str, bodies: Mapping[str, Any]
) -> None:
    body = known.put_into(name, bodies[name])
    detail = run(service, name, body)
    assert detail["type"] == capability(name).task_type
    assert detail["input"] == body


@pytest.mark.parametrize("name", CAPABILITIES)
def test_the_output_is_what_the_capability_gives(service: LocalService, known: References, name: str) -> None:
    output = run(service, name, known.put_into(name, SMALLEST[name]))["output"]
    match capability(name).gives:
        case Gives.ANSWER:
            assert output == {"riggable": True, "rig_type": "biped"}
        case Gives.IMAGES if "multiview" in name:
            views = {f"{view}_view_url" for view in VIEWS}
            assert set(output) == {*views, "generate_multiview_image"}
            assert output["generate_multiview_image"] == {key: output[key] for key in views}
        case Gives.IMAGES:
            assert set(output) == {"generated_image_url", "generated_image", "size"}
            assert output["generated_image"] == output["generated_image_url"]
            assert output["size"] == "1x1"
        case _:
            assert set(output) == {"model_url"}
    read = TaskDetail.model_validate({"task_id": "x", "status": "success", "output": output}).output
    assert read is not None
    for link in read.links().values():
        assert httpx.get(link).status_code == 200


# --- what has no geometry yet


def test_the_table_of_the_engine_is_read_without_blender() -> None:
    assert {"import_model", "decimate", "texture", "convert"} <= abilities() <= set(CAPABILITIES)
    engine = Path(assetgen_local.__file__).parent / "engine"
    for module in engine_modules().values():
        path = engine.joinpath(*module.split("."))
        assert path.with_suffix(".py").is_file() or (path / "__init__.py").is_file(), module


def test_without_geometry_a_good_request_is_501_and_costs_nothing(tmp_path: Path) -> None:
    with local_engine(tmp_path) as full:
        known = make_references(full)
        before = ask(full, "GET", "/v3/account/usage"), ask(full, "GET", "/v3/account/balance")
    with local_engine(tmp_path, abilities=frozenset()) as service:
        for name in CAPABILITIES:
            good = known.put_into(name, SMALLEST[name])
            assert "`priority` is 9" in refused(service, name, {**good, "priority": 9})
            assert "not available in the local engine yet" in refused(service, name, good, 501, 1000)
        assert (ask(service, "GET", "/v3/account/usage"), ask(service, "GET", "/v3/account/balance")) == before


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


def referring(known: References, name: str, task: str) -> dict[str, Any]:
    """The smallest body, with another task."""
    return {**known.put_into(name, SMALLEST[name]), str(NAMED_BY[name]): task}


@pytest.mark.parametrize("name", NAMED_BY)
def test_a_source_must_exist_have_succeeded_and_be_of_an_eligible_type(
    service: LocalService, known: References, name: str
) -> None:
    field = NAMED_BY[name]
    refused(service, name, referring(known, name, str(uuid.uuid4())), 404, 2001)
    message = refused(service, name, referring(known, name, f"task_{known.source(name)}"))
    assert f"`{field}` is" in message and "bare UUID" in message
    takes = capability(name).source_takes
    for made_by, task in known.tasks.items():
        gives_model = capability(made_by).gives is Gives.MODEL
        if made_by in takes or (not takes and gives_model):
            assert post(service, name, referring(known, name, task)).status_code == 200
            continue
        message = refused(service, name, referring(known, name, task))
        assert f"`{field}` names a task of the type {capability(made_by).task_type}; allowed: one " in message
        assert ("that gives a model" in message) == (not takes)
        assert all(capability(one).task_type in message for one in takes)


@pytest.mark.parametrize("name", NAMED_BY)
def test_a_source_that_has_not_succeeded_is_refused(service: LocalService, known: References, name: str) -> None:
    made_by = next(one for one, task in known.tasks.items() if task == known.source(name))
    add_fault(service, "task", capability(made_by).endpoint, error_code=2008)
    failed = ask(service, "POST", capability(made_by).endpoint, known.put_into(made_by, SMALLEST[made_by]))["task_id"]
    assert wait_for_end(service, failed)["status"] == "failed"
    message = refused(service, name, referring(known, name, failed))
    assert f"`{NAMED_BY[name]}` names a task that is failed; allowed: one that is success" in message


@pytest.mark.parametrize("name", NAMED_BY)
def test_a_bare_uuid_in_input_is_the_source_too(
    service: LocalService, known: References, runner: Recorder, name: str
) -> None:
    body = referring(known, name, "")
    del body[str(NAMED_BY[name])]
    detail = run(service, name, {**body, "input": known.source(name)})
    assert detail["input"] == {**body, "input": known.source(name)}
    origin = Task.of({**runner.requests[detail["task_id"]]}, lambda *_: None).origin
    assert origin is not None and origin.files
    message = refused(service, name, {**body, "input": known.tasks["rig_check"]})
    assert "`input` names a task of the type rig-check" in message


def test_views_of_a_multiview_are_its_images(service: LocalService, known: References, runner: Recorder) -> None:
    source = known.tasks["image_to_multiview"]
    bodies: list[tuple[str, dict[str, Any]]] = [
        ("edit_multiview", {"original_task_id": source, "prompts": [{"view": "left", "prompt": "red"}]}),
        ("multiview_to_model", {"original_model_task_id": source, "model_version": V31, "files": "whatever"}),
        ("multiview_to_model", {"inputs": [{"task_id": source}], "model_version": V31}),
        # Not read here; the reference is the other field.
        ("multiview_to_model", {"inputs": [{"task_id": source}], "model_version": V31, "original_task_id": "x"}),
    ]
    for name, body in bodies:
        task = Task.of({**runner.requests[run(service, name, body)["task_id"]]}, lambda *_: None)
        assert set(task.images) == set(VIEWS)
        assert all(path.name == f"{view}.png" and source in path.parts for view, path in task.images.items())
        assert task.source is None and task.origin is not None
        assert task.origin.capability == "image_to_multiview"


@pytest.mark.parametrize("name", TAKES_IMAGE)
def test_the_image_of_a_task_is_an_image(service: LocalService, known: References, runner: Recorder, name: str) -> None:
    source = known.tasks["text_to_image"]
    detail = run(service, name, {**TAKES_IMAGE[name], "input": source})
    task = Task.of({**runner.requests[detail["task_id"]]}, lambda *_: None)
    assert task.origin is not None and task.image("file", "input") == task.origin.files["generated_image_url"]
    for made_by in ("import_model", "rig_check", "image_to_multiview"):
        message = refused(service, name, {**TAKES_IMAGE[name], "input": known.tasks[made_by]})
        assert "`input` names a task of the type" in message and "text-to-image or image-to-image" in message


# --- references to files


def image_bodies(known: References, file: Any) -> dict[str, dict[str, Any]]:
    """A body for each field that takes an image."""
    source = known.tasks["import_model"]
    slots = [file, {"file_token": known.image}, {}, {}]
    return {
        "file": {"model_version": V31, "file": file},
        "style_image": {"model_version": V31, "input": known.image, "style_image": file},
        "files.front": {"model_version": V31, "files": slots},
        "ref_image": {"original_model_task_id": source, "ref_image": file},
        "texture_prompt.image": {"original_model_task_id": source, "texture_prompt": {"image": file}},
        "texture_prompt.images": {"original_model_task_id": source, "texture_prompt": {"images": [file] * 4}},
        "files": {"prompt": "red", "files": [{"file_token": known.image}, file]},
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


@pytest.mark.parametrize("field", IMAGE_FIELDS)
def test_an_image_field_takes_tokens_of_images_that_have_arrived(
    service: LocalService, known: References, runner: Recorder, field: str
) -> None:
    name = IMAGE_FIELDS[field]
    awaited = ask(service, "POST", "/v3/files/presign", {})["file_token"]
    wrong = {
        known.model: "is a glb file; allowed: an image",
        awaited: "no file has been sent",
        f"file_{uuid.uuid4()}": "is not valid or has expired",
        "v2.encrypted": "is not valid or has expired",
    }
    for token, words in wrong.items():
        for form in (token, {"type": "png", "file_token": token}):
            message = refused(service, name, image_bodies(known, form)[field])
            assert f"`{field}`" in message and words in message
    url = "https://example.invalid/a.png"
    for form in (url, {"type": "png", "url": url}, {"object": {"bucket": "elsewhere", "key": "a.png"}}):
        message = refused(service, name, image_bodies(known, form)[field])
        assert f"`{field}`" in message
    for form in ({"data": "aGVsbG8="}, {"type": "png"}, "data:image/png;base64,aGVsbG8=", "http://a/b.png", 5):
        message = refused(service, name, image_bodies(known, form)[field])
        assert field.split(".")[0] in message
    # A bare UUID was a token once.
    assert field in refused(service, name, image_bodies(known, known.image.removeprefix("file_"))[field])

    stored = {"bucket": "local", "key": known.image}
    for form in (known.image, {"type": "png", "file_token": known.image}, {"object": stored}):
        detail = run(service, name, image_bodies(known, form)[field])
        found = Task.of({**runner.requests[detail["task_id"]]}, lambda *_: None).images[field.rpartition(".")[2]]
        for path in found if isinstance(found, list) else [found]:
            assert path.name == f"{known.image}.png" and path.is_file()


@pytest.mark.parametrize("name", ["image_to_model", "image_to_splat", "image_to_image", "image_to_multiview"])
def test_base64_as_file_is_400_and_says_what_a_file_must_specify(service: LocalService, name: str) -> None:
    message = refused(service, name, {**TAKES_IMAGE[name], "file": {"type": "png", "data": "aGVsbG8="}})
    assert "must specify url, object or file_token" in message


def test_views_come_in_every_documented_form(service: LocalService, known: References, runner: Recorder) -> None:
    token = known.image
    file = {"type": "png", "file_token": token}
    forms: list[tuple[dict[str, Any], set[str]]] = [
        ({"files": [file, {}, file, {}]}, {"front", "back"}),
        ({"files": [token, file, token, file]}, set(VIEWS)),
        ({"inputs": [token, token]}, {"front", "left"}),
        ({"inputs": [{"front": token}, {"right": file}]}, {"front", "right"}),
        ({"inputs": [{"view": "front", **file}, {"view": "back", **file}]}, {"front", "back"}),
    ]
    for form, views in forms:
        detail = run(service, "multiview_to_model", {"model_version": V31, **form})
        assert set(runner.requests[detail["task_id"]]["images"]) == views


# --- fields

P1_REFUSED: Mapping[str, Any] = {
    "quad": False,
    "smart_low_poly": False,
    "generate_parts": False,
    "geometry_quality": "standard",
}


@pytest.mark.parametrize(("field", "value"), P1_REFUSED.items())
def test_p1_refuses_what_it_does_not_have_even_when_it_says_nothing(
    tmp_path: Path, service: LocalService, field: str, value: object
) -> None:
    body = {"prompt": "a chair", "model_version": P1}
    assert field in refused(service, "text_to_model", {**body, field: value})
    assert field in refused(service, "text_to_model", {"prompt": "a chair", "model": P1, field: value})
    with local_engine(tmp_path, region=Region.CHINA) as china:
        assert post(china, "text_to_model", {**body, field: value}).status_code == 200
        if field != "geometry_quality":
            assert field in refused(china, "text_to_model", {**body, field: True, "texture": False, "pbr": False})


def test_the_model_version_is_needed_and_its_alias_taken(service: LocalService) -> None:
    assert "`model_version` is missing" in refused(service, "text_to_model", {"prompt": "a chair"})
    detail = run(service, "text_to_model", {"prompt": "a chair", "model": V31})
    assert detail["input"] == {"prompt": "a chair", "model": V31}


def test_an_endless_number_is_no_json(service: LocalService) -> None:
    body = b'{"prompt": "a", "model_version": "' + V31.encode() + b'", "parameters": {"x": 1e999}}'
    headers = {**BEARER, "Content-Type": "application/json"}
    answer = httpx.post(f"{service.base_url}/v3/generation/text-to-model", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, 1003)


# --- prices and pools


@pytest.mark.parametrize(
    ("name", "more", "price"),
    [
        ("text_to_model", {"model_version": P2}, 110),
        ("text_to_model", {"model_version": P2, "texture_quality": "extreme"}, 130),
        ("text_to_model", {"model_version": P2, "texture": False, "pbr": False}, 100),
        ("text_to_model", {}, 20),
        ("convert", {}, 5),
        ("convert", {"export_orientation": "+x", "fbx_preset": "blender"}, 5),
        ("convert", {"face_limit": 100}, 10),
        ("retarget", {}, 10),
        ("retarget", {"animations": ["preset:walk", "preset:run", "preset:jump"]}, 30),
        ("rig_check", {}, 0),
    ],
)
def test_a_task_costs_what_it_should(
    service: LocalService, known: References, name: str, more: dict[str, Any], price: int
) -> None:
    body = {**known.put_into(name, SMALLEST[name]), **more}
    assert run(service, name, body)["credits_consumed"] == price


def test_a_price_that_is_set_goes_before_a_documented_one(tmp_path: Path) -> None:
    with local_engine(tmp_path, prices={"text_to_model": Decimal("0.5")}) as service:
        assert run(service, "text_to_model", {"prompt": "a", "model_version": P2})["credits_consumed"] == 0.5


def test_each_capability_has_a_price() -> None:
    assert set(DEFAULT_PRICES) == {*CAPABILITIES, "convert_complex"}


def test_h_and_p_models_have_pools_of_their_own(tmp_path: Path) -> None:
    go = threading.Event()

    def held(request: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        go.wait(30)
        return instant_runner(request, **more)

    pools = {Category.GENERATION_H: 1, Category.GENERATION_P: 1, Category.IMAGE: 1}
    with local_engine(tmp_path, runner=held, pools=pools) as service:
        for name, version in (("text_to_model", {"model_version": V31}), ("text_to_model", {"model": P2})):
            assert post(service, name, {"prompt": "a", **version}).status_code == 200
            assert "generation_" in refused(service, name, {"prompt": "a", **version}, 429, 2000)
        assert post(service, "text_to_image", {"prompt": "a"}).status_code == 200
        refused(service, "text_to_image", {"prompt": "a"}, 429, 2000)
        go.set()


def test_refine_has_a_rate_of_its_own(tmp_path: Path) -> None:
    rates = {RateGroup.REFINE: 1, RateGroup.GENERATION: 2}
    with local_engine(tmp_path, rates=rates) as service:
        body = {"draft_model_task_id": str(uuid.uuid4())}
        refused(service, "refine", body, 404, 2001)
        refused(service, "refine", body, 429, 1007)
        for _ in range(2):
            assert post(service, "text_to_image", {"prompt": "a"}).status_code == 200
        refused(service, "text_to_model", {"prompt": "a"}, 429, 1007)


# --- moderation and the queue


@pytest.mark.parametrize(
    ("name", "change", "field"),
    [
        ("text_to_model", {"prompt": "a ROTTEN egg"}, "prompt"),
        ("text_to_model", {"negative_prompt": "rotten"}, "negative_prompt"),
        ("text_to_image", {"prompt": "C++"}, "prompt"),
        ("texture", {"texture_prompt": {"text": "rotten wood"}}, "texture_prompt.text"),
        ("edit_multiview", {"prompts": [{"view": "back", "prompt": "very rotten"}]}, "prompts.back"),
    ],
)
def test_denied_words_are_rejected_by_moderation(tmp_path: Path, name: str, change: dict[str, Any], field: str) -> None:
    with local_engine(tmp_path, denied=("rotten", "c++")) as service:
        known = make_references(service)
        before = ask(service, "GET", "/v3/account/balance")
        body = {**known.put_into(name, SMALLEST[name]), **change}
        message = refused(service, name, body, 400, 2008)
        assert f"`{field}`" in message and "rotten" not in message
        assert ask(service, "GET", "/v3/account/balance") == before
        assert run(service, "text_to_image", {"prompt": "a rottenly carved c+"})


def test_what_waits_too_long_expires_and_gives_its_credits_back(tmp_path: Path) -> None:
    go, now = threading.Event(), [1000.0]

    def held(request: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        go.wait(30)
        return instant_runner(request, **more)

    with local_engine(tmp_path, runner=held, workers=1, queue_seconds=60, clock=lambda: now[0]) as service:
        running, first = (ask(service, "POST", "/v3/generation/text-to-image", {"prompt": "a"}) for _ in range(2))
        now[0] += 30
        second = ask(service, "POST", "/v3/generation/text-to-image", {"prompt": "a"})
        now[0] += 30
        third = ask(service, "POST", "/v3/generation/text-to-image", {"prompt": "a"})
        expired = wait_for_end(service, first["task_id"])
        assert (expired["status"], expired["error_code"]) == ("failed", 2018)
        assert "60 s in the queue" in expired["error_message"]
        assert ask(service, "GET", "/v3/account/balance") == {"balance": 999_985, "frozen": 15}
        go.set()
        for task in (running, second, third):
            assert wait_for_end(service, task["task_id"])["status"] == "success"


def test_the_queue_is_looked_at_without_being_asked(tmp_path: Path) -> None:
    go = threading.Event()

    def held(request: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        go.wait(30)
        return instant_runner(request, **more)

    with local_engine(tmp_path, runner=held, workers=1, queue_seconds=0.2) as service:
        _, waiting = (ask(service, "POST", "/v3/generation/text-to-image", {"prompt": "a"}) for _ in range(2))
        assert wait_for_end(service, waiting["task_id"])["error_code"] == 2018
        go.set()
