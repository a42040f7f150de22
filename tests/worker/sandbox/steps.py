"""`python -m tests.worker.sandbox.steps NAME`: a step of shutting in, in a program of its own; prints what is so then.

Steps that give up rights run in a thread, which alone loses them: so the program can end as usual, and its lines count.
"""

import ctypes
import json
import os
import resource
import signal
import socket
import sys
import tempfile
import threading
from pathlib import Path

from tests.worker.sandbox.elsewhere import take_away
from worker.sandbox import isolation, kernel
from worker.sandbox.filter import compiled_filter
from worker.sandbox.isolation import Scratch
from worker.sandbox.kernel import Namespace
from worker.sandbox.launch import PROJECT
from worker.sandbox.layout import machines_layout, neutral_layout
from worker.sandbox.machine import explore

LINKS = ("/lib", "/lib64")
KEPT = 1 << 21 | 1 << 8  # SYS_ADMIN, and SETPCAP to give up more


def in_a_thread(function):
    """What the function returned, or the error, from a thread of its own."""
    found = []
    thread = threading.Thread(target=lambda: found.append(function()))
    thread.start()
    thread.join()
    return found[0]


def error_of(function, *arguments):
    """The number of the error that a call raises, 0 without."""
    try:
        function(*arguments)
    except OSError as error:
        return error.errno
    return 0


def status_of_thread():
    lines = Path("/proc/thread-self/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def root():
    """A root of its own, seen from within."""
    explore()
    binds = machines_layout([path for path in sys.path if path]).binds

    def build():
        isolation.prepare_root(binds)
        kernel.unshare(isolation.ENTERED)
        isolation.complete_root(Scratch(size_bytes=1 << 20, inodes=32))
        return {
            "entries": sorted(os.listdir("/")),
            "links": [link for link in LINKS if os.path.islink(link)],
            "write_root": error_of(os.mkdir, "/new"),
            "write_library": error_of(os.mkdir, os.path.dirname(os.__file__) + "/new"),
            "write_scratch": error_of(os.mkdir, "/tmp/new"),
            "host_name": socket.gethostname(),
        }

    links = [link for link in LINKS if os.path.islink(link)]
    return {**in_a_thread(build), "links_outside": links}


def template_root():
    """The root of the warm program, seen from within."""
    explore()
    layout = neutral_layout([path for path in sys.path if path]).with_service()

    def build():
        isolation.build_template_root(layout.binds)
        return {
            "entries": sorted(os.listdir("/")),
            "service": sorted(os.listdir("/service/worker")),
            "write_root": error_of(os.mkdir, "/new"),
            "has_proc": os.path.exists("/proc/self/status"),
            "interfaces": os.listdir("/proc/thread-self/net") != [] and [name for _, name in socket.if_nameindex()],
            "project": os.path.exists(PROJECT),
        }

    return in_a_thread(build)


def rights():
    """Namespaces of one's own, no capability, no new privileges, a filter."""
    explore()

    def give_up():
        own = os.pidfd_open(os.getpid())
        kernel.setns(own, Namespace.UTS)
        os.close(own)
        kernel.limit_capabilities(KEPT)
        kept = status_of_thread()["CapEff"]
        kernel.limit_capabilities(0)
        kernel.forbid_new_privileges()
        kernel.load_filter(compiled_filter())
        return {"kept": kept, **status_of_thread(), "socket": error_of(socket.socket)}

    return in_a_thread(give_up)


def process():
    """Session, signals, limits, working directory."""
    kernel.set_name("a-step-of-tests")
    signal.signal(signal.SIGTERM, lambda *_: None)
    isolation.reset_process()
    isolation.limit_resources(file_bytes=10_000_000)
    folder = tempfile.mkdtemp()
    isolation.stay_outside(folder)
    dumpable = ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)
    at_parents_death = ctypes.c_int()
    ctypes.CDLL(None).prctl(2, ctypes.byref(at_parents_death), 0, 0, 0)
    kernel.set_dumpable(True)
    found = {
        "terminate": signal.getsignal(signal.SIGTERM) == signal.SIG_DFL,
        "pipe": signal.getsignal(signal.SIGPIPE) == signal.SIG_IGN,
        "file_bytes": resource.getrlimit(resource.RLIMIT_FSIZE)[0],
        "core": resource.getrlimit(resource.RLIMIT_CORE)[0],
        "descriptors": resource.getrlimit(resource.RLIMIT_NOFILE)[0],
        "folder": os.getcwd() == folder,
        "dumpable": dumpable,
        "at_parents_death": at_parents_death.value,
        "no_new_privileges": status_of_thread()["NoNewPrivs"],
        "name": Path("/proc/self/comm").read_text().strip(),
    }
    os.chdir(PROJECT)
    os.rmdir(folder)
    return found


def descriptors():
    """All but five descriptors closed."""
    # As in a run that was born with the lowest ones free.
    output = os.dup2(1, 40)
    pairs = os.pipe(), os.pipe()
    os.close(0)
    os.close(2)
    isolation.keep_descriptors((output, output, pairs[0][0], pairs[1][1]))
    isolation.require_only_kept()
    return {"open": isolation.open_descriptors()}


def descriptors_elsewhere():
    """Likewise where there is only POSIX, with one above the limit that was set after it was opened."""
    take_away()
    os.dup2(1, isolation.DESCRIPTORS + 10)
    isolation.limit_resources(file_bytes=10_000_000)
    return descriptors()


def groups():
    """A word written into each group."""
    with tempfile.TemporaryFile() as one, tempfile.TemporaryFile() as other:
        isolation.join_groups([one.fileno(), other.fileno()])
        one.seek(0)
        other.seek(0)
        return {"said": [one.read().decode(), other.read().decode()]}


def elsewhere():
    """Limits and working directory where there is only what POSIX has."""
    take_away()
    isolation.limit_resources(file_bytes=10_000_000)
    isolation.stay_outside("/")
    found = {"file_bytes": resource.getrlimit(resource.RLIMIT_FSIZE)[0], "folder": os.getcwd()}
    os.chdir(PROJECT)
    return found


STEPS = {
    step.__name__: step
    for step in (root, template_root, rights, process, descriptors, descriptors_elsewhere, groups, elsewhere)
}

if __name__ == "__main__":
    sys.stdout.write(json.dumps(STEPS[sys.argv[1]]()))
