"""Runs a script in a second, background Blender and talks with it.

Both sides are here: :func:`run` for the program that needs something done, and :mod:`.child` for the script that does
it. The extension prepares uploads and results this way, and the local engine does all of its geometry this way. No bpy
on this side; the child is the only one that has it.
"""

from typing import TYPE_CHECKING, Any

from .command import BlenderCommand, cores_behind, usable_cores
from .errors import BlenderFailed, BlenderMissing, BlenderStopped, BlenderTimedOut, BlenderTrouble

if TYPE_CHECKING:
    from .parent import run
    from .spare import SpareBlender

__all__ = [
    "BlenderCommand",
    "BlenderFailed",
    "BlenderMissing",
    "BlenderStopped",
    "BlenderTimedOut",
    "BlenderTrouble",
    "SpareBlender",
    "cores_behind",
    "run",
    "usable_cores",
]


def __getattr__(name: str) -> Any:
    # Starting processes needs modules that would slow down the enabling of the extension.
    if name == "run":
        from .parent import run

        return run
    if name == "SpareBlender":
        from .spare import SpareBlender

        return SpareBlender
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
