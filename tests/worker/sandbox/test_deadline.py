"""A bound on a call's time: kept in the main thread, and not asked for elsewhere."""

import signal

from tests.worker.sandbox.runs import InBackground
from worker.sandbox.deadline import TooSlowError, attempt_within


def loop():
    while True:
        pass


def test_call_that_takes_too_long_is_interrupted_and_the_timer_put_back():
    before = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)[1]

    assert isinstance(attempt_within(0.01, loop).error, TooSlowError)

    assert (signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)[1]) == before


def test_call_in_another_thread_has_no_bound():
    attempt = InBackground(attempt_within, 0.01, len, "four").answer()

    assert attempt.value == 4
