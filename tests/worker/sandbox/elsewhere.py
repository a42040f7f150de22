"""`python -m tests.worker.sandbox.elsewhere DESCRIPTOR`: the warm program where there is only what POSIX has."""

import fcntl
import os
import resource
import sys

from worker.sandbox import kernel


def take_away():
    """Remove what only Linux has."""
    kernel.IS_LINUX = False
    for module, name in ((os, "pidfd_open"), (resource, "prlimit"), (resource, "RLIMIT_MSGQUEUE")):
        delattr(module, name)
    del fcntl.F_SETPIPE_SZ


if __name__ == "__main__":
    take_away()
    from worker.sandbox import template

    sys.exit(template.main(sys.argv[1:]))
