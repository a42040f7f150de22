import torch

from graders.tolerances import DEFAULTS, default_tolerance


def test_defaults_are_those_of_torch():
    names = [name for name in DEFAULTS if name not in ("float", "complex")]

    theirs = {name: torch.testing._comparison.default_tolerances(getattr(torch, name)) for name in names}

    assert {name: DEFAULTS[name] for name in names} == theirs
    assert DEFAULTS["float"] == theirs["float64"]
    assert DEFAULTS["complex"] == theirs["complex128"]


def test_default_tolerance_is_exact_for_integers():
    assert default_tolerance("int64") == (0.0, 0.0)


def test_default_tolerance_of_several_is_the_loosest():
    assert default_tolerance("float32", "float16", "float64") == (1e-3, 1e-5)
