"""News from the workers, as frozen data on one queue. Only the pump reads it."""

from __future__ import annotations

from dataclasses import dataclass

from .job import JobView


@dataclass(frozen=True, slots=True)
class JobChanged:
    """A job looks different from before."""

    job: JobView


@dataclass(frozen=True, slots=True)
class JobRemoved:
    """A job was dismissed."""

    job_id: str


@dataclass(frozen=True, slots=True)
class ServiceChecked:
    """The answer to a test of the connection: the balance, or why there is none. Numbers as texts, in credits."""

    ok: bool
    sentence: str
    balance: str = ""
    frozen: str = ""


Message = JobChanged | JobRemoved | ServiceChecked
