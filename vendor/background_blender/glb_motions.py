"""The animations of one GLB in another one that has the same nodes. No bpy.

Blender's exporter takes 14 s for a character with 76 clips, and gives back what it was given at best. Where nobody has
touched the clips, they are taken byte by byte from the file that they came from.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from .glb_files import Glb
from .gltf_skins import AT_REST, Matrices, bindings, matrix_of

_WEIGHTS = "weights"
_SAME = 1e-4  # of 1, and of the longest way: by how much rounding moves nodes

_Key = tuple[str, bool]
"""A node's name, and whether it is a joint: Blender gives bones and objects the same name where a file does."""


def carry_over(source: Path, path: Path) -> bool:
    """Gives a GLB without animations those of another one.

    Joints may lie in other places than before, and are put back: Blender writes them as they were bound to their
    meshes, and not as the file has them, which may be another pose.

    Args:
        source: Any file.
        path: Is written anew where this can be done, and else left as it is.

    Returns:
        Whether all that is moved is there under its name, hangs on the same, and bends the meshes as it did.

    Raises:
        OSError: A file cannot be read or written.
    """
    with source.open("rb") as file:
        if file.read(4) != b"glTF":
            return False
    try:
        old, new = (Glb.parsed(memoryview(each.read_bytes())) for each in (source, path))
        twins, meshes = _twins(old.document, new.document), _twins_of_meshes(old.document, new.document)
        for skin in old.document.get("skins") or ():
            _check_skin(old, new, skin, twins)
        _stand(old.document, new.document, twins)
        _add(old, new, twins, meshes)
    # Files are untrusted: what is not as it has to be may raise any of these.
    except (ValueError, LookupError, TypeError, AttributeError):
        return False
    new.write(path)
    return True


def _targets(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [channel["target"] for animation in document["animations"] for channel in animation["channels"]]


class _Nodes:
    """The nodes of a document.

    Attributes:
        all: As they are there.
        keys: What each is called.
        numbers: The node of each name that only one has.
    """

    def __init__(self, document: dict[str, Any]) -> None:
        self.all: list[dict[str, Any]] = document["nodes"]
        joints = {number for skin in document.get("skins") or () for number in skin["joints"]}
        self.keys: list[_Key] = [(node.get("name", ""), number in joints) for number, node in enumerate(self.all)]
        times = Counter(self.keys)
        self.numbers = {key: number for number, key in enumerate(self.keys) if key[0] and times[key] == 1}
        self._parents = {child: number for number, node in enumerate(self.all) for child in node.get("children") or ()}

    def line(self, number: int, moved: set[_Key]) -> list[tuple[_Key, Matrices]]:
        """A node and all that it hangs on, from it upwards, with their places, but for what makes no difference.

        Joints have no place, since they may lie anywhere.

        Raises:
            ValueError: It hangs on itself.
        """
        found = []
        for _ in self.all:
            key = self.keys[number]
            matrix = np.eye(4) if key[1] else matrix_of(self.all[number])
            if key[1] or key in moved or not np.array_equal(matrix, np.eye(4)):
                found.append((key, matrix))
            if number not in self._parents:
                return found
            number = self._parents[number]
        raise ValueError("a node hangs on itself")


def _twins(old: dict[str, Any], new: dict[str, Any]) -> dict[int, int]:
    """The nodes of one document in another one: those that are moved from their places, and the joints.

    Raises:
        ValueError: One of them lies or hangs otherwise, or nothing is moved, or more than nodes.
        LookupError: One is not there.
    """
    here, there, targets = _Nodes(old), _Nodes(new), _targets(old)
    if not targets or any("extensions" in target or target["path"] not in (*AT_REST, _WEIGHTS) for target in targets):
        raise ValueError("nothing is moved, or more than nodes")
    moved = {here.keys[target["node"]] for target in targets if target["path"] != _WEIGHTS}
    keys = moved | {key for key in here.keys if key[1]}
    twins = {here.numbers[key]: there.numbers[key] for key in keys}
    lines = [(here.line(number, moved), there.line(twin, moved)) for number, twin in twins.items()]
    if any([key for key, _ in line] != [key for key, _ in other] for line, other in lines):
        raise ValueError("something hangs elsewhere")
    before, after = (np.array([np.eye(4), *(matrix for pair in lines for _, matrix in pair[side])]) for side in (0, 1))
    _check_same(before, after, float(np.abs(before[:, :3, 3]).max()))
    return twins


def _twins_of_meshes(old: dict[str, Any], new: dict[str, Any]) -> dict[int, int]:
    """The nodes of one document in another one whose meshes change their forms (morph targets): by the meshes' names.

    Not by their own: Blender puts what bones bend below a node of its own.

    Raises:
        ValueError: A mesh is not there just once, or has other forms.
    """
    twins = {}
    for number in {target["node"] for target in _targets(old) if target["path"] == _WEIGHTS}:
        mesh = old["meshes"][old["nodes"][number]["mesh"]]
        ours, others = (_shown(document, mesh["name"]) for document in (old, new))
        if len(ours) != 1 or len(others) != 1 or _forms(mesh) != _forms(new["meshes"][new["nodes"][others[0]]["mesh"]]):
            raise ValueError("a mesh is not as it was")
        twins[number] = others[0]
    return twins


def _shown(document: dict[str, Any], mesh: str) -> list[int]:
    """The nodes that show a mesh."""
    meshes = [number for number, found in enumerate(document["meshes"]) if found.get("name") == mesh]
    return [number for number, node in enumerate(document["nodes"]) if node.get("mesh") in meshes]


def _check_same(before: Matrices, after: Matrices, longest: float) -> None:
    """Whether places, (n, 4, 4), are the same but for rounding, where ways are up to so long.

    Raises:
        ValueError: They are not.
    """
    near = np.full((4, 4), _SAME * float(np.abs(before[:, :3, :3]).max()))
    near[:3, 3] = _SAME * longest
    if not (np.abs(before - after) <= near).all():
        raise ValueError("something lies elsewhere")


def _check_skin(old: Glb, new: Glb, skin: dict[str, Any], twins: dict[int, int]) -> None:
    """Whether joints bend a mesh as they did, even if it lies elsewhere in its own space now.

    Raises:
        ValueError: They do not; so with LookupError.
    """
    joints = [twins[number] for number in skin["joints"]]
    other = next((other for other in new.document["skins"] if {*joints} <= {*other["joints"]}), None)
    if other is None:
        raise ValueError("they are in no skin together")
    before, after = bindings(old, skin), bindings(new, other)
    moves = np.linalg.inv(before) @ after[[other["joints"].index(number) for number in joints]]
    # One joint alone does not tell whether the mesh or its bone was moved.
    expected = np.repeat(moves[:1] if len(moves) > 1 else np.eye(4)[None], len(moves), axis=0)
    _check_same(expected, moves, float(np.abs(np.linalg.inv(before)[:, :3, 3]).max()))


def _forms(mesh: dict[str, Any]) -> set[int]:
    """How many forms a mesh has."""
    return {len(primitive.get("targets") or ()) for primitive in mesh["primitives"]}


def _stand(old: dict[str, Any], new: dict[str, Any], twins: dict[int, int]) -> None:
    """Puts joints where they were: clips leave those there that they do not move."""
    for number in {number for skin in old.get("skins") or () for number in skin["joints"]}:
        before, after = old["nodes"][number], new["nodes"][twins[number]]
        for name in (*AT_REST, "matrix"):
            after.pop(name, None)
            if name in before:
                after[name] = before[name]


def _add(old: Glb, new: Glb, twins: dict[int, int], meshes: dict[int, int]) -> None:
    """Puts the animations into the other file, with all their numbers in one view."""
    document, content = new.document, bytearray()
    accessors, views = document["accessors"], document["bufferViews"]
    carried: dict[int, int] = {}
    for animation in old.document["animations"]:
        for sampler in animation["samplers"]:
            for side in ("input", "output"):
                number = sampler[side]
                if number not in carried:
                    carried[number] = len(accessors)
                    accessors.append(accessor := dict(old.document["accessors"][number]))
                    if accessor.keys() & {"bufferView", "sparse"}:  # without, all its numbers are zeros
                        accessor |= {"bufferView": len(views), "byteOffset": len(content)}
                        content += old.content(number)
                        content += bytes(-len(content) % 4)
                sampler[side] = carried[number]
    for target in _targets(old.document):
        target["node"] = (meshes if target["path"] == _WEIGHTS else twins)[target["node"]]
    views.append({"buffer": 0, "byteLength": len(content)})
    new.parts.append(memoryview(content))
    document["animations"] = old.document["animations"]
