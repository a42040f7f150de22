from dataclasses import fields, replace

import pytest

from tests.worker.stub_runner import DEFINITION, LISTED, MISTAKE, REFERENCE, StubRunner
from worker.cases import Case, CasesError, MistakeOutput, make_cases
from worker.sandbox.job import Call, Probes, TensorBytes
from worker.sandbox.wire import dump_value
from worker.stored_cases import FORMAT, OtherLayoutError, dump_cases, load_cases

CASES = make_cases(DEFINITION, (1, 2), StubRunner(LISTED, REFERENCE, MISTAKE))
# What the layout of this number holds. Whoever has to change this gives FORMAT the next number.
LAYOUT = {
    Case: "index draw points call expected mistakes gradients parameters targets",
    Call: "name visible args kwargs init state fed probes",
    Probes: "inputs gradients operators parameters steps reseed seed",
    MistakeOutput: "value error_type error_message after gradients",
}


def test_cases_survive_their_blob():
    raised = replace(CASES[0], mistakes={"same": MistakeOutput(error_type="ValueError", error_message="boom")})

    assert load_cases(dump_cases(CASES)) == CASES
    assert load_cases(dump_cases([raised])) == (raised,)


def test_layout_has_its_number():
    found = {kind: {field.name for field in fields(kind)} for kind in LAYOUT}

    assert FORMAT == 2
    assert found == {kind: set(names.split()) for kind, names in LAYOUT.items()}


@pytest.mark.parametrize(
    "blob",
    [
        b"",
        dump_value([]),
        dump_cases(CASES).replace(FORMAT.to_bytes(4, "big"), (FORMAT + 1).to_bytes(4, "big"), 1),
    ],
)
def test_blob_of_another_layout_is_told_from_cases(blob):
    with pytest.raises(OtherLayoutError, match="expected cases of layout 2"):
        load_cases(blob)


def test_too_large_cases_are_refused():
    large = TensorBytes(dtype="uint8", shape=(17 * 1024 * 1024,), data=bytes(17 * 1024 * 1024))

    with pytest.raises(CasesError, match="may take 16 MB together, and take 18 MB"):
        dump_cases([replace(CASES[0], expected=large)])


def test_cases_with_too_much_beside_tensors_are_refused():
    with pytest.raises(CasesError, match="what the cases hold cannot be kept"):
        dump_cases([replace(CASES[0], expected=["x" * 60_000] * 100_000)])
