"""Files as one zip, written while their lines are read: memory does not grow with them."""

from __future__ import annotations

import time
import zipfile
from collections.abc import Iterable, Iterator

PIECE_BYTES = 64 * 1024


class _Sink:
    """What a zip is written to: keeps the bytes until they are taken. It cannot seek, so none is changed afterwards."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def write(self, data: bytes) -> int:
        self._kept += data
        return len(data)

    def flush(self) -> None:
        """Nothing lies anywhere else."""

    def close(self) -> None:
        """What is kept may still be taken."""

    def take(self, at_least: int = 1) -> Iterator[bytes]:
        """All that is kept, once it is as much."""
        if len(self._kept) >= at_least:
            piece = bytes(self._kept)
            self._kept.clear()
            yield piece


def zip_pieces(files: Iterable[tuple[str, Iterable[str]]]) -> Iterator[bytes]:
    """A zip of these files, each a name and its lines as text."""
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, lines in files:
            info = zipfile.ZipInfo(name, date_time=time.gmtime()[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(info, "w", force_zip64=True) as member:
                for line in lines:
                    member.write(line.encode())
                    yield from sink.take(PIECE_BYTES)
    yield from sink.take()
