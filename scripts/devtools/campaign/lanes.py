"""Runs side by side: lanes that are forked from one warm process and take one number after the other."""

from __future__ import annotations

import os
import pickle
import select
import struct
import traceback
from collections.abc import Callable, Iterator
from typing import TypeVar

from . import processes

Result = TypeVar("Result")


def in_lanes(numbers: range, work: Callable[[int], Result], lanes: int) -> Iterator[tuple[int, Result | str]]:
    """Does ``work`` for every number in child processes, and yields what came of each, as it comes.

    A text in place of a result says what the work died of. There must be no thread in this process.
    """
    taken, give = os.pipe()
    channels: dict[int, bytearray] = {}
    pids = []
    for _ in range(lanes):
        readable, writable = os.pipe()

        def lane(writable: int = writable) -> None:
            os.close(give)
            while len(item := os.read(taken, 4)) == 4:
                (number,) = struct.unpack("<i", item)
                result: object
                try:
                    result = work(number)
                except Exception:
                    result = traceback.format_exc()
                content = pickle.dumps((number, result))
                _write(writable, struct.pack("<i", len(content)) + content)

        pids.append(processes.fork(lane))
        os.close(writable)
        channels[readable] = bytearray()
    os.close(taken)
    queue = iter(numbers)
    waiting = next(queue, None)
    os.set_blocking(give, False)
    while channels:
        # No more than a few ahead: a number that lies in the pipe is nobody's yet.
        givers = [give] if waiting is not None else []
        ready, free, _ = select.select(list(channels), givers, [])
        if free and waiting is not None:
            try:
                os.write(give, struct.pack("<i", waiting))
                waiting = next(queue, None)
            except BlockingIOError:
                pass
            if waiting is None:
                os.close(give)
        for handle in ready:
            piece = os.read(handle, 65536)
            channels[handle] += piece
            if not piece:
                os.close(handle)
                del channels[handle]
                continue
            buffer = channels[handle]
            while len(buffer) >= 4 and len(buffer) >= 4 + (size := struct.unpack_from("<i", buffer)[0]):
                yield pickle.loads(bytes(buffer[4 : 4 + size]))
                del buffer[: 4 + size]
    for pid in pids:
        os.waitpid(pid, 0)


def _write(handle: int, content: bytes) -> None:
    while content:
        content = content[os.write(handle, content) :]
