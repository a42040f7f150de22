from graders.cases import Key, Mistake, Raised
from graders.comparisons import Comparison
from graders.judging import judge_submission
from graders.outcomes import Verdict
from graders.scripts import PRINTED, ScriptRun, script_cases, script_given
from tests.graders.values import tensor

EXERCISE = {"collect": ["weights", "output"], "stdout": True}
REFERENCE = ScriptRun(variables={"weights": tensor([0.5]), "output": tensor([2.0])}, printed="Weight: 0.5\n")
MISTAKE = ScriptRun(variables={"weights": tensor([0.25]), "output": tensor([1.0])}, printed="Weight: 0.25\n")


def judge(run, exercise=EXERCISE):
    key = Key(
        cases=script_cases(exercise, REFERENCE, {"half": MISTAKE}),
        comparison=Comparison(),
        mistakes=(Mistake(slug="half", title="Half of it", feedback="…"),),
    )
    return judge_submission(key, script_given(exercise, run))


def test_script_has_a_case_for_each_variable_and_for_what_it_prints():
    outcome = judge(REFERENCE)

    assert outcome.verdict == Verdict.ACCEPTED
    assert [case.name for case in outcome.cases] == ["weights", "output", PRINTED]


def test_script_that_prints_other_spaces_and_digits_is_accepted():
    assert judge(ScriptRun(variables=REFERENCE.variables, printed="Weight:  0.50001")).verdict == Verdict.ACCEPTED


def test_script_that_prints_something_else_is_wrong():
    outcome = judge(ScriptRun(variables=REFERENCE.variables, printed="Weight: 0.7"))

    assert outcome.verdict == Verdict.WRONG_ANSWER
    assert outcome.score == 2


def test_script_without_a_variable_is_invalid_output_of_that_case():
    outcome = judge(ScriptRun(variables={"output": tensor([2.0])}, printed="Weight: 0.5"))

    assert [case.verdict for case in outcome.cases] == [
        Verdict.INVALID_OUTPUT,
        Verdict.ACCEPTED,
        Verdict.ACCEPTED,
    ]
    assert "nothing of this name" in outcome.feedback.summary


def test_script_that_raised_has_that_error_in_every_case():
    outcome = judge(ScriptRun(variables={}, raised=Raised(type="NameError", message="name 'x' is not defined")))

    assert {case.verdict for case in outcome.cases} == {Verdict.RUNTIME_ERROR}


def test_script_is_told_of_a_listed_mistake():
    assert judge(MISTAKE).feedback.cause == "half"


def test_script_of_variables_only_does_not_judge_what_is_printed():
    run = ScriptRun(variables=REFERENCE.variables, printed="anything")

    assert judge(run, {"collect": ["weights"]}).verdict == Verdict.ACCEPTED


def test_script_of_printed_text_only():
    assert [case.name for case in judge(REFERENCE, {"stdout": True}).cases] == [PRINTED]
