"""Whole jobs in a window, as a user has them: for how long Blender stands still at the press, meanwhile, at the end.

One benchmark for each kind of thing and each size. The reference is what Blender's own exporter and importer of glTF
hold the same Blender up for, with the same meshes: the worse one of press and arrival is compared with its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ..environments.environment import Environment
from ..packaging import package
from ..terminal import Trouble, clean_environment, last_lines, run_or_end
from ..window.player import INSTALL
from .registry import Measurement, benchmark

_PROBES = Path(__file__).parent / "probes"
_SECONDS = 700.0
_MOST = 50.0
_MOST_STATIC = 30.0
_TIMES_WRITE = 1.2
SIZES = {"10k": 10_000, "100k": 100_000, "1m": 1_000_000}
_OF_TRIANGLES = {
    "static": "a mesh",
    "objects": "200 meshes, each turned another way,",
    "rigged": "a mesh with bones and a motion",
    "shape_keys": "a mesh with shape keys",
    "textures": "a mesh with a painted 4K texture that was never saved",
}
_OF_NO_SIZE = {"splats": "splats out of a picture", "images": "an image out of words"}


class WindowedHome:
    """A profile of Blender with the built zip installed; made when it is first asked for, for all that need it."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def variables(self, environment: Environment) -> dict[str, str]:
        """The environment for a Blender that uses it."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="assetgen-bench-")
            archive = package.build(environment).for_all
            arguments = ["--background", "--python-exit-code", "1", "--python", str(INSTALL), "--", str(archive)]
            run_or_end([os.environ["BLENDER"], *arguments], "Installing the zip", env=self._variables())
        return self._variables()

    def _variables(self) -> dict[str, str]:
        assert self._folder is not None
        home = Path(self._folder.name)
        found = clean_environment(BLENDER_USER_RESOURCES=str(home), ASSETGEN_DATA_DIR=str(home / "data"))
        found.pop("PYTHONDONTWRITEBYTECODE", None)  # Blender keeps compiled files
        return found


home = WindowedHome()


def in_window(environment: Environment, probe: str, *arguments: str) -> dict[str, Any]:
    """Runs ``probes/<probe>.py`` in a window and returns what it wrote into ``figures.json``.

    Raises:
        Trouble: It failed.
    """
    variables = home.variables(environment)
    with tempfile.TemporaryDirectory(prefix="assetgen-bench-") as name, (Path(name) / "log.txt").open("w") as log:
        script = str(_PROBES / f"{probe}.py")
        try:
            subprocess.run(
                [os.environ["BLENDER"], "--python", script, "--", name, *arguments],
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise Trouble(f"The probe {probe} did not end in {_SECONDS:.0f} s") from error
        answer = Path(name) / "figures.json"
        notes: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8")) if answer.exists() else {}
        if not notes.get("ended"):
            said = notes.get("error") or last_lines((Path(name) / "log.txt").read_text(errors="replace"))
            raise Trouble(f"The probe {probe} failed:\n{said}")
    return notes


def goals(kind: str, phases: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """What is promised, in ms: phase → the longest gap that it may have.

    A press may take as long as Blender's own writing of the selection and a fifth more, where that is long.
    """
    write = phases.get("libraries.write", {}).get("longest", 0.0)
    press = max(_MOST, _TIMES_WRITE * write)
    arrival = _MOST_STATIC if kind == "static" else _MOST
    promised = {"press": press, "later press": press, "file": _MOST, "work": _MOST, "arrival": arrival}
    return {name: most for name, most in promised.items() if name in phases}


def _measured(kind: str, triangles: int, environment: Environment) -> Measurement:
    notes = in_window(environment, "whole_job", kind, str(triangles))
    phases: dict[str, dict[str, float]] = notes["phases"]
    pairs = [
        (phases[name]["longest"], phases.get(reference, phases["idle"])["longest"])
        for name, reference in (("press", "export_scene.gltf"), ("arrival", "import_scene.gltf"))
        if name in phases
    ]
    own, reference = max(pairs)
    promised = goals(kind, phases)
    over = [
        f"{name} {phases[name]['longest']:.0f} of {most:.0f} ms"
        for name, most in promised.items()
        if phases[name]["longest"] > most
    ]
    facts = {name: notes[name] for name in ("triangles", "blender", "phases", "calls")}
    return Measurement(own, reference, facts={**facts, "goals": promised}, broken=", ".join(over))


def _register(name: str, what: str, measure: Callable[[Environment], Measurement]) -> None:
    benchmark(
        name,
        what=f"longest gap at the press or the arrival of {what}",
        reference="Blender's own exporter or importer of glTF, of the same; where there is none, Blender at rest",
        promise="every phase within its goal",
        in_window=True,
    )(measure)


for _kind, _words in _OF_TRIANGLES.items():
    for _size, _triangles in SIZES.items():
        _register(f"{_kind}_{_size}", f"{_words} of {_triangles:,} triangles", partial(_measured, _kind, _triangles))
for _kind, _words in _OF_NO_SIZE.items():
    _register(_kind, _words, partial(_measured, _kind, 0))
_register("each", "14 meshes of 100,000 triangles together, with a job each", partial(_measured, "each", 100_000))


@benchmark(
    "panel",
    what="one drawing of all that the tab shows, with 500 jobs in the list: the median",
    reference="one drawing of the tab that Blender's own add-ons have there",
    most_milliseconds=2,
    in_window=True,
)
def panel(environment: Environment) -> Measurement:
    """Draws it a hundred times."""
    notes = in_window(environment, "panel")
    return Measurement(
        milliseconds=notes["median"],
        reference_milliseconds=notes["reference"],
        facts={name: notes[name] for name in ("blender", "jobs", "draws", "worst", "by_panel")},
    )
