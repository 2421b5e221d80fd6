"""Data folders with characters that Blender reads something into."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.engine.engine_run import needs_bpy

pytestmark = needs_bpy


@pytest.fixture
def empty_file() -> Iterator[None]:
    """A file for the test alone: one that was told to render films gives no pictures to the tests after it."""
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    yield
    bpy.ops.wm.read_factory_settings(use_empty=True)


@pytest.mark.slow
@pytest.mark.usefixtures("empty_file")
@pytest.mark.parametrize("name", ["{blend_name}", "a {{b}", "}", "C# 100%"])
def test_pictures_and_films_go_into_a_folder_of_any_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    import bpy
    from asset_generation.vendor import background_blender

    monkeypatch.syspath_prepend(str(Path(background_blender.__file__).parents[1]))  # where the engine finds it
    from asset_generation.vendor.assetgen_local.engine.output import film, preview

    folder = tmp_path / name
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setattr(film, "_TURN_FRAMES", 2)
    monkeypatch.setattr(film, "_TURN_SIZE", 32)
    bpy.ops.mesh.primitive_cube_add()
    cube = bpy.context.object
    preview.render(folder / "preview.png", [cube], size=16)
    assert preview.render_shot([cube], 16, preview.VIEW).shape[:2] == (16, 16)
    film.turntable(folder, [cube], video=True, sequence=True)
    assert {path.name for path in folder.iterdir()} == {"preview.png", film.TURN_SEQUENCE, film.TURN_VIDEO}
    assert [path.name for path in tmp_path.iterdir()] == [name]
