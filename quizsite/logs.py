"""What the parts say: all of it into one rotated file, faults on the console as well."""

from __future__ import annotations

import contextlib
import logging
import re
import sys
from collections import deque
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path

LOG_BYTES = 5_000_000
OLD_LOGS = 3
TAIL_LINES = 10
FAULT = re.compile(r'\b(ERROR|CRITICAL)\b|"level": "(error|critical)"|^Traceback ')


class _File(RotatingFileHandler):
    """One that cannot be written, such as on a full disk, is said to be so once, and tried again with each line."""

    def __init__(self, path: Path, say: Callable[[str], None]) -> None:
        super().__init__(path, maxBytes=LOG_BYTES, backupCount=OLD_LOGS, encoding="utf-8")
        self._say, self._is_complained_of = say, False

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  (the library's name)
        """Say it to whoever watches; the parts go on."""
        if not self._is_complained_of:
            self._is_complained_of = True
            self._say(f"The log {self.baseFilename} cannot be written: {sys.exc_info()[1]}")


class Log:
    """The file, and the last lines of each part."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self._say = say
        self._handler = _File(folder / "parts.log", say)
        self._handler.setFormatter(logging.Formatter("%(asctime)s %(name)-6s | %(message)s"))
        self._tails: dict[str, deque[str]] = {}
        self._in_traceback: set[str] = set()

    def write(self, part: str, line: str) -> None:
        """Keep a line, and show it if it tells of a fault."""
        self._handler.handle(logging.LogRecord(part, logging.INFO, "", 0, "%s", (line,), None))
        self._tails.setdefault(part, deque(maxlen=TAIL_LINES)).append(line)
        if self._is_fault(part, line):
            self._say(f"{part} | {line}")

    def tail(self, part: str) -> list[str]:
        """The last lines of a part; they are forgotten."""
        return list(self._tails.pop(part, ()))

    def close(self) -> None:
        # What a full disk did not take is tried once more, and then lost.
        with contextlib.suppress(OSError):
            self._handler.close()

    def _is_fault(self, part: str, line: str) -> bool:
        if part in self._in_traceback:
            # The line after the indented ones names the exception.
            if not line.startswith((" ", "\t")):
                self._in_traceback.discard(part)
            return True
        if line.startswith("Traceback "):
            self._in_traceback.add(part)
        return FAULT.search(line) is not None
