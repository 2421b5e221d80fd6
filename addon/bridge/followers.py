"""All that follows the jobs beside the interface: results on their way, the balance, placeholders, reports, the key.

The pump has them go on. They are loaded with its first tick: before that there is nothing that they could follow.
"""

from __future__ import annotations

from ..core.jobs.job import Stage
from ..core.status.messages import JobChanged, Message, ServiceChecked
from . import key_field
from .arrivals import arrivals
from .balance import balance
from .endings import endings
from .placeholders import placeholders
from .results import apply_result
from .status_line import status_bar


def before_news() -> None:
    """To be called before the news are read."""
    arrivals.note_records()


def take(message: Message) -> None:
    """Tells them one piece of news, which the state has by now."""
    if isinstance(message, JobChanged):
        balance.job_changed(message.job)
        endings.seen(message.job)
        if message.job.stage is Stage.APPLIED:
            apply_result.record_source_provenance(message.job)
    if isinstance(message, ServiceChecked):
        balance.answered()


def take_answers() -> bool:
    """Takes what was found out of keys; whether there was anything."""
    return key_field.take_answers()


def step() -> bool:
    """Has them go on as far as that is possible now; whether a result was applied."""
    balance.step()
    placeholders.step()
    if arrivals.step():
        return True
    endings.step()
    status_bar.follow()
    return False


def is_quick() -> bool:
    """Whether one of them is to go on at once."""
    return arrivals.is_quick


def is_busy() -> bool:
    """Whether one of them is to go on soon."""
    return arrivals.is_asked or endings.waits


def waits() -> bool:
    """Whether one of them waits for a worker, or for Blender to be idle."""
    return balance.waits or arrivals.waits or placeholders.waits or key_field.is_asking()


def new_file() -> None:
    """Another file is open: results may belong to it, and what stands in it is taken over."""
    arrivals.new_file()
    placeholders.new_file()


def clear() -> None:
    """Has them forget everything."""
    arrivals.clear()
    endings.clear()
    status_bar.clear()
    balance.clear()
    placeholders.clear()
