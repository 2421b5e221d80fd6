"""Misbehaviour on demand, for tests: everything that a network and a busy service do to a client.

A fault says which requests it meets, how often, and what happens::

    {"match": {"method": "POST", "path": "/v3/mesh/decimate"}, "skip": 0, "times": 1, "action": "drop_after"}

``path`` may have the wildcards of :mod:`fnmatch`; ``times`` null means always. Actions and their further keys:

    delay        seconds                               answers later
    drop_before                                        closes the connection, nothing was done
    drop_after                                         does what was asked and closes the connection: a lost answer
    status       status, code, message, headers, body  answers this instead of doing anything
    cut          bytes                                 closes the connection after so many bytes of the answer's body
    expire_link                                        answers as if the signed link had expired
    task         status, error_code, error_message, seconds   creates the task, which then ends like this; the status
                                                       ``running`` never ends, one that the API does not name just stays
"""

from __future__ import annotations

import fnmatch
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ....assetgen.contract import ErrorCode, TaskStatus
from ...errors import bad_parameter


class Match(BaseModel):
    """Which requests a fault meets."""

    method: str = "*"
    path: str = "*"


class Fault(BaseModel):
    """One fault, as a test describes it."""

    model_config = ConfigDict(extra="forbid")

    action: Literal["delay", "drop_before", "drop_after", "status", "cut", "expire_link", "task"]
    match: Match = Field(default_factory=Match)
    skip: Annotated[int, Field(ge=0)] = 0
    times: Annotated[int | None, Field(ge=1)] = 1
    seconds: Annotated[float, Field(ge=0)] = 0.0
    status: int | str | None = None
    code: int | None = None
    message: str = "a fault that was asked for"
    headers: dict[str, str] = Field(default_factory=dict)
    body: Any = None
    bytes: Annotated[int, Field(ge=0)] = 0
    error_code: int | None = None
    error_message: str = "a failure that was asked for"

    def meets(self, method: str, path: str) -> bool:
        """Whether a request is one that this fault is for."""
        return fnmatch.fnmatchcase(method, self.match.method) and fnmatch.fnmatchcase(path, self.match.path)

    def outcome(self) -> dict[str, Any]:
        """What a task ends as, for the action ``task``."""
        status = self.status if self.status is not None else TaskStatus.FAILED
        failed = status == TaskStatus.FAILED
        code = self.error_code if self.error_code is not None or not failed else int(ErrorCode.SERVER_ERROR)
        return {"status": status, "error_code": code, "error_message": self.error_message, "seconds": self.seconds}


def read_fault(body: dict[str, Any]) -> Fault:
    """A fault from JSON.

    Raises:
        ServiceError: It is not one (code 1004).
    """
    try:
        return Fault.model_validate(body)
    except ValidationError as error:
        raise bad_parameter(f"not a fault: {error.errors(include_url=False)}") from error
