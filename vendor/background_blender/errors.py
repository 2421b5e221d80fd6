"""What can go wrong with a background Blender.

BlenderTrouble
├── BlenderMissing    the program could not be started
├── BlenderFailed     the script raised, or the program ended without an answer
├── BlenderTimedOut   it took longer than allowed and was ended
└── BlenderStopped    the caller asked to stop and it was ended
"""

from __future__ import annotations


class BlenderTrouble(Exception):
    """Base of the errors of this package."""


class BlenderMissing(BlenderTrouble):
    """The program could not be started."""


class BlenderFailed(BlenderTrouble):
    """The script raised or the program crashed.

    Attributes:
        kind: Class name of the exception that the script raised; empty when the program itself ended.
        log: The last lines that the program printed.
    """

    def __init__(self, message: str, *, kind: str = "", log: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.log = log


class BlenderTimedOut(BlenderTrouble):
    """The script took longer than allowed."""


class BlenderStopped(BlenderTrouble):
    """The caller asked to stop."""
