"""What can go wrong in a run, as plain data that the scripted service and the processes act upon."""

from __future__ import annotations

from dataclasses import dataclass, field

CALLS = ("create", "upload", "poll", "read", "usage", "fetch")
"""The requests of the client: creating, uploading, reading many tasks, reading one, the usage list, fetching a file."""

SILENT = ("reset_before", "reset_after", "cut", "timeout")
"""No whole answer comes: the connection breaks before or after the request was worked on, or within the answer."""

PROXY = ("proxy_502", "proxy_503", "proxy_504", "web_page")
"""Something in between answers, in HTML."""

OWN = ("rate_429", "own_500", "own_503")
"""The service itself says that it did not do it."""

NETWORK = (*SILENT, *PROXY, *OWN, "drip")


@dataclass(frozen=True, slots=True)
class NetworkFault:
    """One kind of request that goes wrong.

    Attributes:
        call: Of :data:`CALLS`.
        kind: Of :data:`NETWORK`.
        first: The number of the first such request that is concerned, from 1.
        times: How many in a row are.
        delay: Seconds before what is answered.
        alive: For a creation whose answer is lost: seconds after its arrival at which its task comes to life; None
            for one that never does.
    """

    call: str
    kind: str
    first: int = 1
    times: int = 1
    delay: float = 0.0
    alive: float | None = None

    @property
    def name(self) -> str:
        """As the table has it."""
        late = f", alive after {self.alive:.0f} s" if self.alive else ""
        return f"{self.call}: {self.kind}{late}"


@dataclass(frozen=True, slots=True)
class Stranger:
    """A task of somebody else in the same account, ``at`` seconds after the start."""

    at: float
    path: str
    words: str
    marker: str = ""


@dataclass(frozen=True, slots=True)
class ServiceScript:
    """How the service behaves in one run. Times in seconds.

    Attributes:
        network: Requests that go wrong.
        refused: When nobody listens: begin and length, from the first creation request on.
        usage_outage: For so long the usage list fails, from its first request on.
        usage_lag: After so long a task is among the usage.
        usage_key: The key of the usage's rows; empty for a bare list.
        usage_order: ``newest``, ``oldest`` or ``any``.
        clock: How far the service's clock is off.
        marker: What becomes of unknown fields: ``echoed``, ``dropped``, ``refused_named`` or ``refused``; ``off`` where
            none is sent, because the user does not want it.
        types: What tasks are called: as the ``text`` of the API does, by ``odd`` names that nobody would guess, or by
            names that several kinds of tasks ``share``.
        damaged: For so many first fetches the files are damaged, in the way of ``damage``.
        damage: ``cut``, ``wrong``, ``missing``, ``expired`` or ``empty``.
        failing: So many of the first tasks end as failed.
        bad_tokens: So many of the first creations that use a token are told that it has expired.
        strangers: Tasks of other people.
        seconds: How long a task takes, at least and at most.
    """

    network: tuple[NetworkFault, ...] = ()
    refused: tuple[float, float] = (0.0, 0.0)
    usage_outage: float = 0.0
    usage_lag: float = 0.0
    usage_key: str = ""
    usage_order: str = "newest"
    clock: float = 0.0
    marker: str = "echoed"
    types: str = "text"
    damaged: int = 0
    damage: str = ""
    failing: int = 0
    bad_tokens: int = 0
    strangers: tuple[Stranger, ...] = ()
    seconds: tuple[float, float] = (4.0, 20.0)


@dataclass(frozen=True, slots=True)
class KillPoint:
    """Where a process kills itself: before or after the ``nth`` thing of a kind.

    ``what`` is ``commit`` (of the journal), ``create`` (a creation request), ``request`` (any), ``rename`` (of a file),
    ``claim`` (a result is being brought into the scene) or ``submit``.
    """

    what: str
    nth: int
    after: bool


@dataclass(frozen=True, slots=True)
class Life:
    """One process from its start to its end.

    Attributes:
        wait: Seconds between the end of the one before and its start.
        kill_point: Where it kills itself.
        killed_after: After so many seconds it is killed from outside.
        closed_after: After so many seconds it is closed as Blender closes.
        jumps: Changes of its clock: when, and by how many seconds.
        stop_after: When its user stops all jobs, to retry them later; 0 for never.
    """

    wait: float = 0.0
    kill_point: KillPoint | None = None
    killed_after: float = 0.0
    closed_after: float = 0.0
    jumps: tuple[tuple[float, float], ...] = ()
    stop_after: float = 0.0

    @property
    def ends_early(self) -> bool:
        """Whether it ends before its jobs do."""
        return self.kill_point is not None or bool(self.killed_after or self.closed_after)


@dataclass(frozen=True, slots=True)
class DiskScript:
    """What else happens to the data folder: when the journal is locked and when the disk is full, begin and length."""

    locked: tuple[tuple[float, float], ...] = ()
    full: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class JobScript:
    """A job that a user asks for: its label, which is part of what it works on, and which of the plans it is.

    ``process`` is the one that it is asked for in, 0 or 1. ``copies`` jobs have the same label.
    """

    label: str
    plan: str
    process: int = 0
    copies: int = 1


@dataclass(frozen=True, slots=True)
class Scenario:
    """All of one run."""

    seed: int
    number: int
    jobs: tuple[JobScript, ...]
    service: ServiceScript = field(default_factory=ServiceScript)
    lives: tuple[Life, ...] = (Life(),)
    second: tuple[Life, ...] = ()
    disk: DiskScript = field(default_factory=DiskScript)
    kinds: tuple[str, ...] = ()
