"""Draws a run from its seed: the jobs, and what goes wrong. The same seed and number give the same scenario."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from .faults import (
    OWN,
    PROXY,
    SILENT,
    DiskScript,
    JobScript,
    KillPoint,
    Life,
    NetworkFault,
    Scenario,
    ServiceScript,
    Stranger,
)
from .plans import ALONE, FROM_WORDS, PLANS
from .scripted.forms import FORMS

LATE = (5.0, 20.0, 90.0)
"""Seconds after which a creation whose answer was lost comes to life."""

HOUR = 3600.0

Draw = Callable[["_Drawing"], None]


class _Drawing:
    """A scenario that is being drawn."""

    def __init__(self, seed: int, number: int) -> None:
        self.random = random.Random(f"{seed}:{number}")
        self.network: list[NetworkFault] = []
        self.service: dict[str, Any] = {}
        self.lives: list[Life] = []
        self.last = Life()
        self.second: tuple[Life, ...] = ()
        self.locked: list[tuple[float, float]] = []
        self.full: list[tuple[float, float]] = []
        self.twins = False

    def early(self, **life: Any) -> None:
        """Another process that ends before its jobs do; the next one starts some seconds later."""
        wait = self.random.choice((0.0, 1.0, 10.0, 100.0)) if self.lives else 0.0
        self.lives.append(Life(wait=wait, **life))
        self.last = replace(self.last, wait=self.random.choice((0.5, 2.0, 10.0, 60.0, 200.0)))


def _lost_creation(drawing: _Drawing) -> None:
    pick = drawing.random
    alive = pick.choice((None, 0.0, 0.0, *LATE))
    kind = pick.choice((*SILENT, *PROXY))
    delay = pick.choice((0.0, 1.0, 30.0, 58.0)) if kind in PROXY or kind == "reset_after" else 0.0
    if kind in ("reset_after", "cut"):
        alive = alive or 0.0
    if kind == "reset_before":
        alive = None
    drawing.network.append(NetworkFault("create", kind, pick.randint(1, 3), pick.choice((1, 1, 1, 2)), delay, alive))


def _other_network(drawing: _Drawing) -> None:
    pick = drawing.random
    call = pick.choice(("upload", "poll", "read", "usage", "fetch"))
    kind = pick.choice((*SILENT, *PROXY, *OWN, "drip"))
    drawing.network.append(
        NetworkFault(call, kind, pick.randint(1, 4), pick.choice((1, 2, 4)), pick.choice((0.0, 1.0)))
    )


def _turned_away(drawing: _Drawing) -> None:
    pick = drawing.random
    drawing.network.append(NetworkFault("create", pick.choice((*OWN, "drip")), pick.randint(1, 3), pick.choice((1, 2))))


def _refused(drawing: _Drawing) -> None:
    pick = drawing.random
    drawing.service["refused"] = (pick.choice((0.0, 0.5, 5.0)), pick.choice((2.0, 20.0, 120.0)))


def _usage_outage(drawing: _Drawing) -> None:
    _lost_creation(drawing)
    drawing.service["usage_outage"] = drawing.random.choice((5.0, 60.0, 150.0, 300.0))


def _usage_habits(drawing: _Drawing) -> None:
    pick = drawing.random
    drawing.service |= {
        "usage_lag": pick.choice((0.0, 1.0, 10.0)),
        "usage_key": pick.choice(("", "items", "rows", "usage", "tasks")),
        "usage_order": pick.choice(("newest", "oldest", "any")),
    }


def _service_clock(drawing: _Drawing) -> None:
    drawing.service["clock"] = drawing.random.choice((-HOUR, HOUR))
    _lost_creation(drawing)


def _clock_jump(drawing: _Drawing) -> None:
    pick = drawing.random
    drawing.last = replace(drawing.last, jumps=((pick.uniform(0.5, 40.0), pick.choice((-HOUR, HOUR))),))
    _lost_creation(drawing)


def _kill_at_boundary(drawing: _Drawing) -> None:
    pick = drawing.random
    for _ in range(pick.choice((1, 1, 2))):
        what, most = pick.choice(
            (("commit", 16), ("commit", 16), ("create", 3), ("request", 12), ("rename", 4), ("claim", 1), ("submit", 2))
        )
        drawing.early(kill_point=KillPoint(what, pick.randint(1, most), pick.random() < 0.5))


def _kill_at_random(drawing: _Drawing) -> None:
    for _ in range(drawing.random.choice((1, 1, 2))):
        drawing.early(killed_after=drawing.random.uniform(0.2, 45.0))


def _kill_while_lost(drawing: _Drawing) -> None:
    """Killed while a creation hangs, and opened again before it comes to life."""
    pick = drawing.random
    drawing.network.append(NetworkFault("create", "timeout", pick.randint(1, 2), 1, 0.0, pick.choice((0.0, *LATE))))
    drawing.early(killed_after=pick.uniform(1.0, 30.0))
    drawing.last = replace(drawing.last, wait=pick.choice((0.5, 5.0, 60.0)))


def _close(drawing: _Drawing) -> None:
    for _ in range(drawing.random.choice((1, 2))):
        drawing.early(closed_after=drawing.random.uniform(0.5, 45.0))


def _two_processes(drawing: _Drawing) -> None:
    pick = drawing.random
    first = pick.choice(
        (Life(), Life(killed_after=pick.uniform(1.0, 40.0)), Life(closed_after=pick.uniform(1.0, 40.0)))
    )
    drawing.second = (first, Life(wait=5.0)) if first.ends_early else (first,)


def _journal_locked(drawing: _Drawing) -> None:
    pick = drawing.random
    for _ in range(pick.choice((1, 2))):
        drawing.locked.append((pick.uniform(0.5, 30.0), pick.choice((3.0, 12.0, 30.0))))
    drawing.locked.sort()


def _disk_full(drawing: _Drawing) -> None:
    drawing.full.append((drawing.random.uniform(0.5, 25.0), drawing.random.choice((5.0, 30.0, 60.0))))


def _damaged(drawing: _Drawing) -> None:
    pick = drawing.random
    damage = pick.choice(("cut", "scrambled", "wrong", "missing", "expired", "empty"))
    drawing.service |= {"damaged": pick.choice((1, 2)), "damage": damage}


def _failing(drawing: _Drawing) -> None:
    drawing.service["failing"] = drawing.random.choice((1, 2))


def _bad_token(drawing: _Drawing) -> None:
    drawing.service["bad_tokens"] = 1


def _strangers(drawing: _Drawing) -> None:
    pick = drawing.random
    marker = pick.choice(("", "somebody-else"))
    drawing.service["strangers"] = tuple(
        Stranger(pick.uniform(0.0, 120.0), pick.choice(tuple(FORMS)), "a stranger's", marker)
        for _ in range(pick.randint(1, 6))
    )
    _lost_creation(drawing)


def _odd_types(drawing: _Drawing) -> None:
    drawing.service["types"] = "odd"
    _lost_creation(drawing)


def _shared_types(drawing: _Drawing) -> None:
    drawing.service["types"] = "share"
    _lost_creation(drawing)


def _twins(drawing: _Drawing) -> None:
    drawing.twins = True
    _lost_creation(drawing)


def _stopped(drawing: _Drawing) -> None:
    drawing.last = replace(drawing.last, stop_after=drawing.random.uniform(0.5, 30.0))


KINDS: Mapping[str, tuple[int, Draw]] = {
    "lost creation": (6, _lost_creation),
    "network": (4, _other_network),
    "turned away": (2, _turned_away),
    "refused": (2, _refused),
    "usage outage": (2, _usage_outage),
    "usage habits": (2, _usage_habits),
    "service clock": (2, _service_clock),
    "clock jump": (2, _clock_jump),
    "kill at boundary": (5, _kill_at_boundary),
    "kill at random": (3, _kill_at_random),
    "kill while lost": (3, _kill_while_lost),
    "close": (2, _close),
    "two processes": (3, _two_processes),
    "journal locked": (2, _journal_locked),
    "disk full": (2, _disk_full),
    "damaged result": (2, _damaged),
    "failed task": (1, _failing),
    "bad token": (1, _bad_token),
    "strangers": (2, _strangers),
    "odd types": (2, _odd_types),
    "shared types": (1, _shared_types),
    "twins": (1, _twins),
    "stopped": (2, _stopped),
}
"""What can go wrong: how often it is drawn, and how."""

_LOCAL = frozenset(
    {
        *("lost creation", "network", "turned away", "clock jump", "kill at boundary", "kill at random"),
        *("kill while lost", "close", "two processes", "journal locked", "disk full", "damaged result"),
        *("failed task", "twins", "stopped"),
    }
)
"""Kinds that happen with the local engine as well."""

MARKERS: Mapping[str, int] = {"echoed": 6, "dropped": 2, "refused_named": 1, "refused": 1, "off": 1}
"""What services do with a field that they do not know, and how often that is drawn; off is the user's own choice."""


def draw(seed: int, number: int, *, only: str = "", marker: str = "") -> Scenario:
    """The scenario of one run.

    Args:
        seed: Of the campaign.
        number: Of the run.
        only: The one kind of trouble that is drawn, of :data:`KINDS`; one to four of them when left out.
        marker: What the service does with markers, of :data:`MARKERS`; drawn when left out.
    """
    drawing = _Drawing(seed, number)
    pick = drawing.random
    weights = [weight for weight, _ in KINDS.values()]
    kinds = [only] if only else sorted({*pick.choices(list(KINDS), weights, k=pick.choice((1, 1, 2, 2, 3, 4)))})
    for kind in kinds:
        KINDS[kind][1](drawing)
    drawn = pick.choices(list(MARKERS), list(MARKERS.values()))[0]
    service = ServiceScript(network=tuple(drawing.network), marker=marker or drawn, **drawing.service)
    jobs = _jobs(drawing)
    return Scenario(
        seed,
        number,
        jobs,
        service,
        (*drawing.lives, drawing.last),
        drawing.second,
        DiskScript(tuple(drawing.locked), tuple(drawing.full)),
        tuple(kinds),
    )


def draw_for_local_engine(seed: int, number: int, *, only: str = "") -> Scenario:
    """As :func:`draw`, without what the local engine cannot do: damage, and being anything but itself."""
    scenario = draw(seed, number, only=only, marker="echoed")
    script = scenario.service
    # What is answered by something in between comes to nothing there, and what is late comes when all have given up.
    network = tuple(replace(fault, alive=None) if fault.kind in PROXY else fault for fault in script.network)
    damage = script.damage if script.damage in ("expired", "missing") else ""
    service = ServiceScript(network, damage=damage, damaged=script.damaged, failing=script.failing)
    return replace(
        scenario, service=service, kinds=tuple(f"{kind}, local" for kind in scenario.kinds if kind in _LOCAL)
    )


def _jobs(drawing: _Drawing) -> tuple[JobScript, ...]:
    pick = drawing.random
    jobs: list[JobScript] = []
    for number in range(pick.choice((1, 2, 3))):
        plan = pick.choice(PLANS)
        if plan in ALONE and any(job.plan in ALONE for job in jobs):
            plan = PLANS[0]
        jobs.append(JobScript(f"job {number} of {drawing.random.getrandbits(32):08x}", plan, number % 2))
    if drawing.twins:
        jobs[0] = replace(jobs[0], plan=pick.choice([plan for plan in FROM_WORDS if plan not in ALONE]), copies=2)
    return tuple(jobs)
