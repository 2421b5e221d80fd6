"""Who gets a free place for a conversion."""

from __future__ import annotations

from asset_generation.addon.core.limits.slots import Slots


def test_the_oldest_job_that_waits_is_next() -> None:
    woken: list[str] = []
    slots = Slots(2, order="abcdef".index, wake=woken.append)
    assert [slots.take(job) for job in "adfeb"] == [True, True, False, False, False]
    slots.give_back()
    assert woken == ["b"]
    assert not slots.take("f"), "an older job waits"
    assert slots.take("b")
    slots.give_back()
    assert woken[-1] == "e"


def test_a_job_that_waits_no_more_holds_nobody_up() -> None:
    woken: list[str] = []
    slots = Slots(1, order=str, wake=woken.append)
    assert slots.take("x")
    assert not slots.take("a")
    assert not slots.take("b")
    slots.give_back()
    assert not slots.take("b")
    slots.leave("a")
    assert woken == ["a", "b"]
    assert slots.take("b")
