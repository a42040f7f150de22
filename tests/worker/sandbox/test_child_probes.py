"""What a call tells beside its output: arguments afterwards, gradients, operators; and what a survey finds before."""

import pytest

from tests.worker.sandbox.driving import WarmChild, floats
from worker.sandbox.job import Call, CallProgram, Forbidden, Probes, TensorBytes, Unsupported

X, Y = floats(1, 2), floats(3, 5)
INTEGER = TensorBytes(dtype="int64", shape=(1,), data=bytes(8))
CLASS = """
import torch
class f(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(2))
    def forward(self, x):
        return {"b": x * self.scale, "a": x}
"""


def probed(child, body, *args, kwargs=None, init=None, **probes):
    source = body if "class f" in body else f"import torch\n{body}"
    call = Call(name="a", visible=True, args=args, kwargs=kwargs or {}, init=init, probes=Probes(**probes))
    return child.calls(source, call).value


def gradient(child, body, *args, places=(0,), **given):
    return probed(child, body, *args, gradients=places, **given)["gradients"]


def test_arguments_are_told_as_they_are_after_the_call(child: WarmChild):
    body = "def f(x, items, *, y):\n    items.append(x.clone())\n    y.zero_()\n    return x + 1"

    found = probed(child, body, X, [], kwargs={"y": Y}, inputs=True)

    assert found == {"output": floats(2, 3), "inputs": ((X, [X]), {"y": floats(0, 0)})}


def test_no_probe_tells_the_output_alone(child: WarmChild):
    assert probed(child, "def f(x):\n    return x", X) == {"output": X}


def test_parts_share_one_cap(child: WarmChild):
    body = "def f(x):\n    return x.expand(2**21, 2)"

    found = probed(child, body, X, inputs=True)
    huge = probed(child, "def f(x):\n    return [1] * 60_000", X, inputs=True)

    assert found["output"].shape == (2**21, 2)
    assert isinstance(found["inputs"][0][0], Unsupported)
    assert isinstance(huge["output"], Unsupported)
    assert isinstance(huge["inputs"], Unsupported)


@pytest.mark.parametrize("place", [0, "x"])
def test_gradient_is_that_of_the_output_times_a_cotangent(child: WarmChild, place):
    once = gradient(child, "def f(x):\n    return x", X, places=(place,))
    twice = gradient(child, "def f(x):\n    return 2 * x", X, places=(place,))
    other = gradient(child, "def f(x):\n    return x", X, places=(place,), seed=1)

    assert once[0].shape == (2,)
    assert doubled(once[0]) == twice[0]
    assert other != once


def doubled(tensor):
    return floats(*(2 * number for number in memoryview(tensor.data).cast("f")))


def test_gradients_of_keywords_containers_and_parameters(child: WarmChild):
    body = "def f(pair, *, y):\n    return pair['a'][0] * y + pair['b']"

    found = gradient(child, body, {"a": (X,), "b": Y}, kwargs={"y": Y}, places=("pair", "y"))
    (scale,) = gradient(child, CLASS, X, places=("scale",))

    assert [tensor.shape for tensor in found[0]] == [(2,), (2,)]
    assert found[1].shape == (2,)
    assert scale.shape == (2,)


def test_order_of_names_does_not_matter(child: WarmChild):
    turned = CLASS.replace('{"b": x * self.scale, "a": x}', '{"a": x, "b": x * self.scale}')

    assert gradient(child, CLASS, X) == gradient(child, turned, X)


def test_list_and_complex_outputs_have_gradients(child: WarmChild):
    (plain,) = gradient(child, "def f(x):\n    return [x, (x.argmax(),), 'text']", X)
    (turned,) = gradient(child, "def f(x):\n    return torch.complex(x, x)", X)

    assert plain.shape == turned.shape == (2,)


@pytest.mark.parametrize(
    "body", ["return x.detach()", "return torch.ones(2)", "return 3", "with torch.no_grad(): return x * 2"]
)
def test_output_that_does_not_depend_on_an_argument_has_none(child: WarmChild, body):
    assert gradient(child, f"def f(x):\n    {body}", X) == (None,)


def test_argument_that_is_not_given_has_none(child: WarmChild):
    assert gradient(child, "def f(x, y=None):\n    return x", X, places=(1,)) == ([],)
    assert gradient(child, "def f(x, y=None):\n    return x", X, places=("y",)) == ([],)


def test_change_in_place_does_not_cut_the_gradient(child: WarmChild):
    assert gradient(child, "def f(x):\n    return x.mul_(2)", X) == gradient(child, "def f(x):\n    return x * 2", X)


def test_output_is_that_of_a_call_without_gradients(child: WarmChild):
    found = probed(child, "def f(x):\n    print(x)\n    return x.numpy()", X, gradients=(0,))

    assert found["output"].origin == "numpy"
    assert found["gradients"]["raised"]["type"] == "RuntimeError"
    assert found["gradients"]["raised"]["line"] == 4


def test_second_call_prints_nothing(child: WarmChild):
    call = Call(name="a", visible=True, args=(X,), probes=Probes(gradients=(0,)))

    assert child.calls("def f(x):\n    print('once')\n    return x", call).printed == "once\n"


@pytest.mark.parametrize(
    ("args", "place", "words"),
    [((INTEGER,), 0, "torch.int64"), ((1,), 0, "holds int"), ((X,), "weight", "'weight', found none"), ((X,), 7, "")],
)
def test_place_without_a_gradient_is_told(child: WarmChild, args, place, words):
    raised = gradient(child, "def f(x):\n    return x", *args, places=(place,))

    if words:
        assert words in raised["raised"]["message"]


def test_backward_that_raises_is_told(child: WarmChild):
    body = """
class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, g):
        raise ValueError("no way back")
def f(x):
    return Own.apply(x)
"""

    raised = gradient(child, body, X)["raised"]

    assert (raised["type"], raised["message"]) == ("ValueError", "no way back")


ONCE = """
class f:
    made = 0
    def __init__(self):
        f.made += 1
        assert f.made < 2
    def __call__(self, x):
        return x
"""


def test_object_that_can_be_built_only_once_is_told(child: WarmChild):
    assert gradient(child, ONCE, X)["raised"]["type"] == "AssertionError"


def test_entry_without_a_signature_is_addressed_by_position(child: WarmChild):
    body = "def f(x):\n    return x\nf.__signature__ = 3"

    assert gradient(child, body, X)[0].shape == (2,)


def test_operators_are_told_once_each(child: WarmChild):
    found = probed(child, "def f(x):\n    return (x @ x) * (x @ x) + x.softmax(-1)", X, operators=True)

    assert {"aten::dot", "aten::_softmax"} <= set(found["operators"])
    assert len(set(found["operators"])) == len(found["operators"])


def test_parameters_are_told_by_name(child: WarmChild):
    assert probed(child, "def f(x, scale=1):\n    return x", X, parameters=True)["parameters"] == ("x", "scale")
    assert probed(child, CLASS, X, parameters=True)["parameters"] == ("x",)


def test_survey_stands_before_the_calls(child: WarmChild):
    source = "import torch\ndef f(x):\n    for _ in range(1): x = torch.exp(x)\n    return x"
    forbidden = Forbidden(names=("exp",), loops=True)
    calls = (Call(name="a", visible=True, args=(X,)), Call(name="b", visible=False, args=(Y,)))

    ran = child.run(CallProgram(source=source, entry="f", calls=calls, forbidden=forbidden))

    assert ran.results[0].value == [
        {"rule": "loops", "name": "for", "line": 3},
        {"rule": "names", "name": "exp", "line": 3},
    ]
    assert [result.error for result in ran.results.values()] == [None] * 3


def test_survey_is_of_the_text_and_not_of_what_runs(child: WarmChild):
    source = "import ast\nast.parse = ast.walk = None\ndef f(x):\n    return x.exp()"
    call = Call(name="a", visible=True, args=(X,))

    ran = child.run(CallProgram(source=source, entry="f", calls=(call,), forbidden=Forbidden(names=("exp",))))

    assert ran.results[0].value == [{"rule": "names", "name": "exp", "line": 4}]
