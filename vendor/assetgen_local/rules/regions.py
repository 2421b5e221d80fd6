"""Where the regions of the service differ in what they take (docs/api.md, 9.1)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from ...assetgen.contract import TaskRequest
from ..errors import bad_parameter

_SWITCHES = frozenset({"quad", "smart_low_poly", "generate_parts"})
_PASSED_OVER = "geometry_quality"


class Region(StrEnum):
    """The two deployments of the service."""

    INTERNATIONAL = "international"
    CHINA = "china"

    def accepted(self, model: type[TaskRequest], body: Mapping[str, Any]) -> dict[str, Any]:
        """The body, without what this region passes over and the other one refuses.

        Raises:
            ServiceError: It has fields that its model version does not take (code 1004).
        """
        left = dict(body)
        if self is Region.CHINA and model.refused(left):
            # Of these, the China deployment refuses only switches that are on.
            left = {name: value for name, value in left.items() if not _means_nothing(name, value)}
        if reason := model.refused(left):
            raise bad_parameter(reason)
        return left


def _means_nothing(name: str, value: object) -> bool:
    return name == _PASSED_OVER or (name in _SWITCHES and value is False)
