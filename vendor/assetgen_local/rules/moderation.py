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
    words = _any_of(denied)
    if words is None:
        return
    for spec in describe(type(request)):
        value = value_in(request, spec) if spec.kind is FieldKind.TEXT else None
        if isinstance(value, str) and words.search(value):
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
        self._words = _any_of(denied)

    def rejects(self, task: Task, result: Result) -> bool:
        """Whether the result of a task has to do with one of the words."""
        words = self._words
        if words is None:
            return False
        named = _texts({"values": result.values, "facts": result.facts})
        return any(words.search(text) for text in named) or any(
            words.search(text) for each in self._line_of(task) for text in _texts(each.body)
        )

    def _line_of(self, task: Task) -> Iterator[Task]:
        """The task, the one that it works on, and so on."""
        found: Task | None = task
        while found is not None:
            yield found
            found = self._database.task(found.sources.task_id) if found.sources.task_id else None


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


def _any_of(denied: Collection[str]) -> re.Pattern[str] | None:
    words = [re.escape(word) for word in denied if word.strip()]
    # Not \b: a word may begin or end with what is no letter.
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.IGNORECASE) if words else None
