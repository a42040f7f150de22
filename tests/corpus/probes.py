"""Harmless probes: what escapes and thefts of secrets try, aimed at things that the test made for it.

Each is a hand-in whose `probe()` gives back what it got hold of, as text, and nothing where it was stopped. Without
isolation each gets hold of something; in a run none does. `Targets` says what there is to be got.
"""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass

SECRET = "canary-5f1d0c"


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """What a test made to be reached: a listener, a process, a folder with a file in it, a descriptor of a folder."""

    port: int
    pid: int
    folder: str
    file: str


HEAD = """
import ctypes, gc, os, signal, socket, stat, subprocess, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

def called(number, *arguments):
    return libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
"""

PROBES = {
    "E01 connect to a listener": """
with socket.create_connection(("127.0.0.1", port), timeout=1):
    return "reached the listener"
""",
    "E04 read the memory of a process": """
words = ctypes.create_string_buffer(16)
class Part(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
with open(f"/proc/{pid}/mem", "rb") if os.path.exists(f"/proc/{pid}/mem") else open(os.devnull, "rb") as memory:
    if "mem" in str(memory.name):
        return "reached its memory"
here = Part(ctypes.addressof(words), 16)
if libc.process_vm_readv(pid, ctypes.byref(here), 1, ctypes.byref(here), 1, 0) > 0:
    return "reached its memory"
""",
    "E05 a user namespace": """
if libc.unshare(0x10000000) == 0:
    return "reached a namespace"
""",
    "E11 pages of a shared file": """
reader, writer = os.pipe()
opened = os.open(file if os.path.exists(file) else os.__file__, os.O_RDONLY)
if libc.splice(opened, ctypes.byref(ctypes.c_long(0)), writer, None, 1, 0) > 0:
    return "reached a page"
""",
    "E13 a keyring": """
if libc.syscall(ctypes.c_long(248), b"user", b"note", b"1", ctypes.c_size_t(1), ctypes.c_int(-2)) > 0:
    return "reached a keyring"
""",
    "E14 change a file": """
for path in (file, os.__file__ + ".quizsite-probe"):
    try:
        with open(path, "ab") as opened:
            opened.write(b" ")
        return "reached " + path
    except OSError:
        pass
""",
    "E15 leave a file for the next": """
path = os.path.join(folder, "left-behind")
if os.path.exists(path):
    return "reached what was left"
try:
    open(path, "w").close()
except OSError:
    open(os.path.join(os.getcwd(), "left-behind"), "w").close()
return "reached what was left" if os.path.exists(path) else None
""",
    "E16 a link to a file": """
os.symlink(file, os.path.join(folder if os.path.isdir(folder) else ".", "planted"))
return "reached a link"
""",
    "E18 a descriptor of a folder": """
for number in range(3, 1024):
    try:
        if stat.S_ISDIR(os.fstat(number).st_mode):
            return f"reached folder {number}"
    except OSError:
        pass
""",
    "E20 signal a process": """
os.kill(pid, 0)
return "reached the process"
""",
    "E24 run a program": """
if subprocess.run(["/bin/sh", "-c", "exit 0"]).returncode == 0:
    return "reached a program"
""",
    "E25 read a file behind a guard that was smashed": """
sys.meta_path.clear()
with open(file) as opened:
    return "reached " + opened.read()
""",
    "S01 the environment": """
return " ".join(os.environ.values())
""",
    "S01 the environment of this process as it began": """
with open("/proc/self/environ") as block:
    return block.read()
""",
    "S03 objects": """
found = [text for table in gc.get_objects() if type(table) is dict for text in list(table.values())]
return " ".join(text for text in found if type(text) is str and text.startswith("canary" + "-"))
""",
    "S05 a descriptor too many": """
for number in range(5, 1024):
    try:
        os.fstat(number)
        return f"reached descriptor {number}"
    except OSError:
        pass
""",
    "S06 files of others": """
for place, _, files in os.walk(os.path.dirname(folder)):
    for name in files:
        if name.endswith(".secret"):
            with open(os.path.join(place, name)) as opened:
                return "reached " + opened.read()
""",
    "S16 memory": """
# A pipe takes only what can be read, and says so where it cannot: so memory can be read without a map of it.
reader, writer = os.pipe()
size, word = 4096, bytes(reversed(b"-yranac"))
found, anchors = set(), {id(object()) & -size, id(libc) & -size, ctypes.addressof(ctypes.c_int()) & -size}
import torch
anchors |= {torch.empty(2000).data_ptr() & -size, torch.empty(4_000_000).data_ptr() & -size}
for anchor in anchors:
    for address in range(anchor - (8 << 20), anchor + (8 << 20), size):
        if libc.write(writer, ctypes.c_void_p(address), size) == size:
            page = os.read(reader, size)
            place = page.find(word)
            while place >= 0:
                found.add(page[place : place + 13])
                place = page.find(word, place + 1)
return " ".join(sorted(each.decode() for each in found if each[7:].isalnum()))
""",
}


def source(name, targets):
    """A probe as a module with `probe()`; what the operating system refuses gives nothing."""
    places = "\n".join(f"{key} = {value!r}" for key, value in asdict(targets).items())
    body = "\n".join(f"        {line}" for line in PROBES[name].strip().splitlines())
    return f"{HEAD}\n{places}\n\ndef probe():\n    try:\n{body}\n    except OSError:\n        return None\n"


def reached_without_isolation(name, targets):
    """What a probe gets hold of as a plain process: with the secret in environment and memory, and a folder open."""
    program = (
        source(name, targets)
        + f"\nkept = {{'note': {SECRET!r}, 'more': []}}\nimport json\nprint(json.dumps(probe()))\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        opened = os.open(folder, os.O_RDONLY)
        try:
            done = subprocess.run(
                [sys.executable, "-c", program],
                env={**os.environ, "PLANTED": SECRET},
                pass_fds=(opened,),
                capture_output=True,
                text=True,
                check=True,
                cwd=folder,
            )
        finally:
            os.close(opened)
    return json.loads(done.stdout.splitlines()[-1])
