"""A course whose lessons claim what does not hold is refused, with the line of the lesson."""

import pytest

from tests.exercises.content.folders import write_course
from worker.checking.course import check_course
from worker.checking.findings import Check, problems
from worker.checking.lessons import _agrees, _number

pytestmark = pytest.mark.sandbox

START = "---\ntitle: First\n---\n\n```python run\nx = 2\nprint(x)\n```\n\n```output\n2\n```\n\n"
END = "::: exercise which-one\n"
FINE = (
    START
    + "Its root is 1.4142{check: x ** 0.5}.\n\n```python run\nprint(x + 1.25)\n```\n\n```output\n3.25\n```\n\n"
    + END
)


def checked(tmp_path, runner, lesson):
    explained = "explanation: It is this.\nhints: [Look.]\n"
    choice = (
        "format: 1\nkind: choice\ntitle: Which\nprompt: Which?\noptions:\n"
        "  - {text: this, correct: true}\n  - {text: that, feedback: Not that.}\n"
    )
    files = {"lessons/first.md": lesson, "exercises/which-one/exercise.yaml": choice + explained}
    return check_course(write_course(tmp_path, **files), runner, tell=lambda doing: None)


def test_what_a_lesson_claims_is_run(tmp_path, runner):
    report = checked(tmp_path, runner, FINE)

    assert report.is_sound
    assert [str(finding) for finding in report.findings] == []
    assert report.facts == {"lessons": "1", "snippets": "2, 2 with their output", "checked numbers": "1"}


@pytest.mark.parametrize(
    ("lesson", "message"),
    [
        (
            FINE.replace("\n3.25\n", "\n3.75\n"),
            "lessons/first.md, line 16: the snippet prints other than the lesson says",
        ),
        (FINE.replace("1.4142{", "1.4152{"), "lessons/first.md, line 14: 1.4152 is shown, but x ** 0.5 is 1.414214"),
        (FINE.replace("x ** 0.5", "y"), "lessons/first.md, line 14: {check: y} fails: NameError"),
        (FINE.replace("x ** 0.5", "'1.41'"), "lessons/first.md, line 14: {check: '1.41'} gives no number"),
        (FINE.replace("x + 1.25", "z"), "lessons/first.md, line 16: the snippet fails: NameError"),
        (
            FINE.replace("run\nprint(x + 1", "run {fresh}\nprint(x + 1"),
            "lessons/first.md, line 16: the snippet fails: NameError",
        ),
    ],
)
def test_claim_that_does_not_hold_is_refused(tmp_path, runner, lesson, message):
    report = checked(tmp_path, runner, lesson)

    (found,) = problems(report.findings)
    assert not report.is_sound
    assert found.check == Check.LESSONS
    assert str(found).startswith(message)


def test_printed_text_that_is_not_shown_is_remarked(tmp_path, runner):
    report = checked(tmp_path, runner, START.replace("```output\n2\n```\n\n", "") + END)

    (found,) = report.findings
    assert found.is_remark
    assert report.is_sound


@pytest.mark.parametrize(
    ("shown", "value", "agrees"),
    [
        ("0.72", 0.7249, True),
        ("0.72", 0.7251, False),
        ("5", 5.4, True),
        ("5", 5.6, False),
        ("−1.5", -1.46, True),
        ("2e3", 2400.0, True),
        ("2e3", 2600.0, False),
        ("0.72", float("nan"), False),
        ("none", 1.0, False),
        ("1e400", 1.0, False),
        ("1e-400", 1.0, False),
        ("1", float("inf"), False),
    ],
)
def test_number_holds_where_it_is_rounded_to_the_digits_shown(shown, value, agrees):
    assert _agrees(shown, value) is agrees


def test_number_beyond_all_floats_is_infinite():
    assert _number(10**400) == float("inf")
    assert _number("1") is None
