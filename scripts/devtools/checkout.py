"""Which state of this repository is checked out."""

from __future__ import annotations

from .terminal import run


def commit_name() -> str:
    """The commit and its day, and whether files differ from it; ``unknown`` outside of a repository."""
    commit = run(["git", "log", "-1", "--format=%h of %cs"]).stdout.strip()
    changed = run(["git", "status", "--porcelain", "--untracked-files=no"]).stdout.strip()
    return f"{commit or 'unknown'}{', with changes' if changed else ''}"
