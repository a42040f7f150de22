from pathlib import Path

import pytest

from exercises.content import read_course, read_course_files, read_exercise, read_exercise_files
from exercises.content.course import CourseFields
from exercises.content.files import FileTree
from exercises.content.folders import read_folder
from exercises.content.problems import ContentError
from exercises.content.writing import (
    course_files,
    course_yaml,
    exercise_files,
    files_of_stored,
    stored_files,
)
from tests.exercises.content.folders import CASES, CHOICE, CODE, COURSE, LESSON, PROGRAMS, problems_of_course, write

SHIPPED = Path(__file__).parents[3] / "exercises" / "courses" / "attention"
PNG = b"\x89PNG\r\n\x1a\nrest"
ODD = {
    "course.yaml": "\ufeff# Notes of mine\r\ntitle: Größe, 注意\r\nlessons: [first]".encode(),
    "lessons/first.md": LESSON.replace("\n", "\r\n").encode() + "Größe ≤ 5".encode(),
    "assets/pictures/dog.png": PNG,
    "assets/table.csv": b"a;b\r\n1;2",
    "exercises/which-one/exercise.yaml": b"# first\n" + CHOICE.encode() + b"# last, without an end",
    "exercises/double-it/exercise.yaml": (CODE + "tags: [größe]  # why not\n").replace("\n", "\r\n").encode(),
    "exercises/double-it/starter.py": b"",
    "exercises/double-it/reference.py": b"\xef\xbb\xbfdef double(x):\r    return 2 * x",
    "exercises/double-it/cases.py": CASES["cases.py"].encode() + "# ä".encode(),
    "exercises/double-it/driver.py": b"def drive(entry, case):\r\n    return entry(*case['args'])\r\n",
    "exercises/double-it/data/deep/b.npy": b"\x93NUMPY\x00\xff",
    "exercises/double-it/data/a.csv": b"1,2\r\n",
    "exercises/double-it/certificate.json": (
        b'{\n  "format": 1,\n  "grading_hash": "' + b"0" * 64 + b'",\n  "mutation_score": 0.95,\n'
        b'  "mutants": {\n    "killed": 19,\n'
        b'    "survived": 1\n  },\n  "torch_version": "2.9.0",\n  "checked_at": "2026-11-29T12:00:00Z"\n}\n'
    ),
}  # fmt: skip


def files_of(folder):
    """What a folder holds that is part of a course."""
    return dict(sorted(read_folder(folder).files.items()))


def test_shipped_course_is_written_as_it_was_read():
    assert course_files(read_course(SHIPPED)) == files_of(SHIPPED)


def test_whatever_an_author_wrote_is_written_as_it_was_read():
    written = course_files(read_course_files("a-course", ODD))

    assert written == dict(sorted(ODD.items()))


def test_reading_from_memory_and_from_a_folder_give_the_same(tmp_path):
    folder = write(tmp_path / "a-course", ODD)

    assert read_course(folder) == read_course_files("a-course", ODD)
    assert read_exercise(folder / "exercises" / "double-it") == read_exercise_files(
        "double-it", FileTree.of(ODD).within("exercises/double-it").files
    )


@pytest.mark.parametrize(
    "files",
    [
        {"course.yaml": "title: [A\n"},
        {"lessons/first.md": "no matter", "x.txt": "y"},
        {"exercises/which-one/exercise.yaml": CHOICE + "x: 1", "exercises/which-one/data/a.txt": "x"},
        {"exercises/which-one/exercise.yaml": "#" * 300_000, "assets/a.svg": "x"},
        {"exercises/double-it/exercise.yaml": CODE, "exercises/double-it/cases.py": b"\xff", "assets/ä.png": PNG},
        {"assets/a.txt": b"x" * 1_100_000, "exercises/a": "x", "exercises/b/mistakes": "x"},
        {"exercises/double-it/certificate.json": "{}"},
    ],
)
def test_problems_in_memory_are_those_in_a_folder(tmp_path, files):
    sound = {"course.yaml": COURSE, "lessons/first.md": LESSON, "exercises/which-one/exercise.yaml": CHOICE}
    whole = sound | {f"exercises/double-it/{name}": text for name, text in PROGRAMS.items()} | files
    in_memory = {name: text if isinstance(text, bytes) else text.encode() for name, text in whole.items()}

    in_folder = problems_of_course(write(tmp_path / "a-course", whole))

    with pytest.raises(ContentError) as caught:
        read_course_files("a-course", in_memory)
    assert [str(problem) for problem in caught.value.problems] == in_folder != []


def test_pictures_of_an_exercise_in_memory_are_those_that_are_named():
    files = {"exercise.yaml": CHOICE.replace("Choose.", "'![a dog](assets/dog.png)'").encode()}

    assert read_exercise_files("which-one", files, assets=["dog.png"]).kind == "choice"
    with pytest.raises(ContentError, match=r"expected the picture assets/dog\.png, found none"):
        read_exercise_files("which-one", files)


@pytest.mark.parametrize("path", ["../a.txt", "data//a.txt", "data/../../a.txt", "data\\a.txt", "/a.txt"])
def test_path_that_leads_elsewhere_is_refused(path):
    files = {"exercise.yaml": CODE, **PROGRAMS, **CASES}

    with pytest.raises(ContentError, match="unknown; expected here|a name that is none"):
        read_exercise_files("double-it", {name: text.encode() for name, text in files.items()} | {path: b"x"})


def test_exercise_that_was_never_a_file_is_written_in_our_form():
    read = read_exercise_files("which-one", {"exercise.yaml": CHOICE.encode()})
    bare = {"exercise": read.definition["exercise"], "files": {}}

    written = exercise_files(bare)

    again = read_exercise_files("which-one", written)
    assert again.definition["exercise"] == read.definition["exercise"]
    assert exercise_files(again.definition) == written


def test_course_yaml_stays_as_written_while_it_says_the_same():
    fields = CourseFields(title="A course", lessons=("first",))

    assert course_yaml(fields, "# mine\n" + COURSE) == "# mine\n" + COURSE
    assert course_yaml(fields, "# mine\ntitle: Another\nlessons: [first]\n") == (
        "title: A course\nlessons:\n  - first\n"
    )
    assert course_yaml(fields, "title: [") == course_yaml(fields)


@pytest.mark.parametrize("content", [b"", b"a\r\n", "ä".encode(), b"\xef\xbb\xbfa", b"\xff", b"a\0b", PNG])
def test_files_are_stored_byte_by_byte(content):
    stored = stored_files({"data/a": content})

    assert "\0" not in str(stored["data/a"])
    assert files_of_stored(stored) == {"data/a": content}
