"""What a benchmark is, and the list of them.

To add one: write a module here with a function from an `Environment` to a `Measurement`, decorate it with
`benchmark(...)`, and name the module in `runner._MODULES`. What has to run with bpy goes into a script of its own in
``probes/``, which prints one JSON object as its last line (see `probe.run_probe`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..environments.environment import Environment


@dataclass(frozen=True, slots=True)
class Measurement:
    """What was measured, in milliseconds: the thing itself and the reference, in the same run.

    Attributes:
        milliseconds: The median of the runs.
        reference_milliseconds: The same for the reference.
        facts: Anything else worth storing, for the JSON file.
        broken: What was found to be wrong beside the figures; empty when nothing was.
    """

    milliseconds: float
    reference_milliseconds: float
    facts: dict[str, object] = field(default_factory=dict)
    broken: str = ""

    @property
    def times_less(self) -> float:
        """How many times less than the reference it is."""
        return self.reference_milliseconds / self.milliseconds if self.milliseconds else float("inf")


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A promise and how to measure it.

    Attributes:
        name: For ``--only``.
        what: What is measured, in words.
        reference: What it is compared with, in words.
        most_milliseconds: The budget, or None when only the ratio counts.
        times_less: How many times less than the reference it has to be, or None when only the time counts.
        in_window: Whether it needs a Blender with a window, which ``BLENDER`` names.
        promise: The budget in words, where the measurement itself says in ``broken`` whether it was kept.
    """

    name: str
    what: str
    reference: str
    measure: Callable[[Environment], Measurement]
    most_milliseconds: float | None = None
    times_less: float | None = None
    in_window: bool = False
    promise: str = ""

    def budget(self) -> str:
        """The promise in words."""
        time = [f"< {self.most_milliseconds:g} ms"] if self.most_milliseconds is not None else []
        ratio = [f">= {self.times_less:g} times less"] if self.times_less is not None else []
        return ", ".join([*time, *ratio, *([self.promise] if self.promise else [])])

    def is_kept(self, measurement: Measurement) -> bool:
        """Whether the measurement keeps the promise."""
        return (
            not measurement.broken
            and (self.most_milliseconds is None or measurement.milliseconds < self.most_milliseconds)
            and (self.times_less is None or measurement.times_less >= self.times_less)
        )


BENCHMARKS: dict[str, Benchmark] = {}
"""All benchmarks, in the order in which they are run."""


def benchmark(
    name: str,
    *,
    what: str,
    reference: str,
    most_milliseconds: float | None = None,
    times_less: float | None = None,
    in_window: bool = False,
    promise: str = "",
) -> Callable[[Callable[[Environment], Measurement]], Callable[[Environment], Measurement]]:
    """Registers the decorated function under a name; the arguments are those of `Benchmark`."""
    if most_milliseconds is None and times_less is None and not promise:
        raise ValueError(f"the benchmark {name} promises nothing")

    def register(measure: Callable[[Environment], Measurement]) -> Callable[[Environment], Measurement]:
        if name in BENCHMARKS:
            raise ValueError(f"there are two benchmarks called {name}")
        BENCHMARKS[name] = Benchmark(name, what, reference, measure, most_milliseconds, times_less, in_window, promise)
        return measure

    return register
