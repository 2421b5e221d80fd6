"""What every test in a window needs: a Blender with a window, the built zip, and a home in which it is installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from devtools.window.player import install
from gui.window import BLENDER, ZIP


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests of this folder; skips them where there is no window to open."""
    reason = "" if BLENDER else "BLENDER does not name a Blender to open a window with"
    reason = reason or ("" if ZIP else "ASSETGEN_TEST_ZIP does not name the built extension")
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.slow)
            if reason:
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A user folder in which the zip is installed and enabled."""
    folder = tmp_path_factory.mktemp("home")
    install(folder, ZIP, plain=True)
    with pytest.MonkeyPatch.context() as variables:
        # Without a graphics card Mesa shares each drawing out among threads, which wait for each other by computing.
        variables.setenv("LP_NUM_THREADS", "0")
        yield folder
