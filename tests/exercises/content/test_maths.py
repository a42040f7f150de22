import pytest

from exercises.content.maths import MathsError, mathml


@pytest.mark.parametrize(
    ("tex", "part"),
    [
        (r"\operatorname{softmax}\left(\frac{Q K^\top}{\sqrt{d}}\right) V", "<mfrac>"),
        (r"\mathbb{R}^{n \times d}", "ℝ"),
        (r"x_{ij} \le y^2", "<msub>"),
        (r"\sum_{i=1}^{n} w_i v_i", "∑"),
        (r"\begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}", "<mtable"),
        (r"\text{keys & values}", "<mtext>keys\N{NO-BREAK SPACE}&amp;\N{NO-BREAK SPACE}values</mtext>"),
        (r"\{a\}", "{"),
    ],
)
def test_formula(tex, part):
    assert part in mathml(tex)


def test_display():
    assert mathml("a", display=True).startswith('<math display="block" alttext="a">')


@pytest.mark.parametrize(
    ("tex", "problem"),
    [
        ("", "expected a formula between the dollar signs, found nothing"),
        (r"\foo{x}", r"the formula $\foo{x}$ uses \foo, which is not known"),
        (r"\frac{a}{b", r"the formula $\frac{a}{b$ leaves 1 brace open"),
        (r"\frac{a{b", r"the formula $\frac{a{b$ leaves 2 braces open"),
        ("a}", "the formula $a}$ closes a brace that it did not open"),
        ("{" * 40 + "}" * 40, f"the formula ${'{' * 40}{'}' * 17}…$ nests braces more than 30 deep"),
        ("a & b", r"the formula $a & b$ has an & outside a table; write \&"),
        ("x_", "the formula $x_$ cannot be read: missing super script or subscript"),
        (r"\left( x", r"the formula $\left( x$ cannot be read: extra left or missing right"),
        (r"\begin{matrix} a", r"the formula $\begin{matrix} a$ cannot be read: missing end"),
        (
            r"\newcommand{\a}{x}",
            r"the formula $\newcommand{\a}{x}$ defines a command with \newcommand, which is not supported",
        ),
        (r"\def\a{x}", r"the formula $\def\a{x}$ defines a command with \def, which is not supported"),
        ("x" * 4001, "a formula may have 4000 characters, found 4001"),
    ],
)
def test_refused(tex, problem):
    with pytest.raises(MathsError) as caught:
        mathml(tex)

    assert str(caught.value) == problem


@pytest.mark.parametrize("tex", [r"\sqrt" * 700, r"\left(" * 500, r"\frac" * 700, "^" * 4000, r"\begin{a}" * 400])
def test_what_exhausts_the_converter_is_a_problem_of_the_formula(tex):
    with pytest.raises(MathsError):
        mathml(tex)
