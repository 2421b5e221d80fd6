from __future__ import annotations

from asset_generation.addon.core.stages.task_files import file_names


def test_keys_that_the_service_made_up_become_names_of_their_own() -> None:
    names = file_names(["front_view", "model", "../../etc/passwd", "a/b", "a_b", "A_B", ""])
    assert names["front_view"] == "front_view"
    assert names["model"] == "model_", "the model's own file has that name"
    assert len({name.lower() for name in names.values()}) == len(names)
    assert all("/" not in name and not name.startswith(".") for name in names.values())
