"""The places in a scene that a result can be given, each with its words: the one list of them."""

from __future__ import annotations

from enum import StrEnum

HIDE, KEEP, COLLECT, REMOVE = "HIDE", "KEEP", "COLLECT", "REMOVE"
"""What can become of something in whose stead a result comes."""


class Place(StrEnum):
    """Where a result goes."""

    SOURCE = "SOURCE"
    CURSOR = "CURSOR"
    BESIDE = "BESIDE"
    OBJECT = "OBJECT"
    FILE = "FILE"


PLACES: tuple[tuple[str, str, str], ...] = (
    (Place.SOURCE.value, "At Source", "In the place of what it is made from; else at the 3D cursor"),
    (Place.CURSOR.value, "3D Cursor", "On the 3D cursor, as on a floor, and beside what stands there already"),
    (Place.BESIDE.value, "Beside Selection", "To the right of what is selected; at the 3D cursor where nothing is"),
    (Place.OBJECT.value, "Into Object", "Into the box of an object that stands in for it: fitted, on its floor"),
    (Place.FILE.value, "As in File", "Where the file has it, at the origin of the world and in its own size"),
)
"""Identifier, label and description."""

HOLDERS = frozenset({"MESH", "EMPTY"})
"""Types of Blender's objects that a result can be put into."""

FIT, STRETCH = "FIT", "STRETCH"
FITS: tuple[tuple[str, str, str], ...] = (
    (FIT, "Fit", "As large as the box of the object allows, with its own proportions"),
    (STRETCH, "Stretch", "Every side as long as that of the box"),
)
"""How a result is fitted into an object."""

SOURCE_AFTER: tuple[tuple[str, str, str], ...] = (
    (HIDE, "Hide", "Leave the source where it is, hidden"),
    (KEEP, "Keep Visible", "Leave the source as it is"),
    (COLLECT, "Collect", "Put the source into a hidden collection of the scene, Sources"),
)
"""What can become of a source."""

OBJECT_AFTER: tuple[tuple[str, str, str], ...] = (
    (HIDE, "Hide", "Leave the object where it is, hidden"),
    (KEEP, "Keep Visible", "Leave the object as it is"),
    (REMOVE, "Remove", "Unlink the object from the scene; Undo brings it back. One with children is hidden"),
)
"""What becomes of the object that a result has gone into."""
