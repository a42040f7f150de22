"""Text from a run, made fit to be stored and shown."""

from __future__ import annotations

import re
import sys
from pathlib import Path

# Colours and cursor movements of terminals (ECMA-48, control sequences): left out, since no terminal shows the text.
_TERMINAL = re.compile("\x1b\\[[0-?]*[ -/]*[@-~]")
# Everything that is no character to be read: C0 and C1 controls but tab and newline, half surrogate pairs, and the
# marks which reorder a line (their misuse: CVE-2021-42574).
_UNREADABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_CUT = "…"
# Where the interpreter, its packages and this program live; longest first, so that no rest of a path remains.
_OWN_PATHS = sorted(
    {str(Path(__file__).resolve().parents[2]), *sys.path, sys.prefix, sys.base_prefix, sys.exec_prefix}
    - {"", "/", "."},
    key=len,
    reverse=True,
)


def clean_text(text: str, length: int) -> str:
    """At most `length` characters of `text`, unreadable ones replaced by U+FFFD; ends in "…" where it was cut.

    A carriage return, with which progress bars overwrite their line, becomes a newline.
    """
    cut = text[: max(length - 1, 0)] + _CUT if len(text) > length else text
    lines = _TERMINAL.sub("", cut).replace("\r\n", "\n").replace("\r", "\n")
    return _UNREADABLE.sub("\ufffd", lines)


def without_paths(text: str) -> str:
    """The text with the folders of interpreter and service left out."""
    for path in _OWN_PATHS:
        text = text.replace(path, _CUT)
    return text
