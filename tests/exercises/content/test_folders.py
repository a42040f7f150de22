import os

import pytest

from exercises.content import folders as folders_module
from exercises.content.folders import FolderInUseError, read_folder, update_folder, write_folder
from tests.exercises.content.folders import (
    CODE,
    COURSE,
    problems_of_course,
    problems_of_exercise,
    write,
    write_exercise,
)


def test_files_and_folders_are_read_with_their_paths(tmp_path):
    (tmp_path / "empty").mkdir()

    tree = read_folder(write(tmp_path, {"a.txt": "x", "b/c.txt": "y", ".git/config": "z", "b/README.md": "z"}))

    assert tree.files == {"a.txt": b"x", "b/c.txt": b"y"}
    assert tree.folders == {"b", "empty"}
    assert tree.within("b").files == {"c.txt": b"y"}
    assert tree.entries() == ["a.txt", "b", "empty"]


def test_no_folder_is_an_empty_tree(tmp_path):
    assert read_folder(tmp_path / "nowhere").entries() == []


def test_large_file_is_not_read(tmp_path):
    tree = read_folder(write(tmp_path, {"a.txt": b"x" * (1024 * 1024 + 1)}))

    assert (tree.files, tree.too_large) == ({}, {"a.txt": 1024 * 1024 + 1})


def test_file_that_grows_while_it_is_read_is_not_taken(tmp_path, monkeypatch):
    write(tmp_path, {"a.txt": "xyz"})
    monkeypatch.setattr(folders_module, "LARGEST_BYTES", 3)
    grown = os.open

    def open_grown(path, *arguments):
        if str(path).endswith("a.txt"):
            with open(path, "a") as file:
                file.write("more")
        return grown(path, *arguments)

    monkeypatch.setattr(folders_module.os, "open", open_grown)

    assert read_folder(tmp_path).too_large == {"a.txt": 4}


def test_pipe_is_not_waited_for(tmp_path):
    folder = write_exercise(tmp_path, CODE)
    os.mkfifo(folder / "driver.py")

    assert problems_of_exercise(folder) == ["driver.py: expected a file, found something that is none"]


def test_file_that_cannot_be_read_is_told(tmp_path, monkeypatch):
    folder = write_exercise(tmp_path, CODE)

    def refuse(path, *arguments):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(folders_module.os, "open", refuse)

    assert "exercise.yaml: expected a file, found one that cannot be read (Permission denied)" in (
        problems_of_exercise(folder)
    )


def test_folder_that_cannot_be_read_is_told(tmp_path, monkeypatch):
    folder = write(tmp_path / "a-course", {"course.yaml": COURSE, "lessons/first.md": "x"})
    scan = os.scandir

    def refuse(path):
        if str(path).endswith("lessons"):
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(folders_module.os, "scandir", refuse)

    assert "lessons: expected a folder, found one that cannot be read" in problems_of_course(folder)


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("MOST_FILES", 2, "more than 2 files and folders"),
        ("DEEPEST", 1, "folders more than 1 deep"),
        ("LARGEST_TOTAL_BYTES", 1, "more than 0 MiB of files"),
    ],
)
def test_caps_hold(tmp_path, monkeypatch, name, value, found):
    monkeypatch.setattr(folders_module, name, value)

    tree = read_folder(write(tmp_path, {"a.txt": "xx", "b/c.txt": "yy", "b/d/e.txt": "zz"}))

    assert found in tree.odd.values()


@pytest.mark.parametrize("name", ["lessons", "assets", "exercises"])
def test_file_in_the_place_of_a_folder_is_told(tmp_path, name):
    folder = write(tmp_path / "a-course", {"course.yaml": COURSE, name: "x"})

    assert f"{name}: expected a folder, found a file" in problems_of_course(folder)


def test_linked_folder_is_told_and_not_followed(tmp_path):
    folder = write(tmp_path / "a-course", {"course.yaml": COURSE})
    (folder / "lessons").symlink_to(tmp_path)

    assert "lessons: expected a folder, found a link" in problems_of_course(folder)


def test_files_are_written_and_updated(tmp_path):
    write_folder(tmp_path / "a", {"course.yaml": b"x", "b/c.txt": b"\xff"})
    gone = update_folder(tmp_path / "a", {"course.yaml": b"y"})

    assert gone == ["b/c.txt"]
    assert read_folder(tmp_path / "a").files == {"course.yaml": b"y"}
    assert not (tmp_path / "a" / "b").exists()


@pytest.mark.parametrize("kind", ["file", "link", "folder with something"])
def test_what_is_there_is_not_written_over(tmp_path, kind):
    if kind == "file":
        (tmp_path / "a").write_text("mine")
    elif kind == "link":
        (tmp_path / "a").symlink_to(tmp_path / "elsewhere")
    else:
        write(tmp_path / "a", {"b.txt": "mine"})

    with pytest.raises(FolderInUseError):
        write_folder(tmp_path / "a", {"c.txt": b"x"})

    assert not (tmp_path / "elsewhere").exists()
