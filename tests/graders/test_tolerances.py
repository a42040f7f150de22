import ast
import importlib.util
from pathlib import Path

from graders.tolerances import DEFAULTS, default_tolerance


def tolerances_of_torch():
    """Read from its source: importing torch here would slow every test that runs beside this one."""
    source = Path(importlib.util.find_spec("torch").origin).parent / "testing" / "_comparison.py"
    table = next(
        node.value
        for node in ast.parse(source.read_text()).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_DTYPE_PRECISIONS"
    )
    pairs = zip(table.keys, table.values, strict=True)
    return {ast.unparse(name).removeprefix("torch."): ast.literal_eval(pair) for name, pair in pairs}


def test_defaults_are_those_of_torch():
    theirs = tolerances_of_torch()

    assert {name: pair for name, pair in DEFAULTS.items() if name in theirs} == theirs
    assert set(DEFAULTS) - set(theirs) == {"float", "complex"}
    assert DEFAULTS["float"] == theirs["float64"]
    assert DEFAULTS["complex"] == theirs["complex128"]


def test_default_tolerance_is_exact_for_integers():
    assert default_tolerance("int64") == (0.0, 0.0)


def test_default_tolerance_of_several_is_the_loosest():
    assert default_tolerance("float32", "float16", "float64") == (1e-3, 1e-5)
