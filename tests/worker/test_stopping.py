"""In an interpreter of its own: what is told once holds for all processes of a worker, for good."""

import subprocess
import sys

from tests.product import ROOT

PROGRAM = """
import os
from worker import app, stopping
from celery.signals import worker_shutting_down

print(stopping.is_stopping(), flush=True)
reader, writer = os.pipe()
child = os.fork()
if child == 0:
    os.read(reader, 1)
    print(stopping.is_stopping(), flush=True)
    os._exit(0)
worker_shutting_down.send(sender="this worker", sig="SIGTERM", how="Warm", exitcode=0)
os.write(writer, b"!")
os.waitpid(child, 0)
"""


def test_stop_reaches_processes_that_were_forked_before():
    said = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True)

    assert said.stdout.split() == ["False", "True"]
