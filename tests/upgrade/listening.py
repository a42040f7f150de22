"""Which system calls the filter denies: jobs run in forks of a warm process, under a filter that asks instead.

Most refusals are quiet, and the runner hears of none but the deadly ones. So the compiled filter is rewritten: where it
would answer an error or kill, the kernel asks this process, which looks up in the filter as it was what that would have
been, notes the call and answers the same. There is no container around these runs: they are authors' code alone.

Source of numbers: linux/seccomp.h, linux/filter.h, asm-generic/ioctl.h, asm-generic/unistd.h.
"""

import ctypes
import errno
import fcntl
import json
import os
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time

from tests.product import ROOT

SECONDS = 60.0
ALLOW, ERROR, KILL, ASK = 0x7FFF_0000, 0x0005_0000, 0x8000_0000, 0x7FC0_0000
_ACTION, _DATA = 0xFFFF_0000, 0x0000_FFFF
_LOAD, _AND, _RETURN, _JUMP = 0x20, 0x54, 0x06, 0x05
_JUMPS = {0x15: int.__eq__, 0x25: int.__gt__, 0x35: int.__ge__, 0x45: lambda a, k: bool(a & k)}
_SECCOMP = {"x86_64": 317, "aarch64": 277}
_PIDFD_OPEN, _PIDFD_GETFD = 434, 438
_FILTER_MODE, _NEW_LISTENER = 1, 1 << 3
_RECEIVE, _SEND = 0xC050_2100, 0xC018_2101
_NOTICE, _ANSWER = struct.Struct("=QIIiIQ6Q"), struct.Struct("=QqiI")
# Calls that are allowed with some values of one argument: its place.
_TOLD_ARGUMENT = {"ioctl": 1, "fcntl": 1, "prctl": 0, "clone": 0, "socket": 0, "socketpair": 0}
_INSTRUCTION = struct.Struct("=HBBI")
_libc = ctypes.CDLL(None, use_errno=True)


def decision(program, data):
    """What a filter returns for a call; `data` is a `seccomp_data` as bytes."""
    code, place, accumulator = list(_INSTRUCTION.iter_unpack(program)), 0, 0
    while True:
        operation, if_true, if_false, k = code[place]
        place += 1
        if operation == _RETURN:
            return k
        if operation == _LOAD:
            (accumulator,) = struct.unpack_from("=I", data, k)
        elif operation == _AND:
            accumulator &= k
        elif operation == _JUMP:
            place += k
        else:
            place += if_true if _JUMPS[operation](accumulator, k) else if_false


def asking(program):
    """The filter with a question in the place of each error and each kill."""
    return b"".join(
        _INSTRUCTION.pack(code, yes, no, ASK if code == _RETURN and k & _ACTION in (ERROR, KILL) else k)
        for code, yes, no, k in _INSTRUCTION.iter_unpack(program)
    )


def denied_calls(jobs):
    """By each call that was denied to one of the jobs how often it was; run by a Python of its own."""
    from worker.sandbox.commands import END, job_frames  # noqa: PLC0415
    from worker.sandbox.frames import encode_frame  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        for number, job in enumerate(jobs):
            commands = b"".join(encode_frame(frame) for frame in (*job_frames(job), END))
            with open(os.path.join(folder, f"{number:05}.job"), "wb") as file:
                file.write(commands)
        command = [sys.executable, "-m", "tests.upgrade.listening", folder]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def main(folder):
    """Run the jobs that lie in the folder, one fork each; print what was denied."""
    from worker.sandbox import child, kernel, warmup  # noqa: PLC0415
    from worker.sandbox.filter import compiled_filter  # noqa: PLC0415

    program, found = compiled_filter(), {}
    warmup.warm_up()
    child.prepare()
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            commands = file.read()
        for call in _Listened(program, commands, kernel.forbid_new_privileges, child.serve).denied():
            found[call] = found.get(call, 0) + 1
    sys.stdout.write(json.dumps(found) + "\n")


class _Listened:
    """One job in a fork, and what it was denied."""

    def __init__(self, program, commands, before, serve):
        self._program, self._left, self._before, self._serve = program, memoryview(commands), before, serve

    def denied(self):
        """The calls, each once, in their order."""
        told, tell = os.pipe()
        take, self._commands = os.pipe()
        self._results, give = os.pipe()
        with tempfile.TemporaryDirectory() as work:
            pid = os.fork()
            if not pid:
                self._be_child(work, tell, take, give)
            for descriptor in (tell, take, give):
                os.close(descriptor)
            try:
                listener = _taken(pid, int(os.read(told, 16)))
                calls = self._listen(pid, listener)
                os.close(listener)
            finally:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                for descriptor in {told, self._results, self._commands} - {-1}:
                    os.close(descriptor)
        return calls

    def _be_child(self, work, tell, take, give):
        try:
            os.chdir(work)
            os.setsid()
            for descriptor in (self._commands, self._results):
                os.close(descriptor)
            null = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(null, descriptor)
            self._before()
            os.write(tell, str(_listener(asking(self._program))).encode())
            os.close(tell)
            self._serve(take, give)
        finally:
            os._exit(70)

    def _listen(self, pid, listener):
        """Feed the job, throw its results away, and answer for the filter until it ends."""
        calls, end, poll = {}, time.monotonic() + SECONDS, select.poll()
        poll.register(listener, select.POLLIN)
        poll.register(self._results, select.POLLIN)
        poll.register(self._commands, select.POLLOUT)
        os.set_blocking(self._commands, False)
        while time.monotonic() < end:
            for descriptor, _ in poll.poll(1000):
                if descriptor == listener:
                    self._answer(pid, listener, calls)
                elif descriptor == self._results and not os.read(self._results, 1 << 20):
                    return list(calls)
                elif descriptor == self._commands:
                    self._feed(poll)
        return [*calls, "(not ended in time)"]

    def _feed(self, poll):
        try:
            self._left = self._left[os.write(self._commands, self._left[: 1 << 16]) :]
        except BrokenPipeError:
            self._left = self._left[:0]
        if not self._left:
            poll.unregister(self._commands)
            os.close(self._commands)
            self._commands = -1

    def _answer(self, pid, listener, calls):
        notice = bytearray(_NOTICE.size)
        try:
            fcntl.ioctl(listener, _RECEIVE, notice)
        except FileNotFoundError:
            return
        identity, _, _, number, architecture, pointer, *arguments = _NOTICE.unpack(notice)
        decided = decision(self._program, struct.pack("=iIQ6Q", number, architecture, pointer, *arguments))
        if decided & _ACTION != ERROR:
            calls[f"{_name(number, arguments)}: killed"] = None
            os.kill(pid, signal.SIGKILL)
            return
        code = decided & _DATA
        calls[f"{_name(number, arguments)}: {errno.errorcode[code]}"] = None
        try:
            fcntl.ioctl(listener, _SEND, _ANSWER.pack(identity, 0, -code, 0))
        except FileNotFoundError:
            return


def _name(number, arguments):
    import pyseccomp  # noqa: PLC0415

    name = pyseccomp.resolve_syscall(pyseccomp.system_arch(), number)
    name = name.decode() if isinstance(name, bytes) else str(name)
    place = _TOLD_ARGUMENT.get(name)
    return name if place is None else f"{name}({arguments[place] & 0xFFFF_FFFF:#x})"


class _Compiled(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def _listener(program):
    """Load the filter; the descriptor on which it asks."""

    compiled = _Compiled(len(program) // _INSTRUCTION.size, program)
    return _called(_SECCOMP[os.uname().machine], _FILTER_MODE, _NEW_LISTENER, ctypes.byref(compiled))


def _taken(pid, descriptor):
    """A descriptor of a child, as one of our own."""
    handle = os.pidfd_open(pid)
    try:
        return _called(_PIDFD_GETFD, handle, descriptor, 0)
    finally:
        os.close(handle)


def _called(number, *arguments):
    result = _libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


if __name__ == "__main__":
    main(sys.argv[1])
