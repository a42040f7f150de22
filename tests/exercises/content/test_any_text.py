"""Whatever stands in a file, reading it ends in values or in problems, never in another exception."""

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from exercises.content.markdown import render_lesson
from exercises.content.maths import MathsError, mathml
from exercises.content.yamltext import read_yaml
from tests.exercises.content.folders import CHOICE, CODE, problems_of_exercise, write_exercise

YAML_PIECES = ["a", ": ", "- ", "\n", "  ", "[", "]", "{", "}", "{{ d }}", "|", ">", "'", '"', "\\", "\\frac", "#", ","]
YAML_PIECES += [
    "&x ",
    "*x",
    "!!str ",
    "---",
    "...",
    "%",
    "@",
    "?",
    "\t",
    "1e-3",
    "yes",
    "12:30",
    "\x00",
    "\ufeff",
    "\x85",
]
MARKDOWN_PIECES = [
    "a",
    " ",
    "\n",
    "$",
    "$$",
    "`",
    "```",
    "```python run\n",
    "```output\n",
    "::: ",
    "note",
    "exercise a",
]
MARKDOWN_PIECES += [
    ":::",
    "{check: ",
    "}",
    "5",
    "## ",
    "- ",
    "> ",
    "    ",
    "|",
    "|---|",
    "![",
    "](",
    "assets/",
    ")",
    "[",
    "<",
]
TEX_PIECES = [
    "\\frac",
    "\\sqrt",
    "\\left(",
    "\\right)",
    "{",
    "}",
    "^",
    "_",
    "&",
    "\\\\",
    "a",
    "1",
    " ",
    "\\begin{matrix}",
]
TEX_PIECES += [
    "\\end{matrix}",
    "\\text",
    "[",
    "]",
    "'",
    "\\limits",
    "\\sum",
    "\\color",
    "\\hspace",
    "\\genfrac",
    "$",
    "|",
]

quick = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def texts(pieces):
    return st.lists(st.sampled_from(pieces), max_size=30).map("".join)


@quick
@given(texts(YAML_PIECES))
@example("a: [*x, ? b]")
def test_yaml(text):
    document = read_yaml(text, "a.yaml")

    assert document.is_broken <= bool(document.problems)


@quick
@given(texts(YAML_PIECES), st.integers(0, 60))
def test_a_field_of_an_exercise(tmp_path, text, place):
    lines = (CODE + CHOICE).splitlines()
    lines[place % len(lines)] = text

    assert isinstance(problems_of_exercise(write_exercise(tmp_path, "\n".join(lines))), list)


@quick
@given(texts(MARKDOWN_PIECES))
def test_markdown(text):
    rendered = render_lesson(text)

    assert all(1 <= line <= text.count("\n") + 1 for line, _ in rendered.findings)


@pytest.mark.parametrize(
    "text",
    [
        "::: note\n" * 8000,
        "::: note\n" * 8000 + ":::\n",
        "::: note\n:::\n" * 4000,
        "5{check: " * 8000,
        "1" * 80_000 + "{check: x}",
        "{" * 80_000,
        "[" * 40_000,
        "> " * 40_000,
        "- " * 40_000,
        "$" * 80_001,
        "`" * 80_001,
        "*a " * 20_000,
        "![](" * 20_000,
        "| a " * 20_000 + "\n|---" * 20_000,
    ],
    ids=lambda text: text[:12],
)
def test_much_of_one_thing_is_read_in_bearable_time(text):
    """The test's own time limit is the measure: with time squared these take minutes."""
    assert isinstance(render_lesson(text).html, str)


@quick
@given(texts(TEX_PIECES))
@example("\\genfrac")
def test_formula(tex):
    try:
        made = mathml(tex)
    except MathsError:
        return
    assert made.startswith("<math ")
