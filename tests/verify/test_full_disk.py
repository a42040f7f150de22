"""The whole site on a small disk that gets full: hand-ins are refused in words, all else is read.

Once there is room hand-ins are taken again.
"""

import subprocess

import pytest

from tests.product import ATTENTION, RIGHT, Product

pytestmark = [pytest.mark.verify, pytest.mark.sandbox, pytest.mark.enable_socket, pytest.mark.timeout(600)]

DISK = "size=96m"
# More than what free pages of the database could take.
LARGE = RIGHT + "# much to store\n" * 12_000


@pytest.fixture
def disk(tmp_path):
    """A small file system of memory. Only root can mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", DISK, "tmpfs", folder], check=True)
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def fill(path):
    """Write until nothing more fits."""
    with path.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            with pytest.raises(OSError, match="No space left"):
                write_for_ever(file, b"\0" * size)


def write_for_ever(file, block):
    while True:
        file.write(block)


def test_full_disk_refuses_hand_ins_and_stops_nothing(disk):
    product = Product(disk / "data")
    try:
        product.start(300)
        before = product.submit(f"{RIGHT}# before\n")
        assert product.graded(before)["verdict"] == "accepted"
        parts = product.pids_of(r"quizsite\.server|worker\.app beat")

        fill(disk / "filler")
        statuses = [hand_in(product, number) for number in range(5)]
        read = [
            product.call("GET", path)[0] for path in ("/courses/attention/", f"/api/v1/submissions/{before['id']}/")
        ]
        (disk / "filler").unlink()
        taken = product.submit(LARGE)

        assert {status for status, _body in statuses} == {503}
        assert read == [200, 200]
        assert all("nothing was stored" in body["detail"] for _status, body in statuses)
        assert product.graded(before)["verdict"] == "accepted"
        assert product.graded(taken, seconds=120)["verdict"] == "accepted"
        assert product.pids_of(r"quizsite\.server|worker\.app beat") == parts
    finally:
        product.stop()


def hand_in(product, number):
    return product.call("POST", f"{ATTENTION}submissions/", {"source": f"{LARGE}# {number}\n"})
