"""What may begin within a limit of credits, and how long is left."""

from __future__ import annotations

from decimal import Decimal

from asset_generation.addon.core.batches.limits import Admission, Budget
from asset_generation.addon.core.batches.pace import Pace, Progress, duration_words


def test_what_runs_counts_with_its_price_until_it_is_known_what_it_cost() -> None:
    budget = Budget(Decimal(50))
    for job in ("a", "b"):
        assert budget.admit("20") is Admission.NOW
        budget.set_aside(job, "20")
    assert budget.admit("20") is Admission.LATER, "it does not fit beside the two, which may still be refunded"
    budget.settle("a", "20")
    budget.release("b")
    assert budget.admit("20") is Admission.NOW
    budget.set_aside("c", "20")
    budget.settle("c", "25")
    assert budget.spent == 45
    assert budget.admit("20") is Admission.NEVER
    assert budget.admit("5") is Admission.NOW


def test_a_row_of_unknown_price_runs_alone() -> None:
    budget = Budget(Decimal(50))
    budget.set_aside("a", "20")
    assert budget.admit(None) is Admission.LATER
    budget.settle("a", "")
    assert budget.spent == 20, "where the service does not say, what was expected counts"
    assert budget.admit(None) is Admission.NOW
    budget.set_aside("b", None)
    assert budget.admit("1") is Admission.LATER
    budget.settle("b", "30")
    assert budget.admit(None) is Admission.NEVER


def test_without_a_limit_nothing_waits() -> None:
    budget = Budget(None)
    budget.set_aside("a", None)
    assert budget.admit(None) is budget.admit("1000000") is Admission.NOW


def test_the_rate_is_that_of_the_last_minutes() -> None:
    now = [0.0]
    pace = Pace(lambda: now[0])
    assert pace.seconds_left(10) is None
    for _ in range(60):
        now[0] += 10
        pace.ended()
    assert round(pace.rows_a_second(), 3) == 0.103
    for _ in range(2000):
        now[0] += 0.1
        pace.ended()
    assert 9.9 < pace.rows_a_second() < 10.1
    assert 9 < (pace.seconds_left(100) or 0) < 11


def test_progress_is_one_line_of_words() -> None:
    words = Progress(100, 40, 2, 8, 12.34, "800", 125.0).words
    assert words == "40 of 100 rows, 2 failed, 8 running, 12.3 rows a minute, 800 credits, about 2 min left"
    assert Progress(1, 0, 0, 1, 0.0, "", None).words == "0 of 1 rows, 1 running, 0.0 rows a minute"
    assert [duration_words(seconds) for seconds in (3, 600, 12_000)] == ["3 s", "10 min", "3 h 20 min"]
