"""`dev.py test`: sets up and runs every suite, and says what ran, what did not, and why."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..checks import check_all
from ..environments.environment import Environment, main_environment, ready
from ..environments.roots import BlenderRoot, read_roots
from ..packaging import package
from ..paths import BUILD, ROOT
from ..terminal import Trouble, clean_environment, say, show
from .heartbeat import Heartbeat
from .junit import Counts, read_counts

KINDS = ("unit", "service", "engine", "blender", "gui")
_WITH_BPY = ("engine", "blender")
_SIDE_BY_SIDE = 2
_LONGEST_SECONDS = 1500.0
_FAREWELL_SECONDS = 60.0
"""What a process may take to end after its last test; a Blender 4.5 with a timer left registered never ends."""
_LOOK_SECONDS = 0.5
_PYTEST_CODES = (0, 1, 2, 5)  # passed, failed, could not import a test file, found no tests
_RESULTS = BUILD / "test"


@dataclass(frozen=True, slots=True)
class Suite:
    """One run of pytest: a folder of tests in one environment, or the reason why it is not run.

    ``extra`` is added to the environment's variables, ``arguments`` to pytest's.
    """

    name: str
    kind: str
    environment: Environment | None
    extra: tuple[tuple[str, str], ...] = ()
    reason: str = ""
    arguments: tuple[str, ...] = ()

    @property
    def log(self) -> Path:
        """Where the run's output goes."""
        return _RESULTS / f"{self.name.replace(' ', '-')}.log"

    @property
    def results(self) -> Path:
        """Where pytest leaves its result file."""
        return self.log.with_suffix(".xml")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a suite ended. ``trouble`` says what else went wrong than a test: a crash, a time-out."""

    suite: Suite
    counts: Counts = field(default_factory=Counts)
    seconds: float = 0.0
    trouble: str = ""

    @property
    def failed(self) -> bool:
        """Whether anything is wrong."""
        return bool(self.trouble) or self.counts.failed > 0


def test(only: Sequence[str], quick: bool, arguments: Sequence[str]) -> int:
    """Runs the checks and the suites.

    Args:
        only: Kinds of suites; empty for all of them and the checks.
        quick: Leave out slow tests, the other Blenders and the window.
        arguments: Handed on to pytest.

    Returns:
        The exit code: 0 only when everything that ran passed and something ran.
    """
    started = time.monotonic()
    environment = main_environment()
    broken = [] if only else [outcome.name for outcome in check_all(environment) if not outcome.passed]
    kinds = only or KINDS
    archive: Path | None = None
    if not quick and {"blender", "gui"} & set(kinds):
        try:
            archive = package.build(environment).for_all
        except Trouble as trouble:
            say(str(trouble))
            broken.append("build")
    suites = _suites(environment, kinds, archive, quick)
    outcomes = _run_all(suites, [*(("-m", "not slow") if quick else ()), *arguments])
    _show_table(outcomes, time.monotonic() - started)
    if broken:
        show(f"also failed: {', '.join(broken)}")
    total = sum((outcome.counts for outcome in outcomes), Counts())
    show(total.sentence())
    return 1 if broken or any(outcome.failed for outcome in outcomes) or total.total == 0 else 0


def _suites(environment: Environment, kinds: Sequence[str], archive: Path | None, quick: bool) -> list[Suite]:
    """What to run, the longest first, so that two lanes end at about the same time.

    ``archive`` is the built zip, for the suites that install it.
    """
    suites: list[Suite] = []
    others = _other_blenders(environment, quick) if {*_WITH_BPY} & set(kinds) else []
    for kind in _WITH_BPY:
        if kind in kinds:
            suites += [_with_zip(suite, archive) for suite in _bpy_suites(kind, environment, others)]
    if "gui" in kinds:
        suites.append(_with_zip(_gui_suite(environment, archive, quick), archive))
    suites += [Suite(kind, kind, environment) for kind in ("service", "unit") if kind in kinds]
    return suites


def _bpy_suites(kind: str, environment: Environment, others: Sequence[Suite]) -> list[Suite]:
    """A folder of tests with every Blender; the engine's slow ones with the first only."""
    slow = ("-m", "not slow") if kind == "engine" else ()
    return [
        Suite(f"{kind} {environment.blender.series}", kind, environment),
        *(replace(other, name=f"{kind} {other.name}", kind=kind, arguments=slow) for other in others),
    ]


def _other_blenders(environment: Environment, quick: bool) -> list[Suite]:
    """What the other Blenders' suites have in common, named by their series."""
    others = [blender for blender in read_roots().blenders if blender != environment.blender]
    if quick:
        return [Suite(other.series, "", None, reason="left out by --quick") for other in others]
    with ThreadPoolExecutor(_SIDE_BY_SIDE) as pool:
        return list(pool.map(_other_blender, others))


def _other_blender(blender: BlenderRoot) -> Suite:
    try:
        return Suite(blender.series, "", ready(blender))
    except Trouble as trouble:
        return Suite(blender.series, "", None, reason=str(trouble))


def _gui_suite(environment: Environment, archive: Path | None, quick: bool) -> Suite:
    suite = Suite("gui", "gui", None)
    if quick:
        return replace(suite, reason="left out by --quick")
    if not os.environ.get("BLENDER"):
        return replace(suite, reason="BLENDER does not name a Blender to open a window with")
    if archive is None:
        return replace(suite, reason="the zip could not be built")
    return replace(suite, environment=environment)


def _with_zip(suite: Suite, archive: Path | None) -> Suite:
    return replace(suite, extra=(("ASSETGEN_TEST_ZIP", str(archive)),)) if archive is not None else suite


def _run_all(suites: Sequence[Suite], arguments: Sequence[str]) -> list[Outcome]:
    _RESULTS.mkdir(parents=True, exist_ok=True)
    say(f"Running the tests; what they print goes to {_RESULTS.relative_to(ROOT)}/ too ...")
    with ThreadPoolExecutor(_SIDE_BY_SIDE) as pool, Heartbeat() as heartbeat:
        return list(pool.map(lambda suite: _run_and_show(suite, arguments, heartbeat), suites))


def _run_and_show(suite: Suite, arguments: Sequence[str], heartbeat: Heartbeat) -> Outcome:
    with heartbeat.during(suite.name):
        outcome = _run(suite, arguments)
    if outcome.suite.environment is not None:
        text = suite.log.read_text(encoding="utf-8", errors="replace").rstrip()
        note = f"\n{outcome.trouble}" if outcome.trouble else ""
        show(f"\n----- {suite.name} ({outcome.seconds:.0f} s) -----\n{text}{note}")
    return outcome


def _run(suite: Suite, arguments: Sequence[str]) -> Outcome:
    """Runs one suite in a process of its own."""
    if suite.environment is None:
        return Outcome(suite)
    folder = ROOT / "tests" / suite.kind
    if not any(folder.glob("**/test_*.py")):
        return Outcome(replace(suite, environment=None, reason=f"there are no tests in tests/{suite.kind}"))
    suite.results.unlink(missing_ok=True)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="assetgen-test-") as home, suite.log.open("wb") as log:
        python = str(suite.environment.python)
        options = [
            "-q",
            "--color=no",
            "--continue-on-collection-errors",
            "-p",
            "no:cacheprovider",
            # From the root: pytest would take a "$" in a longer path for a variable.
            f"--junitxml={suite.results.relative_to(ROOT)}",
        ]
        process = subprocess.Popen(
            [python, "-m", "pytest", *options, f"tests/{suite.kind}", *suite.arguments, *arguments],
            cwd=ROOT,
            # Blender must find no settings or extensions of the person who runs this, and leave no folders behind.
            env=clean_environment(
                BLENDER_USER_RESOURCES=str(Path(home) / "blender"),
                PYTHONFAULTHANDLER="1",
                **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), home),
                **dict(suite.extra),
            ),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            trouble = _await(process, suite.results)
        finally:
            if process.poll() is None:
                process.kill()
        code = process.wait()
    return outcome_of(suite, code, read_counts(suite.results), time.monotonic() - started, trouble)


def _await(process: subprocess.Popen[bytes], results: Path) -> str:
    """Waits for a run to end; returns what is wrong when it does not, "" otherwise."""
    deadline = time.monotonic() + _LONGEST_SECONDS
    reported = False
    while True:
        try:
            process.wait(_LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            if time.monotonic() > deadline and reported:
                return "its process hung after its last test; a timer that is left registered does that"
            if time.monotonic() > deadline:
                return f"stopped after {_LONGEST_SECONDS:.0f} s because it did not come to an end"
            if not reported and results.exists():  # pytest writes it when all tests have ended
                reported, deadline = True, time.monotonic() + _FAREWELL_SECONDS
        else:
            return ""


def outcome_of(suite: Suite, code: int, counts: Counts | None, seconds: float, trouble: str = "") -> Outcome:
    """Turns an exit code and a result file into an outcome; a process that broke down counts as one failure more."""
    if not trouble and counts is None:
        trouble = f"crashed before its end ({_exit_words(code)})"
    elif not trouble and code not in _PYTEST_CODES:
        trouble = f"its tests ended, but not its process ({_exit_words(code)})"
    counts = counts or Counts()
    if not trouble and code in (1, 2) and counts.failed == 0:
        trouble = "pytest reports a failure that belongs to no test"
    if trouble:
        counts = counts + Counts(failed=1)
    return Outcome(suite, counts, seconds, trouble)


def _exit_words(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def _show_table(outcomes: Sequence[Outcome], seconds: float) -> None:
    show(f"\n{'suite':<14}{'passed':>8}{'failed':>8}{'skipped':>8}{'seconds':>9}  note")
    for outcome in sorted(outcomes, key=lambda outcome: KINDS.index(outcome.suite.kind)):
        counts, suite = outcome.counts, outcome.suite
        if suite.environment is None:
            show(f"{suite.name:<14}{'-':>8}{'-':>8}{'-':>8}{'-':>9}  not run: {suite.reason}")
            continue
        figures = f"{counts.passed:>8}{counts.failed:>8}{counts.skipped:>8}{outcome.seconds:>9.0f}"
        show(f"{suite.name:<14}{figures}  {outcome.trouble}".rstrip())
        for reason, count in counts.reasons.most_common():
            show(f"{'':<14}{count} skipped: {reason}")
    show(f"all in {seconds:.0f} s\n")
