"""Where a render goes, whatever characters the path has.

From 4.5 on Blender takes braces in it for variables, and two of them for one; before that a brace is a brace.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any


def set_render_path(scene: Any, path: Path) -> None:
    """Has a scene rendered into a file, or into files that begin with this path."""
    # Asked with a path that has no folder: for films old versions make the folder of the path that they are asked for.
    scene.render.filepath = "{{"
    reads_variables = "{{" not in scene.render.frame_path(frame=1)
    scene.render.filepath = str(path).replace("{", "{{").replace("}", "}}") if reads_variables else str(path)
