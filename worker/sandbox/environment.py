"""The whole environment of the programs that the runner starts: nothing of the machine's own goes in."""

from __future__ import annotations

from worker.sandbox.isolation import SCRATCH

# Functions of libraries are looked up at the start, not at the first call: that would be in each fork.
MAKER_ENVIRONMENT = {"LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1", "LD_BIND_NOW": "1"}
# Fixed at exec, since most are read once, when a library is loaded (docs/sandbox.md).
TEMPLATE_ENVIRONMENT = {
    "HOME": SCRATCH,
    "TMPDIR": SCRATCH,
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "LD_BIND_NOW": "1",
    # One thread while warming up: a pool made before the fork would hang in the child.
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_WAIT_POLICY": "PASSIVE",
    "MALLOC_ARENA_MAX": "2",
    # No compiler can run inside: torch.compile runs eagerly instead of failing after six seconds.
    "TORCHDYNAMO_DISABLE": "1",
    "TORCH_COMPILE_DISABLE": "1",
    # Pictures are files here; what matplotlib keeps of fonts goes where a run may write.
    "MPLBACKEND": "Agg",
    "MPLCONFIGDIR": SCRATCH,
    # Else torch makes this up from the name of the user.
    "TORCHINDUCTOR_CACHE_DIR": SCRATCH,
}
