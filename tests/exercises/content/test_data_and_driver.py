# ruff: noqa: E501  (messages stand whole, as authors see them)
import base64

import pytest

from exercises.content import read_exercise
from tests.exercises.content.folders import CHOICE, CODE, SCRIPT, problems_of_exercise, write_exercise

DRIVER = "def drive(entry, case):\n    return entry(*case['args'])\n"


def test_driver_and_data_are_files_of_the_exercise(tmp_path):
    data = {"data/a.csv": "1,2\n", "data/deep/b.npy": b"\x93NUMPY\x00\xff"}

    read = read_exercise(write_exercise(tmp_path, CODE, **{"driver.py": DRIVER}, **data))

    files = read.definition["files"]
    assert files["driver.py"] == DRIVER
    assert {path: base64.b64decode(files[path]) for path in data} == {
        "data/a.csv": b"1,2\n",
        "data/deep/b.npy": b"\x93NUMPY\x00\xff",
    }


@pytest.mark.parametrize("file", ["driver.py", "data/a.txt"])
def test_they_change_the_grading_hash(tmp_path, file):
    one, other = (
        read_exercise(write_exercise(tmp_path / text, CODE, **{file: f"# {text}"})).grading_hash for text in ("a", "b")
    )

    assert one != other


def test_script_may_have_data(tmp_path):
    assert "data/a.txt" in read_exercise(write_exercise(tmp_path, SCRIPT, **{"data/a.txt": "x"})).definition["files"]


@pytest.mark.parametrize(
    ("yaml", "files", "problem"),
    [
        (SCRIPT, {"driver.py": DRIVER}, "driver.py: unknown; expected here: data, exercise.yaml, mistakes, reference.py, starter.py"),
        (CHOICE, {"data/a.txt": "x"}, "data: unknown; expected here: exercise.yaml"),
        (CODE, {"driver.py": " "}, "driver.py: expected code, found an empty file"),
        (CODE, {"data/a.pkl": b"x"}, "data/a.pkl: expected one of the types .png, .jpg, .jpeg, .gif, .webp, .svg, .csv, .json, .txt, .npy, .safetensors, found .pkl"),
        (CODE, {"data/a b.txt": "x"}, "data/a b.txt: expected a name of letters, digits, points, hyphens and underscores"),
        (CODE, {"data/a.txt": b"x" * (2**20 + 1)}, "data/a.txt: expected at most 1 MiB, found 1 MiB"),
        (CODE, {f"data/{n}.txt": b"x" * 2**20 for n in range(3)}, "data: expected at most 50 files and 2 MiB together, found more"),
        (CODE, {f"data/{n}.txt": b"x" for n in range(51)}, "data: expected at most 50 files and 2 MiB together, found more"),
        (CODE + "gradients: [x]", {"driver.py": DRIVER}, "exercise.yaml, line 6, `gradients`: expected no driver.py beside `gradients`, found both: a driver makes calls in its own way"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(tmp_path, yaml, files, problem):
    assert problems_of_exercise(write_exercise(tmp_path, yaml, **files)) == [problem]


def test_link_is_not_followed(tmp_path):
    folder = write_exercise(tmp_path, CODE, **{"data/a.txt": "x"})
    (folder / "data" / "b.txt").symlink_to(folder / "starter.py")

    assert problems_of_exercise(folder) == ["data/b.txt: expected a file, found a link"]
