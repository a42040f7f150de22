"""The tolerances that hold where an exercise declares none."""

from __future__ import annotations

from typing import Final

# Source: torch.testing.assert_close, torch 2.13 (`torch/testing/_comparison.py`, _DTYPE_PRECISIONS).
# Python's float and complex are compared there as float64 and complex128. What is not named is compared exactly.
DEFAULTS: Final[dict[str, tuple[float, float]]] = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7),
    "complex32": (1e-3, 1e-5),
    "complex64": (1.3e-6, 1e-5),
    "complex128": (1e-7, 1e-7),
    "float": (1e-7, 1e-7),
    "complex": (1e-7, 1e-7),
}

EXACT: Final = (0.0, 0.0)


def default_tolerance(*dtypes: str) -> tuple[float, float]:
    """`(rtol, atol)`: the loosest of those of `dtypes`; exact for integers and booleans."""
    pairs = [DEFAULTS.get(dtype, EXACT) for dtype in dtypes]
    return max(rtol for rtol, _ in pairs), max(atol for _, atol in pairs)
