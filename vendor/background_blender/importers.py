"""For scripts that run inside the background Blender: the model formats that Blender reads, and with which settings."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy

from .fbx_takes import tie_takes
from .glb_files import split
from .large_meshes import without_large_meshes
from .meshopt import EXTENSION
from .operators import call, is_there
from .readable_gltf import readable_gltf

_BINARY_FBX = b"Kaydara FBX Binary"

_PACKED = "_compression"
"""How the names of the extensions end whose libraries a build of Blender may lack, as Draco's."""


def _read_gltf(path: Path) -> None:
    before = set(bpy.data.objects)
    try:
        with readable_gltf(path) as plain, without_large_meshes(plain) as smaller:
            call(
                bpy.ops.import_scene.gltf,
                filepath=str(smaller),
                import_pack_images=True,
                import_webp_texture=True,
                import_select_created_objects=False,
                disable_bone_shape=True,
            )
    except RuntimeError as error:
        required = _required_extensions(path)
        named = [name for name in required if name in str(error)]
        if missing := named or [name for name in required if name.endswith(_PACKED) and name != EXTENSION]:
            version = ".".join(map(str, bpy.app.version))
            raise ValueError(
                f"it needs {', '.join(missing)}, which Blender {version} here does not read;"
                f" export it again without {'compression' if missing[0].endswith(_PACKED) else 'that extension'}"
            ) from error
        raise
    for item in set(bpy.data.objects) - before:
        if item.type == "ARMATURE" and item.visible_get():
            _lengthen_bones(item)


def _required_extensions(path: Path) -> list[str]:
    text, _binary = split(memoryview(path.read_bytes()))
    return list(json.loads(bytes(text)).get("extensionsRequired") or ())


def _lengthen_bones(armature: Any) -> None:
    """Puts what hangs on bones where the file has it.

    It hangs on the tips. The importer works out each bone's length and moves what hangs on it back by that, but makes
    the bone shorter by the armature's scale (4.2 to 5.2): a prop is off by nearly a bone, and again at every import.
    """
    context: Any = bpy.context
    scale = max(armature.scale)
    if scale == 1.0:
        return
    context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in armature.data.edit_bones:
        bone.length *= scale
    bpy.ops.object.mode_set(mode="OBJECT")


def _read_fbx(path: Path) -> None:
    _import_fbx(path)
    tie_takes()
    for material in bpy.data.materials:
        for node in material.node_tree.nodes if material.node_tree else ():
            alpha = node.inputs.get("Alpha") if node.type == "BSDF_PRINCIPLED" else None
            # Many exporters leave the transparency at its default, which says invisible, and no program shows it so.
            if alpha is not None and not alpha.is_linked and alpha.default_value == 0.0:
                alpha.default_value = 1.0


def _import_fbx(path: Path) -> None:
    with path.open("rb") as file:
        is_text = file.read(len(_BINARY_FBX)) != _BINARY_FBX
    # Blender's own importer came with 4.5 and reads text, too; before it there is only the add-on, which does not.
    if is_text and is_there(bpy.ops.wm, "fbx_import"):
        call(bpy.ops.wm.fbx_import, filepath=str(path))
    else:
        call(bpy.ops.import_scene.fbx, filepath=str(path), use_image_search=False)


def _read_obj(path: Path) -> None:
    call(bpy.ops.wm.obj_import, filepath=str(path), forward_axis="NEGATIVE_Z", up_axis="Y", validate_meshes=True)


def _read_stl(path: Path) -> None:
    call(bpy.ops.wm.stl_import, filepath=str(path), forward_axis="Y", up_axis="Z", use_mesh_validate=True)


def _read_ply(path: Path) -> None:
    call(bpy.ops.wm.ply_import, filepath=str(path), forward_axis="Y", up_axis="Z", import_colors="SRGB")


def _read_usd(path: Path) -> None:
    call(
        bpy.ops.wm.usd_import,
        filepath=str(path),
        import_textures_mode="IMPORT_PACK",
        import_cameras=False,
        import_lights=False,
        create_world_material=False,
    )


READERS: dict[str, Callable[[Path], None]] = {
    "glb": _read_gltf,
    "gltf": _read_gltf,
    "fbx": _read_fbx,
    "obj": _read_obj,
    "stl": _read_stl,
    "ply": _read_ply,
    "usd": _read_usd,
    "usda": _read_usd,
    "usdc": _read_usd,
    "usdz": _read_usd,
}
"""File name extension, in lower case → what reads such a file into the scene; a broken file raises anything."""


def last_line(error: Exception) -> str:
    """What an importer's error says: glTF's has a traceback as its text, and below it where the operator was called."""
    lines = [line.strip() for line in str(error).splitlines()]
    said = [line for line in lines if line and not line.startswith("Location: ")]
    return (said[-1] if said else type(error).__name__).removeprefix("Error: ")[:200]
