"""Coverage of programs that tests start: their environment is empty, so it is handed to them where it is measured."""

import copy

import coverage

VARIABLE = "COVERAGE_PROCESS_CONFIG"


def measured(environment, *, patch=("_exit",)):
    """The environment for a program whose lines count too. It saves what it saw when it ends, also by `os._exit`.

    Without this patch a fork that ends so saves nothing.
    """
    measuring = coverage.Coverage.current()
    if measuring is None:
        return environment
    config = copy.copy(measuring.config)
    config.parallel, config.patch = True, list(patch)
    return {**environment, VARIABLE: config.serialize()}
