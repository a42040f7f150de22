import pytest

from graders.demand_list import demands_in_words

FORBID = {"names": ["softmax", "torch.exp"], "operators": ["aten::mm"], "loops": True}


@pytest.mark.parametrize(
    ("exercise", "words"),
    [
        ({}, []),
        ({"gradients": [], "inputs_unchanged": False, "forbid": {}, "properties": [], "training": None}, []),
        ({"inputs_unchanged": True}, ["A call must leave its arguments as they are."]),
        ({"gradients": ["x", "layer.weight"]}, ["Gradients for `x`, `layer.weight` are judged too."]),
        (
            {"forbid": FORBID},
            [
                "To be solved without `softmax`, `torch.exp`.",
                "To be solved without the operators `aten::mm`.",
                "To be solved without loops and comprehensions.",
            ],
        ),
        (
            {
                "properties": [
                    {"property": "odd(x)", "points": 1.0},
                    {"property": "finite(output)", "points": 2.5},
                ]
            },
            ["The opposite of `x` gives the opposite output (1 point).", "The output is finite (2.5 points)."],
        ),
        (
            {"training": {"metric": "accuracy", "at_most": None, "at_least": 0.9, "steps": 1, "seed": 0}},
            [
                "What is returned is predictions: their accuracy is to be at least 0.9.",
                "An optimiser may make at most 1 step.",
            ],
        ),
        (
            {"training": {"metric": "mse", "at_most": 0.5, "at_least": None, "steps": None, "seed": 0}},
            ["What is returned is predictions: their mean squared error is to be at most 0.5."],
        ),
    ],
)
def test_demands_in_words(exercise, words):
    assert demands_in_words(exercise) == words
