"""Mutants: what changes, where, and that each is a program of its own."""

import ast
import textwrap

import pytest

from tests.worker.sandbox.driving import warm_child
from worker.sandbox.job import CasesProgram, Job, MutantsProgram, Status
from worker.sandbox.mutants.making import make_mutants, mutated
from worker.sandbox.values import dump_value


def mutants(source, given="", most=1000):
    """The mutants, each with its source."""
    source = textwrap.dedent(source)
    made = make_mutants(source, textwrap.dedent(given), most)
    return [{**mutant, "source": mutated(source, mutant)} for mutant in made]


def changes(source, **options):
    return [mutant["change"] for mutant in mutants(source, **options)]


def after(source):
    """What stands on the right of the arrow, for a source of one line."""
    return {change.partition(" → ")[2] for change in changes(source)}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("y = a / b", {"y = a * b", "y = a", "y = b / a"}),
        ("y = a + b", {"y = a - b", "y = a", "y = b"}),
        ("y = a @ b", {"y = a", "y = b @ a"}),
        ("y = -a", {"y = a"}),
        ("y = ~a", {"y = a"}),
        ("y = 0.5", {"y = 1.0", "y = 0.25"}),
        ("y = 0.0", {"y = 1.0"}),
        ("y = 1e-05", {"y = 0.0", "y = 0.01"}),
        ("y = -1", {"y = 0", "y = -2"}),
        ("y = True", {"y = False"}),
        ("y = a < b", {"y = a <= b", "y = a > b"}),
        ("y = a is None", {"y = a is not None"}),
        ("y = a and b", {"y = a or b"}),
        ("y = a if b else c", {"y = a", "y = c"}),
        ("y = float('-inf')", {"y = float('inf')"}),
        ("y = x.mT", {"y = x"}),
        ("y = x[a:]", {"y = x[:]", "y = x[a - 1:]", "y = x[a + 1:]"}),
        ("y = x[::s]", {"y = x[:]"}),
        ("y = x[0::1]", {"y = x[1::1]", "y = x[-1::1]", "y = x[0::2]", "y = x[0::0]"}),
        ("y = x[:3]", {"y = x[:]", "y = x[:4]", "y = x[:2]"}),
        ("y = range(n)", {"y = range(n - 1)", "y = range(n + 1)"}),
        ("y = x.sum(dim=d)", {"y = x.mean(dim=d)", "y = x", "y = x.sum()"}),
        ("y = x.tril(1)", {"y = x.triu(1)", "y = x", "y = x.tril()", "y = x.tril(2)", "y = x.tril(0)"}),
        ("y = f(a, b)", {"y = f(b, a)"}),
        ("y = f(**k)", set()),
        ("y = g(x)(z)", set()),
        ("y = None", set()),
        ("y = 'text'", set()),
        ("y = range(2)", {"y = range(3)", "y = range(1)"}),
        ("x @= y", {"pass"}),
        ("x.y", set()),
        ("y = +x", set()),
        (
            "y = a * exp(b + c)",
            {
                "y = a / exp(b + c)",
                "y = a",
                "y = exp(b + c)",
                "y = a * expm1(b + c)",
                "y = a * (b + c)",
                "y = a * exp(b - c)",
                "y = a * exp(b)",
                "y = a * exp(c)",
            },
        ),
        ("y = sum(i for i in x)", {"y = mean(i for i in x)", "y = (i for i in x)"}),
        ("y = x.masked_fill(~m, v)", {"y = x", "y = x.masked_fill(v, ~m)", "y = x.masked_fill(m, v)"}),
        ("y = x.masked_fill(m, v)", {"y = x", "y = x.masked_fill(v, m)", "y = x.masked_fill(~m, v)"}),
        ("y = x.detach()", {"y = x"}),
        ("x += y", {"pass", "x -= y"}),
        ("x.add_(y)", {"pass"}),
        ("x[m] = y", {"pass"}),
        ("y = einsum('bij,bjk->bik', x, z)", {"y = einsum('bij,bjk->bki', x, z)", "y = einsum('bij,bjk->bik', z, x)"}),
    ],
)
def test_change(source, expected):
    assert after(source) == expected


def test_function_of_a_module_is_dropped_for_its_argument():
    made = changes("import torch\ny = torch.softmax(x, d)\n")

    assert "y = torch.softmax(x, d) → y = x" in made
    assert "y = torch.softmax(x, d) → y = torch" not in made


def test_positions_begin_with_one():
    assert "y = torch.arange(n) → y = torch.arange(1, n + 1)" in changes("import torch\ny = torch.arange(n)\n")


def test_dtype_of_torch_becomes_another():
    assert "y = torch.float32 → y = torch.float64" in changes("import torch\ny = torch.float32\n")


def test_step_that_changes_a_value_is_left_out():
    made = changes("def f(x):\n    x = g(x)\n    y = h(x)\n    return y\n")

    assert "x = g(x) → pass" in made
    assert "y = h(x) → pass" not in made


def test_what_only_some_exercises_see_says_so():
    made = {mutant["change"]: mutant["needs"] for mutant in mutants("def f(x):\n    x = x + 1\n    return x\n")}

    assert made["x = x + 1 → x += 1"] == "inputs_unchanged"
    assert made["return x → return x.detach()"] == "gradients"
    assert made["x = x + 1 → x = x - 1"] == ""


def test_call_is_made_in_place_on_an_argument_alone():
    made = mutants("def f(x):\n    return x.exp() + g(x).exp()\n")

    in_place = [mutant["change"] for mutant in made if mutant["operator"] == "in place"]
    assert in_place == ["return x.exp() + g(x).exp() → return x.exp_() + g(x).exp()"]


def test_condition_is_turned_over():
    made = changes("if flag:\n    y = a\n")

    assert made == ["if flag: → if not flag:"]


@pytest.mark.parametrize(
    "source",
    [
        "import torch\nfrom torch import nn\n",
        '"""A docstring of 3."""\n',
        "def f(x: Tensor = y) -> Tensor:\n    pass\n",
        "if __name__ == '__main__':\n    y = 1 + 2\n",
        "raise ValueError(1 + 2)\n",
        "assert x == 1\n",
        "y = f'{x + 1}'\n",
        "class A(B[1]):\n    super().__init__()\n",
    ],
)
def test_nothing_is_changed(source):
    assert mutants(source) == []


def test_starred_arguments_are_left_in_place():
    assert changes("y = softmax(*a, b)\n") == ["y = softmax(*a, b) → y = log_softmax(*a, b)"]


def test_precedence_is_kept():
    made = mutants("y = (a + b) * c\n")

    assert {mutant["source"] for mutant in made} >= {"y = (a - b) * c\n", "y = (a + b) / c\n", "y = (a) * c\n"}


def test_parentheses_are_set_where_they_are_needed():
    made = {mutant["source"] for mutant in mutants("y = a / range(n)[0].x\nz = 2 ** -n\n")}

    assert "y = a / range(n - 1)[0].x\nz = 2 ** -n\n" in made
    assert "y = a / range(n)[0].x\nz = (-n) ** 2\n" in made


def test_each_mutant_is_another_program():
    source = "def f(q, k):\n    s = q @ k.mT / k.shape[-1] ** 0.5  # größer\n    return s.softmax(-1)\n"

    made = mutants(source)

    trees = {ast.dump(ast.parse(mutant["source"])) for mutant in made}
    assert len(trees) == len(made) > 10
    assert ast.dump(ast.parse(source)) not in trees
    assert all("# größer" in mutant["source"] for mutant in made)


def test_diff_names_the_changed_line():
    (mutant,) = mutants("a = x\ny = -a\n")

    assert mutant["line"] == 2
    assert mutant["diff"].splitlines()[-3:] == [" a = x", "-y = -a", "+y = a"]


def test_given_lines_are_left_as_they_are():
    assert changes("x = 1 + 2\ny = -x\n", given="x = 1 + 2\n") == ["y = -x → y = x"]


def test_few_mutants_show_many_operators():
    operators = {mutant["operator"] for mutant in mutants("y = 1\nz = 2\nw = -y\nv = a < b\n", most=3)}

    assert operators == {"constant changed", "negation dropped", "comparison changed"}


def test_several_returned_values_keep_their_gradients():
    assert changes("def f(x, y):\n    return x, y\n") == []


def test_comparison_is_not_turned_over_as_well():
    assert changes("if a == b:\n    y = x\n") == ["if a == b: → if a != b:"]


def test_change_that_cannot_be_written_down_is_left_out():
    # In a pattern the imaginary part comes last, and there is no pattern for one number less another.
    made = changes("match x:\n    case 1 - 2j:\n        pass\n")

    assert "case 1 - 2j: → case 1 + 2j:" in made
    assert not any("2j - 1" in change for change in made)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_as_on_any_system(end):
    source = end.join(("y = 'ä\\", "b'", "z = -x", "w = (b)", ""))

    made = mutants(source)

    assert [mutant["source"] for mutant in made] == ["y = 'ä\\\nb'\nz = x\nw = (b)\n"]
    assert made[0]["line"] == 3


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a = 1.0; y = -a; z = 2.0\n", "a = 1.0; y = a; z = 2.0\n"),
        ("@f(1)\ndef g(x=-a): return x\n", "@f(1)\ndef g(x=a): return x\n"),
        (
            "if a:\n    if b < c:\n        y = d\n    else:\n        y = e\n",
            "if a:\n    if b <= c:\n        y = d\n    else:\n        y = e\n",
        ),
        (
            "class A:\n    async def f(self):\n        return await f(-b)\n",
            "class A:\n    async def f(self):\n        return await f(b)\n",
        ),
        ("def f(x):\n    return (\n        -x\n    )  # ä\n", "def f(x):\n    return (\n        x\n    )  # ä\n"),
    ],
)
def test_change_stands_where_its_node_stood(source, expected):
    assert expected in {mutant["source"] for mutant in mutants(source)}


DOCSTRING = "Many words. " * 2000
LONG = f'def f(x, y):\n    """{DOCSTRING}"""\n' + "".join(f"    x{n} = x[{n}] + y / 2\n" for n in range(200))


def test_long_context_does_not_count():
    made = make_mutants(LONG, "", 100)

    assert len(made) == 100
    assert len(dump_value(made)) < 100_000
    assert all(len(line) < 300 for mutant in made for line in mutant["diff"].splitlines())


def test_what_would_take_too_much_is_left_out():
    long = "y = f(-x, " + ", ".join(["'ä'"] * 1000) + ")\n"
    wide = "".join(f"y{n} = f(-x, '{'ä' * 1500}')\n" for n in range(100))

    assert changes(long + "z = -x\n") == ["z = -x → z = x"]
    assert 10 < len(make_mutants(wide, "", 100)) < 100
    dump_value(make_mutants(wide, "", 100))


def test_no_more_are_written_than_are_asked_for(monkeypatch):
    written, unparse = [], ast.unparse

    def noted(node):
        written.append(node)
        return unparse(node)

    monkeypatch.setattr(ast, "unparse", noted)

    made = mutants("".join(f"y{n} = -x + {n}\n" for n in range(1000)), most=10)

    assert len(made) == 10
    assert len(written) < 20


def test_same_program_is_made_once():
    made = changes("y = a + a\n")

    assert sorted(made) == ["y = a + a → y = a", "y = a + a → y = a - a"]


def test_child_makes_mutants():
    with warm_child() as child:
        made = child.run(MutantsProgram(source="y = -x\nz = 1\n", given="z = 1", most=5))
        refused = child.run(MutantsProgram(source="y = ("))

    assert [mutant["change"] for mutant in made.value] == ["y = -x → y = x"]
    assert refused.load_error.type == "SyntaxError"
    assert refused.results == {}


@pytest.mark.sandbox
def test_mutants_are_made_in_a_container(runner):
    report = runner.run(Job(id="mutants", program=MutantsProgram(source="y = -x\n")))
    long = runner.run(Job(id="mutants", program=MutantsProgram(source=LONG)))

    assert report.status is long.status is Status.FINISHED
    assert len(long.results[0].value) == 100
    (result,) = report.results
    assert [mutated("y = -x\n", mutant) for mutant in result.value] == ["y = x\n"]


@pytest.mark.sandbox
def test_forgotten_generator_shows_when_it_is_looked_for(runner):
    source = (
        "import torch\ndef visible(): return []\n"
        "def hidden(g): return [{'name': 'a', 'args': [torch.rand(1), torch.rand(1, generator=g)]}]\n"
    )
    first, second = (
        runner.run(Job(id="cases", program=CasesProgram(source=source, seeds=(5,), stray=stray))) for stray in (0, 1)
    )

    (stray, drawn), (other, same) = (report.results[1].value[0]["args"] for report in (first, second))
    assert drawn == same
    assert stray != other
