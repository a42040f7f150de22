"""Printed text of a run: kept up to a cap, counted beyond it, and no longer kept once recording is closed."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from worker.sandbox.texts import clean_text, without_paths

_READ_BYTES = 64 * 1024
# As much as such a pipe holds at once; not more, since a flood may not hold up the other runs.
_READS = 16
PIPE_BYTES = _READS * _READ_BYTES


@dataclass(slots=True)
class Stream:
    """One pipe of a run and what came out of it."""

    descriptor: int
    kept_bytes: int
    counted: int = 0
    _kept: bytearray = field(default_factory=bytearray)
    _is_recording: bool = True
    _is_cut: bool = False

    def read(self) -> int:
        """Take what is there now, and tell how many bytes that was."""
        before = self.counted
        self._read_pieces()
        return self.counted - before

    def _read_pieces(self) -> None:
        for _ in range(_READS):
            try:
                data = os.read(self.descriptor, _READ_BYTES)
            except BlockingIOError:
                return
            if not data:
                return
            self.counted += len(data)
            if self._is_recording:
                self._keep(data)

    def _keep(self, data: bytes) -> None:
        room = self.kept_bytes - len(self._kept)
        self._is_cut = self._is_cut or len(data) > room
        self._kept += data[:room]

    def close_recording(self) -> None:
        """Keep nothing of what comes from now on."""
        self._is_recording = False

    @property
    def is_cut(self) -> bool:
        """Whether something was printed that was not kept, before recording was closed."""
        return self._is_cut

    def text(self) -> str:
        """What was kept, as valid text without control characters and paths of ours, at most `kept_bytes` in UTF-8."""
        # A character cut in two at the cap is dropped, anything else that is no UTF-8 is marked.
        kept = bytes(self._kept)
        text = clean_text(without_paths(kept.decode(errors="replace")), len(kept))
        return text.encode()[: self.kept_bytes].decode(errors="ignore")
