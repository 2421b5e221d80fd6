"""Moderation, as far as a local engine needs one: a list of words that are given when it starts (API section 3)."""

from __future__ import annotations

import re
from collections.abc import Collection

from ..assetgen.contract import ErrorCode, FieldKind, TaskRequest, describe, value_in
from .envelope import ServiceError


def check_words(request: TaskRequest, denied: Collection[str]) -> None:
    """Lets a request pass whose texts have none of the denied words, in capitals or not.

    Raises:
        ServiceError: One has (code 2008); the message names the field, and does not repeat the word.
    """
    if not denied:
        return
    # Not \b: a word may begin or end with what is no letter.
    found = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, denied))})(?!\w)", re.IGNORECASE)
    for spec in describe(type(request)):
        value = value_in(request, spec) if spec.kind is FieldKind.TEXT else None
        if isinstance(value, str) and found.search(value):
            message = f"moderation rejects `{'.'.join(spec.path)}`"
            raise ServiceError(ErrorCode.MODERATION, message)
