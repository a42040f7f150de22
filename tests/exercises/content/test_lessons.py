# ruff: noqa: E501  (messages stand whole, as authors see them)
import pytest

from exercises.content import read_course
from tests.exercises.content.folders import problems_of_course, write_course

MATTER = "---\ntitle: First\n---\n"
RUN = "```python run\nx = 1\n```\n"
PNG = b"\x89PNG\r\n\x1a\n"


def read_first(tmp_path, text, **files):
    return read_course(write_course(tmp_path, **{"lessons/first.md": text, **files})).lessons[0]


def test_parts_of_a_lesson(tmp_path):
    text = (
        "---\ntitle: First\nsummary: All.\n---\n## One\n\nText.\n\n" + RUN + "\n```output\n1\n```\n\nSo 1{check: x}.\n"
    )

    lesson = read_first(tmp_path, text)

    assert (lesson.slug, lesson.title, lesson.summary, lesson.source) == ("first", "First", "All.", text)
    assert lesson.snippets == ({"source": "x = 1\n", "fresh": False, "output": "1\n", "line": 9},)
    assert lesson.checks == ({"expression": "x", "shown": "1", "after": 1, "line": 17},)
    assert lesson.contents == ((2, "One", "s-one"),)
    assert lesson.search_text == "One Text. x = 1 1 So 1."
    assert lesson.html.startswith('<h2 id="s-one">One')


def test_windows_line_ends_make_the_same_lesson(tmp_path):
    unix = read_first(tmp_path / "a", MATTER + "Text.\n")
    windows = read_first(tmp_path / "b", (MATTER + "Text.\n").replace("\n", "\r\n").encode())

    assert windows.source == unix.source.replace("\n", "\r\n")
    assert windows.model_copy(update={"source": unix.source}) == unix


def test_a_picture_in_assets(tmp_path):
    lesson = read_first(tmp_path, MATTER + "![a dog](assets/dog.png)\n", **{"assets/dog.png": PNG})

    assert '<img src="../../assets/dog.png" alt="a dog" loading="lazy">' in lesson.html


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Text.", "line 1: expected front matter: `title: …` and `summary: …` between two lines `---`, found none"),
        ("---\nsummary: x\n---\nText.", "line 2, `title`: expected this field, found none"),
        ("---\ntitle: x\nauthor: y\n---\nText.", "line 3, `author`: unknown field; known here: title, summary"),
        ("---\ntitle: yes\n---\nText.", 'line 2, `title`: expected true, or "yes" in quotes, found the bare word yes, which YAML may read as true'),
        ("---\n---\nText.", "line 1: expected fields, found nothing"),
        (MATTER, "line 4: expected a text, found none"),
        (MATTER + "# First", "line 4: the lesson's title stands in its front matter; begin headings with ##"),
        (MATTER + "a\n\n::: exercise nowhere", "line 6: expected the exercise exercises/nowhere/, found none"),
        (MATTER + "::: exercise", "line 4: expected the slug of an exercise after `::: exercise`, found nothing"),
        (MATTER + "::: exercise A b", 'line 4: expected the slug of an exercise after `::: exercise`, found "A b"'),
        (MATTER + "::: exercise which-one\n\n::: exercise which-one", "line 6: the exercise `which-one` is embedded twice in this lesson"),
        (MATTER + "::: warning\nx\n:::", 'line 4: expected `::: key-points`, `::: note` or `::: exercise <slug>`, found "::: warning"'),
        (MATTER + "::: note well\nx\n:::", 'line 4: expected nothing after `::: note`, found "well"'),
        (MATTER + "a\n\n::: note\nx", "line 6: expected a line `:::` that closes the box `::: note`"),
        (MATTER + "a\n\n:::", "line 6: a line `:::` closes no box"),
        (MATTER + "```python run fast\nx\n```", 'line 4: expected ```python run``` or ```python run {fresh}```, found "python run fast"'),
        (MATTER + "```python {fresh}\nx\n```", 'line 4: expected ```python run``` or ```python run {fresh}```, found "python {fresh}"'),
        (MATTER + "```pyton\nx\n```", 'line 4: expected a fence of python, text, bash, json, yaml, toml, `python run` or output, found "pyton"'),
        (MATTER + "```python run\n```", "line 4: expected code in the `python run` fence, found nothing"),
        (MATTER + "```output\nx\n```", "line 4: an `output` fence stands right after a `python run` fence"),
        (MATTER + RUN + "x\n```output\nx\n```", "line 8: an `output` fence stands right after a `python run` fence"),
        (MATTER + RUN + "```output\nx\n```\n```output\nx\n```", "line 10: an `output` fence stands right after a `python run` fence"),
        (MATTER + "Of 5{check: x}", "line 4: a {check: …} needs a `python run` fence before it"),
        (MATTER + RUN + "Of\na {check: x}", "line 8: expected a number right before {check: …}, as in 0.5{check: expression}"),
        (MATTER + RUN + "Of 5{check: }", "line 7: expected an expression in {check: …}, found nothing"),
        (MATTER + RUN + "Of 5{check: x", "line 7: expected a closing } after {check: …"),
        (MATTER + "a\nb $\\foo$", "line 5: the formula $\\foo$ uses \\foo, which is not known"),
        (MATTER + "a\n\n$$\n\\foo\n$$", "line 6: the formula $\\foo$ uses \\foo, which is not known"),
        (MATTER + "| a |\n|---|\n| b |\n| $\\foo$ |", "line 7: the formula $\\foo$ uses \\foo, which is not known"),
        (MATTER + "![](assets/dog.png)", "line 4: expected a description of the picture in the brackets: ![description](assets/dog.png)"),
        (MATTER + "![x](assets/dog.png)", "line 4: expected the picture assets/dog.png, found none"),
        (MATTER + "![x](https://a.example/dog.png)", 'line 4: expected a picture in assets/, found "https://a.example/dog.png"'),
        (MATTER + "![x](assets/../course.yaml)", 'line 4: expected a picture in assets/, found "assets/../course.yaml"'),
        (MATTER + "[x](ftp://a.example/)", 'line 4: expected an address that begins with http, https or mailto, found "ftp://a.example/"'),
    ],
)  # fmt: skip
def test_refused(tmp_path, text, problem):
    found = problems_of_course(write_course(tmp_path, **{"lessons/first.md": text}))

    assert f"lessons/first.md, {problem}" in found


def test_front_matter_and_text_are_both_checked(tmp_path):
    text = "---\nsummary: 1\n---\n# No\n\n::: exercise nowhere\n"

    found = problems_of_course(write_course(tmp_path, **{"lessons/first.md": text}))

    assert [problem.split(":")[0] for problem in found] == [
        "lessons/first.md, line 2, `summary`",
        "lessons/first.md, line 2, `title`",
        "lessons/first.md, line 4",
        "lessons/first.md, line 6",
    ]


def test_a_lesson_that_is_no_text(tmp_path):
    found = problems_of_course(write_course(tmp_path, **{"lessons/first.md": b"---\n\xff"}))

    assert found == ["lessons/first.md, line 2: expected text in UTF-8, found the byte 0xFF"]
