"""Exercise folders made of a few texts, graded by a real runner."""

import textwrap

from exercises.content import read_exercise
from tests.exercises.content.folders import write
from worker.files import grade_files

HEAD = "format: 1\nkind: code\ntitle: An exercise\nprompt: Write it.\ndraws: 1\n"


def exercise_folder(folder, fields, *, reference, cases, files=None):
    """A sound `code` exercise; texts may be indented."""
    programs = {"starter.py": "", "reference.py": reference, "cases.py": cases, **(files or {})}
    texts = {name: textwrap.dedent(text) if isinstance(text, str) else text for name, text in programs.items()}
    return read_exercise(write(folder / "an-exercise", {"exercise.yaml": HEAD + fields, **texts}))


def graded(folder, runner, tmp_path, *sources):
    """The outcomes of these sources, in order."""
    paths = [tmp_path / f"source_{number}.py" for number in range(len(sources))]
    for path, source in zip(paths, sources, strict=True):
        path.write_text(textwrap.dedent(source))
    return [file.outcome for file in grade_files(folder, [str(path) for path in paths], runner)]
