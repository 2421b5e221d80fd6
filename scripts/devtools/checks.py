"""`dev.py check`: everything that can be said about the code without running it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Container
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from .environments.environment import Environment
from .packaging import manifest
from .paths import BUILD, PACKAGE, ROOT, SCRIPTS
from .terminal import clean_environment, run, say, show

_LINK = BUILD / "package" / PACKAGE
_TYPED = ("addon", "vendor/assetgen", "vendor/assetgen_local", "vendor/background_blender")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one check ended; ``output`` is worth showing only when it failed."""

    name: str
    passed: bool
    output: str
    seconds: float


LAYERS = "layers"
"""The check that is a file of the unit tests."""


def check_all(environment: Environment, without: Container[str] = ()) -> list[Outcome]:
    """Runs all checks but those of these names, two at a time, and prints each as it ends, in a fixed order."""
    checks: list[tuple[str, Callable[[Environment], tuple[bool, str]]]] = [
        ("types", _types),
        ("format", _format),
        ("lint", _lint),
        (LAYERS, _layers),
        ("manifest", _manifest),
        ("generated files", _generated),
    ]
    say("Checking ...")
    with ThreadPoolExecutor(2) as pool:
        running = [pool.submit(_timed, name, check, environment) for name, check in checks if name not in without]
        outcomes = [future.result() for future in running]
    for outcome in outcomes:
        show(f"  {'ok    ' if outcome.passed else 'FAILED'}  {outcome.name} ({outcome.seconds:.1f} s)")
        if not outcome.passed:
            show("\n".join("          " + line for line in outcome.output.rstrip().splitlines()))
    return outcomes


def _timed(name: str, check: Callable[[Environment], tuple[bool, str]], environment: Environment) -> Outcome:
    started = time.monotonic()
    passed, output = check(environment)
    return Outcome(name, passed, output, time.monotonic() - started)


def _python(environment: Environment, *arguments: str | Path, **extra: str) -> tuple[bool, str]:
    done = run([environment.python, *arguments], env=clean_environment(**extra))
    return done.returncode == 0, done.stdout


def _format(environment: Environment) -> tuple[bool, str]:
    return _python(environment, "-m", "ruff", "format", "--check", "--output-format", "concise", ".")


def _lint(environment: Environment) -> tuple[bool, str]:
    return _python(environment, "-m", "ruff", "check", "--output-format", "concise", ".")


def _types(environment: Environment) -> tuple[bool, str]:
    # All in one run, since most of a run are the stubs of bpy and numpy, and what the scripts use of the extension.
    package = _LINK.relative_to(ROOT)
    sources = [package / "__init__.py", *(package / folder for folder in _TYPED), SCRIPTS.relative_to(ROOT)]
    path = os.pathsep.join([str(link_package()), str(SCRIPTS)])
    passed, output = _python(environment, "-m", "mypy", "--explicit-package-bases", *sources, MYPYPATH=path)
    # The files are seen through the link; show them where a person edits them.
    return passed, output.replace(f"{package}{os.sep}", "")


def _layers(environment: Environment) -> tuple[bool, str]:
    return _python(environment, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/unit/devtools/test_layers.py")


def _manifest(environment: Environment) -> tuple[bool, str]:
    return manifest.is_current(), "The manifest's list of wheels differs from vendor/wheels.lock; run: dev.py build"


def _generated(environment: Environment) -> tuple[bool, str]:
    return _python(environment, SCRIPTS / "generate.py", "--check")


def link_package() -> Path:
    """Makes the clone importable as the package, whatever its folder is called. Returns the folder to import from."""
    if _LINK.exists() and _LINK.resolve() == ROOT:
        return _LINK.parent
    _LINK.parent.mkdir(parents=True, exist_ok=True)
    if _LINK.is_symlink() or _LINK.exists():  # of a clone that was moved
        _LINK.unlink()
    if sys.platform == "win32":
        import _winapi

        _winapi.CreateJunction(str(ROOT), str(_LINK))
    else:
        _LINK.symlink_to(ROOT, target_is_directory=True)
    return _LINK.parent
