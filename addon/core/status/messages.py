"""What the threads of the core report, as frozen data on one queue. Only the pump reads it.

Named tuples and not data classes, like all that is read while the extension is enabled: they are made seven times as
quickly. (And no postponed annotations: each of them would be compiled then.)
"""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..jobs.job import JobView
    from ..storage.report import StorageReport


class JobChanged(NamedTuple):
    """A job looks different from before."""

    job: "JobView"


class JobRemoved(NamedTuple):
    """A job is off the list."""

    job_id: str


class ServiceChecked(NamedTuple):
    """The answer to a test of the connection: the balance, or why there is none. Numbers as texts, in credits.

    ``asked`` is whether the user asked for it.
    """

    ok: bool
    sentence: str
    balance: str = ""
    frozen: str = ""
    asked: bool = True


class StorageChanged(NamedTuple):
    """Something is going on with what the data folder keeps, or has come to its end.

    ``busy`` says what, and is empty at the end; ``fraction`` says how far it is, 0 to 1. At the end ``sentence`` says
    what was done or went wrong, where there is anything to say, and ``report`` what is there now, where that is known.
    """

    busy: str = ""
    fraction: float = 0.0
    sentence: str = ""
    ok: bool = True
    report: "StorageReport | None" = None


Message = JobChanged | JobRemoved | ServiceChecked | StorageChanged
