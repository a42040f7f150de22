"""`python -m tests.worker.sandbox.some_runs [reduced]`: prints as JSON what a private runner made of a few jobs."""

import json
import sys

from tests.worker.sandbox.runs import call_job
from worker.sandbox.job import MEBIBYTE, RunnerUnavailableError
from worker.sandbox.service import private_runner

JOBS = {
    "honest": call_job("def f(x):\n    return x * 2\n"),
    # Long enough to be looked at.
    "odd name": call_job(
        "import ctypes, time\n"
        "def f(x):\n"
        "    ctypes.CDLL(None).prctl(15, b'\\xff) (\\xfe', 0, 0, 0)\n"
        "    while time.process_time() < 0.3: pass\n"
        "    return x\n"
    ),
    "loop": call_job("def f(x):\n    while True: pass\n", cpu_seconds=0.5),
    "sleep": call_job("import time\ndef f(x):\n    time.sleep(60)\n", idle_seconds=0.5),
    "memory": call_job(
        "import torch\ndef f(x):\n    kept = []\n    while True: kept.append(torch.ones(1 << 18))\n",
        memory_bytes=100 * MEBIBYTE,
    ),
    "threads": call_job(
        "import threading, time, os\n"
        "def f(x):\n"
        "    try:\n"
        "        for _ in range(200): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
        "    except RuntimeError:\n"
        "        time.sleep(0.2)\n"
        "        os._exit(1)\n",
        tasks=16,
    ),
    "filter": call_job("import ctypes\ndef f(x):\n    ctypes.CDLL(None).unshare(0x10000000)\n"),
    "flood": call_job("def f(x):\n    while True: print('flood' * 100)\n"),
    "exit": call_job("import os\ndef f(x):\n    os._exit(0)\n"),
    "crash": call_job("import ctypes\ndef f(x):\n    ctypes.string_at(8)\n"),
}


def main(allow_reduced):
    """Mode, layers and the status of each job; or why the runner refused."""
    try:
        with private_runner(slots=1, allow_reduced=allow_reduced) as client:
            status = client.status()
            layers = {layer["name"]: layer["state"] for layer in status["layers"]}
            return {
                "mode": status["mode"],
                "layers": layers,
                "has_neutral_paths": status["has_neutral_paths"],
                "runs": {name: client.run(job).status for name, job in JOBS.items()},
            }
    except RunnerUnavailableError as error:
        return {"refused": str(error)}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(sys.argv[1:] == ["reduced"])) + "\n")
