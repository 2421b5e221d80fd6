"""Where a command runs: inside Blender with its preferences, or in a plain Python with the environment's settings."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Mapping

from ...vendor.background_blender import BlenderCommand
from ..core.errors import Refused
from ..core.paths import default_data_dir
from ..core.settings import Settings

BLENDER_VARIABLE = "BLENDER"


def settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """The connection and the data folder: the same as in the panel, so that jobs of both are in one list."""
    if "bpy" in sys.modules:
        from ..bridge import prefs  # it imports bpy

        return prefs.settings()
    blender = find_blender(environment) or BlenderCommand.of_program("blender")
    return Settings(blender=blender, data_dir=default_data_dir()).with_environment(environment)


def find_blender(environment: Mapping[str, str] = os.environ) -> BlenderCommand | None:
    """How to start a background Blender outside of one: the program that ``BLENDER`` names, else this Python where it
    has bpy, else a ``blender`` on the path.
    """
    if program := environment.get(BLENDER_VARIABLE):
        return BlenderCommand.of_program(program)
    if importlib.util.find_spec("bpy") is not None:
        return BlenderCommand.of_python()
    program = shutil.which("blender", path=environment.get("PATH"))
    return BlenderCommand.of_program(program) if program else None


def check_blender(name: str, environment: Mapping[str, str] = os.environ) -> None:
    """Makes sure that there is a Blender which can make a GLB of a model.

    Args:
        name: The model file's name.
        environment: Where the program may be named.

    Raises:
        Refused: There is none.
    """
    if "bpy" not in sys.modules and find_blender(environment) is None:
        raise Refused(
            f"{name} is made a GLB by Blender before it is uploaded, and there is none here",
            f"Name its program in the variable {BLENDER_VARIABLE}, or export the model as a GLB",
        )


def check_engine(settings: Settings, environment: Mapping[str, str] = os.environ) -> None:
    """Makes sure that the local engine has a Blender to work with, where it is what is used.

    Raises:
        Refused: It has none.
    """
    if settings.is_local and "bpy" not in sys.modules and find_blender(environment) is None:
        raise Refused(
            "The local engine works with Blender, and there is none here",
            f"Name its program in the variable {BLENDER_VARIABLE}, or a service in ASSETGEN_BASE_URL",
        )
