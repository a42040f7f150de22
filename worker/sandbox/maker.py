"""The small process that prepares containers: `python -m worker.sandbox.maker DESCRIPTOR`, started by the runner.

A container is a process, the first of a pid namespace of its own, which has built a read-only root, has given up all
rights, and waits. It ends when the pipe that it was given ends, so with the runner; and with it all that was born in
its pid namespace. Nothing here has torch: forking a few megabytes is cheap.
"""

from __future__ import annotations

import gc
import os
import selectors
import signal
import socket
import sys
from dataclasses import dataclass

from worker.sandbox import kernel
from worker.sandbox.cgroups import remove_folders
from worker.sandbox.channel import Channel, ChannelClosedError, Message, close_all, inherited_channel
from worker.sandbox.isolation import ENTERED, INSIDE_ID, Binds, Scratch, become_inside_id, complete_root, prepare_root
from worker.sandbox.kernel import Capability, Namespace

# To make namespaces and mounts (also of folders for their owner alone), to remove groups from folders that nobody may
# write to (the roots of version 1), to map ids and drop groups, to end containers.
KEPT = Capability.SYS_ADMIN | Capability.DAC_OVERRIDE | Capability.SETUID | Capability.SETGID | Capability.KILL
# In a user namespace of one id, that is the one to map: the kernel asks for this where it is a root's (Linux 5.12).
KEPT_BY_USERS = KEPT | Capability.SETFCAP
# On a busy machine the end of many runs takes long; nobody waits for it.
_REMOVAL_SECONDS = 20.0
_FRESH = Namespace.PID | ENTERED
_UNSHARED, _MAPPED, _BUILT, _FAILED = b"u", b"m", b"b", b"f"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What all containers of a runner share."""

    has_groups: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """A prepared container: its first process, as seen here."""

    name: str
    pid: int
    descriptor: int


class ContainerError(Exception):
    """A container could not be made; the message names the call."""


class Maker:
    """Answers "make" with "made" or "failed", and says "gone" when a container has ended."""

    def __init__(self, channel: Channel, setting: Setting) -> None:
        self._channel = channel
        self._setting = setting
        # Why no container can be made here; empty where one can.
        self._problem = ""
        # The machine's: the root of containers has none.
        self._proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._selector = selectors.DefaultSelector()
        self._selector.register(channel, selectors.EVENT_READ)

    def prepare(self, binds: Binds) -> None:
        """Move into the root that all containers share; where that fails each that is asked for does."""
        try:
            prepare_root(binds)
        except OSError as error:
            self._problem = str(error)
        # What is here now stays; to look through it again would only copy the pages that forks share.
        gc.freeze()

    def serve(self) -> None:
        """Make containers until the runner is gone. Raises: ChannelClosedError then."""
        while True:
            for key, _ in self._selector.select():
                if isinstance(key.data, Container):
                    self._bury(key.data)
                else:
                    self._answer(self._channel.receive())

    def close(self) -> None:
        """End every container and wait for its end, which is the end of all within."""
        containers = [key.data for key in self._selector.get_map().values() if isinstance(key.data, Container)]
        for container in containers:
            signal.pidfd_send_signal(container.descriptor, signal.SIGKILL)
        for container in containers:
            os.waitpid(container.pid, 0)

    def _answer(self, message: Message) -> None:
        name = message.values["name"]
        try:
            container = self._make(message)
        except (ContainerError, OSError) as error:
            self._channel.send("failed", name=name, error=str(error))
        else:
            self._selector.register(container.descriptor, selectors.EVENT_READ, container)
            self._channel.send("made", name=name, descriptors=(container.descriptor,))
        finally:
            close_all(message.descriptors)

    def _make(self, message: Message) -> Container:
        if self._problem:
            raise ContainerError(self._problem)
        values = message.values
        scratch = Scratch(size_bytes=values["scratch_bytes"], inodes=values["scratch_inodes"])
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours, theirs:
            pid = kernel.fork_into(_FRESH)
            if pid == 0:  # pragma: no cover  (a fork; probe: every job of tests/worker/sandbox, and sandbox_check)
                be_container(theirs.fileno(), message.descriptors[0], self._setting, scratch)
            theirs.close()
            descriptor = os.pidfd_open(pid)
            try:
                self._finish(pid, ours, outer_id=values["outer_id"])
            except (ContainerError, OSError):
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
                os.waitpid(pid, 0)
                os.close(descriptor)
                raise
        return Container(name=values["name"], pid=pid, descriptor=descriptor)

    def _finish(self, pid: int, talk: socket.socket, *, outer_id: int) -> None:
        """Map the one id of the container's user namespace as soon as it exists, and wait until all is built."""
        _expect(talk, _UNSHARED)
        for name, text in (("setgroups", "deny"), ("gid_map", _map(outer_id)), ("uid_map", _map(outer_id))):
            file = os.open(f"{pid}/{name}", os.O_WRONLY | os.O_CLOEXEC, dir_fd=self._proc)
            try:
                os.write(file, text.encode())
            finally:
                os.close(file)
        talk.sendall(_MAPPED)
        _expect(talk, _BUILT)

    def _bury(self, container: Container) -> None:
        self._selector.unregister(container.descriptor)
        os.waitpid(container.pid, 0)
        os.close(container.descriptor)
        self._channel.send("gone", name=container.name)


def _map(outer_id: int) -> str:
    return f"{INSIDE_ID} {outer_id} 1"


def _expect(talk: socket.socket, word: bytes) -> None:
    answer = talk.recv(4096)
    if answer != word:
        raise ContainerError(answer.removeprefix(_FAILED).decode(errors="replace") or "its first process died")


def be_container(  # pragma: no cover  (runs in a fork; probe: every job of tests/worker/sandbox, and sandbox_check)
    talk: int, lifeline: int, setting: Setting, scratch: Scratch
) -> None:
    """Complete the container around this process and wait in it for the runner's end. Never returns."""
    # At once: whatever of the maker stayed open here would hide the maker's death from the runner and from itself.
    os.dup2(lifeline, 0)
    os.dup2(talk, 1)
    kernel.close_from(2)
    try:
        kernel.set_name("container")
        if setting.has_groups:
            os.setgroups([])
        complete_root(scratch)
        kernel.unshare(Namespace.USER)
        os.write(1, _UNSHARED)
        # Nothing: the maker died.
        if os.read(1, 1) == _MAPPED:
            become_inside_id()
            # After the change of ids, which would make the kernel forget it. The maker may have died just before.
            kernel.die_with_parent(signal.SIGKILL)
            os.write(1, _BUILT)
            os.close(1)
            os.read(0, 1)
    except OSError as error:
        os.write(1, _FAILED + str(error).encode())
    finally:
        os._exit(0)


class MachineFolder:
    """A folder of the machine, found again from within the root of containers."""

    def __init__(self, path: str) -> None:
        above, self._name = os.path.split(path)
        self._above = os.open(above, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def remove_groups(self) -> None:
        """Remove it and the control groups in it, with all that is in them."""
        os.fchdir(self._above)
        remove_folders([self._name], seconds=_REMOVAL_SECONDS)


def _pairs(message: Message) -> Binds:
    return tuple((path, place) for path, place in message.values["binds"])


def main(arguments: list[str]) -> int:
    """Serve the runner at the other end of the inherited descriptor; when it is gone, remove its control groups."""
    kernel.set_name("quizsite-maker")
    channel = inherited_channel(int(arguments[0]))
    first = channel.receive()
    os.chdir("/")
    kernel.limit_capabilities(KEPT if first.values["has_groups"] else KEPT_BY_USERS)
    kernel.forbid_new_privileges()
    groups = [MachineFolder(folder) for folder in first.values["group_folders"]]
    maker = Maker(channel, Setting(has_groups=first.values["has_groups"]))
    maker.prepare(_pairs(first))
    try:
        maker.serve()
    except ChannelClosedError:
        # The template ends with its own channel; only the groups would stay.
        maker.close()
        for group in groups:
            group.remove_groups()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
