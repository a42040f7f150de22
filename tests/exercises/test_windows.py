"""When a student may hand in, and what being late costs: a second before and after each moment."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from exercises.models import Assignment, AssignmentStart, Course, Extension
from exercises.queries.windows import Window, make_window

BERLIN = ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def window(**overrides):
    return Window(**{"zone": BERLIN, **overrides})


def assignment(**overrides):
    course = Course(title="Course", time_zone="Europe/Berlin")
    return Assignment(**{"course": course, "title": "Week 1", **overrides})


def taken(of, moment):
    """Whether something is taken a second before the moment, at it, and a second after it."""
    return [of.takes(moment + shift) for shift in (-SECOND, timedelta(0), SECOND)]


def test_without_dates_everything_is_taken():
    assert taken(window(), NOON) == [True, True, True]


def test_opening_date_is_the_first_moment():
    assert taken(window(opens_at=NOON), NOON) == [False, True, True]


def test_closing_date_is_the_first_moment_after():
    assert taken(window(closes_at=NOON), NOON) == [True, False, False]


def test_due_date_closes_nothing():
    assert taken(window(due_at=NOON), NOON) == [True, True, True]


def test_date_at_the_end_of_the_calendar_has_a_deadline():
    due = datetime.max.replace(tzinfo=UTC)

    assert window(due_at=due, grace=timedelta(minutes=30)).days_late(NOON) == 0


def test_quiz_takes_nothing_before_it_is_started():
    assert taken(window(needs_start=True), NOON) == [False, False, False]


def test_own_clock_ends_it():
    started = window(needs_start=True, started_at=NOON - timedelta(hours=1), clock_ends_at=NOON)

    assert taken(started, NOON) == [True, False, False]
    assert not started.is_closed(NOON)


def test_own_ending_comes_before_the_clock():
    ended = window(needs_start=True, started_at=NOON, clock_ends_at=NOON + timedelta(hours=1), handed_in_at=NOON)

    assert taken(ended, NOON) == [True, False, False]


def test_grace_ends_after_its_last_minute():
    late = window(due_at=NOON, grace=timedelta(minutes=5), late_percent=10)
    moment = NOON + timedelta(minutes=5)

    assert [late.days_late(moment + shift) for shift in (-SECOND, timedelta(0), SECOND)] == [0, 0, 1]


def test_each_day_that_has_begun_costs():
    late = window(due_at=NOON, late_percent=10)

    kept = [late.share_kept(NOON + timedelta(days=days)) for days in (0, 1, 2)]
    after = [late.share_kept(NOON + timedelta(days=days, seconds=1)) for days in (0, 1, 2)]

    assert kept == [Decimal(1), Decimal("0.9"), Decimal("0.8")]
    assert after == [Decimal("0.9"), Decimal("0.8"), Decimal("0.7")]


def test_nothing_less_than_nothing_is_left():
    assert window(due_at=NOON, late_percent=30).share_kept(NOON + timedelta(days=9)) == 0


def test_without_a_rule_being_late_costs_nothing():
    assert window(due_at=NOON).share_kept(NOON + timedelta(days=9)) == 1


@pytest.mark.parametrize(
    ("due", "hours"),
    [
        (datetime(2026, 3, 28, 12, tzinfo=BERLIN), 23),  # clocks go forward in the night that follows
        (datetime(2026, 10, 24, 12, tzinfo=BERLIN), 25),  # and back
        (datetime(2026, 6, 1, 12, tzinfo=BERLIN), 24),
    ],
)
def test_a_day_ends_when_the_clock_of_the_course_says_so(due, hours):
    due = due.astimezone(UTC)
    late = window(due_at=due, late_percent=10)
    next_day = due + timedelta(hours=hours)

    assert [late.days_late(next_day + shift) for shift in (-SECOND, timedelta(0), SECOND)] == [1, 1, 2]


def test_time_that_clocks_skip_ends_a_day_all_the_same():
    due = datetime(2026, 3, 28, 2, 30, tzinfo=BERLIN).astimezone(UTC)
    late = window(due_at=due, late_percent=10)

    assert [late.days_late(due + timedelta(days=days)) for days in (1, 2)] == [1, 3]


def test_what_the_clock_hands_in_is_as_late_as_its_end():
    late = window(due_at=NOON, late_percent=10, started_at=NOON - timedelta(hours=1), clock_ends_at=NOON)

    assert late.share_kept(NOON + timedelta(seconds=30)) == 1


def test_extension_sets_dates_anew():
    row = assignment(due_at=NOON, closes_at=NOON + timedelta(days=1), grace_minutes=5, late_percent_per_day=10)

    mine = make_window(row, Extension(due_at=NOON + timedelta(days=3)))

    assert mine.due_at == mine.closes_at == NOON + timedelta(days=3)
    assert mine.deadline == NOON + timedelta(days=3, minutes=5)
    assert make_window(row).due_at == NOON


def test_extension_without_dates_leaves_them():
    row = assignment(due_at=NOON, closes_at=NOON + timedelta(days=1))

    mine = make_window(row, Extension(extra_attempts=2))

    assert (mine.due_at, mine.closes_at) == (row.due_at, row.closes_at)


def test_start_brings_its_clock():
    mine = make_window(assignment(is_quiz=True, minutes=30), None, AssignmentStart(started_at=NOON, ends_at=NOON))

    assert (mine.needs_start, mine.started_at, mine.ends_at) == (True, NOON, NOON)
