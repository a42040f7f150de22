"""The attention exercise over HTTP on real parts: each kind of ending gets its verdict and its words."""

import json

import pytest

from tests.product import RIGHT

pytestmark = [pytest.mark.sandbox, pytest.mark.slow, pytest.mark.enable_socket]

ONE_SCORE = "/api/v1/exercises/attention/one-score/"


def returning(body):
    return f"import math, torch\ndef scaled_dot_product_attention(query, key, value):\n    {body}\n"


MISTAKES = {
    "no-scaling": RIGHT.replace(" / math.sqrt(query.shape[-1])", ""),
    "scaled-by-d": RIGHT.replace("math.sqrt(query.shape[-1])", "query.shape[-1]"),
    "wrong-axis": RIGHT.replace("dim=-1", "dim=-2"),
    "key-not-transposed": RIGHT.replace("key.transpose(-2, -1)", "key"),
}
ENDINGS = {
    "another algorithm": (
        returning("return torch.nn.functional.scaled_dot_product_attention(query, key, value)"),
        "accepted",
    ),
    "endless loop": (returning("while True: pass"), "time_limit"),
    "endless print": (returning("while True: print('x' * 1000)"), "output_limit"),
    "too much memory": (returning("x = [torch.ones(64_000_000) for _ in range(10)]; return value"), "memory_limit"),
    "endless recursion": (returning("return scaled_dot_product_attention(query, key, value)"), "runtime_error"),
    "leaves early": ("import os\nos._exit(0)\n", "runtime_error"),
    "does not compile": ("def f(:\n", "runtime_error"),
    "no entry": ("x = 1\n", "runtime_error"),
    "None": (returning("return None"), "invalid_output"),
    "wrong shape": (returning("return value.sum()"), "invalid_output"),
    "NaN": (returning("return value * float('nan')"), "wrong_answer"),
}


def test_right_solution_is_accepted(product):
    graded = product.graded(product.submit(RIGHT))

    assert graded["verdict"] == "accepted"
    assert graded["score"] == graded["max_score"] > 0
    assert {case["verdict"] for case in graded["cases"]} == {"accepted"}


@pytest.mark.parametrize("slug", MISTAKES)
def test_listed_mistake_is_named(product, slug):
    graded = product.graded(product.submit(MISTAKES[slug]))

    assert graded["verdict"] in {"wrong_answer", "invalid_output", "runtime_error"}
    assert graded["score"] < graded["max_score"]
    assert slug in {case["feedback"]["cause"] for case in graded["cases"]}


@pytest.mark.parametrize("ending", ENDINGS)
def test_ending_gets_its_verdict_and_the_next_is_served(product, ending):
    source, verdict = ENDINGS[ending]

    graded = product.graded(product.submit(source))
    afterwards = product.graded(product.submit(f"{RIGHT}# after {ending}\n"), seconds=5)

    assert graded["verdict"] == verdict
    assert (graded["score"] == graded["max_score"]) == (verdict == "accepted")
    assert afterwards["verdict"] == "accepted"


def test_number_is_graded_at_once(product):
    right = product.call("POST", f"{ONE_SCORE}submissions/", {"response": "5"})
    wrong = product.call("POST", f"{ONE_SCORE}submissions/", {"response": "6"})

    assert (right[0], right[1]["verdict"]) == (201, "accepted")
    assert (wrong[0], wrong[1]["verdict"]) == (201, "wrong_answer")


def test_script_is_judged_by_its_variables(product):
    exercise = "/api/v1/exercises/attention/four-tokens/"

    graded = product.graded(product.submit("import torch\nweights = torch.zeros(4, 4)\n", exercise))

    assert graded["verdict"] in {"wrong_answer", "invalid_output"}
    assert [case["name"] for case in graded["cases"]] == ["weights", "output"]


def test_free_run_shows_text_value_and_tensors(product):
    status, run = product.call(
        "POST", "/api/v1/runs/", {"source": "import torch\nx = torch.ones(2)\nprint('hi')\nx.sum()"}
    )
    assert status == 202, run
    while (body := product.call("GET", f"/api/v1/runs/{run['id']}/")[1])["state"] != "graded":
        pass

    assert body["stdout"] == "hi\n"
    assert "2" in body["value"]
    assert [tensor["name"] for tensor in body["tensors"]] == ["x"]
    assert body["value_tensor"]["preview"] == 2.0


def test_nothing_of_hidden_cases_is_shown(product):
    graded = product.graded(product.submit(MISTAKES["no-scaling"]))
    hidden = [case for case in graded["cases"] if not case["visible"]]

    assert hidden
    assert all("expected" not in json.dumps(case["feedback"].get("details") or {}) for case in hidden)
