"""The steps of a recipe's row, among computers: each is claimed in a folder of its own before its job is entered.

Whoever has the row may claim any of its steps, also those that a dead owner had, and reads what was begun of them
after that. So what holds of a row without a recipe holds of a step: it is paid for once, whoever sends its request.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from ..claims import begun as begun_file
from ..claims import claim_file
from ..claims.claim_file import Claim
from ..errors import Refused
from ..jobs.job import Delivery, JobPlan
from ..runtime.runtime import Runtime
from ..stages.shared_row import STEPS
from .folder import BatchFolder
from .rows import Row


def step_folder(row: Row, key: str, fingerprint: str) -> Path:
    """Where it is written down what was begun of a step. One that has changed is another one.

    Args:
        row: The row.
        key: Of the step's job within the recipe.
        fingerprint: Of all that its result depends on.
    """
    return row.folder / STEPS / _short(f"{key}\n{fingerprint}")


def step_delivery(row: Row, key: str, fingerprint: str) -> Delivery:
    """What the job of a step is told of its row. Its files stay in its own folder: the recipe says where they go."""
    return Delivery(row=_short(fingerprint), row_folder=str(step_folder(row, key, fingerprint)))


class StepSubmission:
    """Enters the jobs of a row's steps, each with what another program has begun of it.

    Args:
        runtime: Started.
        folder: The batch's.
        row: The row.
        claim: On the row.
        entering: Hears of the id of each job before it is entered.
    """

    def __init__(
        self, runtime: Runtime, folder: BatchFolder, row: Row, claim: Claim, entering: Callable[[str], None]
    ) -> None:
        self._runtime = runtime
        self._folder = folder
        self._row = row
        self._claim = claim
        self._entering = entering
        self.known_job = runtime.known_job
        self.act = runtime.act
        self.price_of = runtime.price_of

    def submit(self, plan: JobPlan, *, job_id: str = "") -> str:
        """Claims a step and enters its job.

        Raises:
            Refused: The row is another program's by now, what was begun of it cannot be read, or it cannot be run.
        """
        folder = Path(plan.delivery.row_folder)
        try:
            last = claim_file.latest(folder)
            claim = claim_file.make(folder, (last.number if last else 0) + 1, job_id, self._runtime.owner)
            # Who slept between the two looks must not keep a step from the row's owner.
            if claim is None or not claim_file.is_held(self._row.folder, self._claim):
                if claim is not None:
                    claim_file.give_back(folder, claim)
                raise Refused(f"Row {self._row.id} is worked off by another program of the batch")
            begun = begun_file.read(folder)
            age = max(0.0, self._folder.now() - begun.written_at) if begun is not None else 0.0
        except (OSError, ValueError) as error:
            raise Refused(f"What was begun of row {self._row.id} cannot be read: {error}") from error
        self._entering(job_id)
        return self._runtime.submit(plan, job_id=job_id, begun=begun, age=age)


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
