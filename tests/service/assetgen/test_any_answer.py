"""Whatever is answered to whichever call: a valid answer or a typed error, never anything else."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asset_generation.vendor.assetgen import AssetGenError, Client, InvalidAnswerError
from asset_generation.vendor.assetgen.contract import Decimate, ErrorCode
from hypothesis import given, settings
from support.fuzz.answers import replies
from support.services.scripted_service import KEY, Reply, Script, ScriptedServer, failure, ok

LONGEST_TEXT = 6000
TASK = {
    "task_id": "a-b",
    "type": "decimate-model",
    "status": "success",
    "progress": 100,
    "input": {"prompt": "a chair"},
    "output": {
        "model_url": "https://host.example/m.glb",
        "generate_multiview_image": {"front": "https://host.example/f"},
    },
    "created_at": "2026-01-01T00:00:00Z",
    "completed_at": "2026-01-01T00:00:00Z",
    "credits_consumed": 1.5,
    "error_code": 2008,
    "error_message": "no",
}
ROW = {"task_id": "a-b", "type": "t", "status": "s", "created_at": "2026-01-01T00:00:00Z", "credits_consumed": 1.5}


def create(client: Client) -> Any:
    created = client.tasks.create(Decimate(original_model_task_id="src"))
    assert created.task_id.strip(), "a task without an id cannot be waited for"
    created.task_id.encode()
    return created


def read_rows(client: Client) -> Any:
    return list(itertools.islice(client.account.usage_rows(), 500))


def read_many(client: Client) -> Any:
    found = client.tasks.list(["a-b", "c"])
    for task in found.tasks.values():
        assert task.is_final in (True, False)
        assert task.output is None or isinstance(task.output.links(), dict)
    return found


CALLS: dict[str, tuple[str, str, Any, Callable[[Client], Any]]] = {
    "balance": ("GET", "/v3/account/balance", {"balance": 1.5, "frozen": 0}, lambda client: client.account.balance()),
    "usage": ("GET", "/v3/account/usage", {"items": [ROW, ROW]}, lambda client: client.account.usage()),
    "usage_rows": ("GET", "/v3/account/usage", [ROW], read_rows),
    "create": ("POST", Decimate.endpoint, {"task_id": "a-b", "type": "t", "status": "queued"}, create),
    "retrieve": ("GET", "/v3/tasks/a-b", TASK, lambda client: client.tasks.retrieve("a-b")),
    "list": ("POST", "/v3/tasks/list", {"tasks": {"a-b": TASK}, "missed": ["c"]}, read_many),
    "wait": ("GET", "/v3/tasks/a-b", TASK, lambda client: client.tasks.wait("a-b", timeout=0)),
    "presign": (
        "POST",
        "/v3/files/presign",
        {"upload_url": "https://host.example/u", "file_token": "file_1", "expires_in": 1800},
        lambda client: client.files.presign("glb"),
    ),
    "credentials": (
        "POST",
        "/v3/files/upload-credentials",
        {"file_token": "file_1", "bucket": "b"},
        lambda client: client.files.upload_credentials(),
    ),
    "upload": ("POST", "/v3/files", {"file_token": "file_1"}, lambda client: client.files.upload(Path(__file__))),
}


def judge(error: AssetGenError) -> None:
    """The errors' texts go into the journal, into logs and onto the screen."""
    for text in (str(error), repr(error), error.message, error.request_id):
        text.encode()
        assert len(text) <= LONGEST_TEXT
        assert KEY not in text


@pytest.mark.parametrize("name", CALLS)
def test_any_answer_is_read_or_refused(server: ScriptedServer, name: str) -> None:
    method, path, good, call = CALLS[name]
    with server.script() as script, Client(KEY, script.base_url, max_retries=1, sleep=lambda _: None) as client:
        # Each is a request over the loopback: a night has room for fewer of them than of others.
        @settings(max_examples=min(500, settings().max_examples))
        @given(reply=replies(good))
        def ask(reply: Reply) -> None:
            script.requests.clear()
            script.handle(method, path, lambda _: reply)
            try:
                str(call(client))
            except AssetGenError as error:
                judge(error)
                if name == "create" and not error.may_have_arrived:
                    assert surely_refused(reply), f"{reply} may be of a task that exists"

        ask()


def surely_refused(reply: Reply) -> bool:
    """Whether an answer says, surely, that no task was made: the money rules, without a look at the code."""
    if reply.status >= 500 or reply.status in (408, 499):
        return False  # the service or a proxy gave up on a request that it had taken
    code = code_of(reply.body)
    if code == ErrorCode.SUCCESS:
        return False
    if reply.status < 300:
        return code in set(ErrorCode)  # in the words of the API, nobody else's
    return True


def code_of(body: bytes) -> int | None:
    try:
        code = json.loads(body)["code"]
        return int(code) if isinstance(code, str) and len(code) < 20 else code if type(code) is int else None
    except (ValueError, RecursionError, KeyError, TypeError, IndexError):
        return None


def test_an_answer_that_is_nested_without_end_is_no_answer(service: Script, client: Client) -> None:
    for body in (b"[" * 100_000, b'{"code":0,"data":' + b"[" * 100_000):
        service.reply("POST", Decimate.endpoint, Reply(body=body))
        with pytest.raises(AssetGenError) as caught:
            create(client)
        assert caught.value.may_have_arrived


def test_a_task_without_an_id_is_no_task_but_a_lost_answer(service: Script, client: Client) -> None:
    for task_id in ("", " \n", None):
        service.reply("POST", Decimate.endpoint, ok({"task_id": task_id, "type": "t", "status": "queued"}))
        with pytest.raises(InvalidAnswerError) as caught:
            create(client)
        assert caught.value.may_have_arrived


def test_a_new_task_is_known_by_its_id_alone(service: Script, client: Client) -> None:
    service.reply("POST", Decimate.endpoint, ok({"task_id": "a-b", "type": None, "status": {"state": "queued"}}))
    assert create(client).task_id == "a-b"


@pytest.mark.parametrize(
    ("reply", "may_have_arrived"),
    [
        (Reply(404, b'{"code":0,"data":{"task_id":"a-b"}}'), True),
        (failure(200, 7777), True),
        (failure(200, ErrorCode.INSUFFICIENT_CREDITS), False),
        (failure(404, 7777), False),
        (Reply(499, b"client closed the request"), True),
    ],
)
def test_only_a_refusal_says_that_nothing_was_made(
    service: Script, client: Client, reply: Reply, may_have_arrived: bool
) -> None:
    service.reply("POST", Decimate.endpoint, reply)
    with pytest.raises(AssetGenError) as caught:
        create(client)
    assert caught.value.may_have_arrived is may_have_arrived


def test_missed_tasks_of_another_form_are_none(service: Script, client: Client) -> None:
    service.reply("POST", "/v3/tasks/list", ok({"tasks": {"a-b": TASK}, "missed": 5}))
    assert list(read_many(client).tasks) == ["a-b"]


def test_a_code_of_thousands_of_digits_is_no_code(service: Script, client: Client) -> None:
    service.reply("GET", "/v3/account/balance", Reply(400, b'{"code":"' + b"9" * 5000 + b'"}'))
    with pytest.raises(InvalidAnswerError):
        client.account.balance()


def test_a_message_fits_into_the_journal(service: Script, client: Client) -> None:
    service.reply("GET", "/v3/account/balance", failure(400, 1004, "\ud800" + "x" * 100_000))
    with pytest.raises(AssetGenError) as caught:
        client.account.balance()
    judge(caught.value)


def test_cookies_are_not_kept(service: Script, client: Client) -> None:
    service.reply("GET", "/v3/account/balance", ok({"balance": 1}, set_cookie="a=\xe9"), ok({"balance": 2}))
    assert [client.account.balance().balance for _ in range(2)] == [1, 2]
    assert "cookie" not in service.requests[1].headers
