"""What the declarations accept, the local engine accepts; what breaks them, it refuses and names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from asset_generation.vendor.assetgen.contract import CAPABILITIES, VIEWS, capability, describe, rules_of
from asset_generation.vendor.assetgen_local import LocalService
from hypothesis import HealthCheck, event, given, settings
from support.requests.bodies import P1, P2, SMALLEST
from support.requests.made_up import bodies, placed, wrong_values
from support.services.local_engine import KEY, local_engine
from support.services.references import References, make_references

FEW = settings(derandomize=True, database=None, deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
FILE = "file_00000000-0000-0000-0000-000000000000"
SLOT = {"file_token": FILE}
RED = {"view": "front", "prompt": "red"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalService]:
    with local_engine(tmp_path_factory.mktemp("engine")) as running:
        yield running


@pytest.fixture(scope="module")
def http(service: LocalService) -> Iterator[httpx.Client]:
    with httpx.Client(verify=False, base_url=service.base_url, headers={"Authorization": f"Bearer {KEY}"}) as client:
        yield client


@pytest.fixture(scope="module")
def references(service: LocalService) -> References:
    return make_references(service)


def refused(http: httpx.Client, name: str, body: dict[str, Any]) -> str:
    """The message of an answer that says no."""
    answer = http.post(capability(name).endpoint, json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, 1004), (body, answer.text)
    message: str = answer.json()["message"]
    return message


@pytest.mark.parametrize("name", CAPABILITIES)
def test_what_the_declaration_accepts_is_accepted(http: httpx.Client, references: References, name: str) -> None:
    model = capability(name)

    @FEW
    @given(body=bodies(name, references))
    def send(body: dict[str, Any]) -> None:
        event(f"{len(body)} fields")
        request = model.model_validate(body)
        wire = request.body()
        # Parts cannot have the texture that PBR, on by default, would force.
        assert set(wire) - {"pbr"} <= set(body), "a body holds what was set and nothing else"
        assert not model.refused(wire)
        answer = http.post(model.endpoint, json=wire)
        assert answer.status_code == 200, answer.text
        assert model.model_validate(wire).body() == wire, "what is sent says the same once more"
        # As a client without our declarations would send it.
        assert http.post(model.endpoint, json=body).status_code == 200

    send()


@pytest.mark.parametrize("name", CAPABILITIES)
def test_every_field_refuses_what_it_does_not_take(http: httpx.Client, references: References, name: str) -> None:
    smallest = references.put_into(name, SMALLEST[name])
    for spec in describe(capability(name)):
        for wrong in wrong_values(spec):
            body = {**smallest, **placed(spec, wrong)}
            if name == "multiview_to_model" and spec.name in VIEWS:  # beside a task they are not even looked at
                body["files"] = [SLOT if view != spec.name else wrong for view in VIEWS]
                del body["original_model_task_id"]
            assert spec.name in refused(http, name, body), (spec.name, wrong)


@pytest.mark.parametrize("name", CAPABILITIES)
def test_what_is_needed_is_missed(http: httpx.Client, references: References, name: str) -> None:
    for spec in describe(capability(name)):
        body = references.put_into(name, SMALLEST[name])
        if (spec.required or spec.name == capability(name).source_field) and spec.path[0] in body:
            del body[spec.path[0]]
            assert spec.path[0] in refused(http, name, body)


BREAKS: list[tuple[str, dict[str, Any], str]] = [
    ("At least one of file and input", {"file": None, "input": None}, "file"),
    ("are not for P1", {"model_version": P1, "quad": True}, "quad"),
    ("are not for P1", {"model_version": P1, "smart_low_poly": True}, "smart_low_poly"),
    ("are not for P1", {"model_version": P1, "geometry_quality": "detailed"}, "geometry_quality"),
    ("face_limit is 500 to 20000 with", {"smart_low_poly": True, "face_limit": 499}, "face_limit"),
    ("face_limit is 500 to 20000 with", {"smart_low_poly": True, "quad": True, "face_limit": 10_001}, "face_limit"),
    ("face_limit is 500 to 20000 with", {"model_version": P1, "face_limit": 20_001}, "face_limit"),
    ("face_limit is 500 to 20000 with", {"model_version": P2, "face_limit": 50_001}, "face_limit"),
    ("face_limit is 500 to 20000 with", {"model_version": P2, "quad": True, "face_limit": 25_001}, "face_limit"),
    ("generate_parts needs texture", {"generate_parts": True}, "texture"),
    ("generate_parts needs texture", {"generate_parts": True, "texture": False, "pbr": True}, "pbr"),
    ("At least one of files, inputs and", {"original_model_task_id": None}, "files"),
    ("four slots", {"original_model_task_id": None, "files": [SLOT, {}, {}, {}]}, "front"),
    ("four slots", {"original_model_task_id": None, "files": [{}, SLOT, SLOT, {}]}, "front"),
    ("four slots", {"original_model_task_id": None, "files": [SLOT, SLOT]}, "files"),
    ("Exactly one of text, image", {"texture_prompt": {"text": "red", "image": FILE}}, "given: text, image"),
    ("Exactly one of text, image", {"texture_prompt": {}}, "text"),
    ("export_vertex_colors is for", {"format": "STL", "export_vertex_colors": True}, "export_vertex_colors"),
    ("Only a file token", {"input": "https://example.invalid/a.glb"}, "input"),
    ("Only a file token", {"input": None, "file": {"url": "https://example.invalid/a.glb"}}, "file"),
    ("Only a file token", {"input": None, "file": {"object": {"bucket": "local", "key": FILE}}}, "file"),
    ("At least one of animation", {"animation": None}, "animation"),
    ("500 to 10000 quads with v2.0", {"quad": True, "face_limit": 10_001}, "face_limit"),
    ("aspect_ratio is for banana", {"model": "seedream_v5", "aspect_ratio": "1:1"}, "aspect_ratio"),
    ("aspect_ratio is for banana", {"model": "banana_pro", "aspect_ratio": "1:8"}, "aspect_ratio"),
    ("At least one of files, file and", {"input": None}, "files"),
    ("prompt is needed unless", {"template": None}, "prompt"),
    ("At most 16 reference", {"input": None, "files": [SLOT] * 5}, "files"),
    ("At most 16 reference", {"input": None, "model": "banana", "files": [SLOT] * 11}, "files"),
    ("prompts has 1 to 4", {"prompts": []}, "prompt"),
    ("prompts has 1 to 4", {"prompts": [RED, RED]}, "prompts"),
    ("prompts has 1 to 4", {"prompts": [{"view": "top", "prompt": "red"}]}, "prompts"),
    ("prompts has 1 to 4", {"prompts": [{"view": "back", "prompt": "w" * 1025}]}, "back"),
]
"""Words of a rule, what breaks it when it is put into the smallest body, and the field that the refusal names."""


@pytest.mark.parametrize(("words", "change", "field"), BREAKS)
def test_a_rule_that_is_broken_is_refused(
    http: httpx.Client, references: References, words: str, change: dict[str, Any], field: str
) -> None:
    names = [name for name, model in CAPABILITIES.items() if any(words in rule for rule in rules_of(model))]
    assert names, "no declaration has this rule any more"
    for name in names:
        body = {**references.put_into(name, SMALLEST[name]), **change}
        assert field in refused(http, name, {key: value for key, value in body.items() if value is not None})


def test_there_is_a_break_for_every_rule() -> None:
    rules = {rule for model in CAPABILITIES.values() for rule in rules_of(model)}
    assert [rule for rule in rules if not any(words in rule for words, _, _ in BREAKS)] == []
