"""The border in bytes: one door to the modules that turn jobs, values, results and reports into frames and back.

Client to runner: `job_frame`, then the frames of `job_frames` (0 is the program, then one a call), which go on to the
child one at a time, then `END`. Child to runner: `loaded` or `load_error`, a `result` for each index in order (for a
script also one `inspection`), then `ended`. The value of a call or a result is its frame's body, made by `dump_value`.
All that a child sent is read by functions which raise WireError and nothing else.
"""

from worker.sandbox.commands import (
    END,
    body_cap,
    job_frame,
    job_frames,
    limits_from_json,
    limits_json,
    read_call,
    read_job,
    read_probes,
    read_program,
)
from worker.sandbox.frames import (
    CHILD_HEADER_BYTES,
    TRUSTED_HEADER_BYTES,
    Frame,
    FrameReader,
    WireError,
    dump_json,
    encode_frame,
    load_json,
)
from worker.sandbox.reports import read_report, report_frame
from worker.sandbox.results import (
    ENDED,
    LOADED,
    error_from_json,
    error_json,
    inspection_frame,
    load_error_frame,
    read_inspection,
    read_load_error,
    read_result,
    result_frame,
)
from worker.sandbox.texts import clean_text
from worker.sandbox.values import decode_value, dump_value, encode_value, load_value

__all__ = [
    "CHILD_HEADER_BYTES",
    "END",
    "ENDED",
    "LOADED",
    "TRUSTED_HEADER_BYTES",
    "Frame",
    "FrameReader",
    "WireError",
    "body_cap",
    "clean_text",
    "decode_value",
    "dump_json",
    "dump_value",
    "encode_frame",
    "encode_value",
    "error_from_json",
    "error_json",
    "inspection_frame",
    "job_frame",
    "job_frames",
    "limits_from_json",
    "limits_json",
    "load_error_frame",
    "load_json",
    "load_value",
    "read_call",
    "read_inspection",
    "read_job",
    "read_load_error",
    "read_probes",
    "read_program",
    "read_report",
    "read_result",
    "report_frame",
    "result_frame",
]
