import hashlib

import pytest

from exercises.content import assets as assets_module
from exercises.content import read_course
from tests.exercises.content.folders import problems_of_course, write_course

TYPES = ".png, .jpg, .jpeg, .gif, .webp, .svg, .csv, .json, .txt, .npy, .safetensors"
PNG = b"\x89PNG\r\n\x1a\nrest"


def test_assets_are_read_with_their_folders(tmp_path):
    folder = write_course(tmp_path, **{"assets/pictures/dog.png": PNG, "assets/table.csv": "a,b\n"})

    dog, table = read_course(folder).assets

    assert (dog.path, dog.media_type, dog.content) == ("pictures/dog.png", "image/png", PNG)
    assert dog.digest == hashlib.sha256(PNG).hexdigest()
    assert (table.path, table.media_type) == ("table.csv", "text/csv")


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.html", b"<p>", f"assets/a.html: expected one of the types {TYPES}, found .html"),
        ("a.svg", PNG, "assets/a.svg: expected a file of the type .svg, found other content"),
        ("a.svg", b"<svg><a/></svg>", "assets/a.svg: line 1: expected shapes and words alone in a picture, found <a>"),
        ("a", b"", f"assets/a: expected one of the types {TYPES}, found none"),
        ("a.png", b"<svg/>", "assets/a.png: expected a file of the type .png, found other content"),
        ("a b.png", PNG, "assets/a b.png: expected a name of letters, digits, points, hyphens and underscores"),
        ("a.txt", b"x" * 1_100_000, "assets/a.txt: expected at most 1 MiB, found 1.05 MiB"),
    ],
)
def test_refused(tmp_path, name, content, problem):
    assert problems_of_course(write_course(tmp_path, **{f"assets/{name}": content})) == [problem]


def test_a_link_is_not_followed(tmp_path):
    folder = write_course(tmp_path, **{"assets/a.txt": "x"})
    (folder / "assets" / "b.txt").symlink_to("/etc/passwd")

    assert problems_of_course(folder) == ["assets/b.txt: expected a file, found a link"]


def test_too_many_together(tmp_path, monkeypatch):
    monkeypatch.setattr(assets_module, "LARGEST_TOTAL_BYTES", 5)

    found = problems_of_course(write_course(tmp_path, **{"assets/a.txt": "xxx", "assets/b.txt": "xxx"}))

    assert found == ["assets: expected at most 500 files and 4.77e-06 MiB together, found more"]
