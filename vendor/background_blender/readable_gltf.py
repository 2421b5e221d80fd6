"""glTF files that Blender's importer does not read as they are, as files that it reads. No bpy.

It does not know the compression of meshopt, and fails on weights that move and have no morph targets (4.2 to 5.2). Of
several scenes it reads all: what another one has than the one that is shown would be in the model. Joints that bend
nothing may tear a mesh apart: see :func:`.gltf_skins.bind_idle_joints`.
"""

from __future__ import annotations

import base64
import json
import mimetypes
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from .glb_files import Glb, split
from .gltf_scenes import keep_shown
from .gltf_skins import bind_idle_joints
from .meshopt import EXTENSION, unpacked

_Bytes = NDArray[np.uint8]

_BROKEN = ValueError, LookupError, TypeError, AttributeError, np.linalg.LinAlgError
_WITH_SCENES = 3  # lists of nodes: that of the document and those of two scenes

_MOST = 2 << 30  # bytes: zeros take a hundredth of their size, and reading them time and memory


@contextmanager
def readable_gltf(path: Path) -> Iterator[Path]:
    """Gives a file with what is in this one, a GLB or .gltf: itself, or for the time a GLB where it has to be another.

    Raises:
        ValueError: What is compressed is broken, or lies in a file that is not there.
    """
    content = np.memmap(path, np.uint8, "r") if path.stat().st_size else np.empty(0, np.uint8)
    text, binary = split(content.data)
    said = bytes(text)
    is_packed = EXTENSION.encode() in said
    has_skins = b'"inverseBindMatrices"' in said
    if not is_packed and not has_skins and b'"weights"' not in said and said.count(b'"nodes"') < _WITH_SCENES:
        yield path
        return
    try:
        glb = _readable(json.loads(said), np.frombuffer(binary, np.uint8), path.parent, is_packed)
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError("it names something that is not in it") from error
    if glb is None:
        yield path
        return
    with TemporaryDirectory(prefix="assetgen-gltf-") as folder:
        plain = Path(folder) / f"{path.stem}.glb"
        glb.write(plain)
        yield plain


def _readable(document: dict[str, Any], binary: _Bytes, folder: Path, is_packed: bool) -> Glb | None:
    """All that a document names, as Blender reads it; None where it does so anyway."""
    is_other = _without_idle_weights(document)
    is_other = keep_shown(document) or is_other or is_packed
    glb = _in_one_file(document, binary, folder) if is_other else None
    with suppress(*_BROKEN):  # Blender says what is wrong with its skins
        if document.get("skins") and bind_idle_joints(with_skins := glb or _in_one_file(document, binary, folder)):
            glb = with_skins
    if glb is not None:
        _take_in_pictures(glb, folder)
    return glb


def _without_idle_weights(document: dict[str, Any]) -> bool:
    """Takes out animated weights of what has no morph targets, and says whether there were any."""
    there = sum(len(animation["channels"]) for animation in document.get("animations", ()))
    for animation in document.get("animations", ()):
        animation["channels"] = [one for one in animation["channels"] if not _is_idle(document, one["target"])]
    left = [animation for animation in document.get("animations", ()) if animation["channels"]]
    if there == sum(len(animation["channels"]) for animation in left):
        return False
    document["animations"] = left
    return True


def _is_idle(document: Mapping[str, Any], target: Mapping[str, Any]) -> bool:
    if target.get("path") != "weights" or "node" not in target:
        return False
    mesh = document["nodes"][target["node"]].get("mesh")
    primitives = document["meshes"][mesh]["primitives"] if mesh is not None else ()
    return not any("POSITION" in shape for primitive in primitives for shape in primitive.get("targets", ()))


def _in_one_file(document: dict[str, Any], binary: _Bytes, folder: Path) -> Glb:
    """All that the document names, unpacked, but for pictures in files of their own."""
    buffers = list(_buffers(document["buffers"], binary, folder))
    if sum(view["byteLength"] for view in document["bufferViews"]) > _MOST:
        raise ValueError(f"it unpacks to more than {_MOST >> 30} GB")
    parts: list[memoryview] = []
    for view in document["bufferViews"]:
        packed = view.get("extensions", {}).pop(EXTENSION, None)
        part = _range(buffers, packed or view)
        if packed:
            if packed["count"] * packed["byteStride"] != view["byteLength"]:
                raise LookupError("a view has more or less bytes than what was compressed")
            how = packed["mode"], packed.get("filter", "NONE")
            part = unpacked(part, packed["count"], packed["byteStride"], *how)
        parts.append(np.ascontiguousarray(part).data)
        view["buffer"] = 0
    for key in ("extensionsUsed", "extensionsRequired"):
        if key in document:
            document[key] = [name for name in document[key] if name != EXTENSION]
    document["buffers"] = [{"byteLength": 0}]
    return Glb(document, parts)


def _take_in_pictures(glb: Glb, folder: Path) -> None:
    """Puts pictures in files of their own into the GLB; those that are not there stay named."""
    for image in glb.document.get("images", ()):
        if "uri" in image and not image["uri"].startswith("data:"):
            if not (file := folder / unquote(image["uri"])).is_file():
                continue
            image |= {"bufferView": len(glb.parts), "mimeType": mimetypes.guess_type(file)[0] or "image/png"}
            del image["uri"]
            glb.parts.append(memoryview(file.read_bytes()))
            glb.document["bufferViews"].append({"buffer": 0, "byteLength": len(glb.parts[-1])})


def _buffers(buffers: Sequence[Mapping[str, Any]], binary: _Bytes, folder: Path) -> Iterator[_Bytes]:
    """The bytes of each buffer; none of those that would hold what is compressed here."""
    for number, buffer in enumerate(buffers):
        if (uri := buffer.get("uri")) is None:
            yield binary if number == 0 else binary[:0]
        elif uri.startswith("data:"):
            yield np.frombuffer(base64.b64decode(uri.partition(",")[2]), np.uint8)
        elif (file := folder / unquote(uri)).is_file():
            yield np.fromfile(file, np.uint8)
        else:
            raise ValueError(f"it needs {file.name}, which is not where it says")


def _range(buffers: Sequence[_Bytes], where: Mapping[str, Any]) -> _Bytes:
    start = where.get("byteOffset", 0)
    part: _Bytes = buffers[where["buffer"]][start : start + where["byteLength"]]
    if len(part) != where["byteLength"]:
        raise LookupError("a buffer has fewer bytes")
    return part
