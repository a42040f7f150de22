import os
import signal
import subprocess
import sys

import pytest

from tests.worker.sandbox.runs import is_root, wait_until
from worker.sandbox import cgroups, hierarchies
from worker.sandbox.cgroups import BASE_MEMORY_BYTES, GroupsV2, GroupV1, GroupV2, Usage
from worker.sandbox.channel import close_all
from worker.sandbox.hierarchies import find_groups

V1_MOUNTS = """\
30 20 0:26 / {root}/memory rw - cgroup cgroup rw,memory
31 20 0:27 / {root}/pids rw - cgroup cgroup rw,pids
32 20 0:28 / {root}/cpuacct rw - cgroup cgroup rw,cpu,cpuacct
33 20 0:29 / {root}/freezer rw - cgroup cgroup rw,freezer
34 20 0:30 / {root}/unified rw - cgroup2 cgroup2 rw
"""


def fake_v2(folder, *, controllers="", members=""):
    """Files as in a group of version 2; the kernel would make them itself."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {
        "cgroup.procs": members,
        "cgroup.subtree_control": controllers,
        "cgroup.kill": "",
        "memory.max": "max",
        "memory.oom.group": "0",
        "memory.swap.max": "max",
        "memory.peak": "4096\n",
        "memory.events": "low 0\noom 1\noom_kill 2\n",
        "pids.max": "max",
        "pids.peak": "7\n",
        "pids.events": "max 3\n",
        "cpu.stat": "usage_usec 1500000\nuser_usec 1\n",
    }.items():
        (folder / name).write_text(text)
    return GroupV2(folder)


def fake_proc(folder, *, mounts, places):
    own = folder / "self"
    own.mkdir(parents=True)
    (own / "mountinfo").write_text(mounts)
    (own / "cgroup").write_text(places)
    entry = folder / str(os.getpid())
    entry.mkdir()
    (entry / "stat").write_text("1 (a name) S " + " ".join(str(number) for number in range(4, 53)))
    return folder


def test_v2_limits_are_written(tmp_path):
    group = fake_v2(tmp_path / "run")

    group.limit(memory_bytes=1000, tasks=5)

    written = {name: (tmp_path / "run" / name).read_text() for name in ("memory.max", "memory.swap.max", "pids.max")}
    assert written == {"memory.max": "1000", "memory.swap.max": "0", "pids.max": "5"}
    assert (tmp_path / "run/memory.oom.group").read_text() == "1"


def test_v2_limits_without_swap_accounting(tmp_path):
    group = fake_v2(tmp_path / "run")
    (tmp_path / "run/memory.swap.max").unlink()

    group.limit(memory_bytes=1000, tasks=5)

    assert (tmp_path / "run/memory.max").read_text() == "1000"
    assert not (tmp_path / "run/memory.swap.max").exists()


def test_v2_counters_are_read(tmp_path):
    group = fake_v2(tmp_path / "run")

    assert group.usage() == Usage(
        cpu_seconds=1.5, peak_memory_bytes=4096, memory_kills=2, met_limit=True, peak_tasks=7, refused_tasks=3
    )


def test_v2_counters_that_an_older_kernel_lacks_are_zero(tmp_path):
    group = fake_v2(tmp_path / "run")
    for name in ("memory.peak", "pids.peak"):
        (tmp_path / "run" / name).unlink()
    (tmp_path / "run/memory.events").write_text("low 0\n")

    usage = group.usage()

    assert (usage.peak_memory_bytes, usage.peak_tasks, usage.memory_kills) == (0, 0, 0)


@pytest.mark.parametrize(
    ("events", "needed_too_much", "was_sacrificed"),
    [
        ("max 9\noom 0\noom_kill 1\n", False, True),
        ("max 9\noom 1\noom_kill 1\n", True, False),
        ("max 9\noom 1\noom_kill 0\n", False, False),
    ],
)
def test_v2_kill_is_the_groups_own_if_it_ran_out_itself(tmp_path, events, needed_too_much, was_sacrificed):
    group = fake_v2(tmp_path / "run")
    (tmp_path / "run/memory.events").write_text(events)

    usage = group.usage()

    assert (usage.needed_too_much, usage.was_sacrificed) == (needed_too_much, was_sacrificed)


def test_v2_member_is_in_the_list(tmp_path):
    group = fake_v2(tmp_path / "run", members="17\n4\n")

    assert [group.holds(pid) for pid in (4, 7)] == [True, False]


def test_v2_kill_writes_the_kill_file(tmp_path):
    group = fake_v2(tmp_path / "run")

    group.kill()

    assert (tmp_path / "run/cgroup.kill").read_text() == "1"


def test_v2_kill_without_a_kill_file_kills_each(tmp_path):
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as process:
        group = fake_v2(tmp_path / "run", members=f"{process.pid}\n999999999\n")
        (tmp_path / "run/cgroup.kill").unlink()

        group.kill()

        assert process.wait() == -signal.SIGKILL


def test_v2_kill_of_a_removed_group_does_nothing(tmp_path):
    GroupV2(tmp_path / "gone").kill()

    assert GroupV2(tmp_path / "gone").remove()


def test_v2_entry_is_the_list_of_members(tmp_path):
    group = fake_v2(tmp_path / "run")

    (entry,) = group.entry_descriptors()
    os.write(entry, b"0")
    os.close(entry)

    assert (tmp_path / "run/cgroup.procs").read_text() == "0"


def test_v2_groups_are_made_where_controllers_may_be_handed_down(tmp_path, monkeypatch):
    parent = tmp_path / "tree/own"
    fake_v2(parent, controllers="cpu memory pids", members="1\n2\n")
    proc = fake_proc(
        tmp_path / "proc", mounts=f"1 2 0:1 / {tmp_path}/tree rw - cgroup2 cgroup2 rw\n", places="0::/own\n"
    )
    monkeypatch.setattr(hierarchies, "_make_folders", lambda folders: [fake_v2(folder) for folder in folders] != [])

    groups = find_groups(proc=proc)

    assert isinstance(groups, GroupsV2)
    assert groups.base.parent == parent
    assert (groups.base / "cgroup.subtree_control").read_text() == "+memory +pids +cpu"
    made = groups.make("run-1")
    assert groups.folders() == [str(groups.base)]
    assert made.path.is_dir()
    assert made.remove()


def test_v2_runner_alone_in_its_group_moves_aside(tmp_path):
    parent = tmp_path / "own"
    fake_v2(parent, members=f"{os.getpid()}\n")
    (parent / "quizsite-supervisor").mkdir()
    (parent / "quizsite-supervisor/cgroup.procs").write_text("")

    assert hierarchies._delegate(parent)

    assert (parent / "quizsite-supervisor/cgroup.procs").read_text() == "0"
    assert (parent / "cgroup.subtree_control").read_text() == "+memory +pids +cpu"


def test_v2_groups_cannot_be_had_where_controllers_stay_closed(tmp_path, monkeypatch):
    fake_v2(tmp_path / "tree")
    proc = fake_proc(tmp_path / "proc", mounts=f"1 2 0:1 / {tmp_path}/tree rw - cgroup2 cgroup2 rw\n", places="0::/\n")
    # A plain folder has no control files: what the kernel would refuse fails here by their absence.
    monkeypatch.setattr(hierarchies, "_delegate", lambda folder: False)

    assert find_groups(proc=proc) is None
    assert [path.name for path in (tmp_path / "tree").iterdir() if path.is_dir()] == []


def test_delegation_fails_where_files_are_missing(tmp_path):
    assert not hierarchies._delegate(tmp_path)


def test_no_groups_where_nothing_is_mounted(tmp_path):
    proc = fake_proc(tmp_path / "proc", mounts="1 2 0:1 / / rw - ext4 disk rw\n", places="0::/\n")

    assert find_groups(proc=proc) is None


def test_no_groups_where_no_folder_can_be_made(tmp_path):
    for name in ("memory", "pids", "cpuacct"):
        (tmp_path / "tree" / name).mkdir(parents=True)
    (tmp_path / "tree/freezer").write_text("no folder")
    places = "4:memory:/\n3:pids:/\n2:cpu,cpuacct:/\n1:freezer:/\n0::/gone\n"
    proc = fake_proc(tmp_path / "proc", mounts=V1_MOUNTS.format(root=tmp_path / "tree"), places=places)

    assert find_groups(proc=proc) is None
    assert list((tmp_path / "tree/memory").iterdir()) == []


def test_v1_folders_lie_below_the_own_group_in_each_hierarchy(tmp_path):
    for name in ("memory/own", "pids", "cpuacct", "freezer"):
        (tmp_path / "tree" / name).mkdir(parents=True)
    places = "4:memory:/own\n3:pids:/elsewhere\n2:cpu,cpuacct:/\n1:freezer:/\n0::/\n"
    proc = fake_proc(tmp_path / "proc", mounts=V1_MOUNTS.format(root=tmp_path / "tree"), places=places)

    groups = find_groups(proc=proc)

    name = groups.bases["memory"].name
    assert name.startswith(f"quizsite-{os.getpid()}-22-")
    assert groups.bases["memory"] == tmp_path / "tree/memory/own" / name
    assert groups.bases["pids"] == tmp_path / "tree/pids" / name


def test_folders_of_dead_runners_are_swept_and_others_stay(tmp_path):
    living = f"quizsite-{os.getpid()}-{hierarchies.start_time(os.getpid())}-1"
    for name in ("quizsite-999999999-5/run-1", f"quizsite-{os.getpid()}-1-1", living, "quizsite-a-b", "other-1-2"):
        (tmp_path / name).mkdir(parents=True)

    hierarchies.sweep(tmp_path)

    assert {path.name for path in tmp_path.iterdir()} == {living, "quizsite-a-b", "other-1-2"}


def test_swept_folder_with_a_member_stays(tmp_path):
    (tmp_path / "quizsite-999999999-5").mkdir()
    (tmp_path / "quizsite-999999999-5/file").touch()

    hierarchies.sweep(tmp_path)

    assert (tmp_path / "quizsite-999999999-5").exists()


def test_removal_gives_up_after_its_time(tmp_path):
    fake_v2(tmp_path / "run")

    assert not cgroups.remove_folders([str(tmp_path / "run")], seconds=0.02)
    assert cgroups.remove_folders([str(tmp_path / "gone")])


def fake_v1(folder, *, swap):
    paths = {}
    for controller in ("memory", "pids", "cpuacct", "freezer"):
        paths[controller] = folder / controller
        paths[controller].mkdir(parents=True)
    (paths["memory"] / "memory.limit_in_bytes").write_text("")
    if swap:
        (paths["memory"] / "memory.memsw.limit_in_bytes").write_text(swap)
    (paths["pids"] / "pids.max").write_text("")
    return GroupV1(paths)


@pytest.mark.parametrize(("swap", "expected"), [("500", "1000"), ("9000", "1000"), ("", None)])
def test_v1_limit_with_swap_is_the_same(tmp_path, swap, expected):
    group = fake_v1(tmp_path, swap=swap)

    group.limit(memory_bytes=1000, tasks=5)

    file = tmp_path / "memory/memory.memsw.limit_in_bytes"
    assert (file.read_text() if file.exists() else None) == expected
    assert (tmp_path / "memory/memory.limit_in_bytes").read_text() == "1000"
    assert (tmp_path / "pids/pids.max").read_text() == "5"


@pytest.mark.parametrize(
    ("kills", "peak", "peak_with_swap", "expected"),
    [
        (1, 999_000, 999_000, (True, False)),
        (1, 999_000, None, (True, False)),
        (1, 500_000, 999_000, (True, False)),
        (1, 500_000, 500_000, (False, True)),
        (1, 500_000, None, (False, True)),
        (0, 999_000, 999_000, (False, False)),
    ],
)
def test_v1_kill_is_the_groups_own_if_it_had_all_that_it_may(tmp_path, kills, peak, peak_with_swap, expected):
    group = fake_v1(tmp_path, swap="" if peak_with_swap is None else "1")
    group.limit(memory_bytes=1_000_000, tasks=5)
    texts = {
        "memory/memory.oom_control": f"oom_kill_disable 0\nunder_oom 0\noom_kill {kills}\n",
        "memory/memory.max_usage_in_bytes": f"{peak}\n",
        "cpuacct/cpuacct.usage": "0\n",
        "pids/pids.events": "max 0\n",
    }
    if peak_with_swap is not None:
        texts["memory/memory.memsw.max_usage_in_bytes"] = f"{peak_with_swap}\n"
    for path, text in texts.items():
        (tmp_path / path).write_text(text)

    usage = group.usage()

    assert (usage.needed_too_much, usage.was_sacrificed) == expected


def test_v1_group_is_made_everywhere_or_nowhere(tmp_path):
    bases = {name: tmp_path / name for name in ("memory", "pids", "cpuacct", "freezer")}
    for name in ("memory", "pids", "freezer"):
        bases[name].mkdir()

    with pytest.raises(FileNotFoundError):
        cgroups.GroupsV1(bases).make("run-1")

    assert [path for base in (bases["memory"], bases["pids"], bases["freezer"]) for path in base.iterdir()] == []


def test_v1_entries_are_all_open_or_none(tmp_path, monkeypatch):
    group = fake_v1(tmp_path, swap="")
    for name in ("memory", "pids", "freezer"):
        (tmp_path / name / "cgroup.procs").touch()
    closed = []
    monkeypatch.setattr(cgroups, "close_all", lambda descriptors: closed.extend(descriptors) or close_all(descriptors))

    with pytest.raises(FileNotFoundError):
        group.entry_descriptors()

    assert len(closed) == 2


def test_v1_member_is_in_every_hierarchy(tmp_path):
    group = fake_v1(tmp_path, swap="")
    for controller, path in group.paths.items():
        (path / "cgroup.procs").write_text("4\n" if controller == "pids" else "17\n4\n")

    assert [group.holds(pid) for pid in (4, 17)] == [True, False]


def test_v1_kill_of_a_removed_group_does_nothing(tmp_path):
    fake_v1(tmp_path, swap="").kill()


@pytest.mark.sandbox
@pytest.mark.skipif(not is_root(), reason="makes control groups; as anyone else none can be had")
def test_real_groups_count_limit_kill_and_vanish():
    groups = find_groups()
    try:
        group = groups.make("test")
        group.limit(memory_bytes=BASE_MEMORY_BYTES, tasks=8)
        with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as process:
            for entry in group.entry_descriptors():
                os.write(entry, str(process.pid).encode())
                os.close(entry)
            assert not group.remove()
            group.kill()
            assert process.wait() == -signal.SIGKILL
        wait_until(group.remove)
        assert groups.make("again").usage().refused_tasks == 0
    finally:
        groups.close()
    assert not any(os.path.exists(folder) for folder in groups.folders())


def test_v2_groups_that_are_gone_are_closed_again_without_harm(tmp_path):
    groups = GroupsV2(tmp_path / "gone")

    groups.close()

    assert groups.folders() == [str(tmp_path / "gone")]
