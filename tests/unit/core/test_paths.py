from __future__ import annotations

from pathlib import Path

import pytest
from asset_generation.addon.core import paths
from asset_generation.addon.core.paths import Locations, default_data_dir, file_name, missing_room


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


def test_a_name_fits_into_the_bytes_of_a_name() -> None:
    name = file_name("\U00020000" * 100)
    assert name == "\U00020000" * 30
    assert file_name("Chair", 3) == "Cha"


def test_a_data_folder_needs_room_for_what_comes_into_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "longest_path", lambda: 259)
    assert missing_room(Path("/" + "d" * 138)) == 0
    assert missing_room(Path("/" + "d" * 148)) == 10
    locations = Locations(Path("/" + "d" * 138))
    part = locations.results("20261122-053310-05cbd94f") / f".{'n' * 60}.0123abcd.part"
    assert len(str(part)) <= 259
