"""How a run of a recipe shows itself: one bar for all of it, a line for each job that has ended, and how it went."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..core.jobs.job import JobView, Stage
from ..core.recipes.recipe_plan import PlannedJob
from ..core.recipes.run import JobOutcome, Progress, RecipeRun
from ..core.requests.prices import credits_text
from ..core.runtime.runtime import Runtime
from ..core.settings import Settings
from ..core.status.error_messages import ExitCode
from .progress import Reporter

_OPEN = (Progress.WAITING, Progress.RUNNING)
_GOOD = (Progress.DONE, Progress.UNCHANGED)


class RecipeReport:
    """Tells of one run."""

    def __init__(self, show: Reporter, settings: Settings) -> None:
        self._show = show
        self._settings = settings
        self._told: set[str] = set()

    def show(self, run: RecipeRun, runtime: Runtime) -> None:
        """Shows how far the run is, and what has ended since the last time."""
        fractions, words = [], ""
        for job in run.plan.jobs:
            outcome = run.outcomes[job.key]
            if outcome.progress is Progress.RUNNING:
                view = runtime.known_job(outcome.job_id)
                fractions.append(view.progress)
                words = words or f"{job.key}, {view.text.rstrip('.') or view.stage}"
            else:
                fractions.append(0.0 if outcome.progress is Progress.WAITING else 1.0)
            if outcome.progress not in _OPEN and job.key not in self._told:
                self._told.add(job.key)
                self._tell(job, outcome, runtime)
        ended = sum(run.outcomes[job.key].progress not in _OPEN for job in run.plan.jobs)
        if ended < len(fractions):
            name = run.plan.recipe.name
            text = f"{ended} of {len(fractions)} done; {words or 'waiting'}"
            self._show.job(JobView("recipe", name, Stage.WAIT, sum(fractions) / len(fractions), text))

    def end(self, run: RecipeRun, picture: Path | None) -> int:
        """Says how the run ended; returns the exit code."""
        self._show.close()
        outcomes = run.outcomes.values()
        count = {progress: sum(item.progress is progress for item in outcomes) for progress in Progress}
        # What the local engine counts is no money.
        credits = "" if self._settings.is_local else credits_text(run.credits)
        parts = [f"{count[Progress.DONE]} done", f"{count[Progress.UNCHANGED]} unchanged"]
        parts += [f"{count[state]} {state}" for state in (Progress.FAILED, Progress.SKIPPED) if count[state]]
        words = f"{run.plan.recipe.name}: {', '.join(parts)}{f', {credits} credits' if run.credits and credits else ''}"
        files = [path for outcome in outcomes for path in outcome.files]
        facts: dict[str, Any] = {
            "recipe": run.plan.recipe.name,
            "folder": str(run.plan.folder),
            "counts": {str(progress): number for progress, number in count.items()},
            "credits": credits,
            "picture": str(picture or ""),
            "files": files,
            "exit_code": int(run.exit_code),
        }
        if run.exit_code != ExitCode.DONE:
            self._show.event("error", f"{words}. Run it again to do what is missing.", **facts)
            return run.exit_code
        self._show.result("done", words, [str(picture)] if picture else [], **facts)
        return ExitCode.DONE

    def _tell(self, job: PlannedJob, outcome: JobOutcome, runtime: Runtime) -> None:
        """Says how one job ended."""
        tasks: list[str] = []
        if outcome.job_id and outcome.progress in (Progress.DONE, Progress.FAILED):
            tasks = [step.task_id for step in runtime.known_job(outcome.job_id).steps if step.task_id]
        facts: dict[str, Any] = {
            "step": job.step,
            "key": job.key,
            "capability": job.capability,
            "state": str(outcome.progress),
            "job": outcome.job_id,
            "tasks": tasks,
            "files": list(outcome.files),
            "credits": outcome.credits,
        }
        if outcome.progress in _GOOD:
            charged = f", {outcome.credits} credits" if outcome.credits and not self._settings.is_local else ""
            self._show.result("step", f"{job.key}: {outcome.progress}{charged}", outcome.files, **facts)
        else:
            reason = outcome.error or "a step that it waits for has failed"
            words = f"{job.key}: {outcome.progress}: {reason}"
            self._show.event("step", words, **facts, error=outcome.error, exit_code=outcome.exit_code)
