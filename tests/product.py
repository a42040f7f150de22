"""The whole product as a test sees it: started by `up` in a folder of its own, spoken to over HTTP."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import django

ROOT = Path(__file__).parent.parent
PASSWORD = "correct-horse-battery"
ATTENTION = "/api/v1/exercises/attention/scaled-dot-product-attention/"
RIGHT = """
import math
import torch

def scaled_dot_product_attention(query, key, value):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-1) @ value
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Product:
    """A running product; `call` speaks to it as the demo student."""

    program = (ROOT / "manage.py",)

    def __init__(self, data: Path, command=("up",)):
        self.data, self.port, self.command = data, free_port(), command
        self.base = f"http://127.0.0.1:{self.port}"
        self.log = data.parent / f"{data.name}.log"
        self._token = None
        self.process = None

    def start(self, seconds=90):
        environment = {**os.environ, "DATA": str(self.data), "PORT": str(self.port), "QUIZSITE_DEMO_PASSWORD": PASSWORD}
        environment.pop("DJANGO_SETTINGS_MODULE", None)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, *self.program, *self.command], cwd=ROOT, env=environment, stdout=log, stderr=log
            )
        self.wait_for("/readyz", seconds=seconds)

    def wait_for(self, path, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                break
            with contextlib.suppress(OSError):
                if self.call("GET", path, token=False)[0] == 200:
                    return
            time.sleep(0.1)
        raise AssertionError(f"{path} did not answer 200:\n{self.said()}")

    def said(self):
        """The end of what it said."""
        return self.log.read_text()[-4000:]

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.process.wait(30)

    def call(self, method, path, body=None, *, token=True, headers=None):
        """Status and JSON (or text) of one request."""
        data = None if body is None else json.dumps(body).encode()
        url = path if path.startswith("http") else self.base + path
        request = urllib.request.Request(url, data=data, method=method, headers={"Content-Type": "application/json"})
        if token:
            request.add_header("Authorization", f"Token {self.token}")
        for name, value in (headers or {}).items():
            request.add_header(name, value)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                status, text = answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read().decode(errors="replace")
        try:
            return status, json.loads(text)
        except ValueError:
            return status, text

    def within(self, module, command, *numbers):
        """What a command of a test's module says, run in a process with the settings of this site."""
        environment = {**os.environ, "DATA": str(self.data), "PORT": str(self.port)}
        environment.pop("DJANGO_SETTINGS_MODULE", None)
        arguments = [sys.executable, "-m", module, command, *map(str, numbers)]
        done = subprocess.run(arguments, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    def sign_in_link(self, username):
        """The one-time link that `up` printed for this account."""
        (*_, link) = re.findall(rf"Sign in as {username} \(once\): (\S+)", self.log.read_text())
        return link

    @property
    def token(self):
        if self._token is None:
            status, body = self.call(
                "POST", "/api/v1/token/", {"username": "student", "password": PASSWORD}, token=False
            )
            assert status == 200, body
            self._token = body["token"]
        return self._token

    def submit(self, source, exercise=ATTENTION):
        status, body = self.call("POST", f"{exercise}submissions/", {"source": source})
        assert status in (201, 202), (status, body)
        return body

    def graded(self, submission, seconds=60):
        """The submission once it is graded."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            status, body = self.call("GET", f"/api/v1/submissions/{submission['id']}/")
            assert status == 200, body
            if body["state"] == "graded":
                return body
            time.sleep(0.02)
        raise AssertionError(f"not graded within {seconds} s: {body}\n{self.said()}")

    def parts(self):
        """Process ids by what their command line says, of all descendants of the supervisor."""
        found = {}
        for pid in descendants(self.process.pid):
            with contextlib.suppress(OSError):
                found[pid] = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        return found

    def pids_of(self, pattern):
        return [pid for pid, command in self.parts().items() if re.search(pattern, command)]


def answer(commands):
    """The other end of `Product.within`: does the command that the process was started with, in the site's settings."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizsite.settings")
    django.setup()
    name, *numbers = sys.argv[1:]
    sys.stdout.write(f"{json.dumps(commands[name](*map(int, numbers)))}\n")


def descendants(pid):
    """All processes below `pid`, from the process table."""
    children = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                stat = (entry / "stat").read_text(errors="replace")
                children.setdefault(int(stat.rsplit(")", 1)[1].split()[1]), []).append(int(entry.name))
    found, waiting = [], [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found
