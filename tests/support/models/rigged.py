"""Reads rigged and animated GLBs without Blender, and computes where their skin is. glTF axes, +Y up."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .meshes import Array

_TYPES = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
_PATHS = {"translation": (0.0, 0.0, 0.0), "rotation": (0.0, 0.0, 0.0, 1.0), "scale": (1.0, 1.0, 1.0)}


@dataclass(frozen=True, slots=True)
class Skin:
    """A skinned primitive: its node's name, positions (n, 3), triangles (m, 3), joints and weights (n, 4), UVs."""

    name: str
    positions: Array
    triangles: Array
    joints: Array
    weights: Array
    uvs: Array | None
    sets: int


class Rigged:
    """A GLB with one skin for all its meshes, or with bones only."""

    def __init__(self, path: Path) -> None:
        content = path.read_bytes()
        length = struct.unpack_from("<I", content, 12)[0]
        self.document: dict[str, Any] = json.loads(content[20 : 20 + length])
        self._blob = content[28 + length :]
        self.nodes: list[dict[str, Any]] = self.document["nodes"]
        self.parents = {child: index for index, node in enumerate(self.nodes) for child in node.get("children", ())}
        self.skins = [skin for node in self.nodes if "skin" in node for skin in self._skins_of(node)]
        self.animations = {entry["name"]: self._channels(entry) for entry in self.document.get("animations", ())}

    def node(self, name: str) -> int:
        """The index of a node."""
        return next(index for index, node in enumerate(self.nodes) if node.get("name") == name)

    @property
    def bones(self) -> list[str]:
        """Names of the joints."""
        return [self.nodes[index]["name"] for index in self.document["skins"][0]["joints"]]

    def times(self, animation: str) -> Array:
        """All times of keys of an animation, in seconds."""
        return np.unique(np.concatenate([times for times, _ in self.animations[animation].values()]))

    def local(self, animation: str | None = None, time: float = 0.0) -> dict[int, dict[str, Array]]:
        """Translation, rotation (x, y, z, w) and scale of every node."""
        channels = self.animations[animation] if animation is not None else {}
        result: dict[int, dict[str, Array]] = {}
        for index, node in enumerate(self.nodes):
            result[index] = {path: np.array(node.get(path, rest), float) for path, rest in _PATHS.items()}
            for path in _PATHS:
                if (index, path) in channels:
                    result[index][path] = _sample(*channels[index, path], time)
        return result

    def world(self, local: dict[int, dict[str, Array]]) -> list[Array]:
        """Matrices of all nodes."""
        found: dict[int, Array] = {}

        def matrix(index: int) -> Array:
            if index not in found:
                own = np.eye(4)
                own[:3, :3] = rotation_matrix(local[index]["rotation"]) * local[index]["scale"]
                own[:3, 3] = local[index]["translation"]
                found[index] = matrix(self.parents[index]) @ own if index in self.parents else own
            return found[index]

        return [matrix(index) for index in range(len(self.nodes))]

    def skinned(self, local: dict[int, dict[str, Array]]) -> list[Array]:
        """Positions of every skin's vertices in world space."""
        world = self.world(local)
        entry = self.document["skins"][0]
        inverse = self._accessor(entry["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
        joints = np.stack([world[joint] @ bind for joint, bind in zip(entry["joints"], inverse, strict=True)])
        result = []
        for skin in self.skins:
            matrices = np.einsum("nk,nkij->nij", skin.weights, joints[skin.joints])
            moved = np.einsum("nij,nj->ni", matrices[:, :3, :3], skin.positions) + matrices[:, :3, 3]
            result.append(moved)
        return result

    def _skins_of(self, node: dict[str, Any]) -> list[Skin]:
        found = []
        for primitive in self.document["meshes"][node["mesh"]]["primitives"]:
            attributes = primitive["attributes"]
            weights = self._accessor(attributes["WEIGHTS_0"])
            weights = weights / (255 if weights.dtype == np.uint8 else 65535 if weights.dtype == np.uint16 else 1)
            found.append(
                Skin(
                    node["name"],
                    self._accessor(attributes["POSITION"]).astype(float),
                    self._accessor(primitive["indices"]).reshape(-1, 3).astype(int),
                    self._accessor(attributes["JOINTS_0"]).astype(int),
                    weights.astype(float),
                    self._accessor(attributes["TEXCOORD_0"]) if "TEXCOORD_0" in attributes else None,
                    sum(name.startswith("JOINTS_") for name in attributes),
                )
            )
        return found

    def _channels(self, animation: dict[str, Any]) -> dict[tuple[int, str], tuple[Array, Array]]:
        result = {}
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            assert sampler.get("interpolation", "LINEAR") in ("LINEAR", "STEP")
            target = channel["target"]
            if target["path"] in _PATHS:
                values = self._accessor(sampler["output"]).astype(float)
                result[target["node"], target["path"]] = (self._accessor(sampler["input"]).astype(float), values)
        return result

    def _accessor(self, index: int) -> Array:
        entry = self.document["accessors"][index]
        view = self.document["bufferViews"][entry["bufferView"]]
        assert "byteStride" not in view, "interleaved"
        width = _WIDTHS[entry["type"]]
        start = view.get("byteOffset", 0) + entry.get("byteOffset", 0)
        values = np.frombuffer(self._blob, np.dtype(_TYPES[entry["componentType"]]), entry["count"] * width, start)
        return values.reshape(-1, width) if width > 1 else values


def rotation_matrix(quaternion: Array) -> Array:
    """Of a quaternion x, y, z, w."""
    x, y, z, w = quaternion / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def angle_between(first: Array, second: Array) -> float:
    """Degrees between two rotations as quaternions."""
    cos = abs(float(first @ second)) / float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(np.degrees(2 * np.arccos(min(cos, 1.0))))


def _sample(times: Array, values: Array, time: float) -> Array:
    place = int(np.clip(np.searchsorted(times, time), 1, max(len(times) - 1, 1)))
    if len(times) == 1:
        return values[0]
    share = float(np.clip((time - times[place - 1]) / (times[place] - times[place - 1]), 0.0, 1.0))
    first, second = values[place - 1], values[place]
    if values.shape[1] == 4 and first @ second < 0:
        second = -second
    return first + (second - first) * share
