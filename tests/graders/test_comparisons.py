import pytest

from graders.comparisons import Comparison
from graders.errors import DefinitionError
from tests.graders.values import tensor


def test_from_definition_of_nothing_is_the_default():
    assert Comparison.from_definition(None) == Comparison()
    assert Comparison.from_definition({}) == Comparison()


def test_from_definition_reads_every_field():
    comparison = Comparison.from_definition(
        {
            "rtol": 1e-4,
            "atol": 0,
            "dtypes": ["float32", "float64"],
            "allow": ["numpy", "scalars"],
            "equal_nan": True,
            "signed_zero": True,
        }
    )

    assert comparison == Comparison(
        rtol=1e-4,
        atol=0.0,
        dtypes=("float32", "float64"),
        allow=frozenset({"numpy", "scalars"}),
        equal_nan=True,
        signed_zero=True,
    )


@pytest.mark.parametrize(
    ("definition", "field"),
    [
        ({"tolerance": 1}, "compare.tolerance"),
        ({"rtol": 1e-3}, "compare.atol"),
        ({"rtol": 0, "atol": 10**400}, "compare.atol"),
        ({"atol": 1e-3}, "compare.rtol"),
        ({"rtol": "1e-3", "atol": 0}, "compare.rtol"),
        ({"rtol": True, "atol": 0}, "compare.rtol"),
        ({"rtol": -1e-3, "atol": 0}, "compare.rtol"),
        ({"rtol": 0, "atol": float("nan")}, "compare.atol"),
        ({"rtol": 0, "atol": float("inf")}, "compare.atol"),
        ({"rtol": 1, "atol": 0}, "compare.rtol"),
        ({"dtypes": "some"}, "compare.dtypes"),
        ({"dtypes": []}, "compare.dtypes"),
        ({"dtypes": ["float33"]}, "compare.dtypes"),
        ({"dtypes": [1]}, "compare.dtypes"),
        ({"allow": ["jax"]}, "compare.allow"),
        ({"allow": [["numpy"]]}, "compare.allow"),
        ({"allow": "numpy"}, "compare.allow"),
        ({"equal_nan": "yes"}, "compare.equal_nan"),
        ({"signed_zero": 1}, "compare.signed_zero"),
    ],
)
def test_from_definition_refuses_and_names_the_field(definition, field):
    with pytest.raises(DefinitionError) as refusal:
        Comparison.from_definition(definition)

    assert refusal.value.field == field
    assert str(refusal.value).startswith(field)


def test_tolerance_follows_the_reference_and_not_the_solution():
    half, single = tensor([1], "float16"), tensor([1], "float32")

    assert Comparison(dtypes="any").tolerance(half, single) == (1.3e-6, 1e-5)
    assert Comparison(dtypes="kind").tolerance(single, half) == (1e-3, 1e-5)


def test_tolerance_of_a_named_dtype_is_what_it_can_hold():
    half, single = tensor([1], "float16"), tensor([1], "float32")

    assert Comparison(dtypes=("float16",)).tolerance(half, single) == (1e-3, 1e-5)


def test_tolerance_that_is_declared_holds_for_all_and_can_be_widened():
    comparison = Comparison(rtol=1e-2, atol=1e-3)

    assert comparison.tolerance(tensor([1]), tensor([1])) == (1e-2, 1e-3)
    assert comparison.widened(10).tolerance(tensor([1]), tensor([1])) == (1e-1, 1e-2)
