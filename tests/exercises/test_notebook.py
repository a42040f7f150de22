"""A lesson as a notebook: valid, in order, with outputs as published and links that lead back to the site."""

from pathlib import Path

import nbformat
import pytest

from exercises.content import read_course
from exercises.exports.notebook import lesson_notebook
from exercises.models import Lesson

ADDRESS = "https://site.example/courses/attention/lessons/scores/"
SOURCE = """---
title: Scores
---
A score of 5{check: float(score) + {1: 2}[1]}, see [the other](../weights/#s-two) or [here](#s-scores) or [torch][t].

![A row of cells](assets/cells.png)

## Scores

```python run
score = 1
print("a\\n", score)
```

```output
a
 1
```

```python run {fresh}
x = 1
```

```python
no_cell = True
```

::: note
Mind the *sign*.

- twice
:::

::: exercise one-score

::: exercise retired-one
:::

$$
a^2
$$

[t]: https://pytorch.org/
"""
EXERCISES = {"one-score": ("One score", "https://site.example/courses/attention/exercises/one-score/")}


def notebook_of(source, exercises=EXERCISES):
    lesson = Lesson(title="Scores", summary="How two vectors fit.", source=source)
    return nbformat.reads(lesson_notebook(lesson, address=ADDRESS, exercises=exercises), as_version=4)


@pytest.fixture
def notebook():
    return notebook_of(SOURCE)


def prose_of(notebook):
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def test_it_is_valid_and_python(notebook):
    nbformat.validate(notebook)

    assert notebook.metadata.kernelspec.language == "python"
    assert [cell.cell_type for cell in notebook.cells] == ["markdown", "markdown", "code", "code", "markdown"]


def test_runnable_fences_are_cells_with_their_output_as_published(notebook):
    first, second = [cell for cell in notebook.cells if cell.cell_type == "code"]

    assert first.source == 'score = 1\nprint("a\\n", score)'
    assert [(output.name, output.text) for output in first.outputs] == [("stdout", "a\n 1\n")]
    assert (second.source, second.outputs) == ("x = 1", [])


def test_title_and_summary_come_first_with_a_link_back(notebook):
    assert notebook.cells[0].source == f"# Scores\n\nHow two vectors fit.\n\n[{ADDRESS}]({ADDRESS})"


def test_prose_keeps_no_sign_of_ours(notebook):
    text = prose_of(notebook)

    assert "A score of 5, see" in text
    assert "check:" not in text
    assert ":::" not in text
    assert "python run" not in text
    assert "```python\nno_cell = True\n```" in text
    assert "> **Note**\n>\n> Mind the *sign*.\n>\n> - twice" in text
    assert "$$\na^2\n$$" in text


def test_exercises_are_links_and_others_leave_nothing(notebook):
    text = prose_of(notebook)

    assert "**Exercise:** [One score](https://site.example/courses/attention/exercises/one-score/)" in text
    assert "retired-one" not in text


def test_links_and_pictures_are_spelled_out(notebook):
    text = prose_of(notebook)

    assert "[the other](https://site.example/courses/attention/lessons/weights/#s-two)" in text
    assert f"[here]({ADDRESS}#s-scores)" in text
    assert "![A row of cells](https://site.example/courses/attention/assets/cells.png)" in text
    assert text.count("[T]: https://pytorch.org/") + text.count("[t]: https://pytorch.org/") >= 1


def test_same_lesson_gives_the_same_file():
    lesson = Lesson(title="Scores", source=SOURCE)

    assert lesson_notebook(lesson, address=ADDRESS, exercises={}) == lesson_notebook(
        lesson, address=ADDRESS, exercises={}
    )


def test_shipped_lessons_become_notebooks():
    course = read_course(Path(__file__).parents[2] / "exercises" / "courses" / "attention")

    for lesson in course.lessons:
        notebook = notebook_of(lesson.source, {})
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert [f"{cell.source}\n" for cell in cells] == [snippet["source"] for snippet in lesson.snippets]
