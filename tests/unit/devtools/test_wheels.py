from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from devtools.environments.targets import SHIPPED, Target
from devtools.packaging import manifest, wheels
from devtools.packaging.wheel_lock import ANY, Wheel, read_wheels, wheel_for, write_wheels
from devtools.terminal import Trouble

LINUX = Target("linux-x64", "3.13")
PURE = wheel_for("idna", "3.10", "idna-3.10-py3-none-any.whl", "a" * 64, LINUX)
BINARY = wheel_for("fast", "1.0", "fast-1.0-cp313-cp313-manylinux_2_17_x86_64.whl", "b" * 64, LINUX)


def test_pure_wheel_is_for_any_target() -> None:
    assert (PURE.platform, PURE.python) == (ANY, ANY)
    assert PURE.targets(SHIPPED) == list(SHIPPED)


def test_binary_wheel_is_for_its_target_only() -> None:
    assert BINARY.targets(SHIPPED) == [LINUX]


def test_wheel_for_several_pythons_is_refused() -> None:
    with pytest.raises(Trouble, match="abi3"):
        wheel_for("x", "1", "x-1-cp38-abi3-win_amd64.whl", "c" * 64, Target("windows-x64", "3.11"))


def test_lock_is_read_as_written_in_an_order_of_its_own(tmp_path: Path) -> None:
    one, other = tmp_path / "one.lock", tmp_path / "other.lock"
    write_wheels(one, [PURE, BINARY])
    write_wheels(other, [BINARY, PURE, PURE])
    assert read_wheels(one) == [BINARY, PURE]
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    "text", ["[[wheel]\n", "", '[[wheel]]\nname = "x"\n'], ids=["broken", "empty", "a table that lacks keys"]
)
def test_broken_lock_is_trouble(tmp_path: Path, text: str) -> None:
    (tmp_path / "wheels.lock").write_text(text, encoding="utf-8")
    with pytest.raises(Trouble, match=r"dev\.py lock"):
        read_wheels(tmp_path / "wheels.lock")


def test_lock_that_names_a_file_twice_is_trouble(tmp_path: Path) -> None:
    write_wheels(tmp_path / "wheels.lock", [PURE])
    text = (tmp_path / "wheels.lock").read_text(encoding="utf-8")
    (tmp_path / "wheels.lock").write_text(text + text[text.index("[[wheel]]") :], encoding="utf-8")
    with pytest.raises(Trouble, match="twice"):
        read_wheels(tmp_path / "wheels.lock")


def test_manifest_gets_the_list_between_its_markers() -> None:
    text = f"before\n{manifest.BEGIN}\nwheels = []\n{manifest.END}\nafter\n"
    written = manifest.with_wheel_list(text, [PURE, BINARY])
    assert written.startswith("before\n")
    assert written.endswith("after\n")
    assert written.index(BINARY.filename) < written.index(PURE.filename)
    assert manifest.with_wheel_list(written, [PURE, BINARY]) == written


def test_manifest_without_markers_is_trouble() -> None:
    with pytest.raises(Trouble, match="wheels: begin"):
        manifest.with_wheel_list("wheels = []\n", [PURE])


class TestFetch:
    """`fetch` with a pip that copies files instead of downloading them."""

    @pytest.fixture
    def content(self) -> bytes:
        return b"a wheel"

    @pytest.fixture
    def folder(self, tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch) -> Path:
        sha256 = hashlib.sha256(content).hexdigest()
        write_wheels(tmp_path / "wheels.lock", [Wheel("idna", "3.10", PURE.filename, sha256, ANY, ANY)])
        monkeypatch.setattr(wheels, "ROOT", tmp_path)
        monkeypatch.setattr(wheels, "WHEELS", tmp_path / "wheels")
        monkeypatch.setattr(wheels, "WHEELS_LOCK", tmp_path / "wheels.lock")
        return tmp_path / "wheels"

    @staticmethod
    def deliver(folder: Path, content: bytes, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        asked: list[str] = []

        def download(argv: list[str], what: str, *, env: dict[str, str]) -> str:
            assert not env["PYTHONDONTWRITEBYTECODE"], "pip would compile itself at every start"
            asked.append(Path(argv[argv.index("-r") + 1]).read_text(encoding="utf-8"))
            (folder / PURE.filename).write_bytes(content)
            return ""

        monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
        monkeypatch.setattr(wheels, "run_or_end", download)
        return asked

    def test_fetches_what_is_missing_with_its_hash(
        self, folder: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = self.deliver(folder, content, monkeypatch)
        assert wheels.fetch(Path("python")) == [folder / PURE.filename]
        assert asked == [f"idna==3.10 --hash=sha256:{hashlib.sha256(content).hexdigest()}\n"]

    def test_asks_for_nothing_when_all_is_there(
        self, folder: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = self.deliver(folder, content, monkeypatch)
        wheels.fetch(Path("python"))
        wheels.fetch(Path("python"))
        assert len(asked) == 1

    def test_replaces_an_altered_file_and_removes_a_stranger(
        self, folder: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.deliver(folder, content, monkeypatch)
        folder.mkdir()
        (folder / PURE.filename).write_bytes(b"altered")
        (folder / "older-1.0-py3-none-any.whl").write_bytes(b"")
        wheels.fetch(Path("python"))
        assert [(path.name, path.read_bytes()) for path in folder.iterdir()] == [(PURE.filename, content)]

    def test_wrong_content_is_trouble(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.deliver(folder, b"something else", monkeypatch)
        with pytest.raises(Trouble, match="idna"):
            wheels.fetch(Path("python"))
