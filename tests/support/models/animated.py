"""A small rigged model with animations and a morph target, written without Blender. glTF axes, +Y up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from support.models.meshes import Array, Shape, accessor_of, glb_blob, glb_document, pack_glb

FPS = 24
WALK_SECONDS, WAVE_SECONDS = 1.0, 0.5


class _Builder:
    def __init__(self) -> None:
        self.blob = bytearray()
        self.document: dict[str, Any] = {"asset": {"version": "2.0"}, "bufferViews": [], "accessors": []}

    def add(self, values: Array, kind: str, component: int = 5126) -> int:
        content = values.astype({5126: "<f4", 5123: "<u2"}[component]).tobytes()
        self.blob.extend(b"\0" * (-len(self.blob) % 4))
        view = {"buffer": 0, "byteOffset": len(self.blob), "byteLength": len(content)}
        self.document["bufferViews"].append(view)
        self.blob.extend(content)
        entry = {"bufferView": len(self.document["bufferViews"]) - 1, "componentType": component, "type": kind,
                 "count": len(values), "min": np.atleast_1d(values.min(axis=0)).tolist(),
                 "max": np.atleast_1d(values.max(axis=0)).tolist()}  # fmt: skip
        self.document["accessors"].append(entry)
        return len(self.document["accessors"]) - 1


def write_animated_glb(path: Path, steps: int = 8, *, widening: bool = False) -> Path:
    """A post of two bones. ``walk`` carries it 2 forwards (+Z) while it bobs up by 0.2; ``wave`` bends its upper half.

    Its morph target ``wide`` doubles its width; ``widening`` adds a clip ``widen`` that moves it. The post is 0.4 wide,
    2 high, of 16·steps triangles.
    """
    make = _Builder()
    rim = np.array([(-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2)])
    heights = np.linspace(0, 2, 2 * steps + 1)
    points = np.array([(x, y, z) for y in heights for x, z in rim])
    quads = [(4 * row + a, 4 * row + (a + 1) % 4) for row in range(2 * steps) for a in range(4)]
    faces = np.array([corner for a, b in quads for corner in ((a, a + 4, b + 4), (a, b + 4, b))])
    upper = (points[:, 1] > 1.0).astype(float)
    weights = np.stack((1 - upper, upper, 0 * upper, 0 * upper), axis=1)
    joints = np.tile((0, 1, 0, 0), (len(points), 1))
    bind = np.stack((np.eye(4), np.eye(4)))
    bind[1, 3, 1] = -1.0  # matrices are stored column by column
    times = np.linspace(0, WALK_SECONDS, 9)
    way = np.stack((0 * times, 0.2 * np.sin(times * 2 * np.pi) ** 2, 2 * times), axis=1)
    bends = np.array((0.0, 0.6, 0.0))
    turn = np.stack((0 * bends, 0 * bends, np.sin(bends / 2), np.cos(bends / 2)), axis=1)
    attributes = {"POSITION": make.add(points, "VEC3"), "JOINTS_0": make.add(joints, "VEC4", 5123),
                  "WEIGHTS_0": make.add(weights, "VEC4")}  # fmt: skip
    primitive = {"attributes": attributes, "indices": make.add(faces.ravel(), "SCALAR", 5123),
                 "targets": [{"POSITION": make.add(points * (1, 0, 0), "VEC3")}]}  # fmt: skip
    widths = make.add(np.array((0, 0.13, 0.5)), "SCALAR"), make.add(np.array((0, 1, 0.2)), "SCALAR")
    make.document |= {
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [
            {"name": "post", "mesh": 0, "skin": 0},
            {"name": "hips", "children": [2]},
            {"name": "top", "translation": [0, 1, 0]},
        ],
        "meshes": [{"name": "post", "primitives": [primitive], "weights": [0], "extras": {"targetNames": ["wide"]}}],
        "skins": [{"joints": [1, 2], "inverseBindMatrices": make.add(bind.reshape(2, 16), "MAT4")}],
        "animations": [
            _animation("walk", 1, "translation", make.add(times, "SCALAR"), make.add(way, "VEC3")),
            _animation(
                "wave", 2, "rotation", make.add(np.array((0, 0.25, WAVE_SECONDS)), "SCALAR"), make.add(turn, "VEC4")
            ),
            *([_animation("widen", 0, "weights", *widths)] if widening else []),
        ],
        "buffers": [{"byteLength": len(make.blob)}],
    }
    path.write_bytes(pack_glb(make.document, bytes(make.blob)))
    return path


def with_idle_weights(path: Path) -> Path:
    """Takes the morph target out of an animated GLB, as some optimisers do, and has ``walk`` move its weights, too."""
    document = glb_document(path)
    del document["meshes"][0]["primitives"][0]["targets"], document["meshes"][0]["weights"]
    walk = document["animations"][0]
    walk["channels"].append({"sampler": len(walk["samplers"]), "target": {"node": 0, "path": "weights"}})
    walk["samplers"] += document["animations"][-1]["samplers"]
    path.write_bytes(pack_glb(document, glb_blob(path)))
    return path


def with_idle_joint(path: Path, size: float = 100.0) -> Path:
    """Has the upper joint of an animated GLB hang on one that bends nothing, and is bound as exporters bind those: to
    the origin, and in another unit.
    """
    document, blob = glb_document(path), glb_blob(path)
    skin = document["skins"][0]
    binds = accessor_of(document, blob, skin["inverseBindMatrices"]).reshape(-1, 16)
    content = np.vstack((binds, np.diag((size, size, size, 1.0)).reshape(1, 16))).astype("<f4").tobytes()
    blob += b"\0" * (-len(blob) % 4)
    document["bufferViews"].append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(content)})
    view = {"bufferView": len(document["bufferViews"]) - 1, "componentType": 5126, "type": "MAT4"}
    document["accessors"].append({**view, "count": len(binds) + 1})
    document["buffers"][0]["byteLength"] = len(blob) + len(content)
    lower, upper = (document["nodes"][joint] for joint in skin["joints"])
    document["nodes"].append({"name": "reach", "children": lower["children"], "translation": upper["translation"]})
    upper["translation"] = [0, 0, 0]
    lower["children"] = [len(document["nodes"]) - 1]
    skin["joints"].append(len(document["nodes"]) - 1)
    skin["inverseBindMatrices"] = len(document["accessors"]) - 1
    path.write_bytes(pack_glb(document, blob + content))
    return path


def with_hidden_scene(path: Path) -> Path:
    """Puts a scene before the one of a GLB, which stays the one shown: its meshes once more, large and aside."""
    document = glb_document(path)
    hidden = [{"name": "hidden", "children": [1], "scale": [9.0] * 3}]
    hidden.append({"name": "aside", "translation": [3.0, 0, 0], "children": []})
    for number in range(len(document["meshes"])):
        hidden[1]["children"].append(len(hidden))
        hidden.append({"name": f"copy {number}", "mesh": number})
    by = len(hidden)
    for node in document["nodes"]:
        node |= {"children": [child + by for child in node["children"]]} if "children" in node else {}
    for skin in document.get("skins", ()):
        skin["joints"] = [joint + by for joint in skin["joints"]]
        skin |= {"skeleton": skin["skeleton"] + by} if "skeleton" in skin else {}
    targets = [channel["target"] for one in document.get("animations", ()) for channel in one["channels"]]
    for target in targets:
        target["node"] += by
    if targets:  # one that moves both
        channels = document["animations"][0]["channels"]
        channels.append({**channels[0], "target": {"node": 1, "path": "translation"}})
    shown = {"nodes": [node + by for node in document["scenes"][0]["nodes"]]}
    document |= {"nodes": hidden + document["nodes"], "scenes": [{"nodes": [0]}, shown], "scene": 1}
    path.write_bytes(pack_glb(document, glb_blob(path)))
    return path


def write_turned_glb(path: Path, shape: Shape, turn: float, axis: int = 0) -> Path:
    """A shape on one bone that is turned around an axis of glTF, by radians, against how it is at rest."""
    make = _Builder()
    sine, cosine = np.sin(turn), np.cos(turn)
    at_rest = shape.positions @ np.roll([[1, 0, 0], [0, cosine, -sine], [0, sine, cosine]], (axis, axis), (0, 1))
    count = len(at_rest)
    attributes = {"POSITION": make.add(at_rest, "VEC3"), "JOINTS_0": make.add(np.zeros((count, 4)), "VEC4", 5123),
                  "WEIGHTS_0": make.add(np.tile((1, 0, 0, 0), (count, 1)), "VEC4")}  # fmt: skip
    primitive = {"attributes": attributes, "indices": make.add(shape.triangles.ravel(), "SCALAR", 5123)}
    make.document |= {
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [
            {"name": shape.name, "mesh": 0, "skin": 0},
            {"name": "root", "rotation": [*np.roll((np.sin(turn / 2), 0, 0), axis), np.cos(turn / 2)]},
        ],
        "meshes": [{"primitives": [primitive]}],
        "skins": [{"joints": [1], "inverseBindMatrices": make.add(np.eye(4).reshape(1, 16), "MAT4")}],
        "buffers": [{"byteLength": len(make.blob)}],
    }
    path.write_bytes(pack_glb(make.document, bytes(make.blob)))
    return path


def _animation(name: str, node: int, kind: str, times: int, values: int) -> dict[str, Any]:
    channel = {"sampler": 0, "target": {"node": node, "path": kind}}
    return {"name": name, "samplers": [{"input": times, "output": values}], "channels": [channel]}


def read_animations(path: Path) -> dict[str, dict[tuple[str, str], Array]]:
    """The animations of a GLB: name → (node, path) → values, with a first column of seconds."""
    document, blob = glb_document(path), glb_blob(path)
    found: dict[str, dict[tuple[str, str], Array]] = {}
    for animation in document.get("animations", ()):
        channels = found.setdefault(animation["name"], {})
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            times, values = (accessor_of(document, blob, sampler[side]) for side in ("input", "output"))
            node = document["nodes"][channel["target"]["node"]].get("name", "")
            channels[node, channel["target"]["path"]] = np.column_stack((times, values.reshape(len(times), -1)))
    return found
