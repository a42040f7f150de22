import pytest

from exercises.content import ContentError, read_exercise
from tests.exercises.content.folders import CODE, NUMERIC, SCRIPT, problems_of_exercise, write, write_exercise

MISTAKE = "mistakes:\n  halved:\n    title: Halved\n    feedback: Look at the factor.\n"


def test_files_are_part_of_the_definition_and_are_not_run(tmp_path):
    folder = write_exercise(tmp_path, CODE + MISTAKE, **{"mistakes/halved.py": "raise SystemExit\r\n"})

    files = read_exercise(folder).definition["files"]

    assert sorted(files) == ["cases.py", "exercise.yaml", "mistakes/halved.py", "reference.py", "starter.py"]
    assert files["mistakes/halved.py"] == "raise SystemExit\n"


def test_an_empty_starter_is_fine(tmp_path):
    assert problems_of_exercise(write_exercise(tmp_path, SCRIPT, **{"starter.py": ""})) == []


def test_what_editors_leave_behind_is_ignored(tmp_path):
    left = {"README.md": "x", ".gitignore": "x", "__pycache__/cases.pyc": b"\xff"}

    assert problems_of_exercise(write_exercise(tmp_path, CODE, **left)) == []


@pytest.mark.parametrize(
    ("yaml", "files", "problem"),
    [
        (CODE, {"starter.py": None}, "starter.py: expected this file, found none"),
        (CODE, {"reference.py": None}, "reference.py: expected this file, found none"),
        (CODE, {"cases.py": None}, "cases.py: expected this file, found none"),
        (SCRIPT, {"reference.py": None}, "reference.py: expected this file, found none"),
        (CODE, {"cases.py": " \n"}, "cases.py: expected code, found an empty file"),
        (CODE, {"cases.py": b"a = 1\nb = '\xff'\n"}, "cases.py, line 2: expected text in UTF-8, found the byte 0xFF"),
        (CODE, {"cases.py": "a\n\0"}, "cases.py, line 2: expected text, found a NUL"),
        (CODE, {"cases.py": "#" * 300_000}, "cases.py: expected at most 256 KiB, found 292 KiB"),
        (
            CODE,
            {"solution.py": "x"},
            "solution.py: unknown; expected here: cases.py, data, driver.py, exercise.yaml, mistakes, reference.py, "
            "starter.py",
        ),
        (
            SCRIPT,
            {"cases.py": "x"},
            "cases.py: unknown; expected here: data, exercise.yaml, mistakes, reference.py, starter.py",
        ),
        (NUMERIC, {"starter.py": "x"}, "starter.py: unknown; expected here: exercise.yaml"),
        (NUMERIC, {"mistakes/a.py": "x"}, "mistakes: unknown; expected here: exercise.yaml"),
        (
            CODE + MISTAKE,
            {},
            "exercise.yaml, line 7, `mistakes.halved`: expected the file mistakes/halved.py, found none",
        ),
        (
            CODE,
            {"mistakes/halved.py": "x"},
            "mistakes/halved.py: expected its title and feedback in exercise.yaml under `mistakes.halved`, found none",
        ),
        (
            CODE + MISTAKE.replace("halved", "scaled"),
            {"mistakes/scaled.py": "x"},
            'exercise.yaml, line 7, `mistakes.scaled`: "scaled" is the word for a cause that is found unlisted; '
            "expected another slug",
        ),
        (CODE, {"mistakes/a.txt": "x"}, "mistakes/a.txt: unknown; expected here: <slug>.py"),
        (
            CODE,
            {"mistakes/A_b.py": "x"},
            "mistakes/A_b.py, `slug`: the file's name is the slug: "
            'expected small letters, digits and single hyphens, found "A_b"',
        ),
        (NUMERIC, {"exercise.yaml": None}, "exercise.yaml: expected this file, found none"),
        (NUMERIC, {"exercise.yaml": None, "exercise.yaml/x": "x"}, "exercise.yaml: expected this file, found a folder"),
        (NUMERIC, {"exercise.yaml": b"\xff"}, "exercise.yaml, line 1: expected text in UTF-8, found the byte 0xFF"),
    ],
)
def test_refused(tmp_path, yaml, files, problem):
    assert problem in problems_of_exercise(write_exercise(tmp_path, yaml, **files))


def test_problems_of_fields_and_files_are_reported_together(tmp_path):
    folder = write_exercise(tmp_path, CODE + "draws: 0\n", **{"cases.py": None, "tests.py": "x"})

    assert [problem.split(":")[0] for problem in problems_of_exercise(folder)] == [
        "cases.py",
        "exercise.yaml, line 6, `draws`",
        "tests.py",
    ]


def test_a_link_is_not_followed(tmp_path):
    folder = write_exercise(tmp_path, CODE, **{"cases.py": None})
    (folder / "cases.py").symlink_to("/etc/passwd")

    assert problems_of_exercise(folder) == ["cases.py: expected a file, found a link"]


def test_the_name_of_the_folder_is_the_slug(tmp_path):
    folder = write(tmp_path / "An exercise", {"exercise.yaml": NUMERIC})

    assert problems_of_exercise(folder) == [
        "., `slug`: the folder's name is the slug: "
        'expected small letters, digits and single hyphens, found "An exercise"'
    ]


def test_a_slug_is_at_most_50_characters(tmp_path):
    folder = write(tmp_path / ("a" * 51), {"exercise.yaml": NUMERIC})

    assert problems_of_exercise(folder) == [
        "., `slug`: the folder's name is the slug: expected at most 50 characters, found 51"
    ]


def test_no_folder(tmp_path):
    assert problems_of_exercise(tmp_path / "nowhere") == ["nowhere: expected a folder, found none"]


def test_the_error_says_everything(tmp_path):
    folder = write_exercise(tmp_path, NUMERIC + "a: 1\nb: 2\n")

    with pytest.raises(ContentError) as caught:
        read_exercise(folder)

    assert str(caught.value) == "\n".join(str(problem) for problem in caught.value.problems)
    assert [(problem.file, problem.line, problem.field) for problem in caught.value.problems] == [
        ("exercise.yaml", 6, "a"),
        ("exercise.yaml", 7, "b"),
    ]
