from __future__ import annotations

from pathlib import Path

import pytest
from devtools.environments.requirement_lock import Locked, digest, marker_for, write_requirements
from devtools.environments.roots import BlenderRoot, read_roots
from devtools.environments.targets import PLATFORMS, Target, this_platform
from devtools.locks.resolve import Pick, resolve
from packaging.markers import Marker

TARGETS = [Target(platform, python) for platform in PLATFORMS for python in ("3.11", "3.13")]


@pytest.mark.parametrize(
    "needed_on",
    [
        TARGETS,
        [target for target in TARGETS if target.platform == "windows-x64"],
        [target for target in TARGETS if target.platform.startswith("macos")],
        [target for target in TARGETS if target.python == "3.11"],
        [Target("linux-x64", "3.13"), Target("macos-arm64", "3.11")],
    ],
    ids=["all", "Windows", "both Macs", "one Python", "two of them"],
)
def test_marker_is_true_where_the_package_is_needed(needed_on: list[Target]) -> None:
    marker = marker_for(needed_on, TARGETS)
    true_on = [target for target in TARGETS if not marker or Marker(marker).evaluate(dict(target.marker_values()))]
    assert true_on == needed_on


def test_simple_cases_have_simple_markers() -> None:
    windows = [target for target in TARGETS if target.platform == "windows-x64"]
    assert marker_for(TARGETS, TARGETS) == ""
    assert marker_for(windows, TARGETS) == 'sys_platform == "win32"'


def test_requirement_file_has_every_hash_once(tmp_path: Path) -> None:
    targets = TARGETS[:2]
    path = tmp_path / "bpy-9.9.txt"
    packages = [
        Locked("zip", "2", dict.fromkeys(targets, "b" * 64)),
        Locked("abc", "1", {targets[0]: "2" * 64, targets[1]: "1" * 64}),
    ]
    write_requirements(path, targets, packages)
    text = path.read_text(encoding="utf-8")
    assert text.index("abc==1") < text.index("1" * 64) < text.index("2" * 64) < text.index("zip==2")
    assert text.count("--hash=sha256:") == 3


@pytest.mark.parametrize("blender", read_roots().blenders, ids=lambda blender: blender.name)
def test_locks_hold_what_is_asked_for(blender: BlenderRoot) -> None:
    text = blender.lock.read_text(encoding="utf-8")
    assert f"bpy=={blender.bpy} " in text
    for requirement in read_roots().requirements(blender):
        name = requirement.split("=")[0].split(">")[0].split("<")[0]
        assert f"\n{name.lower().replace('.', '-')}==" in text, f"{blender.lock.name} lacks {name}; run: dev.py lock"
    assert len(digest(blender.lock)) == 64


def test_there_is_one_main_environment_for_each_python() -> None:
    roots = read_roots()
    assert roots.pythons() == ["3.11", "3.13"]
    assert [(main.bpy, main.main) for python in roots.pythons() if (main := roots.main_for(python))] == [
        ("4.5.15", True),
        ("5.2.3", True),
    ]
    assert roots.main_for("3.12") is None


def test_this_machine_has_a_name_or_none() -> None:
    assert this_platform() in {"", *PLATFORMS}


class TestResolve:
    """Resolving against a made-up index."""

    INDEX = (
        Pick(
            "app",
            "1",
            "app-1-py3-none-any.whl",
            "a",
            ("lib>=1", 'colours; sys_platform == "win32"', "more; extra == 'x'"),
        ),
        Pick("lib", "2", "lib-2-py3-none-any.whl", "b", ()),
        Pick("lib", "1", "lib-1-py3-none-any.whl", "c", ()),
        Pick("colours", "1", "colours-1-py3-none-any.whl", "d", ()),
        Pick("more", "1", "more-1-py3-none-any.whl", "e", ()),
    )

    @pytest.fixture(autouse=True)
    def index(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from packaging.requirements import Requirement

        def ask(python: Path, requirements: list[str], target: Target) -> list[Pick]:
            """Like pip: the newest version of each name that all lines allow. lib 2 does not exist for Macs."""
            found = {}
            for name in {Requirement(line).name for line in requirements}:
                found[name] = next(
                    pick
                    for pick in self.INDEX
                    if pick.name == name
                    and not (pick.name == "lib" and pick.version == "2" and target.platform.startswith("macos"))
                    and all(
                        r.specifier.contains(pick.version) for r in map(Requirement, requirements) if r.name == name
                    )
                )
            return list(found.values())

        monkeypatch.setattr("devtools.locks.resolve._ask_pip", ask)

    def names(
        self, *platforms: str, requirements: tuple[str, ...] = ("app",), pins: tuple[str, ...] = ()
    ) -> list[list[str]]:
        targets = [Target(platform, "3.11") for platform in platforms]
        picks = resolve(Path("python"), requirements, targets, pins)
        return [sorted(f"{pick.name}-{pick.version}" for pick in picks[target].values()) for target in targets]

    def test_markers_are_those_of_the_target(self) -> None:
        assert self.names("linux-x64", "windows-x64") == [["app-1", "lib-2"], ["app-1", "colours-1", "lib-2"]]

    def test_all_targets_get_the_same_version(self) -> None:
        assert self.names("linux-x64", "macos-x64") == [["app-1", "lib-1"], ["app-1", "lib-1"]]

    def test_extras_are_followed(self) -> None:
        assert self.names("linux-x64", requirements=("app[x]",)) == [["app-1", "lib-2", "more-1"]]

    def test_pins_count_for_what_is_needed_only(self) -> None:
        assert self.names("linux-x64", pins=("lib==1", "more==1")) == [["app-1", "lib-1"]]
