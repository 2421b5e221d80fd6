from __future__ import annotations

import ast
import importlib.util
import os
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from devtools.environments.environment import Environment, main_environment
from devtools.environments.roots import read_roots
from devtools.packaging.package import Built
from devtools.paths import ROOT
from devtools.suites import costs, plan, process, suite_times, testing
from devtools.suites.junit import Counts, read_counts
from devtools.suites.lanes import Lanes
from devtools.suites.made import Made, set_up_window
from devtools.suites.plan import in_order
from devtools.suites.process import outcome_of
from devtools.suites.suite import Outcome, Suite
from devtools.terminal import Trouble

SUITE = Suite("unit", "unit", None)

Run = Callable[[list[Outcome], list[str]], tuple[int, list[str]]]

RESULTS = """<?xml version="1.0"?><testsuites><testsuite>
<testcase classname="a" name="passes"/>
<testcase classname="a" name="fails"><failure message="no"/></testcase>
<testcase classname="a" name="breaks in its fixture"><error message="no"/></testcase>
<testcase classname="a" name="is skipped"><skipped message="no window"/></testcase>
<testcase classname="a" name="is skipped too"><skipped message="no window"/></testcase>
<testcase classname="a" name="fails at both ends"><failure message="no"/></testcase>
<testcase classname="a" name="fails at both ends"><error message="no"/></testcase>
</testsuite></testsuites>"""


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "results.xml"
    path.write_text(RESULTS, encoding="utf-8")
    return path


def test_results_are_counted(results: Path) -> None:
    counts = read_counts(results)
    assert counts is not None
    assert counts.sentence() == "1 passed, 3 failed, 2 skipped"
    assert counts.reasons == {"no window": 2}
    assert counts.total == 6


@pytest.mark.parametrize("text", [None, "", RESULTS[:200]], ids=["missing", "empty", "cut off"])
def test_incomplete_results_count_as_none(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "results.xml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    assert read_counts(path) is None


def test_counts_add_up() -> None:
    assert (Counts(1, 2, 3) + Counts(10, 20, 30)).sentence() == "11 passed, 22 failed, 33 skipped"


@pytest.mark.parametrize(
    ("code", "counts", "failed", "trouble"),
    [
        (0, Counts(passed=3), 0, ""),
        (1, Counts(passed=2, failed=1), 1, ""),
        (2, Counts(passed=2, failed=1), 1, ""),
        (5, Counts(), 0, ""),
        (-11, None, 1, "crashed before its end (signal 11)"),
        (139, Counts(passed=3), 1, "its tests ended, but not its process (exit code 139)"),
        (4, None, 1, "crashed before its end (exit code 4)"),
        (1, Counts(passed=3), 1, "pytest reports a failure that belongs to no test"),
    ],
)
def test_outcome_of_a_run(code: int, counts: Counts | None, failed: int, trouble: str) -> None:
    outcome = outcome_of(SUITE, code, counts, 1.0)
    assert outcome.counts.failed == failed
    assert outcome.trouble == trouble
    assert outcome.failed == (failed > 0)


def test_what_is_compiled_is_kept_for_the_next_run_but_for_what_goes_with_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "build" / "test"
    results.mkdir(parents=True)
    test = tmp_path / "tests" / "unit" / "test_it.py"
    test.parent.mkdir(parents=True)
    test.touch()
    kept: list[Path] = []
    start = subprocess.Popen

    def compile_two(argv: list[str], env: dict[str, str], **_: Any) -> subprocess.Popen[bytes]:
        monkeypatch.setattr(sys, "pycache_prefix", env["PYTHONPYCACHEPREFIX"])
        for source in (ROOT / "scripts" / "dev.py", Path(env["TMPDIR"]) / "installed" / "extension.py"):
            kept.append(Path(importlib.util.cache_from_source(str(source))))
            kept[-1].parent.mkdir(parents=True)
            kept[-1].touch()
        return start([sys.executable, "-c", ""])

    monkeypatch.setattr(process, "ROOT", tmp_path)
    monkeypatch.setattr(process, "_COMPILED", tmp_path / "compiled")
    monkeypatch.setattr("devtools.suites.suite.RESULTS", results)
    monkeypatch.setattr(process.subprocess, "Popen", compile_two)
    environment: Any = SimpleNamespace(python=Path(sys.executable))
    process.run_suite(Suite("unit", "unit", environment), ())
    assert [path.exists() for path in kept] == [True, False]


@pytest.mark.skipif(not hasattr(os, "statvfs"), reason="Windows keeps no files in memory")
class TestFolderInMemory:
    """Where a suite's temporary files go."""

    @pytest.fixture(autouse=True)
    def place(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(process, "_MEMORY", tmp_path)
        monkeypatch.setattr(process, "_ROOM_BYTES", 0)
        monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_flag=0, f_bavail=1 << 40, f_frsize=1))

    def test_it_is_used_but_for_windows(self, tmp_path: Path) -> None:
        found = [process.folder_in_memory(Suite(kind, kind, None)) for kind in plan.KINDS]
        assert found == [tmp_path, tmp_path, tmp_path, tmp_path, None]

    def test_it_must_have_room(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(process, "_ROOM_BYTES", 1 << 60)
        assert process.folder_in_memory(SUITE) is None

    def test_it_must_be_there(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(process, "_MEMORY", tmp_path / "none")
        assert process.folder_in_memory(SUITE) is None

    def test_programs_must_be_started_from_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        place = SimpleNamespace(f_flag=os.ST_NOEXEC, f_bavail=1 << 40, f_frsize=1)
        monkeypatch.setattr(os, "statvfs", lambda _: place)
        assert process.folder_in_memory(SUITE) is None


class TestAwait:
    """Waiting for a process that may hang."""

    @pytest.fixture
    def sleeper(self) -> Iterator[subprocess.Popen[bytes]]:
        process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        yield process
        process.kill()
        process.wait()

    @pytest.fixture
    def log(self, tmp_path: Path) -> Path:
        path = tmp_path / "suite.log"
        path.touch()
        return path

    def test_end_is_noticed(self, tmp_path: Path, log: Path) -> None:
        assert process._await(subprocess.Popen([sys.executable, "-c", ""]), tmp_path / "none.xml", log) == ""

    def test_hanging_test_is_noticed(
        self, sleeper: subprocess.Popen[bytes], tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(process, "_LONGEST_SILENCE_SECONDS", 0.1)
        assert "no test came to an end" in process._await(sleeper, tmp_path / "none.xml", log)

    def test_a_long_suite_goes_on_while_its_tests_end(
        self, tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Clock:
            now = 0.0

            def monotonic(self) -> float:
                return self.now

        class Run:
            def __init__(self, looks: int) -> None:
                self.looks = looks

            def wait(self, seconds: float) -> None:
                clock.now += 600
                if self.looks == 0:
                    return
                self.looks -= 1
                with log.open("a", encoding="utf-8") as file:
                    file.write(".")
                raise subprocess.TimeoutExpired("pytest", seconds)

        clock = Clock()
        monkeypatch.setattr(process, "time", clock)
        assert process._await(Run(20), tmp_path / "none.xml", log) == ""  # type: ignore[arg-type]
        assert clock.now > 12_000

    def test_hang_after_the_tests_is_noticed_soon(
        self, sleeper: subprocess.Popen[bytes], results: Path, log: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(process, "_FAREWELL_SECONDS", 0.1)
        assert "hung after its last test" in process._await(sleeper, results, log)


class TestParts:
    """The files of one suite, divided among several runs."""

    GUI = Suite("gui", "gui", None)

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        (tmp_path / "deep").mkdir()
        for name, windows in {"test_a": 1, "test_b": 5, "test_c": 2, "test_d": 0, "deep/test_e": 2}.items():
            (tmp_path / f"{name}.py").write_text('play(home, "x")\n' * windows, encoding="utf-8")
        (tmp_path / "conftest.py").touch()
        return tmp_path

    @pytest.mark.parametrize("count", [1, 2, 3, 5, 20])
    def test_every_file_is_in_one_of_them(self, folder: Path, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(plan._PARTS, "gui", count)
        found = sorted(name for part in plan.parts(self.GUI, folder) for name in part.files)
        assert found == ["deep/test_e.py", "test_a.py", "test_b.py", "test_c.py", "test_d.py"]

    def test_they_open_about_as_many_windows_each(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(plan._PARTS, "gui", 3)
        first, second, third = plan.parts(self.GUI, folder)
        assert first.files == ("test_b.py",)
        assert [second.files[0], third.files[0]] == ["deep/test_e.py", "test_c.py"]
        assert second.paths[0] == "tests/gui/deep/test_e.py"
        assert len({part.results for part in (first, second, third)}) == 3

    @pytest.mark.parametrize("kind", plan.KINDS)
    def test_our_own_parts_take_about_as_long_as_each_other(self, kind: str) -> None:
        seconds = [part.seconds for part in plan.parts(Suite(kind, kind, None), ROOT / "tests" / kind)]
        assert len(seconds) == plan._PARTS[kind]
        assert min(seconds) > 0.8 * max(seconds), seconds

    @pytest.mark.parametrize("kind", plan.KINDS)
    def test_every_measured_file_is_there(self, kind: str) -> None:
        assert costs._OF_FILE[kind]
        assert [name for name in costs._OF_FILE[kind] if not (ROOT / "tests" / kind / name).is_file()] == []

    def test_together_they_take_what_the_suite_takes(self, folder: Path) -> None:
        parts = plan.parts(replace(self.GUI, seconds=40.0), folder)
        assert sum(part.seconds for part in parts) == pytest.approx(40)
        assert max(part.seconds for part in parts) == pytest.approx(20)  # five of ten windows

    def test_without_files_it_is_the_suite_itself(self, tmp_path: Path) -> None:
        assert plan.parts(self.GUI, tmp_path) == [self.GUI]
        assert self.GUI.paths == ("tests/gui",)

    def test_what_is_not_run_is_not_divided(self, folder: Path) -> None:
        suite = replace(self.GUI, reason="no window")
        assert plan.parts(suite, folder) == [suite]


class TestExitCode:
    """`dev.py test` as a whole, without running any tests."""

    @staticmethod
    def build(environment: object) -> Built:
        return Built(Path("all.zip"), ())

    @pytest.fixture
    def run(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
        monkeypatch.setattr(suite_times, "_FILE", tmp_path / "suites.json")

        def run(outcomes: list[Outcome], broken_checks: list[str]) -> tuple[int, list[str]]:
            class Check:
                def __init__(self, name: str) -> None:
                    self.name, self.passed = name, False

            monkeypatch.setattr(testing, "main_environment", lambda: None)
            monkeypatch.setattr(testing, "set_up_window", lambda: None)
            monkeypatch.setattr(testing, "check_all", lambda *_: [Check(name) for name in broken_checks])
            monkeypatch.setattr(testing.package, "build", self.build)
            monkeypatch.setattr(testing, "other_blenders", lambda *_: [])
            monkeypatch.setattr(testing, "suites_for", lambda *_: [])
            monkeypatch.setattr(testing, "_run_all", lambda *_: outcomes)
            code = testing.test((), False, ())
            return code, capsys.readouterr().out.splitlines()

        return run

    def test_last_line_is_the_sum(self, run: Run) -> None:
        ran = Suite("unit", "unit", None)
        code, lines = run([Outcome(ran, Counts(passed=2)), Outcome(ran, Counts(passed=3, skipped=1))], [])
        assert code == 0
        assert lines[-1] == "5 passed, 0 failed, 1 skipped"

    @pytest.mark.parametrize(
        ("outcomes", "broken_checks"),
        [
            ([Outcome(SUITE, Counts(passed=2, failed=1))], []),
            ([Outcome(SUITE, Counts(passed=2), trouble="crashed")], []),
            ([Outcome(SUITE, Counts(passed=2))], ["lint"]),
            ([Outcome(SUITE, Counts())], []),
        ],
        ids=["a test failed", "a process crashed", "a check failed", "no test ran"],
    )
    def test_anything_wrong_gives_a_code(self, run: Run, outcomes: list[Outcome], broken_checks: list[str]) -> None:
        code, lines = run(outcomes, broken_checks)
        assert code == 1
        assert lines[-1].endswith("skipped")

    def test_what_a_whole_run_took_is_kept(self, run: Run) -> None:
        assert suite_times.kept() is None
        ran, left_out = replace(SUITE, environment=main_environment()), Suite("gui", "gui", None)
        run([Outcome(ran, Counts(passed=2, skipped=1), seconds=3.5), Outcome(left_out)], [])
        times = suite_times.kept()
        assert times is not None and times["commit"] and times["seconds"] >= 0
        assert times["suites"] == [{"name": "unit", "seconds": 3.5, "passed": 2, "failed": 0, "skipped": 1}]

    @pytest.mark.parametrize("part", [(("unit",), False, ()), ((), True, ()), ((), False, ("-k", "one"))])
    def test_what_a_part_took_is_not(self, run: Run, part: tuple[Any, ...]) -> None:
        run([], [])
        suite_times._FILE.unlink()
        testing.test(*part)
        assert suite_times.kept() is None

    def test_zip_that_cannot_be_built_counts(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        def build(environment: object) -> Built:
            raise Trouble("no network")

        monkeypatch.setattr(self, "build", build, raising=False)
        code, lines = run([Outcome(SUITE, Counts(passed=2))], [])
        assert code == 1
        assert "also failed: build" in lines

    def test_the_suites_do_not_wait_for_the_checks(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        started = threading.Event()

        def run_all(*_: object) -> list[Outcome]:
            started.set()
            return [Outcome(SUITE, Counts(passed=1))]

        def check_all(*_: object) -> list[object]:
            assert started.wait(20), "the suites wait for the checks"
            return []

        run([Outcome(SUITE, Counts(passed=1))], [])  # replaces everything else
        monkeypatch.setattr(testing, "_run_all", run_all)
        monkeypatch.setattr(testing, "check_all", check_all)
        assert testing.test((), False, ()) == 0

    @pytest.mark.parametrize(("arguments", "without"), [((), ("layers",)), (("-k", "one"), ())])
    def test_layers_are_checked_once(
        self, run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], without: tuple[str, ...]
    ) -> None:
        seen: list[object] = []
        run([], [])  # replaces everything else
        monkeypatch.setattr(testing, "check_all", lambda _, left_out: seen.append(left_out) or [])
        testing.test((), True, arguments)
        assert seen == [without]
        tests = Path(__file__).with_name("test_layers.py").read_text(encoding="utf-8")
        assert not re.search(r"mark\.(slow|once)", tests), "--quick has all of them in the unit suite"


class TestMade:
    """What suites wait for."""

    MAIN, OTHER, BROKEN = (Environment(blender) for blender in read_roots().blenders[:3])

    def test_what_could_not_be_made_is_the_reason(self) -> None:
        environments: dict[Path, Future[Environment]] = {self.OTHER.folder: Future(), self.BROKEN.folder: Future()}
        environments[self.OTHER.folder].set_result(self.OTHER)
        environments[self.BROKEN.folder].set_exception(Trouble("no network"))
        window: Future[None] = Future()
        window.set_exception(Trouble("no screen"))
        made = Made(environments, window=window)
        for each in (self.MAIN, self.OTHER):
            assert made.given_to(Suite("engine", "engine", each)) == Suite("engine", "engine", each)
        for kind, environment, reason in (("engine", self.BROKEN, "no network"), ("gui", self.MAIN, "no screen")):
            found = made.given_to(Suite(kind, kind, environment))
            assert (found.environment, found.reason) == (None, reason)
        unasked = Suite("gui", "gui", None, reason="left out")
        assert made.given_to(unasked) == unasked

    def test_the_zip_goes_to_those_who_install_it(self) -> None:
        archive: Future[Path] = Future()
        archive.set_result(Path("all.zip"))
        given = {kind: Made(archive=archive).given_to(Suite(kind, kind, self.MAIN)).extra for kind in plan.KINDS}
        zipped = (("ASSETGEN_TEST_ZIP", "all.zip"),)
        assert given == {"unit": (), "service": (), "engine": (), "blender": zipped, "gui": zipped}

    def test_without_the_zip_no_window_is_opened(self) -> None:
        archive: Future[Path] = Future()
        archive.set_exception(Trouble("no network"))
        found = {kind: Made(archive=archive).given_to(Suite(kind, kind, self.MAIN)) for kind in ("blender", "gui")}
        assert found["blender"] == Suite("blender", "blender", self.MAIN)
        assert (found["gui"].environment, found["gui"].reason) == (None, "the zip could not be built")

    def test_the_window_is_set_up_by_the_command_of_the_environment(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("BLENDER_SETUP", raising=False)
        set_up_window()
        code = f"open({str(tmp_path / 'was here')!r}, 'w')"
        monkeypatch.setenv("BLENDER_SETUP", shlex.join([sys.executable, "-c", code]))
        set_up_window()
        assert (tmp_path / "was here").exists()
        monkeypatch.setenv("BLENDER_SETUP", shlex.join([sys.executable, "-c", "raise SystemExit('no mirror')"]))
        with pytest.raises(Trouble, match="no mirror"):
            set_up_window()


class TestLanes:
    """Who runs next."""

    def test_what_can_start_does_not_wait_for_what_cannot(self) -> None:
        window: Future[None] = Future()
        first = Suite("gui", "gui", TestMade.MAIN)
        others = [Suite(name, name, TestMade.MAIN) for name in ("engine", "service", "unit")]
        lanes = Lanes([first, *others], Made(window=window), 2)
        assert [lanes.take(), lanes.take()] == [others[0], others[2]]
        window.set_result(None)
        assert [lanes.take(), lanes.take(), lanes.take()] == [first, others[1], None]

    def test_suites_that_wait_run_beside_those_that_compute(self) -> None:
        kinds = ["gui", "gui", "gui", "service", "engine", "engine", "blender", "unit"]
        suites = [Suite(f"{kind} {number}", kind, TestMade.MAIN) for number, kind in enumerate(kinds)]
        lanes = Lanes(suites, Made(), 2)
        running = [lanes.take() for _ in range(4)]
        assert [suite.kind for suite in running if suite] == ["engine", "engine", "gui", "gui"]
        assert lanes.take(running[1]) == suites[6]  # one that computes for one that did
        assert lanes.take(running[2]) == suites[2]
        assert [lanes.take(suites[6]), lanes.take(suites[2]), lanes.take(running[0])] == [suites[7], suites[3], None]

    def test_a_lane_waits_where_nothing_can_start(self) -> None:
        window: Future[None] = Future()
        suite = Suite("gui", "gui", TestMade.MAIN)
        lanes = Lanes([suite], Made(window=window), 2)
        with ThreadPoolExecutor(2) as pool:
            waiting = {pool.submit(lanes.take), pool.submit(lanes.take)}
            assert not wait(waiting, 0.1).done
            window.set_result(None)
            assert {each.result(20) for each in waiting} == {suite, None}


def test_the_longest_suites_start_first_and_the_shortest_kind_last() -> None:
    seconds = {"gui": (90.0, 300.0), "engine": (200.0, 400.0), "unit": (500.0,)}
    suites = [Suite(f"{kind} {one:.0f}", kind, None, seconds=one) for kind, each in seconds.items() for one in each]
    names = [suite.name for suite in in_order(suites)]
    assert names == ["engine 400", "gui 300", "engine 200", "gui 90", "unit 500"]


MARKED = """
import pytest
def test_plain(): pass
@pytest.mark.once
def test_once(): pass
@pytest.mark.each_python
def test_each_python(): pass
@pytest.mark.each_python
@pytest.mark.once
def test_both(): pass
"""


class TestOtherBlenders:
    """What is run again with another Blender."""

    @pytest.mark.parametrize("main", ["4.5", "5.2"])
    def test_the_first_runs_everything_and_each_python_has_its_share(self, main: str) -> None:
        blenders = {blender.series: Environment(blender) for blender in read_roots().blenders}
        others = [Suite(series, "", each) for series, each in blenders.items() if series != main]
        first, *rest = plan._bpy_suites("engine", blenders[main], others)
        assert first.arguments == ()
        seen = {blenders[main].blender.python}
        for suite in rest:
            assert suite.environment is not None
            python = suite.environment.blender.python
            assert suite.arguments == ("-m", plan.repeated(is_new_python=python not in seen))
            seen.add(python)
        assert len(seen) == 2

    def test_one_that_is_missing_stands_for_no_python(self) -> None:
        old, main, other, new = (Environment(blender) for blender in read_roots().blenders)
        others = [Suite("4.2", "", old), Suite("5.0", "", other), Suite("5.2", "", None, reason="no Python")]
        assert [len(suite.arguments) for suite in plan._bpy_suites("engine", main, others)] == [0, 2, 2, 2]
        others = [Suite("4.2", "", None, reason="no Python"), Suite("4.5", "", main), Suite("5.0", "", other)]
        chosen = [suite.arguments for suite in plan._bpy_suites("engine", new, others)]
        assert chosen[2:] == [("-m", plan.repeated(is_new_python=True)), ("-m", plan.repeated(is_new_python=False))]

    @pytest.mark.parametrize(
        ("is_new_python", "wanted"), [(True, ["test_each_python", "test_plain"]), (False, ["test_plain"])]
    )
    def test_what_is_selected(self, tmp_path: Path, is_new_python: bool, wanted: list[str]) -> None:
        (tmp_path / "test_marked.py").write_text(MARKED, encoding="utf-8")
        (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  once\n  each_python\n", encoding="utf-8")
        chosen = ["-m", plan.repeated(is_new_python=is_new_python)]
        argv = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:schemathesis", *chosen]
        done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
        assert sorted(line.partition("::")[2] for line in done.stdout.splitlines() if "::" in line) == wanted

    def test_a_file_of_the_engine_that_is_marked_keeps_a_test_for_every_blender(self) -> None:
        marked = 0
        for path in (ROOT / "tests" / "engine").glob("test_*.py"):
            functions = [node for node in ast.parse(path.read_bytes()).body if isinstance(node, ast.FunctionDef)]
            tests = {node.name: ast.dump(ast.List(node.decorator_list)) for node in functions if "test_" in node.name}
            each = [name for name, marks in tests.items() if "'each_python'" in marks]
            marked += len(each)
            left = [name for name, marks in tests.items() if name not in each and "'once'" not in marks]
            assert not each or left, path.name
        assert marked > 3


def test_suites_that_are_not_run_say_why(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    testing._show_table([Outcome(Suite("gui", "gui", None, reason="BLENDER is not set"))], 1.0)
    assert "not run: BLENDER is not set" in capsys.readouterr().out
