"""Where interpreter and packages lie inside, for the usual ways to install them."""

import os
import subprocess
import sys

import pytest

from worker.sandbox import entrance, layout
from worker.sandbox.launch import PROJECT
from worker.sandbox.layout import Layout, choose_layout, machines_layout, neutral_layout, read_layout

SEARCH_PATH = [path for path in sys.path if path]


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """An interpreter with standard library, packages below it and packages elsewhere."""

    def install(*, shared=False):
        for folder in ("base/lib/python3.11/lib-dynload", "base/lib/python3.11/site-packages", "venv/packages"):
            (tmp_path / folder).mkdir(parents=True)
        for file in ("base/python3.11", "base/lib/libpython3.11.so.1.0"):
            (tmp_path / file).touch()
        values = {"INSTSONAME": "libpython3.11.so.1.0" if shared else "libpython3.11.a", "MULTIARCH": None}
        monkeypatch.setattr(layout.sysconfig, "get_path", lambda _: str(tmp_path / "base/lib/python3.11"))
        monkeypatch.setattr(layout.sysconfig, "get_config_var", values.get)
        monkeypatch.setattr(layout.sys, "base_prefix", str(tmp_path / "base"))
        monkeypatch.setattr(layout.sys, "executable", str(tmp_path / "base/python3.11"))
        monkeypatch.setattr(layout, "_SYSTEM_FOLDERS", ())
        monkeypatch.setattr(layout, "_SYSTEM_FILES", ())
        return tmp_path.resolve()

    return install


def test_packages_elsewhere_are_numbered_and_the_project_is_left_out(installed):
    base = installed()
    path = [f"{base}/base/lib/python3.11", f"{base}/base/lib/python3.11/lib-dynload", f"{base}/venv/packages"]

    found = neutral_layout([str(PROJECT), "/", f"{base}/missing.zip", *path])

    assert found == Layout(
        binds=(
            (f"{base}/base/python3.11", "/python/bin/python3.11"),
            (f"{base}/base/lib/python3.11", "/python/lib/python3.11"),
            (f"{base}/venv/packages", "/python/packages/2"),
        ),
        packages=("/python/packages/2",),
        executable="/python/bin/python3.11",
    )


def test_packages_below_the_standard_library_come_along_with_it(installed):
    base = installed(shared=True)

    found = neutral_layout([f"{base}/base/lib/python3.11/site-packages"])

    assert found.packages == ("/python/lib/python3.11/site-packages",)
    assert [place for _, place in found.binds] == [
        "/python/bin/python3.11",
        "/python/lib/libpython3.11.so.1.0",
        "/python/lib/python3.11",
    ]


def test_layout_of_the_machine_leaves_all_where_it_is(installed):
    base = installed(shared=True)

    found = machines_layout([f"{base}/venv/packages", f"{base}/base/lib/python3.11/site-packages"])

    paths = ["base/lib/libpython3.11.so.1.0", "base/lib/python3.11", "venv/packages"]
    assert found == Layout(binds=tuple((f"{base}/{path}", f"{base}/{path}") for path in paths))


def test_layout_passes_as_text():
    found = neutral_layout(SEARCH_PATH).with_service()

    assert read_layout(found.to_json()) == found
    assert ("worker/sandbox", "/service/worker/sandbox") in {(s.removeprefix(f"{PROJECT}/"), t) for s, t in found.binds}


@pytest.mark.sandbox
def test_interpreter_that_starts_inside_is_used():
    assert choose_layout(SEARCH_PATH) == neutral_layout(SEARCH_PATH)


def test_interpreter_that_does_not_start_inside_stays_where_it_is(monkeypatch, caplog):
    monkeypatch.setattr(layout, "neutral_layout", lambda _: Layout(binds=(("/does/not/exist", "/python"),)))

    assert choose_layout(SEARCH_PATH) == machines_layout(SEARCH_PATH)
    assert "at the paths of this machine" in caplog.text


def test_what_is_started_inside():
    some = Layout(binds=(), packages=("/python/packages/0",), executable="/python/bin/python3")

    assert entrance.command(some, "7") == ["/python/bin/python3", "-s", "-S", "-m", "worker.sandbox.template", "7"]
    assert entrance.command(some, None)[:4] == ["/python/bin/python3", "-s", "-S", "-c"]
    assert entrance.environment(some) == {
        "PYTHONPATH": "/service:/python/packages/0",
        "LD_LIBRARY_PATH": "/python/lib",
    }


SYSTEM_PYTHON = "/usr/bin/python3"
CHOOSE = "import sys; from worker.sandbox.layout import choose_layout; print(choose_layout(sys.path[1:]).executable)"


@pytest.mark.sandbox
@pytest.mark.skipif(not os.path.exists(SYSTEM_PYTHON), reason="there is no interpreter of the distribution")
def test_interpreter_of_the_distribution_starts_inside():
    version = subprocess.check_output(
        [SYSTEM_PYTHON, "-c", "import sys; print(sys.version_info >= (3, 11))"], text=True
    )
    if version.strip() != "True":
        pytest.skip("the interpreter of the distribution is older than 3.11")

    found = subprocess.check_output([SYSTEM_PYTHON, "-c", CHOOSE], cwd=PROJECT, text=True)

    assert found.strip().startswith("/python/bin/python3")
