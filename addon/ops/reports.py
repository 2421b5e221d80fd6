"""Errors as Blender's reports: one sentence with its advice, no traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..core.errors import CoreError, sentences
from ..translation.interface import translated

if TYPE_CHECKING:
    from ..core.jobs.job import JobView


def error_line(text: str, advice: str = "", request_id: str = "") -> str:
    """One line out of the parts of an error."""
    line = sentences(text, advice)
    return f"{line} (request {request_id})" if request_id else line


def report_error(operator: bpy.types.Operator, error: CoreError) -> set[str]:
    """Reports an error and ends the operator; a caller in Python gets it as RuntimeError."""
    operator.report({"ERROR"}, translated(error_line(str(error), error.advice)))
    return {"CANCELLED"}


def report_unexpected(operator: bpy.types.Operator, error: Exception) -> set[str]:
    """Reports an error that nobody expected, in the words that the core has for it."""
    from ..core.status.error_messages import (
        present,  # here: it needs the client, which enabling the extension must not import
    )

    words = present(error)
    operator.report({"ERROR"}, translated(error_line(words.text, words.advice, words.request_id)))
    return {"CANCELLED"}


def job_failure(job: JobView) -> str:
    """What a job that did not get to its end says."""
    return error_line(job.error or f"{job.name}: {job.text}", job.advice, job.request_id)


def job_answer(job: JobView) -> str:
    """What a job found out that was asked a question."""
    return f"{job.name}: {job.answer}"


def prompt_reading(job: JobView) -> str:
    """Which words of its prompt a job has used."""
    return f"{job.name}: {job.understood}"
