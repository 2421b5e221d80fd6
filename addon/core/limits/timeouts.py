"""How long the core waits, and how long it tries. All in seconds; tests are in more of a hurry."""

from __future__ import annotations

from dataclasses import dataclass

from ....vendor.assetgen.retrying import READ_TIMEOUT


@dataclass(frozen=True, slots=True)
class Timing:
    """Waits and limits.

    Attributes:
        unreachable: For so long a job that has not paid for anything yet tries to reach the service before it fails.
            A mistyped address, or an engine that was never started, should be reported soon.
        unreachable_paid: The same once a task exists that could be lost sight of.
        settle: At least so long the account is looked at before "the request did not arrive" is believed.
        look_again: Between the first two of these looks; twice as long before each further one, up to fifteen times.
        resend: Before the first repetition of a request that did not arrive; twice as long before each further one.
        lost_request: How old an intent must be before that is believed, when the service itself did not answer: a
            gateway may have given up on a request that the service still works on.
        local_request: The same for our own local engine, whose requests end with their connection.
        journal: Until a job is looked at again after the journal could not be written.
        watch: How often the journal is looked at for changes by other processes.
        take_over: How often dead owners are looked for.
        poll: At least so long between two looks at running tasks, whatever they are near to.
    """

    unreachable: float = 10.0
    unreachable_paid: float = 300.0
    settle: float = 2.0
    look_again: float = 2.0
    resend: float = 0.5
    lost_request: float = READ_TIMEOUT + 60.0
    local_request: float = 10.0
    journal: float = 10.0
    watch: float = 1.0
    take_over: float = 5.0
    poll: float = 0.0
