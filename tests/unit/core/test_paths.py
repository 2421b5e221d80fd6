from __future__ import annotations

from pathlib import Path

import pytest
from asset_generation.addon.core.paths import Locations, default_data_dir, file_name


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Suzanne", "Suzanne"),
        ("../../etc/passwd", "etc_passwd"),
        ("a:b*c?", "a_b_c"),
        ("Ä rot", "Ä rot"),
        ("...", "result"),
        ("", "result"),
        ("x" * 200, "x" * 60),
    ],
)
def test_a_jobs_name_becomes_a_safe_file_name(words: str, name: str) -> None:
    assert file_name(words) == name


def test_the_data_folder_is_the_users_own() -> None:
    assert default_data_dir().name == "asset-generation"
    assert default_data_dir().is_absolute()
    assert Locations(Path("/d")).results("j") == Path("/d/results/j")
