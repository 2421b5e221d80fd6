"""A post on two bones that carries a prop, under an armature a hundred times as large as its bones, as many programs
export them. Written without Blender. glTF axes, +Y up."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from support.models.animated import write_animated_glb
from support.models.meshes import glb_blob, glb_document, pack_glb

_SCALE = 100.0


def write_carrying_glb(path: Path, *, bend: float = 0.0, moving: bool = True) -> Path:
    """The post of :func:`.animated.write_animated_glb`, with a small copy of it, ``prop``, on the bone ``top``.

    Args:
        path: Where to.
        bend: Turn of the bone ``top`` around glTF's X where no clip turns it, in radians. At rest it is not turned.
        moving: Whether it has its clips, of which ``walk`` does not move ``top`` and ``wave`` not ``hips``.
    """
    write_animated_glb(path)
    document, blob = glb_document(path), bytearray(glb_blob(path))
    _, hips, top = nodes = document["nodes"]
    hips["translation"] = [0, 0, 0.001]
    top |= {"translation": [0, 1 / _SCALE, 0], "rotation": [np.sin(bend / 2), 0, 0, np.cos(bend / 2)], "children": [4]}
    nodes.append({"name": "rig", "scale": [_SCALE] * 3, "children": [1]})
    nodes.append({"name": "prop", "mesh": 1, "translation": [0, 0.003, 0.002], "scale": [0.1 / _SCALE] * 3})
    document["scenes"][0]["nodes"] = [0, 3]
    post = document["meshes"][0]["primitives"][0]
    surface = {"attributes": {"POSITION": post["attributes"]["POSITION"]}, "indices": post["indices"]}
    document["meshes"].append({"name": "prop", "primitives": [surface]})
    if not moving:
        del document["animations"]
    bind = np.stack([np.eye(4, dtype="<f4")] * 2)
    bind[:, :3, :3] /= _SCALE
    bind[:, 3, 2] = -0.001  # matrices are stored column by column
    bind[1, 3, 1] = -1 / _SCALE
    view = document["bufferViews"][document["accessors"][document["skins"][0]["inverseBindMatrices"]]["bufferView"]]
    blob[view["byteOffset"] : view["byteOffset"] + view["byteLength"]] = bind.tobytes()
    path.write_bytes(pack_glb(document, bytes(blob)))
    return path
