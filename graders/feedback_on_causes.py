"""Likely causes in words: one sentence says what was seen, one where to look; never the solution.

Of hidden cases the cause is told in general terms: no values, no places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from graders.diagnosis import Diagnosis
from graders.feedback_on_demands import DETACHED, FORBIDDEN, MUTATED_INPUT
from graders.formats import count, index, number
from graders.hypotheses.causes import Cause
from graders.outcomes import Feedback

Words = Mapping[str, Any]

LIKELY_CAUSES: Final = frozenset(cause.value for cause in Cause)
"""Those that are guesses by evidence."""
FOUND_CAUSES: Final = LIKELY_CAUSES | {MUTATED_INPUT, DETACHED, FORBIDDEN}
"""All causes that may be told without being listed by an author."""

_GENERAL: Final[dict[Cause, tuple[str, str]]] = {
    Cause.TRANSPOSED: (
        "The values are those that come out when two axes are swapped.",
        "Follow which axis is which through each product and each `transpose`.",
    ),
    Cause.PERMUTED: (
        "The values are right ones, laid out in another order.",
        "At each `permute`, `transpose`, `view` and `reshape`: which axis does a number belong to before and after?",
    ),
    Cause.SCALED: (
        "The values are what comes out when something is a constant factor too large or too small.",
        "Which factor of the formula is missing, or is there once too often?",
    ),
    Cause.SHIFTED: (
        "The values are off by something that is added: a constant, a mean or a bias.",
        "Which term of the formula is added or taken off, and which is not?",
    ),
    Cause.SIGN: (
        "The values are what comes out with one sign turned round.",
        "Go through the plus and minus signs of the formula.",
    ),
    Cause.POWER: (
        "The values are what comes out when a square, a root or a division is there too often, or not at all.",
        "Compare each square, root and division with the formula.",
    ),
    Cause.LOG_OR_EXP: (
        "The values are what comes out with a logarithm or an exponential too many, too few, or to another base.",
        "Which logarithms and exponentials does the formula have, and to which base?",
    ),
    Cause.OTHER_AXIS_SOFTMAX: (
        "The values are those of a softmax over another axis.",
        "Which axis should be a distribution, and over which one do your weights sum to 1?",
    ),
    Cause.OTHER_AXIS_NORMALISED: (
        "The values are those of a normalisation over other axes.",
        "Over which axes are mean and variance taken, and which ones share them?",
    ),
    Cause.NOT_NORMALISED: (
        "The values are what comes out when something is not divided by its total or its size, or too early.",
        "What should sum to 1 or have unit size, and does it where it is used?",
    ),
    Cause.MEAN_FOR_SUM: (
        "The values differ by the number of things taken together: a mean stands where a sum belongs, or the reverse.",
        "Look at each `sum` and `mean`, and over what it runs.",
    ),
    Cause.BIASED: (
        "The values are what comes out when a variance is divided by n where n - 1 belongs, or the reverse.",
        "Look at the correction of each variance or standard deviation.",
    ),
    Cause.ROLLED: (
        "The values are right ones at neighbouring places: everything is moved along one axis.",
        "With which index does counting begin, and where does padding go?",
    ),
    Cause.ROWS_REORDERED: (
        "The values are right ones with rows, columns or channels in another order.",
        "In which order are the parts put together, and which column belongs to which?",
    ),
    Cause.HEADS_REORDERED: (
        "The values are right ones with heads, or the columns that belong to them, in another order.",
        "How are the columns dealt out to the heads, and put together again?",
    ),
    Cause.MASK_MISSING: (
        "Positions that should be hidden have influence.",
        "Where does the mask come in, and what does it leave of a hidden score?",
    ),
    Cause.MASK_INVERTED: (
        "The mask hides what should be seen and lets through what should be hidden.",
        "Does true mean hidden or visible where the mask is used?",
    ),
    Cause.MASK_OFF_BY_ONE: (
        "The border of the mask lies one place off.",
        "Should a position see itself, and which diagonal is the first that is hidden?",
    ),
    Cause.EPS_MISSING: (
        "The values are what comes out when the small constant under the division is missing or stands elsewhere.",
        "Where does the formula add its small constant: inside the root or outside?",
    ),
    Cause.HALF_PRECISION: (
        "The values are right to two or three digits, as half precision leaves them.",
        "Is there a conversion to a dtype of 16 bits on the way?",
    ),
    Cause.ROUNDED: (
        "The values are the right ones, rounded to a few decimals.",
        "Where are digits cut off, by rounding or by whole numbers?",
    ),
    Cause.INPUT_RETURNED: (
        "What comes back is one of the arguments, as it went in.",
        "Is the result of the computation kept, and is it what `return` gives back?",
    ),
    Cause.LOGITS: (
        "The values are what comes out when scores stand where their softmax belongs, or it is taken twice.",
        "Which steps take scores, and which take probabilities?",
    ),
    Cause.BROADCAST: (
        "The result has another number of axes, as broadcasting or a missing reduction leaves it.",
        "Print the shape after each step: where does an axis appear or stay that should not?",
    ),
    Cause.NUMPY_OR_LIST: (
        "The numbers are right, but what holds them is no tensor.",
        "Which line turns the tensor into an array, a list or a plain number?",
    ),
    Cause.VISIBLE_ONLY: (
        "Every visible case is right, and hidden ones are not.",
        "What do the visible cases share that is not promised: sizes, numbers of axes, how large values are?",
    ),
    Cause.RESIDUAL_MISSING: (
        "What lacks is just the input: it is not added to the result.",
        "What does the formula add at the end?",
    ),
    Cause.WRONG_DTYPE: (
        "The numbers are right, but of another dtype.",
        "Where does the other dtype come in: a constant, a conversion, an input?",
    ),
    Cause.HARD_CODED: (
        "Different inputs give the same answer, or that of another case.",
        "Does every value of the result come from the arguments?",
    ),
    Cause.UNINITIALISED: (
        "Some values look like memory that was never written.",
        "Is every element of what `empty` gives written before it is used?",
    ),
    Cause.KERNEL_REVERSED: (
        "The values are those of kernels that are read from the far end.",
        "Which element of the kernel meets which element of the window?",
    ),
    Cause.OTHER_PAIRS: (
        "The values are those that come out when each column is paired with another one.",
        "Which two columns does the formula turn together, neighbours or halves?",
    ),
    Cause.ROLES_SWAPPED: (
        "The values are those that come out when two matrices of weights change places.",
        "Which branch does the activation act on?",
    ),
    Cause.RESULTS_SWAPPED: (
        "The right results are there, but not each in its own place.",
        "In which order, or under which names, does the exercise ask for them?",
    ),
    Cause.NO_RESULT: (
        "Nothing was returned where a value belongs.",
        "Does every path through the function end in a `return` with a value?",
    ),
}


def with_cause(found: Feedback, diagnosis: Diagnosis, place: int | None = None) -> Feedback:
    """The same feedback, with the likely cause and where to look in place of the general hint.

    `place` is that of a visible case, of which facts may be told; None for a hidden one.
    """
    seen, look = _GENERAL[diagnosis.cause]
    words = diagnosis.words.get(place) if place is not None else None
    if words and diagnosis.cause in _TOLD:
        seen = _TOLD[diagnosis.cause](words) or seen
    return replace(found, hint=f"{seen} {look}", cause=diagnosis.cause.value)


def _scaled(words: Words) -> str:
    if words.get("counter"):
        return "The values are what comes out when the number of the step is one off."
    if words.get("bias"):
        return "The values are what comes out when the bias is added more than once."
    if "factor" not in words:
        return ""
    factor = number(float(words["factor"]))
    if words.get("after"):
        return "The values are what comes out when the weights are scaled and not the scores."
    if words.get("varies"):
        return "Every value is the expected one times one factor, another one in each case."
    part = next((word for word in _PARTS if words.get(word)), "value")
    return f"Every {_PARTS.get(part, part)} is {factor} times the expected one{_named(words)}."


_PARTS: Final = {"inside": "score", "angle": "angle", "base": "base of the angles", "step": "step away from the input"}


def _named(words: Words) -> str:
    """What the factor is made of: ": that is √64, and 64 is the length of the last axis of the first input"."""
    if not words.get("named"):
        return ""
    origin = f", and {words['size']} is {words['of']}" if "size" in words else f", from {words['of']}"
    return f": that is {words['named']}{origin if words.get('of') else ''}"


def _summed(words: Words) -> str:
    if "count" not in words:
        return ""
    way = "larger" if words["summed"] else "smaller"
    seen = f"Every value is {words['count']} times {way} than expected"
    return f"{seen}, as a mean in place of a sum makes it, or the reverse."


def _biased(words: Words) -> str:
    factor, n = number(float(words["factor"])), words["count"]
    return f"Every value is {factor} times the expected one, which n = {n} in place of n - 1 = {n - 1} explains."


def _shifted(words: Words) -> str:
    if words.get("vector"):
        return "What lacks is a vector that is added: one of the parameters does not come in."
    if words.get("mean"):
        return "The values are what comes out when the mean is not taken off."
    if words.get("rows"):
        return "In each row all values are off by the same amount, in another row by another one."
    return f"Every value is off by {number(float(words['by']))}." if "by" in words else ""


def _sign(words: Words) -> str:
    if words.get("lost"):
        return "The values are the expected ones without their signs."
    if words.get("conjugate"):
        return "The imaginary parts have the opposite sign."
    return f"Every value is {number(float(words['total']))} minus the expected one." if "total" in words else ""


def _transposed(words: Words) -> str:
    inside = {
        "scores": "The values are what comes out when queries and keys change places.",
        "weights": "The values are what comes out when the weights are transposed.",
        "projection": "The values are what comes out when a matrix of weights is transposed.",
        "kernels": "The values are what comes out when the first two axes of the kernels are swapped.",
        "positions": "The values are what comes out when positions are counted along another axis.",
    }
    if "axes" in words:
        first, second = words["axes"]
        return f"These are the expected values with axes {first} and {second} swapped."
    return inside.get(words.get("inside", ""), "")


def _function(words: Words) -> str:
    functions = {"square", "square root", "reciprocal", "reciprocal square root", "cube"}
    functions |= {"logarithm", "exponential", "logarithm to base 2", "power of 2", "logarithm to base 10"}
    if words.get("exponent"):
        return "The values are what comes out when the exponents are others."
    name = words.get("function", "")
    return f"Every value is the {name} of the expected one." if name in functions else ""


def _rolled(words: Words) -> str:
    return f"The values are moved along axis {words['axis']} by {count(words['step'], 'place')}."


def _reordered(words: Words) -> str:
    if words.get("kernel"):
        return f"The values are what comes out when the {words['kernel']} are taken in reverse order."
    if "order" in words and len(words["order"]) <= 8:
        return f"Along axis {words['axis']} the right slices come in the order {index(words['order'])}."
    return ""


def _leak(words: Words) -> str:
    if "leak" in words:
        query, key = words["leak"]
        return f"Position {query} sees position {key}, which should be hidden from it."
    ways = {True: "Each position sees the next one as well.", False: "No position sees itself."}
    return f"The border of the mask lies one place off. {ways[words['leaks']]}"


def _softmax(words: Words) -> str:
    if words.get("axis") == "all":
        return "The values are those of a softmax over all axes at once."
    if "other" in words:
        return f"The weights sum to 1 along axis {words['other']}, and not along axis {words['axis']}."
    return ""


def _rounded(words: Words) -> str:
    if words["decimals"] == 0:
        return "The values are what comes out when only whole numbers are kept."
    return f"The values are the right ones, rounded to {count(words['decimals'], 'decimal')}."


def _rank(words: Words) -> str:
    were = "was" if words["expected"] == 1 else "were"
    return f"The result has {count_of_axes(words['actual'])}; {count_of_axes(words['expected'])} {were} expected."


def count_of_axes(amount: int) -> str:
    """An amount of axes in words."""
    return "1 axis" if amount == 1 else f"{amount} axes"


_TOLD: Final[dict[Cause, Callable[[Words], str]]] = {
    Cause.SCALED: _scaled,
    Cause.MEAN_FOR_SUM: _summed,
    Cause.BIASED: _biased,
    Cause.SHIFTED: _shifted,
    Cause.SIGN: _sign,
    Cause.TRANSPOSED: _transposed,
    Cause.POWER: _function,
    Cause.LOG_OR_EXP: _function,
    Cause.ROLLED: _rolled,
    Cause.ROWS_REORDERED: _reordered,
    Cause.HEADS_REORDERED: _reordered,
    Cause.MASK_MISSING: _leak,
    Cause.MASK_INVERTED: _leak,
    Cause.MASK_OFF_BY_ONE: _leak,
    Cause.OTHER_AXIS_SOFTMAX: _softmax,
    Cause.ROUNDED: _rounded,
    Cause.BROADCAST: _rank,
}
"""What can be said more exactly of a visible case; an empty text where nothing can."""
