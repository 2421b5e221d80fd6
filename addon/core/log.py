"""Where the extension's errors are logged: under the names of its modules, for whoever looks at the console."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logging import Logger


def logger(name: str) -> Logger:
    """The logger of a module. Logging is imported when something is logged, not while the extension is enabled."""
    import logging

    return logging.getLogger(name)
