"""Ids of jobs."""

from __future__ import annotations

import secrets
import time


def new_job_id() -> str:
    """An id that no other job has. It begins with the time, so that the folders of results sort by age."""
    return f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(4)}"
