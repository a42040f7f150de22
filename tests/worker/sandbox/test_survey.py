"""Names and loops that are found in a submission's text."""

import textwrap

import pytest

from worker.sandbox.job import Forbidden
from worker.sandbox.survey import survey_source


def found(source, *names, loops=False):
    findings = survey_source(textwrap.dedent(source), Forbidden(names=names, loops=loops))
    return [(finding["line"], finding["name"]) for finding in findings]


DOTTED = [
    "import torch\ntorch.softmax(x, -1)",
    "import torch as t\nt.softmax(x, -1)",
    "from torch import softmax as s\ns(x, -1)",
    "import torch\nsm = torch.softmax\nsm(x, -1)",
    "import torch\nm = torch\nsm = m.softmax\nsm(x)",
    "import torch\ndef f(x):\n    return s(x)\ns: object = q\nq = torch.softmax",
    "import torch\nif (s := torch.softmax): s(x)",
    "import torch\ngetattr(torch, 'softmax')(x)",
    "from torch import *\nsoftmax(x, -1)",
]


@pytest.mark.parametrize("source", DOTTED)
def test_dotted_name_is_found_however_it_was_imported(source):
    assert found(source, "torch.softmax")
    assert found(source, "softmax")
    assert not found(source, "torch.nn.functional.softmax", "math.softmax", "max")


def test_dotted_name_within_a_package():
    source = "import torch.nn.functional as F\nimport torch.nn\nF.softmax(x)\ntorch.nn.functional.gelu(x)"

    assert found(source, "torch.nn.functional.softmax") == [(3, "torch.nn.functional.softmax")]
    assert found(source, "torch.nn.functional") == [(3, "torch.nn.functional"), (4, "torch.nn.functional")]
    assert found(source, "torch.softmax") == []


def test_import_alone_is_found():
    assert found("from torch.nn.functional import softmax", "softmax") == [(1, "softmax")]
    assert found("from . import softmax", "other") == []


def test_bare_name_is_found_as_method_and_builtin():
    source = """
    def softmax(scores):
        total = sum(scores)
        return scores.softmax(-1)
    """

    assert found(source, "softmax") == [(4, "softmax")]
    assert found(source, "sum") == [(3, "sum")]
    assert found(source, "torch.softmax") == []


def test_own_definitions_are_no_use():
    source = """
    import torch
    class Head(torch.nn.Module):
        def __init__(self):
            self.exp = torch.ones(2)
        def softmax(self, x):
            return self.exp * x
        async def gelu(self):
            return Head.softmax(self, self.exp)
        def forward(self, x, sum):
            return self.softmax(x) + sum
    def softmax(x):
        return x
    softmax(1)
    """

    assert found(source, "softmax", "exp", "sum") == []


def test_attribute_of_something_else_is_a_use_though_the_name_is_own():
    source = "class A:\n    def mean(self):\n        return self.x.mean() + other.mean()\n"

    assert found(source, "mean") == [(3, "mean")]


def test_loops_are_found_by_kind():
    source = """
    for a in b:
        pass
    while a:
        pass
    c = [a for a in b], {a for a in b}
    d = {a: a for a in b}
    e = sum(a for a in b)
    async def f():
        async for a in b:
            pass
    """

    assert found(source, loops=True) == [
        (2, "for"), (4, "while"), (6, "comprehension"), (7, "comprehension"), (8, "comprehension"), (10, "for"),
    ]  # fmt: skip
    assert found(source) == []


def test_main_block_is_not_looked_at():
    assert found("if __name__ == '__main__':\n    for a in b: pass\nif x:\n    for a in b: pass", loops=True) == [
        (4, "for")
    ]


def test_words_in_texts_and_comments_are_no_use():
    assert found('"""softmax"""\n# softmax\nx = "softmax"\ndict(softmax=1)', "softmax") == []


def test_source_that_cannot_be_parsed_has_no_findings():
    assert found("def (", "softmax", loops=True) == []


def test_findings_are_capped():
    assert len(found("\n".join(["x.exp()"] * 100), "exp")) == 50


def test_chain_of_aliases_that_never_ends_does_not_matter():
    source = "\n".join(f"a{number} = a{number + 1}" for number in range(30)) + "\nimport torch\na30 = torch.exp\na22(x)"

    assert found(source, "torch.exp")
