from __future__ import annotations

import io
import json
import os
import stat
import sys
import threading
import zipfile
from pathlib import Path

import pytest
from asset_generation.addon.core import text_values
from asset_generation.addon.core.errors import BadRequest, BrokenResult
from asset_generation.addon.core.paths import Locations, default_data_dir, file_name
from asset_generation.addon.core.requests.build import build
from asset_generation.addon.core.requests.file_checks import check_file
from asset_generation.addon.core.service.api_keys import KeyOrigin, KeyStore
from asset_generation.addon.core.stages import zip_files
from asset_generation.addon.core.stages.save_copies import save_copies
from asset_generation.addon.core.stages.task_files import file_names
from asset_generation.vendor.assetgen.contract import IMAGE_FORMATS, MODEL_FORMATS
from support.services.local_engine import tiny_glb


def archive(name: str) -> bytes:
    """A ZIP with one small file of that name."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as content:
        content.writestr(name, "content")
    return packed.getvalue()


GOOD = {
    "glb": tiny_glb(),
    "png": b"\x89PNG\r\n\x1a\n....",
    "jpg": b"\xff\xd8\xff\xe0....",
    "jpeg": b"\xff\xd8\xff\xe0....",
    "webp": b"RIFF\0\0\0\0WEBPVP8 ",
    "bmp": b"BM......",
    "tiff": b"II*\0....",
    "obj": b"v 0 0 0\n",
    "fbx": b"Kaydara FBX Binary  \0",
    "stl": b"solid x\nfacet normal 0 0 1\n",
    "3mf": archive("3D/3dmodel.model"),
    "usdz": archive("scene.usdc"),
}


@pytest.mark.parametrize("extension", sorted({*IMAGE_FORMATS, *MODEL_FORMATS}))
def test_every_format_is_known_by_its_content(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"file.{extension.upper()}"
    path.write_bytes(GOOD[extension])
    assert check_file(str(path), (extension,)) == path
    if extension != "obj":
        path.write_bytes(b"\0<html>not that</html>")
        with pytest.raises(BadRequest, match="whatever its name says") as caught:
            check_file(str(path), (extension,), field="image")
        assert caught.value.field == "image"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("model.txt", b"x", r"\.txt file; this takes glb"),
        ("model", b"x", "without an extension"),
        ("gone.glb", None, "There is no file"),
        ("empty.glb", b"", "is empty"),
    ],
)
def test_what_cannot_be_uploaded_is_refused(tmp_path: Path, name: str, content: bytes | None, words: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadRequest, match=words):
        check_file(str(path), ("glb",))


@pytest.mark.parametrize("name", ["scan.tif", "scan.TIF", "scan.tiff"])
def test_both_names_of_a_tiff_are_taken(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(GOOD["tiff"])
    assert check_file(str(path), IMAGE_FORMATS) == path
    body = build("image_to_splat", {"file": str(path)}, tokens={str(path): "file_i"}).body()
    assert body == {"file": {"type": "tiff", "file_token": "file_i"}}


# Several paths in one text


@pytest.mark.parametrize(
    "items",
    [
        ["a.png"],
        ["/a b/c.png", "image:Käse"],
        ["a;b.png", "c.png", "d;e;f.png"],
        ['say "hi".png', '"quoted".png', '"; ".png', "C:\\x;y\\a.png"],
        [],
    ],
)
def test_paths_that_hold_the_separator_come_out_as_they_went_in(items: list[str]) -> None:
    assert text_values.split(text_values.join(items, ";"), ";") == items


def test_a_list_is_read_as_people_write_it() -> None:
    assert text_values.split(" a.png;;b.png ; ", ";") == ["a.png", "b.png"]
    assert text_values.split('Arm, "Leg, left" ,Head', ",") == ["Arm", "Leg, left", "Head"]
    assert text_values.split('"open, end', ",") == ['"open', "end"]


@pytest.mark.skipif(sys.platform == "win32", reason="a folder opens differently there")
def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "folder.glb").mkdir()
    with pytest.raises(BadRequest, match="cannot be read"):
        check_file(str(tmp_path / "folder.glb"), ("glb",))


# Names


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Suzanne", "Suzanne"),
        ("../../etc/passwd", "etc_passwd"),
        ("a:b*c?", "a_b_c"),
        ("Ä rot", "Ä rot"),
        ("...", "result"),
        ("", "result"),
        ("x" * 200, "x" * 60),
    ],
)
def test_a_jobs_name_becomes_a_safe_file_name(words: str, name: str) -> None:
    assert file_name(words) == name


def test_keys_that_the_service_made_up_become_names_of_their_own() -> None:
    names = file_names(["front_view", "model", "../../etc/passwd", "a/b", "a_b", "A_B", ""])
    assert names["front_view"] == "front_view"
    assert names["model"] == "model_", "the model's own file has that name"
    assert len({name.lower() for name in names.values()}) == len(names)
    assert all("/" not in name and not name.startswith(".") for name in names.values())


def test_copies_get_one_name_together_and_never_one_that_is_there(tmp_path: Path) -> None:
    source = tmp_path / "model.glb"
    source.write_bytes(b"model")
    view = tmp_path / "view.png"
    view.write_bytes(b"view")
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "Chair_front_view.png").write_bytes(b"mine")
    made = save_copies({"model": source, "front_view": view}, "model", folder, "Chair")
    assert made == [folder / "Chair-2.glb", folder / "Chair-2_front_view.png"]
    assert (folder / "Chair_front_view.png").read_bytes() == b"mine"
    assert not (folder / "Chair.glb").exists()


def test_copies_that_cannot_be_made_leave_nothing_behind(tmp_path: Path) -> None:
    source = tmp_path / "model.glb"
    source.write_bytes(b"model")
    folder = tmp_path / "out"
    with pytest.raises(FileNotFoundError):
        save_copies({"model": source, "front_view": tmp_path / "gone.png"}, "model", folder, "Chair")
    assert list(folder.iterdir()) == []


def test_jobs_that_end_at_once_never_overwrite_each_other(tmp_path: Path) -> None:
    sources = []
    for number in range(8):
        sources.append(tmp_path / f"{number}.glb")
        sources[-1].write_bytes(bytes([number]))
    folder = tmp_path / "out"
    start = threading.Barrier(len(sources))

    def run(path: Path) -> None:
        start.wait()
        save_copies({"model": path}, "model", folder, "Chair")

    threads = [threading.Thread(target=run, args=(path,)) for path in sources]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {path.read_bytes() for path in folder.iterdir()} == {bytes([number]) for number in range(8)}


def test_the_data_folder_is_the_users_own() -> None:
    assert default_data_dir().name == "asset-generation"
    assert default_data_dir().is_absolute()
    assert Locations(Path("/d")).results("j") == Path("/d/results/j")


# Keys


class FakeKeyring:
    def __init__(self, *, broken: bool = False) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.broken = broken

    def get_password(self, service: str, name: str) -> str | None:
        if self.broken:
            raise OSError("no session bus")
        return self.kept.get((service, name))

    def set_password(self, service: str, name: str, value: str) -> None:
        if self.broken:
            raise OSError("no session bus")
        self.kept[service, name] = value

    def delete_password(self, service: str, name: str) -> None:
        del self.kept[service, name]


def test_the_environment_wins_over_keyring_and_file(tmp_path: Path) -> None:
    keyring = FakeKeyring()
    KeyStore(tmp_path, environment={}, keyring=None).store("a.example", "from-file")
    assert KeyStore(tmp_path, environment={}, keyring=keyring).find("a.example") == ("from-file", KeyOrigin.FILE)
    keyring.set_password("asset-generation", "a.example", "from-keyring")
    assert KeyStore(tmp_path, environment={}, keyring=keyring).find("a.example")[1] is KeyOrigin.KEYRING
    store = KeyStore(tmp_path, environment={"ASSETGEN_API_KEY": "from-environment"}, keyring=keyring)
    assert store.find("a.example") == ("from-environment", KeyOrigin.ENVIRONMENT)


def test_a_key_belongs_to_one_host(tmp_path: Path) -> None:
    store = KeyStore(tmp_path, environment={}, keyring=None)
    store.store("a.example", " secret ")
    assert store.find("a.example") == ("secret", KeyOrigin.FILE)
    assert store.find("b.example") == ("", KeyOrigin.NOWHERE)
    store.store("a.example", "")
    assert store.find("a.example") == ("", KeyOrigin.NOWHERE)


@pytest.mark.skipif(os.name == "nt", reason="modes mean little there")
def test_only_the_user_can_read_the_file(tmp_path: Path) -> None:
    previous = os.umask(0)
    try:
        KeyStore(tmp_path / "new", environment={}, keyring=None).store("a.example", "secret")
    finally:
        os.umask(previous)
    (path,) = (tmp_path / "new").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_keyring_that_works_is_used_and_the_file_cleared(tmp_path: Path) -> None:
    KeyStore(tmp_path, environment={}, keyring=None).store("a.example", "old")
    store = KeyStore(tmp_path, environment={}, keyring=FakeKeyring())
    assert store.store("a.example", "new") is KeyOrigin.KEYRING
    assert "new" not in (tmp_path / "keys.json").read_text()
    assert "old" not in (tmp_path / "keys.json").read_text()
    store.forget("a.example")
    assert store.find("a.example") == ("", KeyOrigin.NOWHERE)


def test_a_keyring_that_refuses_is_no_reason_to_lose_the_key(tmp_path: Path) -> None:
    store = KeyStore(tmp_path, environment={}, keyring=FakeKeyring(broken=True))
    assert store.store("a.example", "secret") is KeyOrigin.FILE
    assert store.find("a.example") == ("secret", KeyOrigin.FILE)


def test_a_damaged_file_is_no_key(tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text("[1, 2", encoding="utf-8")
    assert KeyStore(tmp_path, environment={}, keyring=None).find("a.example") == ("", KeyOrigin.NOWHERE)


# Archives


def archive(tmp_path: Path, **files: bytes | str) -> Path:
    path = tmp_path / "model.zip"
    with zipfile.ZipFile(path, "w") as file:
        for name, content in files.items():
            file.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return path


def test_the_model_is_found_with_its_companions(tmp_path: Path) -> None:
    found = zip_files.unpack(archive(tmp_path, model__a_dot_obj=b"v 0 0 0", model__a_dot_mtl=b"x", readme_dot_txt=b"x"))
    assert found.name == "a.obj"
    assert found.with_suffix(".mtl").exists()
    assert not list(tmp_path.rglob("readme.txt"))


def test_what_is_no_archive_or_has_no_model_is_broken(tmp_path: Path) -> None:
    path = tmp_path / "model.zip"
    path.write_bytes(b"PK\x03\x04 not really")
    with pytest.raises(BrokenResult, match="cannot be unpacked"):
        zip_files.unpack(path)
    with pytest.raises(BrokenResult, match="no model"):
        zip_files.unpack(archive(tmp_path, a_dot_png=b"x"))


def test_nothing_is_written_outside_the_folder(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    path = inner / "model.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("../../escaped.glb", b"x")
    with pytest.raises(BrokenResult, match="outside its folder"):
        zip_files.unpack(path)
    assert not (tmp_path / "escaped.glb").exists()


@pytest.mark.parametrize(("uri", "good"), [("a.bin", True), ("../../a.bin", False), ("/etc/passwd", False)])
def test_a_gltf_may_only_refer_to_its_own_folder(tmp_path: Path, uri: str, good: bool) -> None:
    path = archive(tmp_path, m_dot_gltf=json.dumps({"buffers": [{"uri": uri}]}), a_dot_bin=b"x")
    if good:
        assert zip_files.unpack(path).name == "m.gltf"
    else:
        with pytest.raises(BrokenResult, match="outside itself"):
            zip_files.unpack(path)
