"""Errors as Blender's reports: one sentence with its advice, no traceback."""

from __future__ import annotations

import bpy

from ..core.errors import CoreError, sentences
from ..core.jobs.job import JobView


def sentence(text: str, advice: str = "", request_id: str = "") -> str:
    """One line out of the parts of an error."""
    line = sentences(text, advice)
    return f"{line} (request {request_id})" if request_id else line


def refuse(operator: bpy.types.Operator, error: CoreError) -> set[str]:
    """Reports an error and ends the operator; a caller in Python gets it as RuntimeError."""
    operator.report({"ERROR"}, sentence(str(error), error.advice))
    return {"CANCELLED"}


def surprise(operator: bpy.types.Operator, error: Exception) -> set[str]:
    """Reports an error that nobody expected, in the words that the core has for it."""
    from ..core.status.error_messages import (
        present,  # here: it needs the client, which enabling the extension must not import
    )

    words = present(error)
    operator.report({"ERROR"}, sentence(words.text, words.advice, words.request_id))
    return {"CANCELLED"}


def of_job(job: JobView) -> str:
    """What a job that did not get to its end says."""
    return sentence(job.error or f"{job.name}: {job.text}", job.advice, job.request_id)


def answer_of(job: JobView) -> str:
    """What a job found out that was asked a question."""
    return f"{job.name}: {job.answer}"
