from __future__ import annotations

from asset_generation.addon.core.limits.creation_guard import SharedExclusiveGuard


def test_creations_and_searches_keep_apart() -> None:
    traffic = SharedExclusiveGuard()
    with traffic.creation("a", "decimate") as sent:
        assert sent
        with traffic.search("decimate") as searching, traffic.search("texture") as other:
            assert (searching, other) == (False, True)
            with traffic.creation("b", "texture") as held:
                assert not held
    with traffic.search("decimate") as searching:
        assert searching
        with traffic.search("decimate") as second, traffic.creation("a", "decimate") as held:
            assert (second, held) == (False, False)
    with traffic.creation("a", "decimate") as sent:
        assert sent
