"""What is in a model file, as a fresh Blender with its own importers sees it."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Any

from asset_generation.vendor.background_blender import run

from ..fork_server.command import forked_python

SCRIPT = Path(__file__).with_name("inspect_model.py")


def inspect(path: Path) -> dict[str, Any]:
    """See ``inspect_model.py`` for what the answer has."""
    return run(forked_python(), SCRIPT, {"path": str(path)}, timeout=300)


def fbx_setting(path: Path, name: str) -> float:
    """A number of a binary FBX's global settings, such as ``UpAxis`` or ``UnitScaleFactor``, read from its bytes."""
    text = rb"S.{4}[A-Za-z]*"
    found = re.search(rb"S.{4}" + name.encode() + text * 3 + rb"([ID])(.{8})", path.read_bytes(), re.DOTALL)
    assert found is not None, f"no {name}"
    kind, content = found.groups()
    return float(struct.unpack_from("<i" if kind == b"I" else "<d", content)[0])


def fbx_key_counts(path: Path) -> list[int]:
    """How many keys each animated channel of a binary FBX has, read from its bytes."""
    return [struct.unpack("<I", count)[0] for count in re.findall(rb"KeyTimel(.{4})", path.read_bytes(), re.DOTALL)]


def fbx_transform(path: Path, name: str) -> tuple[float, float, float]:
    """``Lcl Rotation`` (degrees) or ``Lcl Scaling`` of the last object of a binary FBX, read from its bytes."""
    text = rb"S.{4}[A-Za-z ]*"
    found = re.findall(
        rb"S.{4}" + name.encode() + text * 2 + rb"S.{4}A\+?(D.{8}D.{8}D.{8})", path.read_bytes(), re.DOTALL
    )
    return struct.unpack("<x d x d x d", found[-1])
