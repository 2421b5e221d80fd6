"""Where a job stands, and what a user can do with it: all that is needed of a job to register and to draw nothing."""

from __future__ import annotations

from enum import StrEnum


class Stage(StrEnum):
    """Where a job stands. The stages up to APPLIED are passed in this order; CREATE and WAIT once for each step."""

    SNAPSHOT = "snapshot"
    UPLOAD = "upload"
    CREATE = "create"
    WAIT = "wait"
    DOWNLOAD = "download"
    READY = "ready"
    APPLIED = "applied"
    FAILED = "failed"
    STOPPED = "stopped"
    UNCERTAIN = "uncertain"


ENDED = frozenset({Stage.APPLIED, Stage.FAILED, Stage.STOPPED})
"""Nothing more happens by itself, and nothing is waited for."""

RESTING = ENDED | {Stage.READY, Stage.UNCERTAIN}
"""There is nothing to run: the job has ended, or waits for the scene or for the user."""


FILES_DELETED = "Its files were deleted"
"""The text of a job that is done, once the user has deleted what it made."""


class Action(StrEnum):
    """What a user can do with a job."""

    STOP = "stop"
    RETRY = "retry"
    ADOPT = "adopt"
    LOOK_AGAIN = "look_again"
    RESEND = "resend"
    FORGET = "forget"
    DISMISS = "dismiss"
    APPLY = "apply"
