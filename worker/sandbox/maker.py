"""The small process that prepares containers: `python -m worker.sandbox.maker DESCRIPTOR`, started by the runner.

A container is a process, the first of a pid namespace of its own, which has built a read-only root, has given up all
rights, and waits. It ends when the pipe that it was given ends, so with the runner; and with it all that was born in
its pid namespace. Nothing here has torch: forking a few megabytes is cheap.
"""

from __future__ import annotations

import os
import selectors
import signal
import socket
import sys
from dataclasses import dataclass
from pathlib import Path

from worker.sandbox import kernel
from worker.sandbox.cgroups import remove_folders
from worker.sandbox.channel import Channel, ChannelClosedError, Message, close_all, inherited_channel
from worker.sandbox.isolation import INSIDE_ID, Binds, Scratch, become_inside_id, build_root
from worker.sandbox.kernel import Capability, Namespace

# To make namespaces and mounts (also of folders for their owner alone), to remove groups from folders that nobody may
# write to (the roots of version 1), to map ids and drop groups, to end containers.
KEPT = Capability.SYS_ADMIN | Capability.DAC_OVERRIDE | Capability.SETUID | Capability.SETGID | Capability.KILL
# In a user namespace of one id, that is the one to map: the kernel asks for this where it is a root's (Linux 5.12).
KEPT_BY_USERS = KEPT | Capability.SETFCAP
# On a busy machine the end of many runs takes long; nobody waits for it.
_REMOVAL_SECONDS = 20.0
_GO, _UNSHARED, _MAPPED, _BUILT, _FAILED = b"g", b"u", b"m", b"b", b"f"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What all containers of a runner share."""

    binds: Binds
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
        self._selector = selectors.DefaultSelector()
        self._selector.register(channel, selectors.EVENT_READ)
        kernel.adopt_orphans()

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
            self._channel.send("made", name=name, pid=container.pid, descriptors=(container.descriptor,))
        finally:
            close_all(message.descriptors)

    def _make(self, message: Message) -> Container:
        values = message.values
        scratch = Scratch(size_bytes=values["scratch_bytes"], inodes=values["scratch_inodes"])
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours, theirs:
            starter = os.fork()
            if starter == 0:  # pragma: no cover  (a fork; probe: every job of tests/worker/sandbox, and sandbox_check)
                be_starter(theirs, message.descriptors[0], self._setting, scratch)
            theirs.close()
            os.waitpid(starter, 0)
            pid = _pid_in(ours.recv(4096))
            descriptor = os.pidfd_open(pid)
            try:
                _finish(pid, ours, outer_id=values["outer_id"])
            except (ContainerError, OSError):
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
                os.waitpid(pid, 0)
                os.close(descriptor)
                raise
        return Container(name=values["name"], pid=pid, descriptor=descriptor)

    def _bury(self, container: Container) -> None:
        self._selector.unregister(container.descriptor)
        os.waitpid(container.pid, 0)
        os.close(container.descriptor)
        self._channel.send("gone", name=container.name)


def _finish(pid: int, talk: socket.socket, *, outer_id: int) -> None:
    """Map the one id of the container's user namespace as soon as it exists, and wait until all is built."""
    talk.sendall(_GO)
    _expect(talk, _UNSHARED)
    folder = Path("/proc") / str(pid)
    (folder / "setgroups").write_text("deny")
    (folder / "gid_map").write_text(f"{INSIDE_ID} {outer_id} 1")
    (folder / "uid_map").write_text(f"{INSIDE_ID} {outer_id} 1")
    talk.sendall(_MAPPED)
    _expect(talk, _BUILT)


def _expect(talk: socket.socket, word: bytes) -> None:
    answer = talk.recv(4096)
    if answer != word:
        raise ContainerError(answer.removeprefix(_FAILED).decode(errors="replace") or "its first process died")


def _pid_in(answer: bytes) -> int:
    if not answer.isdigit():
        raise ContainerError(answer.removeprefix(_FAILED).decode(errors="replace") or "its starter died")
    return int(answer)


def be_starter(  # pragma: no cover  (runs in a fork; probe: every job of tests/worker/sandbox, and sandbox_check)
    talk: socket.socket, lifeline: int, setting: Setting, scratch: Scratch
) -> None:
    """Fork the first process of a new pid namespace and leave it to the maker. Never returns.

    The maker cannot do so itself: once its children are born elsewhere, an unprivileged process may not change that.
    """
    # At once: whatever of the maker stayed open here would hide the maker's death from the runner and from itself.
    os.dup2(lifeline, 0)
    os.dup2(talk.fileno(), 1)
    kernel.close_from(2)
    talk = socket.socket(fileno=1)
    try:
        kernel.unshare(Namespace.PID)
        pid = os.fork()
        if pid == 0:
            be_container(talk, setting, scratch)
        talk.sendall(str(pid).encode())
    except OSError as error:
        talk.sendall(_FAILED + str(error).encode())
    finally:
        os._exit(0)


def be_container(  # pragma: no cover  (runs in a fork; probe: every job of tests/worker/sandbox, and sandbox_check)
    talk: socket.socket, setting: Setting, scratch: Scratch
) -> None:
    """Build the container around this process and wait in it for the runner's end. Never returns."""
    try:
        kernel.set_name("container")
        _expect(talk, _GO)
        if setting.has_groups:
            os.setgroups([])
        build_root(setting.binds, scratch)
        kernel.unshare(Namespace.USER)
        talk.sendall(_UNSHARED)
        _expect(talk, _MAPPED)
        become_inside_id()
        # After the change of ids, which would make the kernel forget it. The maker may have died just before.
        kernel.die_with_parent(signal.SIGKILL)
        talk.sendall(_BUILT)
        talk.close()
        os.read(0, 1)
    except (OSError, ContainerError) as error:
        talk.sendall(_FAILED + str(error).encode())
    finally:
        os._exit(0)


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
    maker = Maker(channel, Setting(binds=_pairs(first), has_groups=first.values["has_groups"]))
    try:
        maker.serve()
    except ChannelClosedError:
        # The template ends with its own channel; only the groups would stay.
        maker.close()
        remove_folders(first.values["group_folders"], seconds=_REMOVAL_SECONDS)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
