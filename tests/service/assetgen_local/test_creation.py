"""The local engine's creation endpoints: what each accepts, gives and costs, and when it says no."""

from __future__ import annotations

import ast
import threading
import uuid
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from asset_generation.vendor import assetgen_local
from asset_generation.vendor.assetgen.contract import (
    CAPABILITIES,
    MARKER_FIELD,
    VIEWS,
    Category,
    Gives,
    RateGroup,
    Region,
    TaskDetail,
    capability,
)
from asset_generation.vendor.assetgen_local import LocalService
from asset_generation.vendor.assetgen_local.background.engine import capabilities
from asset_generation.vendor.assetgen_local.options import DEFAULT_PRICES
from support.requests.bodies import LARGEST, P1, P2, SMALLEST, TYPES, V31
from support.services.local_engine import KEY, ask, instant_runner, local_engine, wait_for_end
from support.services.plain_http import plain
from support.services.references import RecordingRunner, References, make_references, post, refused, run

BEARER = {"Authorization": f"Bearer {KEY}"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalService]:
    with local_engine(tmp_path_factory.mktemp("engine")) as running:
        yield running


@pytest.fixture(scope="module")
def references(service: LocalService) -> References:
    return make_references(service)


# --- what is accepted


@pytest.mark.parametrize("bodies", [SMALLEST, LARGEST], ids=["smallest", "largest"])
@pytest.mark.parametrize("name", CAPABILITIES)
def test_what_the_api_documents_is_accepted_and_echoed(
    service: LocalService, references: References, name: str, bodies: Mapping[str, Any]
) -> None:
    body = references.put_into(name, bodies[name])
    detail = run(service, name, body)
    assert detail["type"] == TYPES.get(name, capability(name).task_type)
    assert detail["input"] == body


@pytest.mark.parametrize("name", CAPABILITIES)
def test_the_output_is_what_the_capability_gives(service: LocalService, references: References, name: str) -> None:
    output = run(service, name, references.put_into(name, SMALLEST[name]))["output"]
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
        assert plain.get(link).status_code == 200


def test_whatever_a_result_has_beside_its_model_is_linked(tmp_path: Path) -> None:
    beside = {
        "rendered_image_url": ("preview.png", "image/png"),
        "rendered_video_url": ("video.mp4", "video/mp4"),
        "rendered_sequence_url": ("sequence.zip", "application/"),
        "multiview_basecolor_url": ("views.png", "image/png"),
    }

    def runner(request: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        answer = instant_runner(request, **more)
        for key, (name, _) in beside.items():
            (Path(request["output_dir"]) / name).write_bytes(b"content")
            answer["files"][key] = name
        return answer

    with local_engine(tmp_path, runner=runner) as service:
        output = run(service, "text_to_model", {"prompt": "a", "model_version": V31})["output"]
        assert set(output) == {"model_url", *beside}
        for key, (_, kind) in beside.items():
            answer = plain.get(output[key])
            assert answer.content == b"content" and answer.headers["content-type"].endswith(
                kind.removeprefix("application/")
            )


# --- what has no geometry yet


def test_what_has_geometry_is_known_without_blender() -> None:
    assert {"import_model", "decimate", "texture", "convert"} <= capabilities() <= set(CAPABILITIES)
    folder = Path(assetgen_local.__file__).parent / "engine" / "capabilities"
    for name in capabilities():
        module = ast.parse((folder / f"{name}.py").read_text(encoding="utf-8"))
        assert "run" in {node.name for node in module.body if isinstance(node, ast.FunctionDef)}, name


def test_without_geometry_a_good_request_is_501_and_costs_nothing(tmp_path: Path) -> None:
    with local_engine(tmp_path) as full:
        references = make_references(full)
        before = ask(full, "GET", "/v3/account/usage"), ask(full, "GET", "/v3/account/balance")
    with local_engine(tmp_path, capabilities=frozenset()) as service:
        for name in CAPABILITIES:
            good = references.put_into(name, SMALLEST[name])
            assert "`priority` is 9" in refused(service, name, {**good, "priority": 9})
            assert "not available in the local engine yet" in refused(service, name, good, 501, 1000)
        assert (ask(service, "GET", "/v3/account/usage"), ask(service, "GET", "/v3/account/balance")) == before


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
        for wrong in (None, "bad", 1):
            assert field in refused(china, "text_to_model", {**body, field: wrong})
        if field != "geometry_quality":
            assert field in refused(china, "text_to_model", {**body, field: True, "texture": False, "pbr": False})
        else:
            assert post(china, "text_to_model", {**body, field: "detailed"}).status_code == 200


def test_p1_begins_with_fewer_faces_than_in_china(tmp_path: Path, service: LocalService) -> None:
    body = {"prompt": "a chair", "model_version": P1, "face_limit": 49}
    assert post(service, "text_to_model", body).status_code == 200
    assert "48 to 20000" in refused(service, "text_to_model", {**body, "face_limit": 47})
    with local_engine(tmp_path, region=Region.CHINA) as china:
        assert "50 to 20000" in refused(china, "text_to_model", body)
        assert post(china, "text_to_model", {**body, "face_limit": 50}).status_code == 200


def test_the_model_version_is_needed_and_its_alias_taken(service: LocalService) -> None:
    assert "`model_version` is missing" in refused(service, "text_to_model", {"prompt": "a chair"})
    detail = run(service, "text_to_model", {"prompt": "a chair", "model": V31})
    assert detail["input"] == {"prompt": "a chair", "model": V31}


def test_an_endless_number_is_no_json(service: LocalService) -> None:
    body = b'{"prompt": "a", "model_version": "' + V31.encode() + b'", "parameters": {"x": 1e999}}'
    headers = {**BEARER, "Content-Type": "application/json"}
    answer = plain.post(f"{service.base_url}/v3/generation/text-to-model", content=body, headers=headers)
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
    service: LocalService, references: References, name: str, more: dict[str, Any], price: int
) -> None:
    body = {**references.put_into(name, SMALLEST[name]), **more}
    assert run(service, name, body)["credits_consumed"] == price


@pytest.mark.parametrize("name", ["convert", "decimate"])
def test_a_marker_is_echoed_and_seen_by_neither_price_nor_engine(tmp_path: Path, name: str) -> None:
    runner = RecordingRunner()
    with local_engine(tmp_path, runner=runner) as service:
        body = make_references(service).put_into(name, SMALLEST[name])
        plain = run(service, name, body)
        marked = run(service, name, {**body, MARKER_FIELD: "m-1"})
    assert marked["input"] == {**body, MARKER_FIELD: "m-1"}
    assert marked["credits_consumed"] == plain["credits_consumed"]
    assert runner.requests[marked["task_id"]]["body"] == runner.requests[plain["task_id"]]["body"]


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
        references = make_references(service)
        before = ask(service, "GET", "/v3/account/balance")
        body = {**references.put_into(name, SMALLEST[name]), **change}
        message = refused(service, name, body, 400, 2008)
        assert f"`{field}`" in message and "rotten" not in message
        assert ask(service, "GET", "/v3/account/balance") == before
        assert run(service, "text_to_image", {"prompt": "a rottenly carved c+"})


def test_results_are_judged_by_the_words_that_they_come_from(tmp_path: Path) -> None:
    def naming(request: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        made = instant_runner(request, **more)
        return {**made, "facts": {"part_names": ["Arm", "weapon"]}} if request["type"] == "segment" else made

    with local_engine(tmp_path, runner=naming, denied_output=("rotten", "weapon", "")) as service:
        egg = run(service, "text_to_model", {"prompt": "an egg", "model_version": V31})["task_id"]
        before = ask(service, "GET", "/v3/account/balance")

        def rejected(name: str, **body: Any) -> None:
            task_id = ask(service, "POST", CAPABILITIES[name].endpoint, body)["task_id"]
            ended = wait_for_end(service, task_id)
            assert (ended["status"], ended["error_code"]) == ("failed", 2008) and "output" not in ended
            assert "rotten" not in ended["error_message"] and ended["credits_consumed"] == 0
            assert ask(service, "GET", "/v3/account/balance") == before
            assert not (tmp_path / "local_engine" / "tasks" / task_id).exists()

        rejected("text_to_model", prompt="a ROTTEN egg", model_version=V31)
        rejected("segment", original_model_task_id=egg)
        assert run(service, "decimate", {"original_model_task_id": egg})["status"] == "success"
    with local_engine(tmp_path, denied_output=("egg",)) as service:  # the words of the task that it works on
        before = ask(service, "GET", "/v3/account/balance")
        rejected("texture", original_model_task_id=egg, texture_prompt={"text": "gold"})


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
