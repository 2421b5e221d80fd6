"""Requests that were given up, and then made a task after all: it is charged too, so the job must say so."""

from __future__ import annotations

from ....vendor.assetgen import AssetGenError
from ..errors import CoreError
from ..jobs.records import JobRecord
from ..log import logger
from .context import JobContext
from .create import request_of
from .echoes import Echoes
from .proof import proof_of
from .reconcile import KnownTasks, proven_tasks

log = logger(__name__)


def note_second_tasks(context: JobContext, record: JobRecord) -> JobRecord:
    """Looks once for further tasks of the current step, where a request of it was given up. Trouble is passed over."""
    if not record.step.lost:
        return record
    try:
        client = context.connection.client(record.service_id, context.cancel_flags.stopped(record.id))
        found = proven_tasks(
            client,
            KnownTasks.from_entries(context.journal.tasks.all(record.service_id)),
            record.step,
            proof_of(context, record, request_of(record)),
            Echoes(client, {}, is_patient=False),
        )
    except (AssetGenError, CoreError) as error:
        log.info("job %s: its service cannot be asked for further tasks: %s", record.id, error)
        return record
    if not found:
        return record
    log.warning("job %s: its requests made further tasks: %s", record.id, ", ".join(found))
    return context.journal.record_others(record.id, found)
