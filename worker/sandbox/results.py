"""What a child says, as frames: values and errors of calls, load errors, what a free run left.

Every reader takes bytes that a student's process may have forged, and raises WireError for all that is not well formed.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from worker.sandbox.forms import expect_kind
from worker.sandbox.frames import Frame, WireError
from worker.sandbox.job import CallResult, StudentError, TensorSummary
from worker.sandbox.texts import clean_text
from worker.sandbox.values import dump_value, load_value

# An error stands in a header of at most 64 KiB, where one character may take 12 bytes.
TYPE_LENGTH = 100
MESSAGE_LENGTH = 1_000
TRACEBACK_LENGTH = 4_000
VALUE_TEXT_LENGTH = 20_000
NAME_LENGTH = 200
MAX_SUMMARIES = 50
# Of one tensor so many elements are shown, nested at most so deep. All previews together stay far below what a value
# may take on the wire, also where each element is text of a complex number.
PREVIEW_ELEMENTS = 1024
PREVIEW_DEPTH = 8
ALL_PREVIEWS_ELEMENTS = 12 * PREVIEW_ELEMENTS
_MAX_SECONDS = 10**6

LOADED = Frame(header={"kind": "loaded"})
ENDED = Frame(header={"kind": "ended"})


def result_frame(result: CallResult) -> Frame:
    """One result: the error in the header, or the value in the body. Raises: WireError (over a cap)."""
    header: dict[str, Any] = {"kind": "result", "index": result.index, "seconds": result.seconds}
    if result.error is not None:
        return Frame(header={**header, "error": error_json(result.error)})
    return Frame(header=header, body=dump_value(result.value))


def read_result(frame: Frame) -> CallResult:
    """The result in a child's frame. Raises: WireError (anything but a well-formed result)."""
    expect_kind(frame, "result")
    header = frame.header
    index, seconds = header.get("index"), header.get("seconds")
    if not isinstance(index, int) or not 0 <= index < 2**31 or isinstance(index, bool):
        raise WireError("expected the index of a result")
    if not isinstance(seconds, int | float) or not 0 <= seconds < _MAX_SECONDS:
        raise WireError("expected the seconds of a result")
    if header.keys() == {"kind", "index", "seconds", "error"} and not frame.body:
        return CallResult(index=index, error=error_from_json(header["error"]), seconds=float(seconds))
    if header.keys() != {"kind", "index", "seconds"}:
        raise WireError("expected a value or an error in a result")
    return CallResult(index=index, value=load_value(frame.body), seconds=float(seconds))


def load_error_frame(error: StudentError) -> Frame:
    """Says that the source could not be loaded, and why."""
    return Frame(header={"kind": "load_error", "error": error_json(error)})


def read_load_error(frame: Frame) -> StudentError:
    """The error in a `load_error` frame. Raises: WireError."""
    expect_kind(frame, "load_error")
    return error_from_json(frame.header.get("error"))


def error_json(error: StudentError) -> dict[str, Any]:
    """The error as a JSON object."""
    return asdict(error)


def error_from_json(data: Any) -> StudentError:
    """The error in a JSON object, its texts capped and without control characters. Raises: WireError."""
    if not isinstance(data, dict) or data.keys() != {"type", "message", "traceback", "line"}:
        raise WireError("expected type, message, traceback and line of an error")
    line = data["line"]
    if line is not None and (type(line) is not int or not 0 <= line < 2**31):
        raise WireError("expected a line number")
    texts = {name: data[name] for name in ("type", "message", "traceback")}
    if not all(isinstance(text, str) for text in texts.values()):
        raise WireError("expected text in an error")
    return StudentError(
        type=clean_text(texts["type"], TYPE_LENGTH),
        message=clean_text(texts["message"], MESSAGE_LENGTH),
        traceback=clean_text(texts["traceback"], TRACEBACK_LENGTH),
        line=line,
    )


def inspection_frame(value_text: str | None, tensors: tuple[TensorSummary, ...]) -> Frame:
    """What a free run left: the text of its last value, and its tensors. Raises: WireError (over a cap)."""
    body: dict[str, Any] = {"value_text": value_text, "tensors": [asdict(summary) for summary in tensors]}
    return Frame(header={"kind": "inspection"}, body=dump_value(body))


def read_inspection(frame: Frame) -> tuple[str | None, tuple[TensorSummary, ...]]:
    """Text of the last value, and the tensors left. Raises: WireError (anything else)."""
    expect_kind(frame, "inspection")
    body = load_value(frame.body)
    if not isinstance(body, dict) or body.keys() != {"value_text", "tensors"}:
        raise WireError("expected value_text and tensors of an inspection")
    text, tensors = body["value_text"], body["tensors"]
    if not isinstance(text, str | None) or not isinstance(tensors, list) or len(tensors) > MAX_SUMMARIES:
        raise WireError(f"expected text and at most {MAX_SUMMARIES} tensors")
    cleaned = None if text is None else clean_text(text, VALUE_TEXT_LENGTH)
    return cleaned, tuple(_summary(item) for item in tensors)


def _summary(data: Any) -> TensorSummary:
    fields = {"name", "dtype", "shape", "min", "max", "mean", "preview"}
    if not isinstance(data, dict) or data.keys() != fields:
        raise WireError(f"expected {', '.join(sorted(fields))} of a tensor")
    if not isinstance(data["name"], str) or not isinstance(data["dtype"], str):
        raise WireError("expected name and dtype of a tensor as text")
    shape = data["shape"]
    if not isinstance(shape, tuple) or any(type(size) is not int or not 0 <= size < 2**63 for size in shape):
        raise WireError("expected the shape of a tensor")
    numbers = {name: data[name] for name in ("min", "max", "mean")}
    if any(not isinstance(number, float | None) for number in numbers.values()):
        raise WireError("expected numbers of a tensor")
    return TensorSummary(
        name=clean_text(data["name"], NAME_LENGTH),
        dtype=clean_text(data["dtype"], NAME_LENGTH),
        shape=shape,
        preview=_preview(data["preview"]),
        **numbers,
    )


def _preview(preview: Any) -> Any:
    """The preview, its texts cleaned. Raises: WireError (too many elements, too deep, or no elements)."""
    if _count(preview, 0) > PREVIEW_ELEMENTS:
        raise WireError(f"expected a preview of at most {PREVIEW_ELEMENTS} numbers")
    return _cleaned(preview)


def _count(preview: Any, depth: int) -> int:
    """How many elements and empty lists there are."""
    if not isinstance(preview, list) or not preview:
        return 1
    if depth == PREVIEW_DEPTH:
        raise WireError(f"expected a preview nested at most {PREVIEW_DEPTH} deep")
    return sum(_count(item, depth + 1) for item in preview)


def _cleaned(preview: Any) -> Any:
    return [_cleaned(item) for item in preview] if isinstance(preview, list) else _element(preview)


def _element(element: Any) -> Any:
    if isinstance(element, str) and len(element) <= NAME_LENGTH:
        return clean_text(element, NAME_LENGTH)
    if isinstance(element, int) and -(2**63) <= element < 2**64:
        return element
    if isinstance(element, float | None):
        return element
    raise WireError("expected numbers or short texts in a preview")
