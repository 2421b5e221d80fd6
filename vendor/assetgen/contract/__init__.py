"""The service's API, declared once.

Everything that names an endpoint or a field of the service is derived from the models in this package: the requests
that the client sends, the operators and panels of the extension, the options of the command line, the reference page,
and what the local engine accepts. Add a field here, run ``scripts/dev.py generate``, and it is everywhere.
"""

from .answers.account import Balance, UsageRow
from .answers.error_codes import ErrorCode
from .answers.tasks import (
    FINAL_STATUSES,
    PromptReading,
    TaskCreated,
    TaskDetail,
    TaskList,
    TaskOutput,
    TaskStatus,
)
from .capabilities import CAPABILITIES, capability
from .constraints import allowed_values, usual_values
from .endpoints.animation import Retarget, Rig, RigCheck, billed_animations
from .endpoints.generation import ImageToModel, ImageToSplat, MultiviewToModel, TextToModel
from .endpoints.image_inputs import VIEWS, ViewFiles, ViewPrompts
from .endpoints.images import EditMultiview, ImageToImage, ImageToMultiview, TextToImage
from .endpoints.mesh import Complete, Decimate, Segment, SmartSegment
from .endpoints.models import Convert, ImportModel, Refine, Stylize, Texture, TexturePrompt
from .field_specs import FieldKind, FieldSpec, describe, file_references, rules_of, value_in
from .file_formats import IMAGE_FORMATS, MODEL_FORMATS, extension_of, format_of, upload_format
from .limits import (
    DOCUMENTED_RATES,
    MAX_MULTIPART_BYTES,
    MAX_TASK_IDS,
    MAX_UPLOAD_BYTES,
    MAX_USAGE_ROWS,
    POOL_SIZES,
    Category,
    RateGroup,
)
from .references import FileObject, FileRef, is_file_reference, is_task_id
from .regions import Region
from .request import MARKER_FIELD, Gives, LocalParameter, Takes, TaskRequest, Tier
from .rules import UNNAMED, RuleError, value_text
from .validation_errors import Complaint, Reason, complaints

__all__ = [
    "CAPABILITIES",
    "DOCUMENTED_RATES",
    "FINAL_STATUSES",
    "IMAGE_FORMATS",
    "MARKER_FIELD",
    "MAX_MULTIPART_BYTES",
    "MAX_TASK_IDS",
    "MAX_UPLOAD_BYTES",
    "MAX_USAGE_ROWS",
    "MODEL_FORMATS",
    "POOL_SIZES",
    "UNNAMED",
    "VIEWS",
    "Balance",
    "Category",
    "Complaint",
    "Complete",
    "Convert",
    "Decimate",
    "EditMultiview",
    "ErrorCode",
    "FieldKind",
    "FieldSpec",
    "FileObject",
    "FileRef",
    "Gives",
    "ImageToImage",
    "ImageToModel",
    "ImageToMultiview",
    "ImageToSplat",
    "ImportModel",
    "LocalParameter",
    "MultiviewToModel",
    "PromptReading",
    "RateGroup",
    "Reason",
    "Refine",
    "Region",
    "Retarget",
    "Rig",
    "RigCheck",
    "RuleError",
    "Segment",
    "SmartSegment",
    "Stylize",
    "Takes",
    "TaskCreated",
    "TaskDetail",
    "TaskList",
    "TaskOutput",
    "TaskRequest",
    "TaskStatus",
    "TextToImage",
    "TextToModel",
    "Texture",
    "TexturePrompt",
    "Tier",
    "UsageRow",
    "ViewFiles",
    "ViewPrompts",
    "allowed_values",
    "billed_animations",
    "capability",
    "complaints",
    "describe",
    "extension_of",
    "file_references",
    "format_of",
    "is_file_reference",
    "is_task_id",
    "rules_of",
    "upload_format",
    "usual_values",
    "value_in",
    "value_text",
]
