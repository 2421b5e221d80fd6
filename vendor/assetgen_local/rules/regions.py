"""Where the regions of the service differ in what they take (docs/api.md, 9.1)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from ...assetgen.contract import FieldKind, TaskRequest, describe
from ..errors import bad_parameter


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
            forbidden = {spec.name: spec.kind for spec in describe(model) if spec.forbidden_by}
            left = {name: value for name, value in left.items() if not _means_nothing(forbidden.get(name), value)}
        if reason := model.refused(left):
            raise bad_parameter(reason)
        return left


def _means_nothing(kind: FieldKind | None, value: object) -> bool:
    return kind is not None and (kind is not FieldKind.SWITCH or value is False)
