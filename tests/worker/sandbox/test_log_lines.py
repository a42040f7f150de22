"""Lines of the runner, which reads what strangers sent."""

import logging

from worker.sandbox.runner import OneLine


def test_value_stays_within_its_line():
    record = logging.LogRecord(
        "runner", logging.INFO, "", 0, "run %s: finished", ("a\r\nERROR all is lost\x1b[2J",), None
    )

    assert OneLine("%(levelname)s %(message)s").format(record) == (
        "INFO run a\\x0d\\x0aERROR all is lost\\x1b[2J: finished"
    )
