"""A submission as a real module: registered, with source that the interpreter can find again.

TorchScript, pickling, string annotations and tracebacks look the source up by file name and the module by its name.
"""

from __future__ import annotations

import linecache
import sys
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType

# Frames of the student are told from ours by these names; no folder stands before them.
SOLUTION = "solution.py"
SCRIPT = "script.py"
CASES = "cases.py"
# An author's, of no concern to students: its frames are not shown.
DRIVER = "driver.py"


def snippet_name(number: int) -> str:
    """File name of the earlier snippet with this number, from 1."""
    return f"snippet_{number}.py"


def is_student_file(name: str) -> bool:
    """Whether a code object with this file name came from a submission, a snippet or `cases.py`."""
    return name in (SOLUTION, SCRIPT, CASES) or name.startswith("snippet_")


def new_module(name: str, file: str) -> ModuleType:
    """An empty module, registered under `name`: `__main__` for scripts, which their guarded blocks ask for."""
    module = ModuleType(name)
    module.__file__ = file
    module.__spec__ = ModuleSpec(name, None, origin=file)
    sys.modules[name] = module
    return module


def remember_source(file: str, source: str) -> None:
    """Make the lines of `source` findable under `file`, though no such file exists."""
    # Without a time stamp (None) linecache never looks for the file on disk.
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)


def compile_source(source: str, file: str) -> CodeType:
    """The code of `source`, its lines findable. Raises what `compile` does."""
    remember_source(file, source)
    return compile(source, file, "exec", dont_inherit=True)


def execute(code: CodeType, module: ModuleType) -> None:
    """Run the code in the module. Raises whatever it raises."""
    exec(code, module.__dict__)  # noqa: S102  (this is what the sandbox is for)
