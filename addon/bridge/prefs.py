"""Typed access to the preferences, and the settings that the core works with."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

import bpy

from ..core.paths import default_data_dir
from ..core.settings import USUAL_DOWNLOAD, Region, Settings, download_bytes

if TYPE_CHECKING:
    from ...vendor.background_blender import BlenderCommand

ROOT_PACKAGE = str(__package__).rsplit(".", 2)[0]
"""The extension's own package, under which Blender files its preferences; the name depends on the repository."""

NEW_NAME, SAME_NAME = "NEW", "SAME"
RESULT_NAMES = (
    (NEW_NAME, "After Source and Operation", "The result of texturing Knight is named Knight textured"),
    (SAME_NAME, "As Source", "The result takes the name of its source, which becomes Knight source"),
)
"""What a result can be named; items of an enumeration."""

REMOTE = "REMOTE"
LOCAL = "LOCAL"


class Preferences(Protocol):
    """The properties of the extension's preferences that settings are made of."""

    service: str
    base_url: str
    region: str
    data_folder: str
    mark_requests: bool
    max_download: float
    proxy: str
    ca_file: str
    monthly_budget: int
    told_where: bool
    engine_cores: int
    asks_about_models: bool
    source_after: str
    result_names: str
    asset_library: str
    recipe_folder: str


def preferences() -> Preferences | None:
    """The extension's preferences; None while Blender does not have them (it is just being enabled or disabled)."""
    addon = bpy.context.preferences.addons.get(ROOT_PACKAGE)
    return cast(Preferences, addon.preferences) if addon and addon.preferences else None


def settings() -> Settings:
    """A frozen snapshot of preferences, environment and Blender's online access. The key is left to the workers."""
    values = preferences()
    remote = values is not None and values.service == REMOTE
    from_preferences = Settings(
        blender=blender_command().limited(engine_cores()),
        data_dir=data_dir(),
        base_url=values.base_url.strip().rstrip("/") if values is not None and remote else "",
        online=bpy.app.online_access,
        mark_requests=values is None or values.mark_requests,
        remote_region=Region(values.region.lower()) if values is not None else Region.CUSTOM,
        proxy=values.proxy.strip() if values is not None else "",
        ca_file=_file(values.ca_file) if values is not None else None,
        max_download_bytes=download_bytes(values.max_download if values is not None else USUAL_DOWNLOAD),
    )
    return from_preferences.with_environment()


def recipe_folder() -> Path | None:
    """The folder with the user's recipes; None where there is none."""
    values = preferences()
    folder = values.recipe_folder if values is not None else ""
    return Path(bpy.path.abspath(folder)).expanduser().absolute() if folder else None


def _file(path: str) -> Path | None:
    return Path(bpy.path.abspath(path)).expanduser().absolute() if path else None


def data_dir() -> Path:
    """The data folder of the preferences, or the user's default one; the environment is not looked at here."""
    values = preferences()
    if values is not None and values.data_folder:
        return Path(bpy.path.abspath(values.data_folder)).expanduser().absolute()
    try:
        return default_data_dir()
    except ModuleNotFoundError:
        # The extension's packages are not installed. Panels must be able to say so; nothing is written to this place.
        return Path.home() / ".asset-generation"


def blender_command() -> BlenderCommand:
    """How to start a background Blender like this one: the same program, or this Python where bpy is a module."""
    # Here, as below: enabling the extension need not wait for it.
    from ...vendor.background_blender import BlenderCommand

    program = bpy.app.binary_path
    return BlenderCommand.of_program(program) if program else BlenderCommand.of_python(sys.executable)


def engine_cores() -> int:
    """How many cores background Blenders and the local engine may take, behind this one; 0 for all, where nobody sits
    in front of it.
    """
    from ...vendor.background_blender import cores_behind

    if bpy.app.background:
        return 0
    values = preferences()
    return values.engine_cores if values is not None and values.engine_cores else cores_behind()


def overridden(variable: str) -> str:
    """The value of one of our environment variables; empty when it is not set."""
    return os.environ.get(variable, "")
