import json
from dataclasses import replace
from decimal import Decimal

import pytest

from exercises.content import ExerciseFolder
from graders.outcomes import Verdict
from tests.worker.stub_runner import DEFINITION, LISTED, MISTAKE, REFERENCE, StubRunner, report_of, vector
from worker.files import FileError, grade_files

CODE = ExerciseFolder(
    slug="double",
    kind="code",
    title="Double",
    points=Decimal(1),
    definition=DEFINITION,
    content_hash="content",
    grading_hash="grading",
)


def question(kind, **fields):
    return CODE.model_copy(update={"kind": kind, "definition": {"exercise": {"kind": kind, **fields}, "files": {}}})


CHOICE = question(
    "choice", multiple=False, options=[{"text": "because", "correct": True}, {"text": "by chance", "correct": False}]
)
NUMBER = question("numeric", answer=5)


def graded(tmp_path, folder, text, *script):
    path = tmp_path / "file"
    path.write_text(text)
    (outcome,) = grade_files(folder, [str(path)], StubRunner(*script))
    return outcome


def test_files_are_graded_in_order(tmp_path):
    files = [tmp_path / name for name in ("b.py", "a.py")]
    for file in files:
        file.write_text(f"# {file.name}\n")
    runner = StubRunner(
        LISTED, REFERENCE, MISTAKE, replace(REFERENCE, stdout="hi\n"), replace(REFERENCE, stdout="hi\n")
    )

    outcomes = list(grade_files(CODE, [str(file) for file in files], runner))

    assert [outcome.file for outcome in outcomes] == [str(file) for file in files]
    assert {outcome.outcome.verdict for outcome in outcomes} == {Verdict.ACCEPTED}
    assert outcomes[0].stdout == "hi\n"


def test_seeds_of_a_site_draw_what_it_drew(tmp_path):
    (tmp_path / "a.py").write_text("x")
    runner = StubRunner(LISTED, REFERENCE, MISTAKE, REFERENCE)

    list(grade_files(CODE, [str(tmp_path / "a.py")], runner, draws=(17, 4)))

    assert runner.jobs[0].program.seeds == (17, 4)


def test_line_of_json_has_the_promised_fields(tmp_path):
    wrong = report_of(vector(2), vector(4), vector(7))

    line = json.loads(json.dumps(graded(tmp_path, CODE, "x", LISTED, REFERENCE, MISTAKE, wrong).to_json()))

    assert {"file", "verdict", "score", "max_score", "cases", "stdout", "seconds"} <= set(line)
    assert (line["verdict"], line["score"], line["max_score"]) == ("wrong_answer", 1, 3)
    assert {"name", "visible", "verdict", "points", "feedback"} <= set(line["cases"][0])


def test_seed_changes_the_draws(tmp_path):
    seeds = []
    for seed in (None, None, "another"):
        runner = StubRunner(LISTED, REFERENCE, MISTAKE)
        list(grade_files(CODE, [], runner, seed=seed))
        seeds.append(runner.jobs[0].program.seeds)

    assert seeds[0] == seeds[1] != seeds[2]


@pytest.mark.parametrize(
    ("folder", "text", "verdict"),
    [
        (CHOICE, "because\n", Verdict.ACCEPTED),
        (CHOICE, "by chance\n", Verdict.WRONG_ANSWER),
        (NUMBER, "5\n", Verdict.ACCEPTED),
        (NUMBER, "10/2", Verdict.ACCEPTED),
        (NUMBER, "6", Verdict.WRONG_ANSWER),
    ],
)
def test_response_is_graded_as_text(tmp_path, folder, text, verdict):
    assert graded(tmp_path, folder, text).outcome.verdict is verdict


@pytest.mark.parametrize(
    ("folder", "content", "message"),
    [
        (CODE, b"x" * 262_145, "at most 262144 bytes, this has 262145"),
        (CODE, b"ok \xff", "expected text in UTF-8; byte 3 is none"),
        (NUMBER, b"five", "file"),
        (CHOICE, b"no such option", "no option"),
    ],
)
def test_file_that_cannot_be_graded_is_named(tmp_path, folder, content, message):
    path = tmp_path / "file"
    path.write_bytes(content)

    with pytest.raises(FileError, match=message):
        list(grade_files(folder, [str(path)], StubRunner()))


def test_missing_file_is_named():
    with pytest.raises(FileError, match=r"no/such/file.py: No such file"):
        list(grade_files(CODE, ["no/such/file.py"], StubRunner()))
