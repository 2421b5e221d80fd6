"""The client against the local engine: the main job over the wire, and the reconciliation that money depends on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from asset_generation.vendor.assetgen import AuthenticationError, Client, ConnectionFailed, NotFoundError
from asset_generation.vendor.assetgen.contract import Decimate, FileObject, ImageToMultiview, ImportModel
from asset_generation.vendor.assetgen.resources.files import Files
from asset_generation.vendor.assetgen_local import LocalService
from support.services.local_engine import KEY, add_fault, local_engine, recorded, tiny_glb, tiny_png
from support.services.plain_http import plain


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalService]:
    with local_engine(tmp_path_factory.mktemp("engine")) as service:
        yield service


@pytest.fixture
def client(engine: LocalService) -> Iterator[Client]:
    with Client(KEY, engine.base_url) as made:
        yield made


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.glb"
    path.write_bytes(tiny_glb())
    return path


def imported(token: str) -> ImportModel:
    return ImportModel(file=FileObject(type="glb", file_token=token))


def test_the_main_job(engine: LocalService, client: Client, model: Path, tmp_path: Path) -> None:
    token = client.files.upload(model)
    brought_in = client.tasks.create(imported(token))
    source = client.tasks.wait(brought_in.task_id, interval=0.02)
    created = client.tasks.create(Decimate(input=source.task_id, face_limit=5000), request_id="intent-1")
    done = client.tasks.wait(created.task_id, interval=0.02)
    assert done.output is not None
    assert done.output.model_url is not None

    path = client.download(done.output.model_url, tmp_path / "results", name="result")
    assert path.name == "result.glb"
    assert path.read_bytes() == tiny_glb()

    (creation,) = recorded(engine, path="/v3/mesh/decimate", method="POST")
    assert creation["request_id"] == "intent-1"
    found = client.tasks.list([source.task_id, created.task_id, "00000000-0000-0000-0000-000000000000"])
    assert set(found.tasks) == {source.task_id, created.task_id}
    assert found.missed == ["00000000-0000-0000-0000-000000000000"]
    assert created.task_id in {row.task_id for row in client.account.usage()}
    assert client.account.balance().frozen == 0
    assert client.rate_limits["mesh"].remaining > 0


def test_a_presigned_upload_is_taken(client: Client, model: Path) -> None:
    token = Files(client._transport, client._links, largest_multipart=1).upload(model)
    created = client.tasks.create(imported(token))
    assert client.tasks.wait(created.task_id, interval=0.02).output is not None


def test_the_links_and_credentials_of_uploads(client: Client, model: Path) -> None:
    link = client.files.presign("glb")
    assert link.file_token.startswith("file_")
    assert link.expires_in is not None
    assert client.files.upload_credentials().file_token.startswith("file_")


def test_a_file_in_the_services_storage_is_named_by_bucket_and_key(client: Client) -> None:
    credentials = client.files.upload_credentials(format="png")
    place = credentials.model_extra or {}
    assert plain.put(place["upload_url"], content=tiny_png()).is_success
    stored = FileObject(object={"bucket": place["bucket"], "key": place["key"]})
    created = client.tasks.create(ImageToMultiview(file=stored))
    assert client.tasks.wait(created.task_id, interval=0.02).input["file"] == {"object": stored.object}


def test_the_usage_is_read_across_pages(client: Client, model: Path) -> None:
    token = client.files.upload(model)
    created = [client.tasks.create(imported(token)).task_id for _ in range(5)]
    rows = [row.task_id for row in client.account.usage_rows(page=2)]
    assert set(created) <= set(rows)
    assert len(rows) == len(set(rows))


def test_a_lost_answer_created_one_task_which_the_usage_shows(
    engine: LocalService, client: Client, model: Path
) -> None:
    token = client.files.upload(model)
    before = {row.task_id for row in client.account.usage()}
    add_fault(engine, "drop_after", path="/v3/models/import", method="POST")
    with pytest.raises(ConnectionFailed) as caught:
        client.tasks.create(imported(token), request_id="intent-lost")
    assert caught.value.may_have_arrived
    sent = [one for one in recorded(engine, path="/v3/models/import") if one["request_id"] == "intent-lost"]
    assert len(sent) == 1
    assert len({row.task_id for row in client.account.usage()} - before) == 1


def test_an_expired_link_is_renewed_by_reading_the_task(
    engine: LocalService, client: Client, model: Path, tmp_path: Path
) -> None:
    created = client.tasks.create(imported(client.files.upload(model)))
    client.tasks.wait(created.task_id, interval=0.02)

    def link() -> str:
        output = client.tasks.retrieve(created.task_id).output
        assert output is not None
        assert output.model_url is not None
        return output.model_url

    add_fault(engine, "expire_link", path="/_files/*", method="GET")
    path = client.download(link(), tmp_path / "results", name="result", renew=link)
    assert path.read_bytes() == tiny_glb()
    reads = recorded(engine, path=f"/v3/tasks/{created.task_id}")
    assert len(reads) >= 3


def test_a_wrong_key_and_an_unknown_task(engine: LocalService, client: Client) -> None:
    with pytest.raises(NotFoundError) as caught:
        client.tasks.retrieve("00000000-0000-0000-0000-000000000000")
    assert caught.value.code == 2001
    with Client("key-of-another-region", engine.base_url) as stranger, pytest.raises(AuthenticationError) as refused:
        stranger.account.balance()
    assert refused.value.status == 401
