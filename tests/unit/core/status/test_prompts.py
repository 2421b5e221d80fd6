from __future__ import annotations

from pathlib import Path

from asset_generation.addon.core.status.prompts import (
    MOST_FAVOURITES,
    RECENT,
    change_favourites,
    read_favourites,
    recent_prompts,
)


def test_recent_prompts_are_each_there_once_and_no_more_than_wanted() -> None:
    asked = [{"prompt": "a chair"}, {"text": "rust"}, {"prompt": " "}, {"prompt": "a door"}, {"prompt": "a chair"}]
    assert recent_prompts(asked, "prompt") == ["a chair", "a door"]
    assert recent_prompts(asked, "text") == ["rust"]
    assert len(recent_prompts([{"prompt": str(number)} for number in range(99)], "prompt")) == RECENT
    assert recent_prompts([{"prompt": 7}], "prompt") == []


def test_favourites_stay_in_the_data_folder(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    assert read_favourites(folder) == []
    assert change_favourites(folder, "ein Stuhl, größer", add=True) == ["ein Stuhl, größer"]
    assert change_favourites(folder, "a door", add=True) == ["a door", "ein Stuhl, größer"]
    assert change_favourites(folder, "ein Stuhl, größer", add=True)[0] == "ein Stuhl, größer"
    assert change_favourites(folder, "a door", add=False) == read_favourites(folder) == ["ein Stuhl, größer"]
    assert [path.name for path in folder.iterdir()] == ["favourite_prompts.json"], "nothing is left beside it"
    for number in range(MOST_FAVOURITES + 5):
        change_favourites(folder, str(number), add=True)
    assert len(read_favourites(folder)) == MOST_FAVOURITES


def test_a_file_that_is_not_ours_is_no_favourites(tmp_path: Path) -> None:
    (tmp_path / "favourite_prompts.json").write_text('{"a": 1}')
    assert read_favourites(tmp_path) == []
    (tmp_path / "favourite_prompts.json").write_bytes(b"\xff\x00")
    assert read_favourites(tmp_path) == []
