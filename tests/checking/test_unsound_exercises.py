"""Exercise folders that are unsound in one way each: every one is refused, for that reason alone."""

from pathlib import Path

import pytest

from worker.checking.exercise import check_exercise
from worker.checking.findings import Check, problems

FOLDERS = Path(__file__).parent / "exercises"

REASONS = {
    "any-text-accepted": (Check.KEY, "the guess '.' is accepted"),
    "case-without-mask": (Check.MUTANTS, "Add cases that tell them apart"),
    "driver-judges": (Check.CASES, "drive() returns a judgement"),
    "expected-nan": (Check.CASES, 'the expected output of "two rows" has NaN'),
    "generator-forgotten": (Check.CASES, "Is a `generator=generator` forgotten?"),
    "guess-accepted": (Check.KEY, "the guess 0 is accepted"),
    "half-precision-accepted": (Check.STRAW_MEN, "an answer is accepted that is in half precision"),
    "hidden-equal-visible": (Check.CASES, 'the hidden case "square" has the inputs of the visible case "two rows"'),
    "input-handed-back": (Check.STRAW_MEN, "an answer is accepted that is argument 1 as it came"),
    "inputs-differ": (Check.CASES, 'the inputs of "two rows" of visible() differ each time that they are made'),
    "mistake-accepted": (Check.MISTAKES, "mistakes/in-place.py: is accepted"),
    "mistakes-alike": (Check.MISTAKES, "cannot be told from mistakes/whole-mean.py"),
    "network-in-cases": (Check.CASES, "cases.py"),
    "no-explanation": (Check.TEXTS, "`explanation` is missing"),
    "no-hidden-case": (Check.CASES, "hidden() gives no case"),
    "no-right-option": (Check.SCHEMA, "options"),
    "not-equivalent": (Check.MUTANTS, "it is not equivalent"),
    "picture-without-words": (Check.SCHEMA, "expected a description of the picture"),
    "reference-breaks-rules": (Check.REFERENCE, "uses mean, which the exercise forbids"),
    "reference-differs": (Check.REFERENCE, 'gives something else for "two rows" each time that it runs'),
    "reference-fails": (Check.REFERENCE, "raised IndexError for 'two rows'"),
    "reference-too-slow": (Check.REFERENCE, "is stopped at"),
    "starter-accepted": (Check.STRAW_MEN, "starter.py: is accepted as it stands"),
    "tex-eaten": (Check.SCHEMA, "\\f"),
    "tolerance-below-noise": (Check.NOISE, "Numerical noise must stay 10 times below the tolerance"),
    "training-too-easy": (Check.STRAW_MEN, "an answer is accepted that is all zeros"),
    "visible-inputs-random": (Check.CASES, "Draw them from torch.Generator().manual_seed(…)"),
    "wrong-key-in-a-variant": (Check.SCHEMA, "8 / (d - 4)"),
    "zeros-accepted": (Check.STRAW_MEN, "an answer is accepted that is all zeros"),
}


@pytest.fixture
def checked(runner, request):
    folder = FOLDERS / request.param
    return check_exercise(folder, runner, required_score=0.9, tell=lambda doing: None)


@pytest.mark.sandbox
@pytest.mark.parametrize(("checked", "reason"), REASONS.items(), indirect=["checked"], ids=list(REASONS))
def test_refused(checked, reason):
    check, words = reason

    found = problems(checked.findings)

    assert not checked.is_sound
    # A case that sees nothing lets mutants pass as well; the reason comes first.
    assert found[0].check == check
    assert {finding.check for finding in found} <= {check, Check.MUTANTS}
    assert words in "\n".join(map(str, found))


@pytest.mark.sandbox
@pytest.mark.parametrize("checked", ["sound", "sound-module"], indirect=True)
def test_sound_ones_are_taken(checked):
    assert [str(finding) for finding in checked.findings] == []
    assert checked.is_sound
    assert checked.mutation.score == 1
    assert checked.facts["noise"].endswith("of the tolerance (in double precision)")


@pytest.mark.sandbox
@pytest.mark.parametrize("checked", ["sound-training"], indirect=True)
def test_training_may_be_changed_in_many_ways(checked):
    (remark,) = checked.findings

    assert checked.is_sound
    assert (remark.check, remark.is_remark) == (Check.MUTANTS, True)
    assert all(mutant.offer is None for mutant in checked.mutation.mutants)


def test_every_folder_is_checked():
    assert {path.name for path in FOLDERS.iterdir()} == {*REASONS, "sound", "sound-module", "sound-training"}
