"""Runs a script in a second, background Blender and talks with it.

Both sides are here: :func:`run` for the program that needs something done, and :mod:`.child` for the script that does
it. The extension prepares uploads and results this way, and the local engine does all of its geometry this way. No bpy
on this side; the child is the only one that has it.
"""

from .errors import BlenderFailed, BlenderMissing, BlenderStopped, BlenderTimedOut, BlenderTrouble
from .parent import BlenderCommand, run

__all__ = [
    "BlenderCommand",
    "BlenderFailed",
    "BlenderMissing",
    "BlenderStopped",
    "BlenderTimedOut",
    "BlenderTrouble",
    "run",
]
