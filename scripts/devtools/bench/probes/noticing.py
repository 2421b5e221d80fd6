"""How soon a finished task is noticed and how many requests that takes: the poller's own schedule on a made clock.

The durations are those that the service advises to expect (docs/api.md, 2.3): half of the tasks are images, 10 to 60
seconds, half are models, 1 to 10 minutes. A quarter of them tells its progress evenly, a quarter not at all, a quarter
stops at 95 per cent, a quarter moves by 20 per cent at once. All start together, which is the hardest: at the end few
are left to share a request.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from typing import Any

from load_extension import load_package

load_package()

from asset_generation.addon.core.limits.poll_schedule import PollSchedule
from asset_generation.vendor.assetgen.contract import MAX_TASK_IDS, TaskDetail

COUNTS = (1, 10, 100, 1000)
_RUNS = {1: 400, 10: 40, 100: 10, 1000: 3}
_ANSWER_SECONDS = 0.15
"""From a request to its answer. The state is that of the moment at which the answer comes."""
_SERVICE = "https://api.example.com"

_PROGRESS: tuple[Callable[[float], int], ...] = (
    lambda share: int(99 * share),
    lambda share: 0,
    lambda share: min(95, int(140 * share)),
    lambda share: 20 * int(4.99 * share),
)

Outcome = tuple[int, list[float]]
"""The number of requests, and each task's seconds from its end until it is noticed."""


class SimulatedTask:
    """A task at a service that tells its progress in one of several manners."""

    def __init__(self, chance: random.Random) -> None:
        self.seconds = chance.uniform(10, 60) if chance.random() < 0.5 else chance.uniform(60, 600)
        self._progress = chance.choice(_PROGRESS)

    def detail(self, task_id: str, age: float) -> TaskDetail:
        """What the service says of it after so many seconds."""
        if age >= self.seconds:
            return TaskDetail(task_id=task_id, status="success", progress=100)
        return TaskDetail(task_id=task_id, status="running", progress=self._progress(age / self.seconds))


def own(tasks: list[SimulatedTask]) -> Outcome:
    """The schedule of the extension's poller."""
    schedule, now, requests = PollSchedule(), 0.0, 0
    schedule.found(_SERVICE, loopback=False)
    for number in range(len(tasks)):
        schedule.add(str(number), str(number), _SERVICE, now)
    delays: list[float] = []
    while (due := schedule.next_due()) is not None:
        now = max(now, due)
        for request in schedule.requests(now):
            requests += 1
            now += _ANSWER_SECONDS
            for task in request:
                simulated = tasks[int(task.task_id)]
                detail = simulated.detail(task.task_id, now)
                schedule.answered(task, detail, now)
                if detail.is_final:
                    delays.append(now - simulated.seconds)
    return requests, delays


def each(tasks: list[SimulatedTask], intervals: Callable[[int], float]) -> Outcome:
    """A client that reads every task on its own; ``intervals`` gives the seconds before its nth look."""
    requests, delays = 0, []
    for task in tasks:
        now, looks = 0.0, 0
        while now < task.seconds:
            now += intervals(looks) + _ANSWER_SECONDS
            looks += 1
        requests += looks
        delays.append(now - task.seconds)
    return requests, delays


WAYS: dict[str, Callable[[list[SimulatedTask]], Outcome]] = {
    "own": own,
    "every_2_s": lambda tasks: each(tasks, lambda look: 2.0 - _ANSWER_SECONDS),
    "doubling": lambda tasks: each(tasks, lambda look: min(30.0, 2.0**look)),
}


def figures(count: int, way: Callable[[list[SimulatedTask]], Outcome]) -> dict[str, float]:
    """The requests for each task, and how soon ends were noticed, over several runs; the same ones for every way."""
    requests, delays = 0, []
    for run in range(_RUNS[count]):
        chance = random.Random(f"{count}-{run}")
        more, seen = way([SimulatedTask(chance) for _ in range(count)])
        requests += more
        delays += seen
    delays.sort()
    return {
        "requests": requests / len(delays),
        "median": delays[len(delays) // 2],
        "p95": delays[math.ceil(0.95 * len(delays)) - 1],
        "within_2_s": sum(delay <= 2.0 for delay in delays) / len(delays),
    }


if __name__ == "__main__":
    found: dict[str, Any] = {str(n): {name: figures(n, way) for name, way in WAYS.items()} for n in COUNTS}
    print(json.dumps({"ids_of_a_request": MAX_TASK_IDS, "counts": found}))
