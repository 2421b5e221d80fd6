"""The local engine: the service's API on 127.0.0.1, with classical geometry behind it instead of AI.

``LocalService`` runs it inside this process; ``__main__.py`` runs it as a process of its own. Names are resolved on
first use, because ``engine/`` is imported from this package by a Blender that has no web framework.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .host.data_dir import DataDirInUse
    from .host.service import LocalService
    from .options import Options
    from .task_runner import InputRejected, TaskRunner

__all__ = ["DataDirInUse", "InputRejected", "LocalService", "Options", "TaskRunner"]

_MODULES = {
    "DataDirInUse": "host.data_dir",
    "InputRejected": "task_runner",
    "LocalService": "host.service",
    "Options": "options",
    "TaskRunner": "task_runner",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_MODULES[name]}", __name__), name)
