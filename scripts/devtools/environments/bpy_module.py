"""Looks at the bpy module of an environment from outside, without importing it here."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from ..terminal import Trouble, clean_environment, last_lines, run
from . import debian

_LOADER_MESSAGE = re.compile(r"(\S+\.so[.\d]*): cannot open shared object file")


def package_folder(environment: Path) -> Path:
    """The folder of the bpy package.

    Raises:
        Trouble: There is none.
    """
    patterns = ("lib/python*/site-packages/bpy", "Lib/site-packages/bpy")
    folder = next((path for pattern in patterns for path in environment.glob(pattern)), None)
    if folder is None:
        raise Trouble(f"{environment} holds no bpy; delete that folder and run: dev.py setup")
    return folder


def scripts_folder(environment: Path) -> Path:
    """Blender's own ``scripts`` folder inside the bpy package, with its add-ons and modules."""
    return next(package_folder(environment).glob("*/scripts"))


def extension_tool(environment: Path) -> Path:
    """Blender's program that builds and validates extensions; it runs with any Python."""
    return scripts_folder(environment) / "addons_core" / "bl_pkg" / "cli" / "blender_ext.py"


def allowed_tags(environment: Path) -> Path:
    """Blender's list of the tags that an extension may have."""
    return scripts_folder(environment) / "modules" / "_bpy_internal" / "extensions" / "tags.py"


def make_importable(environment: Path, python: Path) -> None:
    """Makes sure that bpy can be imported, installing missing system libraries where that is possible.

    Raises:
        Trouble: It cannot be imported; the sentence says which packages would help.
    """
    # On Linux the linker is asked first: the import itself names only the first library that is missing.
    missing = _missing_libraries(environment)
    if missing:
        packages = sorted({debian.LIBRARIES[name] for name in missing if name in debian.LIBRARIES})
        if packages:
            debian.install(packages)
    done = run([python, "-c", "import bpy"], env=clean_environment())
    if done.returncode == 0:
        return
    missing = _missing_libraries(environment) | set(_LOADER_MESSAGE.findall(done.stdout))
    if missing:
        names = ", ".join(sorted(missing))
        packages = sorted({debian.LIBRARIES[name] for name in missing if name in debian.LIBRARIES})
        if not packages:
            raise Trouble(f"Blender's module needs system libraries that are not installed here: {names}.")
        needs = f"Blender's module needs system libraries that are not installed here: {names}."
        raise Trouble(f"{needs}\n{debian.advice(packages)}")
    raise Trouble(f"Blender's module cannot be imported (exit code {done.returncode}):\n{last_lines(done.stdout)}")


def _missing_libraries(environment: Path) -> set[str]:
    if not sys.platform.startswith("linux") or shutil.which("ldd") is None:
        return set()
    listing = run(["ldd", package_folder(environment) / "__init__.so"]).stdout
    return {line.split()[0] for line in listing.splitlines() if line.rstrip().endswith("=> not found")}
