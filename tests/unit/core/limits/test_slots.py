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


def test_who_waits_is_told_the_number_in_the_line() -> None:
    told: list[tuple[str, int]] = []
    slots = Slots(1, order=str, wake=lambda job: None, notify=lambda job, number: told.append((job, number)))
    assert slots.take("a")
    assert [slots.take(job) for job in "cd"] == [False, False]
    assert told == [("c", 1), ("d", 2)]
    assert not slots.take("b"), "it came last and is older"
    assert told[2:] == [("b", 1), ("c", 2), ("d", 3)]
    slots.give_back()
    assert slots.take("b")
    assert told[5:] == [("c", 1), ("d", 2)]
    assert not slots.take("d")
    assert told[7:] == [("d", 2)], "who asks is told again, the others are not"
