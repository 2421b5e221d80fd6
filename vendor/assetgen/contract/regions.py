"""The deployments of the service, which differ in what they take (docs/api.md, 9.1)."""

from __future__ import annotations

from enum import StrEnum


class Region(StrEnum):
    """Where a key is good."""

    INTERNATIONAL = "international"
    CHINA = "china"
