"""What the host of a virtual machine takes is left out of a gap, and nothing else is."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator

import pytest
from devtools.bench.host import HostWatch, longest_undisturbed, seconds_taken

_STOPPED_SECONDS = 0.1
_WAIT_SECONDS = 30.0


def test_moments_count_once_and_only_within_the_gap() -> None:
    taken = [(1.0, 2.0), (1.5, 2.5), (4.0, 9.0)]
    assert seconds_taken(taken, 0.0, 3.0) == pytest.approx(1.5)
    assert seconds_taken(taken, 1.75, 5.0) == pytest.approx(0.75 + 1.0)
    assert seconds_taken(taken, 2.5, 4.0) == 0.0
    assert seconds_taken([], 0.0, 3.0) == 0.0


def test_the_longest_gap_is_another_one_without_what_was_taken() -> None:
    gaps = [(0.0, 1.0), (2.0, 2.4)]
    assert longest_undisturbed(gaps, []) == pytest.approx(1.0)
    assert longest_undisturbed(gaps, [(0.1, 0.9), (1.5, 2.1)]) == pytest.approx(0.3)
    assert longest_undisturbed([], [(0.0, 1.0)]) == 0.0


@pytest.fixture
def host() -> Iterator[HostWatch]:
    watch = HostWatch()
    yield watch
    watch.close()


@pytest.mark.skipif(sys.platform != "linux", reason="there are watchers on Linux only")
def test_a_watcher_notes_when_it_could_not_run(host: HostWatch) -> None:
    """A signal stops it here, as a host does by taking its processor away."""
    watcher = host._watchers[0]
    until = time.monotonic() + _WAIT_SECONDS
    stopped = began = time.perf_counter()
    while not any(since <= stopped and end - since > _STOPPED_SECONDS / 2 for since, end in host.taken()):
        if watcher.poll() is not None:
            pytest.skip("real-time priority is not allowed here")
        assert time.monotonic() < until, "it noted nothing"
        watcher.send_signal(signal.SIGSTOP)
        stopped = time.perf_counter() + _STOPPED_SECONDS / 2
        time.sleep(_STOPPED_SECONDS)
        watcher.send_signal(signal.SIGCONT)
        time.sleep(_STOPPED_SECONDS / 2)
    assert all(began < since < end for since, end in host.taken())
    host.close()
    assert all(watcher.returncode is not None for watcher in host._watchers)
