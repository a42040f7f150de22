import pytest

from quizsite.management.commands import up


@pytest.fixture(autouse=True)
def _asked_afresh():
    yield
    up._asked_to_stop.clear()


def test_stop_that_a_finaliser_swallowed_is_remembered():
    class Swallowing:
        def __del__(self):
            with pytest.raises(KeyboardInterrupt):
                up._stop(2, None)

    Swallowing()

    with pytest.raises(KeyboardInterrupt):
        up._check_stop()


def test_nobody_asked_to_stop():
    up._check_stop()
