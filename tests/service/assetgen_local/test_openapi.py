"""The local engine against its own OpenAPI document: requests made up from it, good and bad, and every answer checked.

Fixed examples (derandomised), so that a run says the same each time.
"""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import pytest
import schemathesis
from asset_generation.vendor.assetgen.contract import CAPABILITIES
from asset_generation.vendor.assetgen_local import LocalService
from asset_generation.vendor.assetgen_local.api.openapi import document
from hypothesis import HealthCheck, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from support.requests.bodies import SMALLEST
from support.services.local_engine import KEY, add_fault, ask, local_engine, wait_for_end
from support.services.plain_http import plain
from support.services.references import References, make_references

BEARER = {"Authorization": f"Bearer {KEY}"}
ALWAYS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# The key is left out of what is made up: who may ask is what test_local_envelope.py is about.
SCHEMA = schemathesis.openapi.from_dict({key: value for key, value in document().items() if key != "security"})
OPERATIONS: dict[str, APIOperation[Any, Any, Any]] = {
    found.ok().definition.raw["operationId"]: found.ok() for found in SCHEMA.get_all_operations()
}
REFERENCES = (
    *("file", "files", "input", "inputs", "style_image", "ref_image", "texture_prompt"),
    *("original_model_task_id", "draft_model_task_id", "original_task_id"),
)
TAKE_ANYTHING = ("read_task", "presign", "upload_credentials", "read_balance")
"""Operations to which nothing can be sent that their description forbids."""

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
FEW = settings(derandomize=True, database=None, deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalService]:
    with local_engine(tmp_path_factory.mktemp("engine")) as running:
        yield running


@pytest.fixture(scope="module")
def references(service: LocalService) -> References:
    return make_references(service)


def test_every_route_is_described_and_no_key_is_needed_to_read_it(service: LocalService) -> None:
    answer = plain.get(f"{service.base_url}/openapi.json")
    assert answer.status_code == 200 and answer.json() == document()
    assert {model.endpoint for model in CAPABILITIES.values()} < set(answer.json()["paths"])
    assert set(CAPABILITIES) < set(OPERATIONS)


def test_it_is_there_without_faults(tmp_path: Any) -> None:
    with local_engine(tmp_path, faults=False) as service:
        assert plain.get(f"{service.base_url}/openapi.json").json() == document()
        assert plain.post(f"{service.base_url}/openapi.json").status_code == 405


@pytest.mark.parametrize("name", OPERATIONS)
def test_good_requests_are_answered_as_described(service: LocalService, references: References, name: str) -> None:
    seen: set[int] = set()

    @FEW
    @given(case=OPERATIONS[name].as_strategy(generation_mode=GenerationMode.POSITIVE))
    def send(case: Case) -> None:
        refer(case, name, references)
        answer = case.call_and_validate(base_url=service.base_url, headers=BEARER, checks=ALWAYS)
        seen.add(answer.status_code)

    send()
    assert HTTPStatus.OK in seen or name == "read_task", "nothing of what was asked was any good"


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name not in TAKE_ANYTHING])
def test_bad_requests_are_refused_as_described(service: LocalService, name: str) -> None:
    checks = [*ALWAYS, negative_data_rejection]

    @FEW
    @given(case=OPERATIONS[name].as_strategy(generation_mode=GenerationMode.NEGATIVE))
    def send(case: Case) -> None:
        case.call_and_validate(base_url=service.base_url, headers=BEARER, checks=checks)

    send()


def test_tasks_of_every_kind_are_as_described(service: LocalService, references: References) -> None:
    add_fault(service, "task", status="cancelled")
    cancelled = ask(service, "POST", "/v3/generation/text-to-image", {"prompt": "a"})["task_id"]
    add_fault(service, "task", error_code=2008)
    failed = ask(service, "POST", "/v3/generation/text-to-image", {"prompt": "a"})["task_id"]
    ids = [*references.tasks.values(), cancelled, failed]
    assert [wait_for_end(service, task)["status"] for task in ids[-2:]] == ["cancelled", "failed"]
    read, read_many = OPERATIONS["read_task"], OPERATIONS["read_tasks"]
    cases = [read.Case(path_parameters={"task_id": task}) for task in ids]
    cases += [read_many.Case(body={"task_ids": ids}, media_type="application/json"), OPERATIONS["read_usage"].Case()]
    for case in cases:
        assert case.call_and_validate(base_url=service.base_url, headers=BEARER, checks=ALWAYS).status_code == 200


@pytest.mark.parametrize("path", document()["paths"])
def test_other_methods_are_refused_in_the_envelope(service: LocalService, path: str) -> None:
    described = {method.upper() for method in document()["paths"][path] if method.upper() in METHODS}
    for method in sorted(set(METHODS) - described):
        answer = plain.request(method, service.base_url + path.replace("{task_id}", "x"), headers=BEARER)
        assert (answer.status_code, answer.json()["code"]) == (405, 1003), method
        assert answer.json()["request_id"] == answer.headers["x-request-id"]
        assert described <= set(answer.headers["allow"].split(", "))


@pytest.mark.parametrize("path", document()["paths"])
def test_nothing_is_done_without_the_key(service: LocalService, path: str) -> None:
    for method in document()["paths"][path]:
        if method.upper() in METHODS:
            answer = plain.request(method, service.base_url + path.replace("{task_id}", "x"))
            assert (answer.status_code, answer.json()["code"]) == (401, 2)


def refer(case: Case, name: str, references: References) -> None:
    """Puts things that exist where the document can only say "a text", and what a rule asks for in words only."""
    if name in CAPABILITIES and isinstance(case.body, dict):
        for field in REFERENCES:
            case.body.pop(field, None)
        case.body.update(references.put_into(name, SMALLEST[name]))
