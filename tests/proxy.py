"""A proxy that shows a site below a path of its own address, and takes the path off each request."""

import socket
import threading
from contextlib import suppress
from socketserver import StreamRequestHandler, ThreadingTCPServer

PREFIX = "/learn/torch"


class Proxy:
    """Serves while it is entered. `asked` are the addresses that browsers wanted, `outside` those of somebody else."""

    def __init__(self, port: int):
        self._server = ThreadingTCPServer(("127.0.0.1", 0), _Connection)
        self._server.daemon_threads = True
        self._server.site, self._server.proxy = ("127.0.0.1", port), self
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.base = f"{self.origin}{PREFIX}"
        self.asked, self.outside = [], []

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


class _Connection(StreamRequestHandler):
    """One request, and its answer as it comes: streams of events must not be held back."""

    def handle(self):
        method, address, version = self.rfile.readline().decode("latin-1").split() or [""] * 3
        proxy = self.server.proxy
        if not address.startswith(f"{PREFIX}/"):
            proxy.outside.append(address)
            self.wfile.write(b"HTTP/1.1 421 Not ours\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            return
        proxy.asked.append(address)
        with socket.create_connection(self.server.site) as site, suppress(OSError):
            site.sendall(f"{method} {address.removeprefix(PREFIX)} {version}\r\n{self._headers()}".encode("latin-1"))
            site.sendall(self.rfile.read(self._length))
            while piece := site.recv(65536):
                self.wfile.write(piece)

    def _headers(self):
        """As they came, but for one request on a connection; to its end with the empty line."""
        lines, self._length = [], 0
        while (line := self.rfile.readline().decode("latin-1")).strip():
            name, _, value = line.partition(":")
            if name.lower() == "content-length":
                self._length = int(value)
            if name.lower() not in {"connection", "keep-alive"}:
                lines.append(line)
        return "".join([*lines, "Connection: close\r\n\r\n"])
