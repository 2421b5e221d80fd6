"""What the threads of the core report, as frozen data on one queue. Only the pump reads it.

Named tuples and not data classes, like all that is read while the extension is enabled: they are made seven times as
quickly.
"""

from __future__ import annotations

from typing import NamedTuple

from ..jobs.job import JobView


class JobChanged(NamedTuple):
    """A job looks different from before."""

    job: JobView


class JobRemoved(NamedTuple):
    """A job is off the list."""

    job_id: str


class ServiceChecked(NamedTuple):
    """The answer to a test of the connection: the balance, or why there is none. Numbers as texts, in credits."""

    ok: bool
    sentence: str
    balance: str = ""
    frozen: str = ""


Message = JobChanged | JobRemoved | ServiceChecked
