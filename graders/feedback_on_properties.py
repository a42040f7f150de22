"""Properties and what lacks them, in words."""

from __future__ import annotations

from typing import Final

from graders.details import details_of
from graders.feedback import of_mismatch
from graders.formats import SHOWN_TEXT, cleaned, count
from graders.outcomes import Feedback, Stage
from graders.properties import Property
from graders.property_checks import Violation

_NAME_CHARACTERS: Final = 100

# Of a property: what holds, what is compared, where to look.
_HOLDS: Final = {
    "sums_to": "{output} sums to {total} along axis {dim}",
    "bounded": "{output} lies between {low} and {high}",
    "non_negative": "{output} is nowhere negative",
    "finite": "{output} is finite",
    "symmetric": "{output} is symmetric",
    "orthonormal": "Vectors of {output} along axis {dim} are orthonormal",
    "unit_norm": "Vectors of {output} along axis {dim} have length 1",
    "monotone": "{output} never falls along axis {dim}",
    "deterministic": "The same arguments give the same output",
    "causal": "No position of the output depends on later ones of {names} (axis {dim})",
    "equivariant": "Reordering {names} along axis {dim} reorders the output alike",
    "invariant": "Reordering {names} along axis {dim} does not change the output",
    "shift_invariant": "Adding a constant to {names} does not change the output",
    "homogeneous": "Doubling {names} multiplies the output by 2^{degree}",
    "odd": "The opposite of {names} gives the opposite output",
    "even": "The opposite of {names} gives the same output",
    "idempotent": "Applied again, to its output as {names}, it changes nothing",
}
_COMPARED: Final = {
    "sums_to": "The sums",
    "bounded": "The output and what lies within the bounds",
    "non_negative": "The output and what is not negative",
    "finite": "The output",
    "symmetric": "The output and its transpose",
    "orthonormal": "The products of the vectors and the identity",
    "unit_norm": "The lengths",
    "monotone": "The output and the largest value so far",
    "causal": "The earlier positions, after later ones of the input were changed",
}


def name_of(asked: Property) -> str:
    """The property in words, as the name of its line."""
    numbers = {name: f"{number:.6g}" for name, number in asked.numbers.items()}
    names = " and ".join(f"`{name}`" for name in asked.names)
    path = "".join(f"[{step}]" if isinstance(step, int) else f'["{step}"]' for step in asked.path)
    output = f"`output{path}`" if path else "The output"
    words = _HOLDS[asked.word].format(**numbers, names=names, output=output)
    return words.replace(" of The ", " of the ")[:_NAME_CHARACTERS]


def of_property(cases: int) -> Feedback:
    """For a property that holds."""
    return Feedback(summary=f"Holds in {count(cases, 'case')}.")


def of_violation(asked: Property, found: Violation, *, case: str, visible: bool) -> Feedback:
    """For a property that does not hold in a case, named `case` where it is visible."""
    if not visible:
        return Feedback(stage=Stage.PROPERTIES, summary="This does not hold in a hidden case.")
    start = f"This does not hold in the case “{cleaned(case, SHOWN_TEXT)}”."
    if found.mismatch is None:
        return Feedback(stage=Stage.PROPERTIES, summary=f"{start} {found.unfit}")
    compared = _COMPARED.get(asked.word, "The outputs of the two calls")
    seen = of_mismatch(found.mismatch, visible=True).summary
    return Feedback(
        stage=Stage.PROPERTIES,
        summary=f"{start} {compared}: {seen}",
        details=details_of(found.mismatch),
    )
