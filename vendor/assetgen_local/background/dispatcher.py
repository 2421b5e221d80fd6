"""Works off the queue: a few tasks at a time, each by a runner on a thread of its own.

Nothing here polls. A task is taken up when one is created or when another ends.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...assetgen.contract import ErrorCode, TaskStatus
from ...background_blender import BlenderFailed, BlenderMissing, BlenderStopped, BlenderTimedOut
from ..rules.moderation import OutputModeration
from ..store.database import Database
from ..store.file_store import FileStore
from ..store.tasks import Result, Task
from ..task_runner import InputRejected, TaskRunner
from .engine import EngineRequests
from .late_pictures import may_be_missing
from .queue_expiry import QueueExpiry

_LOG = logging.getLogger(__name__)
MAX_ATTEMPTS = 3
"""A task that was running at this many ends of the local engine has probably ended it, and is not tried again."""

_CLOSE_SECONDS = 10.0
_RECORD_AGAIN_SECONDS = (0.1, 1.0, 5.0, 15.0)
_INPUT_ERROR = ErrorCode.INPUT_2002  # one of "input errors"; the API does not say which of them means what


class Dispatcher:
    """Takes queued tasks and sees them to their end, whatever becomes of their Blender.

    Args:
        workers: Tasks worked on at the same time.
        expiry: Fails what has waited too long.
        moderation: Rejects results.
        on_end: Called after a task has ended.
    """

    def __init__(
        self,
        database: Database,
        files: FileStore,
        runner: TaskRunner,
        workers: int,
        expiry: QueueExpiry,
        moderation: OutputModeration,
        on_end: Callable[[], None],
    ) -> None:
        self._database = database
        self._files = files
        self._requests = EngineRequests(database, files)
        self._runner = runner
        self._workers = workers
        self._expiry = expiry
        self._moderation = moderation
        self._on_end = on_end
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="assetgen-task")
        self._running: dict[str, asyncio.Task[None]] = {}
        self._progress: dict[str, int] = {}  # written by worker threads, one key each; not worth a place on the disk
        self._stopping = threading.Event()

    def start(self) -> None:
        """Puts the tasks back into the queue that an earlier end of the service cut off, and begins."""
        for task in self._database.running():
            if task.attempts >= MAX_ATTEMPTS:
                message = f"the local engine ended {task.attempts} times while it worked on this task"
                self._database.fail(task, ErrorCode.SERVER_ERROR, message)
            elif task.forced is None or task.forced.get("status") != TaskStatus.RUNNING:
                self._database.requeue(task.id)
        self.wake()

    def wake(self) -> None:
        """Takes up tasks while there are some and a worker is free. Call it after one was created."""
        if self._stopping.is_set():
            return
        if self._expiry.fail_expired():
            self._on_end()
        while len(self._running) < self._workers:
            task = self._database.next_queued()
            if task is None:
                break
            self._database.start(task.id)
            self._progress[task.id] = 0
            self._running[task.id] = asyncio.create_task(self._run_to_end(task), name=f"task {task.id}")
        self._expiry.schedule(self.wake)

    def progress(self, task_id: str) -> int:
        """Per cent done of a task that is worked on; 0 for any other."""
        return self._progress.get(task_id, 0)

    async def close(self) -> None:
        """Ends the running Blenders; their tasks go back into the queue. Nothing touches the database afterwards."""
        self._stopping.set()
        self._expiry.close()
        if self._running:
            _, left = await asyncio.wait(self._running.values(), timeout=_CLOSE_SECONDS)
            for late in left:  # a runner that does not stop: its task is queued again at the next start
                late.cancel()
            await asyncio.gather(*left, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _run_to_end(self, task: Task) -> None:
        try:
            await (self._work(task) if task.forced is None else self._force(task, task.forced))
        except Exception as error:  # a fault of ours must neither end the service nor hold the credits
            _LOG.exception("task %s", task.id)
            await self._give_up(task, error)
        finally:
            self._running.pop(task.id, None)
            self._progress.pop(task.id, None)
        self._on_end()
        self.wake()

    async def _give_up(self, task: Task, error: Exception) -> None:
        """Fails a task although something is wrong with us; a disk that is full may have no room for that at first."""
        full = isinstance(error, sqlite3.OperationalError) and "full" in str(error)
        message = "the disk with the local engine's data is full" if full else "the local engine failed on this task"
        with suppress(OSError):  # what this attempt wrote may be what filled the disk
            self._files.clear_results(task.id)
        for seconds in _RECORD_AGAIN_SECONDS:
            try:
                self._database.fail(task, ErrorCode.SERVER_ERROR, message)
            except sqlite3.Error:
                await asyncio.sleep(seconds)  # and if all is in vain, the task is tried again at the next start
            else:
                return

    async def _work(self, task: Task) -> None:
        loop = asyncio.get_running_loop()
        request = self._requests.build(task)
        try:
            result = await loop.run_in_executor(self._threads, self._run, task.id, request)
        except BlenderStopped:
            self._database.requeue(task.id, uncount=True)
        except InputRejected as error:
            self._database.fail(task, _INPUT_ERROR, str(error))
        except BlenderTimedOut:
            _LOG.error("task %s took too long", task.id)
            self._database.fail(task, ErrorCode.SERVER_ERROR_2, "the engine took too long for this task and was ended")
        except BlenderMissing as error:
            _LOG.error("task %s: %s", task.id, error)
            self._database.fail(task, ErrorCode.SERVER_ERROR, f"the engine's Blender is not there: {error}")
        except BlenderFailed as error:
            _LOG.error("task %s: %s\n%s", task.id, error, error.log)
            self._database.fail(task, ErrorCode.SERVER_ERROR, f"the engine failed on this task: {error}")
        else:
            self._record(task, result)

    def _record(self, task: Task, result: Result) -> None:
        if not self._moderation.rejects(task, result):
            self._database.succeed(task, result)
            return
        with suppress(OSError):
            self._files.remove_results(task.id)
        self._database.fail(task, ErrorCode.MODERATION, "moderation rejects the result")

    def _run(self, task_id: str, request: Mapping[str, Any]) -> Result:
        """Runs on a worker thread, so it leaves the database alone."""
        folder = self._files.clear_results(task_id)

        def report(fraction: float, _message: str) -> None:
            # 100 is left to success: a client that reads it expects the result.
            self._progress[task_id] = max(0, min(99, int(fraction * 100)))

        answer = self._runner(request, on_progress=report, stopped=self._stopping.is_set)
        return _checked(answer, folder, request)

    async def _force(self, task: Task, forced: Mapping[str, Any]) -> None:
        """The outcome that a test asked for."""
        await asyncio.sleep(float(forced.get("seconds", 0)))
        status = str(forced.get("status", TaskStatus.FAILED))
        if status == TaskStatus.RUNNING:  # and never anything else
            return
        code = forced.get("error_code")
        message = forced.get("error_message", "a failure that was asked for")
        self._database.fail(task, code, message if code is not None else None, status=status)


def _checked(answer: Mapping[str, Any], folder: Path, request: Mapping[str, Any]) -> Result:
    """The engine's answer to a request, if its files are really there.

    Raises:
        BlenderFailed: They are not.
    """
    files = {str(key): str(name) for key, name in answer.get("files", {}).items()}
    for key, name in files.items():
        is_there = (folder / name).is_file() or may_be_missing(request, key)
        if Path(name).name != name or not is_there:
            raise BlenderFailed(f"the engine names {name!r} as {key}, and there is no such file")
    return Result(files=files, values=answer.get("values", {}), facts=answer.get("facts", {}))
