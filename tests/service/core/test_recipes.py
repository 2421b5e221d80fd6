"""Recipes against a local engine in this process: what is asked of it, how often, and what lies in the folder."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core.jobs.job import Stage
from asset_generation.addon.core.paths import Locations
from asset_generation.addon.core.recipes.output_files import OutputWriter
from asset_generation.addon.core.recipes.pictures import Tile
from asset_generation.addon.core.recipes.planning import make_plan
from asset_generation.addon.core.recipes.recipe_file import parse_recipe
from asset_generation.addon.core.recipes.run import Progress, RecipeRun, state_path
from asset_generation.addon.core.recipes.run_state import RunState
from asset_generation.addon.core.runtime.runtime import Runtime
from asset_generation.vendor.assetgen_local import LocalService
from support.core import SECONDS, GatedRunner, InstantConverter, kill, runtime_on, settings_for, wait_until
from support.services.local_engine import add_fault, ask, local_engine, recorded, tiny_glb

pytest_plugins = ("support.core_fixtures",)

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 64

HERO = """
[variables]
model = { type = "model" }
motions = ["preset:walk", "preset:run"]
faces = 5000

[[step]]
name = "low"
use = "decimate"
from = "{model}"
face_limit = "{faces}"
out = ["{source}.glb", "{source}.blend"]

[[step]]
name = "rig"
use = "rig"
from = "low"

[[step]]
name = "moving"
use = "retarget"
from = "rig"
each = { animation = "{motions}" }
out = "{source}-{animation}.glb"
"""


class InstantPictures:
    """Stands in for the background Blender."""

    def __init__(self) -> None:
        self.sheets: list[Sequence[Tile]] = []

    def to_png(self, image: Path, out: Path) -> None:
        out.write_bytes(PNG)

    def contact_sheet(self, title: str, tiles: Sequence[Tile], out: Path) -> None:
        self.sheets.append(tiles)
        out.write_bytes(PNG)


class Kitchen:
    """Runs one recipe again and again into one folder."""

    def __init__(self, folder: Path, runtime: Runtime, text: str = HERO) -> None:
        self.folder, self.out, self.text = folder, folder / "out", text
        self.runtime = runtime
        self.settings = runtime._settings
        (folder / "bunny.glb").write_bytes(tiny_glb())

    def run(self, **given: Any) -> RecipeRun:
        """A run to its end."""
        run, state = self.begin(**given)
        try:
            deadline = time.monotonic() + SECONDS
            while run.advance():
                assert time.monotonic() < deadline, run.outcomes
                time.sleep(0.005)
        finally:
            state.close()
        return run

    def begin(self, **given: Any) -> tuple[RecipeRun, RunState]:
        max_credits = given.pop("max_credits", None)
        recipe = parse_recipe(self.text, self.folder / "hero.toml")
        if "model" in recipe.variables:
            given.setdefault("model", str(self.folder / "bunny.glb"))
        plan = make_plan(recipe, given, self.out, region=self.settings.region)
        state = RunState(state_path(plan))
        state.lock()
        writer = OutputWriter(Locations(self.settings.data_dir), InstantConverter(), InstantPictures())
        run = RecipeRun(plan, self.runtime, state, writer, self.settings.service_id, max_credits=max_credits)
        return run, state


@pytest.fixture
def kitchen(runtime: Runtime, tmp_path: Path) -> Kitchen:
    return Kitchen(tmp_path, runtime)


def created(service: LocalService) -> list[str]:
    """The creation requests that the service took, by the ends of their addresses."""
    paths = [item["path"] for item in recorded(service) if item["method"] == "POST"]
    return [path.rpartition("/")[2] for path in paths if path not in ("/v3/files", "/v3/tasks/list")]


def states(run: RecipeRun) -> dict[str, str]:
    return {key: str(outcome.progress) for key, outcome in run.outcomes.items()}


def test_one_model_is_imported_once_and_every_step_works_on_the_task_before(
    kitchen: Kitchen, service: LocalService
) -> None:
    run = kitchen.run()
    assert set(states(run).values()) == {Progress.DONE}, run.outcomes
    assert sorted(created(service)) == ["decimate", "import", "retarget", "retarget", "rig"]
    assert sorted(path.name for path in kitchen.out.iterdir() if not path.name.startswith(".")) == [
        *("bunny-preset_run.glb", "bunny-preset_walk.glb", "bunny.blend", "bunny.glb")
    ]
    assert run.exit_code == 0


def test_running_it_again_asks_for_nothing(kitchen: Kitchen, service: LocalService) -> None:
    kitchen.run()
    before = created(service)
    again = kitchen.run()
    assert set(states(again).values()) == {Progress.UNCHANGED}
    assert created(service) == before


def test_a_changed_field_runs_only_what_depends_on_it(kitchen: Kitchen, service: LocalService) -> None:
    kitchen.run()
    before = len(created(service))
    again = kitchen.run(motions='["preset:walk", "preset:jump"]')
    assert {key for key, state in states(again).items() if state == Progress.DONE} == {"moving (animation preset:jump)"}
    assert created(service)[before:] == ["retarget"]
    third = kitchen.run(faces="700", motions='["preset:walk"]')
    assert {key for key, state in states(third).items() if state == Progress.UNCHANGED} == {"import bunny"}


def test_another_content_of_the_input_is_another_input(kitchen: Kitchen, service: LocalService) -> None:
    kitchen.run()
    (kitchen.folder / "bunny.glb").write_bytes(tiny_glb().replace(b"2.0", b"2.0"))
    assert set(states(kitchen.run()).values()) == {Progress.UNCHANGED}, "the same content, written anew"
    before = len(created(service))
    (kitchen.folder / "bunny.glb").write_bytes(tiny_glb() + b"\0\0\0\0")
    kitchen.run()
    assert sorted(created(service)[before:]) == ["decimate", "import", "retarget", "retarget", "rig"]


def test_a_result_that_was_removed_is_written_again_and_not_made_again(kitchen: Kitchen, service: LocalService) -> None:
    kitchen.run()
    before = created(service)
    (kitchen.out / "bunny-preset_run.glb").unlink()
    again = kitchen.run()
    assert (kitchen.out / "bunny-preset_run.glb").read_bytes() == tiny_glb()
    assert set(states(again).values()) == {Progress.UNCHANGED}
    assert created(service) == before


def test_what_is_gone_here_and_there_is_made_anew_and_nothing_else(kitchen: Kitchen, service: LocalService) -> None:
    first = kitchen.run()
    key = "moving (animation preset:run)"
    (kitchen.out / "bunny-preset_run.glb").unlink()
    for path in first.outcomes[key].made.values():
        Path(path).unlink()
    before = len(created(service))
    again = kitchen.run()
    assert again.outcomes[key].progress is Progress.DONE
    assert created(service)[before:] == ["retarget"]


def test_a_file_of_somebody_else_is_not_overwritten_and_one_of_ours_is(kitchen: Kitchen) -> None:
    kitchen.out.mkdir()
    (kitchen.out / "bunny.glb").write_bytes(b"mine")
    kitchen.run()
    assert (kitchen.out / "bunny.glb").read_bytes() == b"mine"
    assert (kitchen.out / "bunny-2.glb").read_bytes() == tiny_glb()
    kitchen.run(faces="700")
    assert sorted(path.name for path in kitchen.out.glob("bunny*.glb") if "preset" not in path.name) == [
        *("bunny-2.glb", "bunny.glb")
    ]


def test_a_run_that_is_killed_at_any_moment_is_found_again_and_nothing_is_paid_twice(
    service: LocalService, tmp_path: Path
) -> None:
    """Killed ever later, so that every stage of some job is met."""
    settings = settings_for(service, tmp_path / "data")
    is_left, kills = True, 0
    while is_left:
        with runtime_on(settings) as runtime:
            run, state = Kitchen(tmp_path, runtime).begin()
            deadline = time.monotonic() + 0.02 * kills
            is_left = run.advance()
            while is_left and time.monotonic() < deadline:
                time.sleep(0.005)
                is_left = run.advance()
            if is_left:
                kill(runtime)
                kills += 1
            state.close()
    assert kills > 3
    assert sorted(created(service)) == ["decimate", "import", "retarget", "retarget", "rig"]


def test_a_run_that_is_killed_before_its_job_is_entered_enters_it_then(
    kitchen: Kitchen, service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, state = kitchen.begin()
    with monkeypatch.context() as patch:
        patch.setattr(kitchen.runtime, "submit", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            run.advance()
    noted = json.loads(state_path(run.plan).read_text())["jobs"]["import bunny"]["job_id"]
    state.close()
    assert kitchen.run().outcomes["import bunny"].job_id == noted
    assert created(service).count("import") == 1


def test_a_failed_job_is_tried_again_and_those_before_it_are_not(kitchen: Kitchen, service: LocalService) -> None:
    add_fault(service, "task", "/v3/animations/rig")
    first = kitchen.run()
    assert states(first)["rig"] == Progress.FAILED, first.outcomes
    assert states(first)["moving (animation preset:run)"] == Progress.SKIPPED
    assert (first.exit_code, bool(first.outcomes["rig"].error)) == (1, True)
    again = kitchen.run()
    assert set(states(again).values()) == {Progress.DONE, Progress.UNCHANGED}
    assert sorted(created(service)) == ["decimate", "import", "retarget", "retarget", "rig", "rig"]


def test_two_processes_do_not_run_a_recipe_into_one_folder(kitchen: Kitchen) -> None:
    _, state = kitchen.begin()
    try:
        with pytest.raises(Exception, match="another process"):
            kitchen.begin()
    finally:
        state.close()
    kitchen.begin()[1].close()


def test_a_job_that_was_taken_off_the_list_is_not_paid_again(tmp_path: Path) -> None:
    runner = GatedRunner()
    with (
        local_engine(tmp_path, runner=runner) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        kitchen = Kitchen(tmp_path, runtime)
        run, state = kitchen.begin()
        wait_until(lambda: run.advance() and run.outcomes["low"].progress is Progress.RUNNING)
        state.close()
        job_id = run.outcomes["low"].job_id
        runner.gate.set()
        wait_until(lambda: runtime.job(job_id).stage is Stage.APPLIED)
        runtime.dismiss([job_id])
        assert set(states(kitchen.run()).values()) == {Progress.DONE, Progress.UNCHANGED}
        assert created(service).count("decimate") == 1


def test_an_image_of_a_step_goes_into_a_field_of_another_and_converting_is_a_step_of_its_own(
    runtime: Runtime, service: LocalService, tmp_path: Path
) -> None:
    text = """
[[step]]
name = "look"
use = "text_to_image"
prompt = "oak planks"
out = "look.png"

[[step]]
name = "chair"
use = "text_to_model"
prompt = "a chair"
model_version = "v3.1-20260211"

[[step]]
name = "painted"
use = "texture"
from = "chair"
image = "look"
out = ["chair.usdz", "chair.glb"]

[[step]]
name = "from_image"
use = "image_to_model"
from = "look"
model_version = "v3.1-20260211"
out = "second.glb"
"""
    kitchen = Kitchen(tmp_path, runtime, text)
    run = kitchen.run()
    assert set(states(run).values()) == {Progress.DONE}, run.outcomes
    assert sorted(created(service)) == [*("convert", "image-to-model", "text-to-image", "text-to-model", "texture")]
    task = state_of(run, "painted")["task_id"]
    assert ask(service, "GET", f"/v3/tasks/{task}")["input"]["texture_prompt"]["image"].startswith("file_")
    assert (kitchen.out / "look.png").read_bytes().startswith(b"\x89PNG")


def state_of(run: RecipeRun, key: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(state_path(run.plan).read_text())["jobs"][key]
    return told


def test_nothing_is_started_beyond_the_credits_that_may_be_spent(kitchen: Kitchen, service: LocalService) -> None:
    kitchen.run(motions='["preset:walk"]')  # what such tasks cost is known now
    kitchen.out = kitchen.folder / "second"
    price = kitchen.runtime.price_of("decimate", {})
    assert price is not None
    before = len(created(service))
    run = kitchen.run(motions='["preset:walk"]', max_credits=Decimal(price.credits))
    assert run.exit_code == 4
    assert created(service)[before:] == ["import", "decimate"]
    assert run.credits <= Decimal(price.credits)
