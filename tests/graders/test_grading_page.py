from graders.hypotheses.causes import Cause
from graders.properties import WORDS
from graders.questions import kinds
from tests.graders.grading_page import EXAMPLE, PAGE, rewritten


def test_every_example_of_the_page_is_what_it_gives():
    page = PAGE.read_text()

    assert rewritten(page) == page


def test_the_page_has_an_example_of_every_kind_and_policy():
    declared = "\n".join(found["declared"] for found in EXAMPLE.finditer(PAGE.read_text()))

    assert {kind for kind in kinds.KINDS if f"kind: {kind}\n" in declared} == set(kinds.KINDS)
    for policy in (
        "rtol",
        "dtypes: exact",
        "dtypes: kind",
        "dtypes: any",
        "dtypes: [",
        "numpy",
        "scalars",
        "equal_nan",
        "inputs_unchanged: true",
        "gradients: [",
        "forbid: {",
        "training: {",
    ):
        assert policy in declared, policy
    assert "signed_zero: true" in declared


def test_the_page_has_an_example_of_every_property():
    page = PAGE.read_text()

    assert [word for word in WORDS if f" has {word}(" not in page] == []


def test_the_page_has_an_example_of_every_cause():
    page = PAGE.read_text()

    assert [cause.value for cause in Cause if f"→ {cause.value}: " not in page] == []
