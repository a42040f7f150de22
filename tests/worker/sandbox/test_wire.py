"""Jobs, results and reports survive the wire; anything else is refused by WireError."""

import math
from dataclasses import replace

import pytest

from worker.sandbox import wire
from worker.sandbox.job import (
    Call,
    CallProgram,
    CallResult,
    CasesProgram,
    Forbidden,
    Job,
    Limits,
    MutantsProgram,
    Probes,
    RunReport,
    ScriptProgram,
    Status,
    StudentError,
    TensorBytes,
    TensorSummary,
)

ONES = TensorBytes(dtype="float32", shape=(2,), data=b"\x00\x00\x80\x3f" * 2)


def call_job(*calls: Call) -> Job:
    return Job(id="j1", program=CallProgram(source="def f(x): return x\n", entry="f", calls=calls), seed=7)


def test_call_job_becomes_program_then_one_frame_a_call():
    calls = (
        Call(name="a", visible=True, args=(ONES, 2), kwargs={"scale": 1.5}),
        Call(name="b", visible=False, init={"args": [3]}, state={"weight": ONES}),
    )

    frames = wire.job_frames(call_job(*calls))

    assert [frame.kind for frame in frames] == ["program", "call", "call"]
    assert wire.read_program(frames[0]) == CallProgram(source="def f(x): return x\n", entry="f", calls=())
    assert frames[0].header["seed"] == 7
    assert wire.read_call(frames[1]) == (0, {"args": (ONES, 2), "kwargs": {"scale": 1.5}, "init": None, "state": None})
    assert wire.read_call(frames[2]) == (
        1,
        {"args": (), "kwargs": {}, "init": {"args": [3]}, "state": {"weight": ONES}},
    )


@pytest.mark.parametrize(
    "program",
    [
        ScriptProgram(source="x = '\ud800'", before=("import torch", "y = 1"), collect=("x",), inspect=True),
        CasesProgram(source="def visible(): return []", seeds=(1, 2**62), stray=3),
        MutantsProgram(source="y = -x", given="import torch", most=7),
    ],
)
def test_program_without_calls_is_one_frame(program):
    frames = wire.job_frames(Job(id="j", program=program))

    assert len(frames) == 1
    assert wire.read_program(frames[0]) == program


def test_job_frame_says_where_hidden_commands_begin():
    job = call_job(Call(name="a", visible=True), Call(name="b", visible=False), Call(name="c", visible=False))
    frame = wire.job_frame(job, wire.job_frames(job))

    header, limits = wire.read_job(frame)

    assert (header["frames"], header["hidden_from"], header["seed"]) == (4, 2, 7)
    assert limits == Limits()


def test_job_frame_without_hidden_calls_hides_nothing():
    job = call_job(Call(name="a", visible=True))
    header, _ = wire.read_job(wire.job_frame(job, wire.job_frames(job)))

    assert (header["frames"], header["hidden_from"]) == (2, 2)


def test_visible_call_after_hidden_one_is_refused():
    job = call_job(Call(name="b", visible=False), Call(name="a", visible=True))

    with pytest.raises(wire.WireError, match="visible calls come before"):
        wire.job_frames(job)


def test_hidden_from_out_of_range_is_refused():
    job = call_job()
    frame = wire.job_frame(job, wire.job_frames(job))
    frame.header["hidden_from"] = 0

    with pytest.raises(wire.WireError, match="hidden_from"):
        wire.read_job(frame)


@pytest.mark.parametrize(
    "change",
    [{"tasks": 0}, {"tasks": -1}, {"tasks": True}, {"cpu_seconds": "4"}, {"cpu_seconds": math.inf}, {"extra": 1}],
)
def test_limits_of_a_wrong_form_are_refused(change):
    with pytest.raises(wire.WireError):
        wire.limits_from_json({**wire.limits_json(Limits()), **change})


def test_limits_that_are_no_object_are_refused():
    with pytest.raises(wire.WireError):
        wire.limits_from_json([])


def test_body_cap_leaves_room_for_the_declared_result():
    result = CallResult(index=0, value=TensorBytes(dtype="uint8", shape=(1000,), data=bytes(1000)))

    assert len(wire.result_frame(result).body) <= wire.body_cap(Limits(result_bytes=1000))


@pytest.mark.parametrize(
    "result",
    [
        CallResult(index=0, value=None, seconds=0.25),
        CallResult(index=3, value={"a": (ONES, [1, math.inf])}),
        CallResult(index=1, error=StudentError(type="ValueError", message="no", traceback="line 1", line=1)),
        CallResult(index=1, error=StudentError(type="ValueError", message="no")),
    ],
)
def test_result_survives(result):
    assert wire.read_result(wire.result_frame(result)) == result


ERROR = {"type": "E", "message": "m", "traceback": "", "line": None}


@pytest.mark.parametrize(
    "header",
    [
        {"kind": "result"},
        {"kind": "loaded", "index": 0, "seconds": 0},
        {"kind": "result", "index": -1, "seconds": 0},
        {"kind": "result", "index": True, "seconds": 0},
        {"kind": "result", "index": 2**31, "seconds": 0},
        {"kind": "result", "index": 0, "seconds": -1},
        {"kind": "result", "index": 0, "seconds": 10**400},
        {"kind": "result", "index": 0, "seconds": "1"},
        {"kind": "result", "index": 0, "seconds": 0, "verdict": "accepted"},
        {"kind": "result", "index": 0, "seconds": 0, "error": {}},
        {"kind": "result", "index": 0, "seconds": 0, "error": {**ERROR, "line": -1}},
        {"kind": "result", "index": 0, "seconds": 0, "error": {**ERROR, "line": "1"}},
        {"kind": "result", "index": 0, "seconds": 0, "error": {**ERROR, "type": 1}},
    ],
)
def test_result_of_a_wrong_form_is_refused(header):
    with pytest.raises(wire.WireError):
        wire.read_result(wire.Frame(header=header, body=b""))


def test_result_with_both_value_and_error_is_refused():
    frame = wire.Frame(header={"kind": "result", "index": 0, "seconds": 0, "error": ERROR}, body=wire.dump_value(1))

    with pytest.raises(wire.WireError):
        wire.read_result(frame)


def test_load_error_survives_and_is_cleaned():
    error = StudentError(type="SyntaxError", message="bad\x07\x1b[31m \ud800 text" + "x" * 5000, traceback="t", line=3)

    read = wire.read_load_error(wire.load_error_frame(error))

    assert read.message.startswith("bad\ufffd \ufffd text")
    assert len(read.message) == 995
    assert read.message.endswith("…")
    assert (read.type, read.line) == ("SyntaxError", 3)


def test_longest_error_fits_a_header_of_a_child():
    error = StudentError(type="\U0001f600" * 100, message="\U0001f600" * 1000, traceback="\U0001f600" * 4000, line=1)

    data = wire.encode_frame(wire.load_error_frame(error))

    assert wire.FrameReader().feed(data)


SUMMARY = TensorSummary(
    name="weights",
    dtype="float32",
    shape=(2, 2),
    min=0.0,
    max=math.nan,
    mean=0.5,
    preview=[[0.0, math.inf], [1.0, 1.0]],
)


def test_inspection_survives():
    text, tensors = wire.read_inspection(wire.inspection_frame("tensor(1.)", (SUMMARY,)))

    assert text == "tensor(1.)"
    assert repr(tensors) == repr((SUMMARY,))


def test_text_in_a_preview_is_cleaned():
    summary = TensorSummary(name="z", dtype="complex64", shape=(1,), preview=["(1+2j)\x07"])
    _, tensors = wire.read_inspection(wire.inspection_frame(None, (summary,)))

    assert tensors[0].preview == ["(1+2j)\ufffd"]


def test_inspection_without_value_survives():
    assert wire.read_inspection(wire.inspection_frame(None, ())) == (None, ())


GOOD_SUMMARY = {"name": "x", "dtype": "float32", "shape": (1,), "min": 0.0, "max": 0.0, "mean": 0.0, "preview": [0.0]}


@pytest.mark.parametrize(
    "body",
    [
        None,
        {"value_text": 1, "tensors": []},
        {"value_text": None, "tensors": None},
        {"value_text": None, "tensors": [GOOD_SUMMARY] * 51},
        {"value_text": None, "tensors": [1]},
        {"value_text": None, "tensors": [{**GOOD_SUMMARY, "name": 1}]},
        {"value_text": None, "tensors": [{**GOOD_SUMMARY, "shape": [1]}]},
        {"value_text": None, "tensors": [{**GOOD_SUMMARY, "shape": (-1,)}]},
        {"value_text": None, "tensors": [{**GOOD_SUMMARY, "min": "0"}]},
        {"value_text": None, "tensors": [{**GOOD_SUMMARY, "preview": [[[[[[[[[0.0]]]]]]]]]}]},
        {"value_text": None, "tensors": [{**GOOD_SUMMARY, "preview": [0.0] * 1025}]},
        {"value_text": None, "tensors": [{**GOOD_SUMMARY, "preview": {"a": 1}}]},
        {"value_text": None, "tensors": [{**GOOD_SUMMARY, "preview": "x" * 201}]},
        {"value_text": None, "tensors": [{**GOOD_SUMMARY, "preview": [[[]] * 1025]}]},
        {"value_text": None, "tensors": [{**GOOD_SUMMARY, "preview": [[{"a": 1}]]}]},
        {"value_text": None, "tensors": [{**GOOD_SUMMARY, "preview": 2**64}]},
        {"value_text": None, "tensors": [{**GOOD_SUMMARY, "shape": (2**63,)}]},
    ],
)
def test_inspection_of_a_wrong_form_is_refused(body):
    frame = wire.Frame(header={"kind": "inspection"}, body=wire.dump_value(body))

    with pytest.raises(wire.WireError):
        wire.read_inspection(frame)


REPORT = RunReport(
    status=Status.TIMED_OUT,
    detail="The limit of 4 s CPU was reached.",
    evidence="cpu.stat",
    stdout="héllo\n",
    stderr="50%\n",
    stdout_truncated=True,
    cpu_seconds=4.1,
    wall_seconds=5.0,
    peak_memory_bytes=1000,
    peak_tasks=3,
    torch_version="2.13.0",
    cpu_capability="AVX512",
)


def test_report_survives():
    assert wire.read_report(wire.report_frame(REPORT)) == REPORT


@pytest.mark.parametrize("change", [{"status": "great"}, {"status": 1}, {"peak_tasks": 1.5}, {"more": 1}])
def test_report_of_a_wrong_form_is_refused(change):
    frame = wire.report_frame(REPORT)

    with pytest.raises(wire.WireError):
        wire.read_report(wire.Frame(header={**frame.header, **change}, body=frame.body))


@pytest.mark.parametrize("body", [b"\xff", b"{}", b'{"stdout": 1, "stderr": ""}'])
def test_report_with_printed_text_of_a_wrong_form_is_refused(body):
    with pytest.raises(wire.WireError):
        wire.read_report(wire.Frame(header=wire.report_frame(REPORT).header, body=body))


def test_carriage_returns_become_lines_and_colours_vanish():
    assert wire.clean_text("10%\r20%\r\n\x1b[1;32mdone\x1b[0m\tx\x00\u202e", 100) == "10%\n20%\ndone\tx\ufffd\ufffd"


def test_text_over_the_cap_is_cut_visibly():
    assert wire.clean_text("abcdef", 4) == "abc…"


PROGRAM = {"kind": "program", "seed": 1, "result_bytes": 1, "program": "call"}


@pytest.mark.parametrize(
    ("header", "body"),
    [
        ({"kind": "call"}, {}),
        (PROGRAM, {"source": "x"}),
        (PROGRAM, []),
        ({**PROGRAM, "program": "shell"}, {"source": "x", "entry": "f"}),
        ({**PROGRAM, "program": "cases"}, {"source": "x", "seeds": ["1"]}),
        ({**PROGRAM, "program": "mutants"}, {"source": "x", "files": {}, "given": "", "most": "7"}),
        ({**PROGRAM, "program": "script"}, {"source": "x", "before": [1], "collect": [], "inspect": True}),
        ({**PROGRAM, "seed": "1"}, {"source": "x", "entry": "f"}),
    ],
)
def test_program_of_a_wrong_form_is_refused(header, body):
    with pytest.raises(wire.WireError):
        wire.read_program(wire.Frame(header=header, body=wire.dump_json(body)))


def test_call_of_a_wrong_form_is_refused():
    frame = wire.Frame(header={"kind": "call", "index": 0, "visible": True}, body=wire.dump_value({"args": ()}))

    with pytest.raises(wire.WireError):
        wire.read_call(frame)


def test_program_and_call_carry_what_is_asked_for():
    call = Call(name="a", visible=True, probes=Probes(inputs=True, gradients=(0, "weight"), seed=3, operators=True))
    program = CallProgram(
        source="x", entry="f", calls=(call,), forbidden=Forbidden(names=("exp",), loops=True), driver="y",
        files={"data/a.bin": bytes(range(256))},
    )  # fmt: skip

    first, survey, one = wire.job_frames(Job(id="j", program=program))

    assert wire.read_program(first) == replace(program, calls=())
    assert survey.header == {"kind": "survey", "index": 0, "visible": True}
    assert (wire.read_call(one)[0], wire.read_probes(one)) == (1, call.probes)


@pytest.mark.parametrize("program", [ScriptProgram(source="x"), CasesProgram(source="x", seeds=(1,))])
def test_every_program_carries_files(program):
    program = replace(program, files={"data/a": b"\x00"})

    assert wire.read_program(wire.job_frames(Job(id="j", program=program))[0]) == program


@pytest.mark.parametrize(
    "changes",
    [
        {"forbidden": []},
        {"forbidden": {"names": [1], "loops": True}},
        {"forbidden": {"names": []}},
        {"files": {"a": "no base64!"}},
        {"files": {"a": 1}},
        {"driver": None},
    ],
)
def test_what_is_asked_for_in_a_wrong_form_is_refused(changes):
    frame = wire.job_frames(Job(id="j", program=CallProgram(source="x", entry="f", calls=())))[0]
    body = {**wire.load_json(frame.body), **changes}

    with pytest.raises(wire.WireError):
        wire.read_program(replace(frame, body=wire.dump_json(body)))


@pytest.mark.parametrize("probes", [{}, {"gradients": [1.5]}, {"gradients": 1}, {"inputs": 1}])
def test_probes_of_a_wrong_form_are_refused(probes):
    call = Call(name="a", visible=True, probes=Probes())
    frame = wire.job_frames(Job(id="j", program=CallProgram(source="x", entry="f", calls=(call,))))[1]
    header = {**frame.header, "probes": {**frame.header["probes"], **probes} if probes else {}}

    with pytest.raises(wire.WireError):
        wire.read_probes(replace(frame, header=header))
