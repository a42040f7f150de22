"""What every file of the blind set does, found by running it beside the reference; JSON on standard output.

It shares no code with the graders, so that the set stands on its own. Run as `python -m tests.diagnosis.check softmax`:
torch is loaded in this process alone, never in the one that runs the tests.
"""

import contextlib
import copy
import dataclasses
import gc
import importlib.util
import inspect
import io
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
import yaml

HERE = Path(__file__).parent
SEEDS = range(10)
DEFAULTS = {"dtypes": "exact", "rtol": 1.3e-6, "atol": 1e-5}  # torch.testing.assert_close for float32, torch 2.13
GRADIENT_FACTOR = 10  # gradients are compared this much more widely than values


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """One call: what came back, the gradients asked for, and whether the arguments are as they were."""

    value: Any = None
    gradients: list[Any] = dataclasses.field(default_factory=list)
    unchanged: bool = True
    error: str = ""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The first stage at which two calls differ ("" if none), and the largest error in units of the tolerance."""

    stage: str = ""
    error: float = 0.0


def load(path: Path) -> ModuleType:
    """The file as a fresh module."""
    name = "blind_" + "_".join(path.with_suffix("").parts[-3:]).replace("-", "_")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def call(entry: Any, case: dict[str, Any], wanted: list[int]) -> Observed:
    """Calls a function, or builds, loads and calls a class, on copies of the case's arguments."""
    case = copy.deepcopy(case)
    args, kwargs = case.get("args", []), case.get("kwargs", {})
    before = copy.deepcopy((args, kwargs))
    leaves = [args[position].requires_grad_() for position in wanted]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            if inspect.isclass(entry):
                init = case.get("init", {})
                entry = entry(*init.get("args", []), **init.get("kwargs", {}))
            if "state" in case:
                entry.load_state_dict(case["state"])
            value = entry(*args, **kwargs)
            gradients = gradients_of(value, leaves)
    except Exception as error:  # noqa: BLE001 - a student's file may raise anything
        return Observed(error=f"{type(error).__name__}: {error}"[:200])
    unchanged = not compare([args, kwargs], list(before), DEFAULTS | {"rtol": 0.0, "atol": 1e-30}).stage
    return Observed(value=value, gradients=gradients, unchanged=unchanged)


def gradients_of(value: Any, leaves: list[torch.Tensor]) -> list[torch.Tensor]:
    """Gradients at the leaves for a fixed random cotangent; zeros where the graph was cut."""
    if not leaves:
        return []
    if not isinstance(value, torch.Tensor) or not value.requires_grad:
        return [torch.zeros_like(leaf) for leaf in leaves]
    cotangent = torch.randn(value.shape, generator=torch.Generator().manual_seed(7)).to(value.dtype)
    return list(torch.autograd.grad(value, leaves, cotangent, allow_unused=True, materialize_grads=True))


def compare(actual: Any, expected: Any, policy: dict[str, Any]) -> Difference:
    """Compares two values by structure, shape, dtype and elements, in that order; not-a-number equals itself."""
    if isinstance(expected, torch.Tensor):
        return compare_tensors(actual, expected, policy)
    if isinstance(expected, (list, tuple)):
        if not isinstance(actual, (list, tuple)) or len(actual) != len(expected):
            return Difference(stage="structure")
        pairs = list(zip(actual, expected, strict=True))
    elif isinstance(expected, dict):
        if not isinstance(actual, dict) or actual.keys() != expected.keys():
            return Difference(stage="structure")
        pairs = [(actual[name], expected[name]) for name in expected]
    else:
        return Difference(stage="" if type(actual) is type(expected) and actual == expected else "structure")
    return worst([compare(left, right, policy) for left, right in pairs])


def compare_tensors(actual: Any, expected: torch.Tensor, policy: dict[str, Any]) -> Difference:
    """Compares a value with an expected tensor, elementwise by atol + rtol * abs(expected)."""
    if not isinstance(actual, torch.Tensor):
        return Difference(stage="structure")
    if actual.shape != expected.shape:
        return Difference(stage="shape")
    same_kind = actual.is_floating_point() == expected.is_floating_point()
    if actual.dtype != expected.dtype and not (policy["dtypes"] == "kind" and same_kind):
        return Difference(stage="dtype")
    left, right = actual.detach().double(), expected.detach().double()
    same = (left == right) | (left.isnan() & right.isnan())
    errors = ((left - right).abs() / (policy["atol"] + policy["rtol"] * right.abs())).nan_to_num(nan=torch.inf)
    largest = float(errors.masked_fill(same, 0.0).max()) if errors.numel() else 0.0
    return Difference(stage="values" if largest > 1 else "", error=largest)


def worst(differences: list[Difference]) -> Difference:
    """The first that differs at all, else one with the largest error."""
    for difference in differences:
        if difference.stage:
            return difference
    return Difference(error=max((difference.error for difference in differences), default=0.0))


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """An exercise folder with its cases drawn: visible ones, then one list for each seed."""

    definition: dict[str, Any]
    policy: dict[str, Any]
    visible: list[dict[str, Any]]
    draws: list[list[dict[str, Any]]]
    wanted: list[int]

    def observe(self, path: Path) -> list[list[Observed]]:
        """Every call of a file: a list for the visible cases, then one for each draw."""
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                entry = getattr(load(path), self.definition["entry"])
        except Exception as error:  # noqa: BLE001 - a student's file may raise anything
            failed = Observed(error=f"{type(error).__name__}: {error}"[:200])
            return [[failed] * len(cases) for cases in (self.visible, *self.draws)]
        return [[call(entry, case, self.wanted) for case in cases] for cases in (self.visible, *self.draws)]

    def difference(self, actual: Observed, expected: Observed) -> Difference:
        """How one call differs from another by everything that the exercise judges."""
        if actual.error or expected.error:
            return Difference(stage="" if actual.error and expected.error else "exception")
        gradient_policy = self.policy | {name: GRADIENT_FACTOR * self.policy[name] for name in ("rtol", "atol")}
        found = compare(actual.value, expected.value, self.policy)
        gradients = compare(actual.gradients, expected.gradients, gradient_policy)
        if not found.stage and gradients.stage:
            return Difference(stage="gradients", error=gradients.error)
        if not found.stage and self.definition.get("inputs_unchanged") and actual.unchanged != expected.unchanged:
            return Difference(stage="inputs")
        return worst([found, gradients])

    def differences(self, actual: list[list[Observed]], expected: list[list[Observed]]) -> list[Difference]:
        """The worst difference among the visible cases, then of each draw."""
        return [
            worst([self.difference(one, other) for one, other in zip(calls, others, strict=True)])
            for calls, others in zip(actual, expected, strict=True)
        ]


def read(folder: Path) -> Exercise:
    """Reads an exercise folder and draws its cases."""
    definition = yaml.safe_load((folder / "exercise.yaml").read_text())
    cases, reference = load(folder / "cases.py"), load(folder / "reference.py")
    given = definition.get("compare", {})  # YAML reads 1e-4 as a text, the format as a number
    names = list(inspect.signature(getattr(reference, definition["entry"])).parameters)
    return Exercise(
        definition=definition,
        policy=DEFAULTS | given | {name: float(given[name]) for name in ("rtol", "atol") if name in given},
        visible=cases.visible(),
        draws=[cases.hidden(torch.Generator().manual_seed(seed)) for seed in SEEDS],
        wanted=[names.index(name) for name in definition.get("gradients", [])],
    )


def report(slug: str) -> dict[str, Any]:
    """For every right, wrong and listed file: where it differs from the reference, and which listed mistakes it equals.

    `visible` and `hidden` are stages ("" where nothing differs; `hidden` has one for each seed), `error` is the largest
    error in units of the tolerance over the cases that agree or differ in values.
    """
    folder = HERE / "exercises" / slug
    exercise = read(folder)
    expected = exercise.observe(folder / "reference.py")
    mistakes = {path.stem: exercise.observe(path) for path in sorted(folder.glob("mistakes/*.py"))}
    files = {
        "right": sorted((HERE / "solutions" / slug / "right").glob("*.py")),
        "wrong": sorted((HERE / "solutions" / slug / "wrong").glob("*.py")),
        "mistakes": sorted(folder.glob("mistakes/*.py")),
    }
    found: dict[str, Any] = {
        "titles": sorted(exercise.definition["mistakes"]),
        "reference": sorted({call.error for calls in expected for call in calls}),
    }
    for group, paths in files.items():
        found[group] = {path.name: describe(exercise, exercise.observe(path), expected, mistakes) for path in paths}
    return found


def describe(
    exercise: Exercise,
    actual: list[list[Observed]],
    expected: list[list[Observed]],
    mistakes: dict[str, list[list[Observed]]],
) -> dict[str, Any]:
    """One file's part of the report."""
    visible, *hidden = exercise.differences(actual, expected)
    return {
        "visible": visible.stage,
        "hidden": [difference.stage for difference in hidden],
        "error": max(difference.error for difference in (visible, *hidden)),
        "equals": [
            slug
            for slug, calls in mistakes.items()
            if not any(difference.stage for difference in exercise.differences(actual, calls))
        ],
    }


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    torch.set_num_threads(1)
    # Fills memory from torch.empty with not-a-number, so that a forgotten row never holds an earlier right result. As
    # torch.use_deterministic_algorithms does, which also loads the compiler.
    torch.set_deterministic_debug_mode("error")
    # A file collects garbage in a loop: not all that torch is made of, again and again.
    gc.freeze()
    sys.stdout.write(json.dumps(report(sys.argv[1]), indent=1) + "\n")
