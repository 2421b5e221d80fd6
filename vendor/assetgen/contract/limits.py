"""How much the service takes at once: requests, tasks, ids, rows and bytes (docs/api.md, 2.3, 4 and 5.2)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

MAX_TASK_IDS = 100
"""Most ids of one read of many tasks."""

MAX_USAGE_ROWS = 200
"""Most rows of one page of usage."""

MAX_UPLOAD_BYTES = 200 * 1024 * 1024
"""The largest multipart upload that the API documents, in bytes."""

MAX_MULTIPART_BYTES = 50 * 1024 * 1024
"""Above this size, in bytes, we upload through a presigned link instead (design decision, not a rule of the API)."""


class Category(StrEnum):
    """The concurrency pools."""

    GENERATION_H = "generation_h"
    GENERATION_P = "generation_p"
    IMAGE = "image"
    ANIMATION = "animation"
    PROCESSING = "processing"
    MESH = "mesh"


POOL_SIZES: Mapping[Category, int] = MappingProxyType(
    {
        Category.GENERATION_H: 10,
        Category.GENERATION_P: 5,
        Category.IMAGE: 1,
        Category.ANIMATION: 10,
        Category.PROCESSING: 5,
        Category.MESH: 10,
    }
)
"""Unfinished tasks that an account may have in each pool. Some accounts may have more or fewer."""


class RateGroup(StrEnum):
    """Requests that count against the same rate limit."""

    GENERATION = "generation"
    REFINE = "refine"
    CREATION = "creation"
    """All other creations."""
    UPLOAD = "upload"
    QUERY = "query"
    """All that only reads."""


DOCUMENTED_RATES: Mapping[RateGroup, int] = MappingProxyType(
    {RateGroup.GENERATION: 200, RateGroup.REFINE: 50, RateGroup.UPLOAD: 10}
)
"""Requests a minute; the API calls them approximate, and says nothing of the other groups."""
