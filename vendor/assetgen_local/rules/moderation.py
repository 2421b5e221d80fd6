"""Moderation, as far as a local engine needs one: lists of words that are given when it starts (docs/api.md, 2.2).

One list is for requests. The other is for results: an image or a model is judged by the words that it came from, its
own and those of the tasks it was made of, and by the names that the engine gave its parts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from ...assetgen.contract import ErrorCode, FieldKind, TaskRequest, describe, value_in
from ..errors import ServiceError
from ..store.database import Database
from ..store.tasks import Result, Task


def check_words(request: TaskRequest, denied: Collection[str]) -> None:
    """Lets a request pass whose texts have none of the denied words, in capitals or not.

    Raises:
        ServiceError: One has (code 2008); the message names the field, and does not repeat the word.
    """
    pattern = _pattern(denied)
    if pattern is None:
        return
    for spec in describe(type(request)):
        value = value_in(request, spec) if spec.kind is FieldKind.TEXT else None
        if isinstance(value, str) and pattern.search(value):
            message = f"moderation rejects `{'.'.join(spec.path)}`"
            raise ServiceError(ErrorCode.MODERATION, message)


class OutputModeration:
    """Judges results.

    Args:
        database: Where the tasks are that a result was made of.
        denied: The words that no result may have to do with.
    """

    def __init__(self, database: Database, denied: Collection[str]) -> None:
        self._database = database
        self._pattern = _pattern(denied)

    def rejects(self, task: Task, result: Result) -> bool:
        """Whether the result of a task has to do with one of the words."""
        pattern = self._pattern
        if pattern is None:
            return False
        result_texts = _texts({"values": result.values, "facts": result.facts})
        return any(pattern.search(text) for text in result_texts) or any(
            pattern.search(text) for ancestor in self._ancestry(task) for text in _texts(ancestor.body)
        )

    def _ancestry(self, task: Task) -> Iterator[Task]:
        """The task, the one that it works on, and so on."""
        ancestor: Task | None = task
        while ancestor is not None:
            yield ancestor
            ancestor = self._database.task(ancestor.sources.task_id) if ancestor.sources.task_id else None


def _texts(value: object) -> Iterator[str]:
    """All texts inside a JSON value; the names of its fields are not part of it."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _pattern(denied: Collection[str]) -> re.Pattern[str] | None:
    words = [re.escape(word) for word in denied if word.strip()]
    # Not \b: a word may begin or end with what is no letter.
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.IGNORECASE) if words else None
