"""The service without HTTP: what the routes ask for. Used from the event loop's thread only."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self

from ..assetgen.contract import Category, ErrorCode, TaskRequest, TaskStatus
from .background.dispatcher import Dispatcher
from .background.engine import BlenderRunner, capabilities
from .background.late_pictures import LatePictures
from .background.queue_expiry import QueueExpiry
from .background.retention import Retention
from .background.webhook_sender import WebhookSender
from .errors import ServiceError, not_found
from .options import Options
from .rules.moderation import OutputModeration, check_words
from .rules.references import resolve, with_source
from .rules.signed_links import SignedLinks
from .rules.validation import read_request
from .store.account import as_number, hundredths
from .store.database import Database
from .store.file_store import FileStore
from .store.tasks import NewTask, task_detail, usage_row

_DATABASE = "engine.db"
_POOL_RETRY_SECONDS = 2


class Backend:
    """The service over one data folder: checks requests, creates tasks and tells what became of them."""

    def __init__(self, options: Options, database: Database, files: FileStore, links: SignedLinks) -> None:
        self.options = options
        self.database = database
        self.files = files
        self.links = links
        self._capabilities = capabilities() if options.capabilities is None else options.capabilities
        self._blender = BlenderRunner(options.worker_blender, options.task_seconds, options.spare_seconds)
        clock = options.clock
        self._webhooks = WebhookSender(database.webhook_outbox, self.detail, options.webhook_retry_seconds, clock)
        self._retention = Retention(database, files, options.keep_seconds, clock)
        self._pictures = LatePictures(files, options.runner or self._blender)
        self._dispatcher = Dispatcher(
            database,
            files,
            options.runner or self._blender,
            options.workers,
            QueueExpiry(database, options.queue_seconds, clock),
            OutputModeration(database, options.denied_output),
            self._webhooks.wake,
        )

    @classmethod
    def open(cls, data_dir: Path, options: Options, base_url: str) -> Self:
        """Opens a data folder that this process has to itself.

        Raises:
            DatabaseTooNew: A later version wrote it.
            OSError, sqlite3.Error: It cannot be read or written.
        """
        files = FileStore(data_dir)
        files.prepare()
        database = Database.open(
            data_dir / _DATABASE,
            clock=options.clock,
            grant=hundredths(options.credits),
            endpoints=options.webhooks,
            alert=None if options.credit_alert is None else hundredths(options.credit_alert),
        )
        return cls(options, database, files, SignedLinks(base_url, database.link_secret(), options.clock))

    def start(self) -> None:
        """Goes on with what an earlier end left undone."""
        if self.options.runner is None:
            self._blender.warm_up()  # whoever starts an engine has a task for it
        self._dispatcher.start()
        self._webhooks.wake()
        self._retention.remove_old()

    async def close(self) -> None:
        """Ends the running Blenders and closes the data folder."""
        await self._dispatcher.close()
        self._pictures.close()
        await self._webhooks.close()
        self._retention.close()
        self._blender.close()
        self.database.close()

    def create(
        self, model: type[TaskRequest], sent: Mapping[str, Any], forced: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """Creates a task and returns what the answer says of it (docs/api.md, 2.1).

        Args:
            model: What the request is checked by.
            sent: The request's body.
            forced: An outcome that a test wants for the task, instead of work.

        Raises:
            ServiceError: The request does not fit, refers to something unusable, has words that are denied, the engine
                has no geometry for it (HTTP 501), or there is no place or credit for it.
        """
        request = read_request(model, with_source(model, sent), self.options.region)
        sources = resolve(request, sent, self.database)
        check_words(request, self.options.denied)
        self._check_geometry(model)
        priority = request.priority or 1
        self._check_priority(priority)
        price = hundredths(self.options.price(request))
        body = request.body()
        category = model.pool_for(body)
        self._check_pool(category)
        self._check_credits(price)
        task = NewTask(
            id=str(uuid.uuid4()),
            capability=model.name,
            type=model.task_type,
            category=category,
            priority=priority,
            sent=sent,
            body=body,
            sources=sources,
            price=price,
            forced=forced,
        )
        self.database.create(task)
        self._dispatcher.wake()
        self._webhooks.wake()
        return {"task_id": task.id, "type": task.type, "status": TaskStatus.QUEUED}

    def _check_priority(self, priority: int) -> None:
        highest = self.options.highest_priority
        if priority > highest:
            message = f"`priority` is {priority}; this account is entitled to at most {highest}"
            raise ServiceError(ErrorCode.PRIORITY_NOT_ALLOWED, message, status=HTTPStatus.FORBIDDEN)

    def _check_geometry(self, model: type[TaskRequest]) -> None:
        if model.name not in self._capabilities:
            message = f"{model.endpoint} is not available in the local engine yet"
            raise ServiceError(ErrorCode.SERVER_ERROR, message, status=HTTPStatus.NOT_IMPLEMENTED)

    def _check_pool(self, category: Category) -> None:
        places = self.options.pool(category)
        if self.database.unfinished(category) >= places:
            raise ServiceError(
                ErrorCode.CONCURRENCY_LIMIT,
                f"{places} tasks of the kind {category} are queued or running, which is as many as there may be",
                status=HTTPStatus.TOO_MANY_REQUESTS,
                headers={"Retry-After": str(_POOL_RETRY_SECONDS)},
            )

    def _check_credits(self, price: int) -> None:
        balance, _ = self.database.balance()
        if price > balance:
            message = f"the task costs {as_number(price)} credits and the account has {as_number(balance)}"
            raise ServiceError(ErrorCode.INSUFFICIENT_CREDITS, message, status=HTTPStatus.FORBIDDEN)

    def detail(self, task_id: str) -> dict[str, Any]:
        """One task with fresh links.

        Raises:
            ServiceError: There is none (2001).
        """
        tasks = self.details([task_id])["tasks"]
        if not tasks:
            raise not_found(task_id)
        task: dict[str, Any] = tasks[task_id]
        return task

    def details(self, task_ids: list[str]) -> dict[str, Any]:
        """Many tasks by id, and the ids that were not found, in the order asked."""
        tasks = self.database.tasks(task_ids)
        details = {
            task.id: task_detail(task, self._dispatcher.progress(task.id), self._download_link)
            for task in tasks.values()
        }
        missed = [task_id for task_id in dict.fromkeys(task_ids) if task_id not in tasks]
        return {"tasks": details, "missed": missed}

    async def file(self, task_id: str, name: str) -> Path | None:
        """A file of a task's result, which is made now where it was left for later; None when there is none."""
        path = self.files.result_folder(task_id) / name
        if not path.is_file() and (task := self.database.task(task_id)) is not None:
            await self._pictures.make(task, name)
        return path if path.is_file() else None

    def balance(self) -> dict[str, Any]:
        """The account's credits."""
        balance, frozen = self.database.balance()
        return {"balance": as_number(balance), "frozen": as_number(frozen)}

    def usage(self, limit: int, offset: int) -> list[dict[str, Any]]:
        """A page of usage rows, the newest first."""
        return [usage_row(task) for task in self.database.latest(limit, offset)]

    def _download_link(self, task_id: str, name: str) -> str:
        return self.links.download_link(task_id, name, self.options.link_seconds)
