"""Course folders on disk for the tests: a small sound one, and what is laid over it."""

from pathlib import Path

from exercises.content import ContentError, read_course, read_exercise

CHOICE = """\
format: 1
kind: choice
title: Which one
prompt: Choose.
options:
  - text: this
    correct: true
  - text: that
    feedback: Not that.
"""
NUMERIC = """\
format: 1
kind: numeric
title: How much
prompt: Count.
answer: 5
"""
TEXT = """\
format: 1
kind: text
title: Its name
prompt: Name it.
accept:
  - exact: softmax
    ignore_case: true
"""
TENSOR = """\
format: 1
kind: tensor
title: A table
prompt: Fill it.
answer: [[1, 0.5], [1/3, 0]]
"""
BLANKS = """\
format: 1
kind: blanks
title: Two gaps
prompt: Fill them.
template: "a {{one}} and `b {{two}}`"
blanks:
  one: {answer: 5}
  two: {accept: [{exact: row}]}
"""
ORDERING = """\
format: 1
kind: ordering
title: In order
prompt: Sort.
lines:
  - first
  - second
"""
MATCHING = """\
format: 1
kind: matching
title: Pairs
prompt: Match.
pairs:
  - [a, one]
  - [b, two]
"""
EXPLAIN = """\
format: 1
kind: explain
title: In words
prompt: Explain.
rubric:
  - {criterion: It says why, points: 2}
"""
CODE = """\
format: 1
kind: code
title: Double it
prompt: Write `double`.
entry: double
"""
SCRIPT = """\
format: 1
kind: script
title: Leave x
prompt: Make `x`.
collect: [x]
"""
PROGRAMS = {"starter.py": "# begin\n", "reference.py": "def double(x):\n    return 2 * x\n"}
CASES = {"cases.py": "def visible():\n    return []\n"}
LESSON = "---\ntitle: First\nsummary: All of it.\n---\nSome text.\n\n::: exercise which-one\n"
COURSE = "title: A course\nlessons: [first]\n"

SOUND = {
    "course.yaml": COURSE,
    "lessons/first.md": LESSON,
    "exercises/which-one/exercise.yaml": CHOICE,
}


def write(folder: Path, files: dict[str, str | bytes | None]) -> Path:
    """`folder` with these files; None takes one away."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            path.unlink(missing_ok=True)
        elif isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content)
    return folder


def write_course(tmp_path: Path, **files: str | bytes | None) -> Path:
    """The sound course with these files laid over it."""
    return write(write(tmp_path / "a-course", SOUND), files)


def write_exercise(tmp_path: Path, yaml: str, **files: str | bytes | None) -> Path:
    """An exercise folder with the files that its kind needs, and these."""
    needed = {}
    if "kind: code" in yaml or "kind: script" in yaml:
        needed |= PROGRAMS
    if "kind: code" in yaml:
        needed |= CASES
    return write(tmp_path / "an-exercise", {"exercise.yaml": yaml, **needed, **files})


def problems_of_course(folder: Path) -> list[str]:
    return _problems(read_course, folder)


def problems_of_exercise(folder: Path) -> list[str]:
    return _problems(read_exercise, folder)


def _problems(read, folder):
    try:
        read(folder)
    except ContentError as error:
        return [str(problem) for problem in error.problems]
    return []
