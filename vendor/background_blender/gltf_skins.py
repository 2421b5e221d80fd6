"""The skins of a glTF file: how meshes are bound to joints. No bpy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .glb_files import Glb

AT_REST = {"translation": (0.0, 0.0, 0.0), "rotation": (0.0, 0.0, 0.0, 1.0), "scale": (1.0, 1.0, 1.0)}
"""What a node has of the places that it does not name."""

_DRACO = "KHR_draco_mesh_compression"
_UNLIKE = 1.5  # times as large or as small: more than rounding, and less than any unit of length

Matrices = NDArray[np.float64]


def matrix_of(node: dict[str, Any]) -> Matrices:
    """Where a node is in the one that it hangs on, (4, 4).

    Raises:
        ValueError: It says so in no way that there is.
    """
    if "matrix" in node:
        return np.reshape(np.array(node["matrix"], float), (4, 4)).T
    place, (x, y, z, w), size = (np.array(node.get(path, rest), float) for path, rest in AT_REST.items())
    matrix = np.eye(4)
    matrix[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    matrix[:3, :3] *= size
    matrix[:3, 3] = place
    return matrix


def bindings(glb: Glb, skin: dict[str, Any]) -> Matrices:
    """The inverse bind matrices of a skin, (joints, 4, 4).

    Raises:
        ValueError: They do not lie one after the other; so with LookupError.
    """
    if "inverseBindMatrices" not in skin:
        return np.repeat(np.eye(4)[None], len(skin["joints"]), axis=0)
    found = glb.values(skin["inverseBindMatrices"])[: len(skin["joints"])]  # there may be more
    return found.astype(float).reshape(-1, 4, 4).transpose(0, 2, 1)


def bind_idle_joints(glb: Glb) -> bool:
    """Binds joints that bend nothing where they are among the others, if they say another size than those. Says whether
    there were any.

    Exporters write anything for them, such as the identity for what an arm reaches after (inverse kinematics). At rest
    Blender's bones have no size, so it flings away what hangs on such a joint (4.2 to 5.2).

    Raises:
        ValueError: A skin cannot be read; so with LookupError.
    """
    changed = False
    for number, skin in enumerate(glb.document.get("skins") or ()):
        inverse = bindings(glb, skin)
        sizes = np.cbrt(np.abs(np.linalg.det(inverse[:, :3, :3])))
        if sizes.max() < _UNLIKE * sizes.min():
            continue
        bends = _bending(glb, number, inverse)
        usual = float(np.median(sizes[bends])) if bends.any() else 0.0
        idle = ~bends & ((sizes > _UNLIKE * usual) | (sizes * _UNLIKE < usual))
        if usual == 0 or not idle.any() or (sizes[~idle] == 0).any():
            continue
        placed = _bound_among_others(glb.document["nodes"], skin["joints"], inverse, idle, usual)
        stored = placed.transpose(0, 2, 1).reshape(-1, 16).astype(np.float32)
        glb.document["accessors"].append(glb.added(stored))
        del glb.document["bufferViews"][-1]["target"]  # which says what vertices have
        skin["inverseBindMatrices"] = len(glb.document["accessors"]) - 1
        changed = True
    return changed


def _bending(glb: Glb, skin: int, inverse: Matrices) -> NDArray[np.bool_]:
    """Which joints of a skin bend a vertex, (joints,)."""
    found = np.zeros(len(inverse), bool)
    meshes = {node["mesh"] for node in glb.document["nodes"] if node.get("skin") == skin and "mesh" in node}
    for primitive in (one for mesh in meshes for one in glb.document["meshes"][mesh]["primitives"]):
        attributes = primitive["attributes"]
        if _DRACO in primitive.get("extensions", ()):  # not unpacked here: what is bound to the origin bends nothing
            return np.asarray(inverse[:, :3, 3].any(axis=1))
        for name in attributes:
            if name.startswith("JOINTS_"):
                weights = glb.values(attributes[name.replace("JOINTS", "WEIGHTS")], as_stored=True)
                found[np.unique(glb.values(attributes[name])[weights > 0])] = True
    return found


def _bound_among_others(
    nodes: list[dict[str, Any]], joints: list[int], inverse: Matrices, idle: NDArray[np.bool_], usual: float
) -> Matrices:
    """Inverse bind matrices, (joints, 4, 4), in which idle joints stand to what they hang on as the nodes do.

    Raises:
        ValueError: A node has no size, or hangs on itself; so with LinAlgError.
    """
    parents = {child: number for number, node in enumerate(nodes) for child in node.get("children") or ()}
    bound = {
        number: np.linalg.inv(each) for number, each, is_idle in zip(joints, inverse, idle, strict=True) if not is_idle
    }
    first = next(iter(bound))
    result = inverse.copy()
    for place in np.flatnonzero(idle):
        line = list(_upwards(joints[place], parents))
        anchor = next((number for number in line if number in bound), first)
        matrix = bound[anchor] @ np.linalg.inv(_world(nodes, anchor, parents)) @ _world(nodes, joints[place], parents)
        if (size := np.cbrt(np.abs(np.linalg.det(matrix[:3, :3])))) == 0:
            raise ValueError("a node has no size")
        matrix[:3, :3] /= size * usual
        result[place] = np.linalg.inv(matrix)
    return result


def _upwards(number: int, parents: dict[int, int]) -> Iterator[int]:
    """A node and all that it hangs on.

    Raises:
        ValueError: It hangs on itself.
    """
    yield number
    for _ in parents:
        if number not in parents:
            return
        yield (number := parents[number])
    raise ValueError("a node hangs on itself")


def _world(nodes: list[dict[str, Any]], number: int, parents: dict[int, int]) -> Matrices:
    matrix = np.eye(4)
    for above in _upwards(number, parents):
        matrix = matrix_of(nodes[above]) @ matrix
    return matrix
