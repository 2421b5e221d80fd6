"""The service's API, declared once.

Everything that names an endpoint or a field of the service is derived from the models in this package: the requests
that the client sends, the operators and panels of the extension, the options of the command line, the reference page,
and what the local engine accepts. Add a field here, run ``scripts/dev.py generate``, and it is everywhere.
"""

from .account import Balance, UsageRow
from .allowed import allowed_values
from .codes import ErrorCode
from .describe import FieldKind, FieldSpec, describe
from .file_kinds import extension_of, upload_format
from .files import (
    IMAGE_FORMATS,
    MAX_MULTIPART_BYTES,
    MAX_UPLOAD_BYTES,
    MODEL_FORMATS,
    FileObject,
    FileRef,
)
from .registry import CAPABILITIES, capability
from .request import Category, Gives, Takes, TaskRequest, Tier
from .tasks import FINAL_STATUSES, TaskCreated, TaskDetail, TaskList, TaskOutput, TaskStatus

__all__ = [
    "CAPABILITIES",
    "FINAL_STATUSES",
    "IMAGE_FORMATS",
    "MAX_MULTIPART_BYTES",
    "MAX_UPLOAD_BYTES",
    "MODEL_FORMATS",
    "Balance",
    "Category",
    "ErrorCode",
    "FieldKind",
    "FieldSpec",
    "FileObject",
    "FileRef",
    "Gives",
    "Takes",
    "TaskCreated",
    "TaskDetail",
    "TaskList",
    "TaskOutput",
    "TaskRequest",
    "TaskStatus",
    "Tier",
    "UsageRow",
    "allowed_values",
    "capability",
    "describe",
    "extension_of",
    "upload_format",
]
