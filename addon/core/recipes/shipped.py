"""Where recipes lie: those that come along, and those in a folder of the user's."""

from __future__ import annotations

from pathlib import Path

from ..errors import BadRequest

SHIPPED = Path(__file__).resolve().parents[2] / "recipes"
"""The folder of those that come along."""


def recipe_files(folder: Path | None) -> list[Path]:
    """All recipes: the user's, then those that come along whose names the user has not given to another; by name."""
    own = sorted(folder.glob("*.toml")) if folder is not None and folder.is_dir() else []
    names = {path.stem for path in own}
    return [*own, *(path for path in sorted(SHIPPED.glob("*.toml")) if path.stem not in names)]


def find_recipe(named: str, folder: Path | None = None) -> Path:
    """The file of a recipe that is named by its path, or by its name without ending where it is among those there are.

    Raises:
        BadRequest: There is none.
    """
    path = Path(named).expanduser()
    if path.is_file():
        return path.absolute()
    known = {path.stem: path for path in recipe_files(folder)}
    if named in known:
        return known[named]
    raise BadRequest(f"There is no recipe {named}; those that come along are {', '.join(known)}")
