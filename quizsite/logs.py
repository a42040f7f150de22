"""What the parts say: all of it into one rotated file, faults on the console as well."""

from __future__ import annotations

import logging
import re
from collections import deque
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path

LOG_BYTES = 5_000_000
OLD_LOGS = 3
TAIL_LINES = 10
FAULT = re.compile(r"\b(ERROR|CRITICAL)\b|^Traceback ")


class Log:
    """The file, and the last lines of each part."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self._say = say
        self._handler = RotatingFileHandler(
            folder / "parts.log", maxBytes=LOG_BYTES, backupCount=OLD_LOGS, encoding="utf-8"
        )
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
