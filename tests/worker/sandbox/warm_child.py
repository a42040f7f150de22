"""A warm process for tests: takes four descriptors over its socket, forks, and serves in the fork, without isolation.

Run as `python -m tests.worker.sandbox.warm_child`, its end of the socket pair being descriptor 0.
"""

import os
import socket

from worker.sandbox import child


def main() -> None:
    """Fork for each request, and answer with the wait status of the fork."""
    child.prepare()
    requests = socket.socket(fileno=0)
    while True:
        _, descriptors, _, _ = socket.recv_fds(requests, 1, 4)
        if not descriptors:
            return
        pid = os.fork()
        if not pid:
            serve(descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        _, status = os.waitpid(pid, 0)
        requests.sendall(status.to_bytes(4, "big"))


def serve(descriptors: list[int]) -> None:
    """Serve one program: commands, results, printed, printed errors."""
    commands, results, printed, errors = descriptors
    os.dup2(printed, 1)
    os.dup2(errors, 2)
    child.serve(commands, results)


if __name__ == "__main__":
    main()
