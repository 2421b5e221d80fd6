"""`dev.py build`: the extension's zips, one for all platforms and one for each."""

from __future__ import annotations

import hashlib
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path

from ..environments.bpy_module import allowed_tags, extension_tool
from ..environments.environment import Environment
from ..paths import BUILD, DIST, MANIFEST, ROOT, SCRIPTS
from ..terminal import run_or_end, say, show
from . import manifest, wheels
from .reproducible import normalise

SHIPPED = ("__init__.py", "blender_manifest.toml", "README.md", "LICENSE", "CHANGELOG.md", "addon", "vendor")
"""What is in the zips, of the files and folders in the root; the manifest's exclude list leaves out the others."""

MANUAL = "manual"
"""The folder of the documentation in the zips; it is made from docs/ when they are built."""

_STAGE = BUILD / "stage"
_NEVER = shutil.ignore_patterns("__pycache__", ".*", "*.blend[1-9]", "wheels")


@dataclass(frozen=True, slots=True)
class Built:
    """The zips."""

    for_all: Path
    for_platforms: tuple[Path, ...]


def build(environment: Environment) -> Built:
    """Builds and validates the zips in ``dist``.

    Blender's own program builds them, from a copy that holds what ships and nothing else that lies about in the clone.

    Raises:
        Trouble: A wheel could not be had, or Blender's program objects to something.
    """
    if manifest.write_wheel_list():
        say(f"{MANIFEST.name} now lists the wheels of vendor/wheels.lock")
    fetched = wheels.fetch(environment.python)
    _stage(fetched)
    make_manual = [environment.python, SCRIPTS / "make_manual.py", _STAGE / MANUAL]
    run_or_end(make_manual, "Writing the documentation as pages")
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    say("Building the extension ...")
    tags = ["--valid-tags", str(allowed_tags(environment.folder))]
    tool = [str(environment.python), str(extension_tool(environment.folder))]
    command = [*tool, "build", "--source-dir", str(_STAGE), "--output-dir", str(DIST), *tags]
    run_or_end(command, "Building the zip for all platforms")
    run_or_end([*command, "--split-platforms"], "Building the zips for one platform each")
    zips = sorted(DIST.glob("*.zip"))
    for path in zips:
        normalise(path)
        run_or_end([*tool, "validate", *tags, str(path)], f"Validating {path.name}")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        show(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1e6:.1f} MB  sha256 {digest}")
    for_all = DIST / archive_name()
    return Built(for_all, tuple(path for path in zips if path != for_all))


def archive_name() -> str:
    """The name that Blender's program gives to the zip for all platforms."""
    data = tomllib.loads(MANIFEST.read_text(encoding="utf-8"))
    return f"{data['id']}-{data['version']}.zip"


def _stage(fetched: list[Path]) -> None:
    shutil.rmtree(_STAGE, ignore_errors=True)
    _STAGE.mkdir(parents=True)
    for name in SHIPPED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, _STAGE / name, ignore=_NEVER)
        elif source.exists():
            shutil.copy(source, _STAGE / name)
    folder = _STAGE / "vendor" / "wheels"
    folder.mkdir()
    for path in fetched:
        shutil.copy(path, folder)
