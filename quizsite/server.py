"""Serves the whole site on a socket that the supervisor has bound: `python -m quizsite.server --fd N`.

The socket outlives a restart of the server, so that browsers wait for a moment and are not refused.
"""

from __future__ import annotations

import argparse
import socket
import sys

import uvicorn

# A stream of events ends only when its reader leaves: a stop does not wait for it longer than this.
STOP_SECONDS = 3


def main(arguments: list[str] | None = None) -> int:
    """Serve until told to stop; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m quizsite.server", description=__doc__)
    parser.add_argument("--fd", type=int, required=True, help="number of the listening socket's descriptor")
    options = parser.parse_args(arguments)
    listening = socket.socket(fileno=options.fd)
    config = uvicorn.Config(
        "quizsite.asgi:application",
        lifespan="on",
        access_log=False,
        log_config=None,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=STOP_SECONDS,
    )
    server = uvicorn.Server(config)
    server.run(sockets=[listening])
    return 0 if server.started else 1


if __name__ == "__main__":
    sys.exit(main())
