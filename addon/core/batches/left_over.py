"""What working a row off leaves behind: nothing, once the row is done. A program may be killed, or find its journal
locked, between the two; whoever looks at the row next clears it away then.
"""

from __future__ import annotations

import contextlib
import shutil

from ..claims import begun as begun_file
from ..errors import Refused
from ..log import logger
from ..recipes.recipe_plan import RecipePlan
from ..recipes.run import state_path
from ..recipes.run_state import RunState
from ..runtime.runtime import Runtime
from ..stages.shared_row import STEPS
from .rows import Row

log = logger(__name__)


def clear(runtime: Runtime, row: Row, job_id: str) -> None:
    """Takes away what was begun of a row that is done, and its jobs. Trouble is passed over: nothing of it counts.

    Args:
        runtime: Started.
        row: Its result is written. What the state of its recipe says is kept.
        job_id: The job that has ended it. One with a recipe has many, which the state of that names.
    """
    try:
        runtime.dismiss([job_id] if row.recipe is None else _step_jobs(row.recipe))
        for part in row.folder.glob(".*.part"):  # of programs that were killed over writing it
            part.unlink(missing_ok=True)
        # Last: as long as it is there, who looks at the row sees that there is something to clear.
        shutil.rmtree(row.folder / STEPS, ignore_errors=True)
        begun_file.forget(row.folder)
    except (Refused, OSError) as error:
        log.warning("row %s: what is left over could not be cleared away: %s", row.id, error)


def clear_left_over(runtime: Runtime, row: Row, job_id: str) -> None:
    """The same for a row that another program, or an earlier run, has ended: where it has left something."""
    with contextlib.suppress(OSError):
        if (row.folder / STEPS).exists() or begun_file.is_there(row.folder):
            clear(runtime, row, job_id)


def _step_jobs(plan: RecipePlan) -> list[str]:
    state = RunState(state_path(plan))
    return [known.job_id for job in plan.jobs if (known := state.job(job.key)) is not None]
