"""What must be true after single items of the published set, besides what must be true after every run.

Each claim is given the arena, the item, and what its hand-ins got, in their order. An item whose claim is its verdict
together with what holds after every run has none here.
"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from graders.outcomes import Stage
from tests.corpus.arena import definition, prepared
from tests.corpus.invariants import SAMPLE, checksum
from tests.corpus.shown import shown_texts
from worker.sandbox.environment import TEMPLATE_ENVIRONMENT
from worker.sandbox.job import MEBIBYTE, Limits, Status
from worker.sandbox.pool import SCRATCH
from worker.solution import exercise_limits

REPEATS = 20
CPU_GRACE_SECONDS = 0.5
SLOTS = 2


def limits_of(item):
    return exercise_limits(definition(item.exercise)["exercise"])


# Resources


def cpu_time_is_capped(arena, item, graded):
    for each in graded:
        assert each.report.cpu_seconds <= limits_of(item).cpu_seconds + CPU_GRACE_SECONDS


def cpu_time_and_tasks_are_capped(arena, item, graded):
    cpu_time_is_capped(arena, item, graded)
    assert graded[0].report.peak_tasks <= limits_of(item).tasks


def own_group_counted_the_kill(arena, item, graded):
    assert "sign memory" in graded[0].evidence or "memory kills 0" not in graded[0].evidence
    assert graded[0].report.peak_memory_bytes >= limits_of(item).memory_bytes


def refused_tasks_were_counted(arena, item, graded):
    assert "refused tasks 0;" not in graded[0].evidence
    assert graded[0].report.peak_tasks <= limits_of(item).tasks


def printed_text_is_cut(arena, item, graded):
    report = graded[0].report
    assert report.stdout_truncated
    assert len(report.stdout.encode()) <= Limits().kept_bytes
    assert report.peak_memory_bytes < limits_of(item).memory_bytes


def scratch_was_charged_to_the_run(arena, item, graded):
    assert "stopped: " in graded[0].report.stdout
    assert graded[0].report.peak_memory_bytes > SCRATCH.size_bytes


def writing_was_stopped(arena, item, graded):
    assert "stopped: No space left on device" in graded[0].report.stdout


def signal_is_named_and_no_core_is_left(arena, item, graded):
    assert "SIGSEGV" in graded[0].report.detail
    assert graded[0].report.status is Status.CRASHED


def result_was_refused_before_it_was_read(arena, item, graded):
    assert graded[0].report.peak_memory_bytes < 100 * MEBIBYTE


def twenty_of_twenty_are_accepted(arena, item, graded):
    (file,) = item.files
    with ThreadPoolExecutor(SLOTS) as pool:
        others = list(pool.map(lambda _: arena.grade(file, item.exercise).verdict, range(REPEATS - 1)))
    assert others == ["accepted"] * (REPEATS - 1)


# Escapes and secrets: a hand-in prints "reached" or "found" for what it got hold of.


def nothing_was_reached(arena, item, graded):
    for each in graded:
        assert "reached" not in each.printed
        assert "found" not in each.printed


def filter_killed(arena, item, graded):
    nothing_was_reached(arena, item, graded)
    assert graded[0].report.status is Status.FILTER_KILLED


def ring_is_not_implemented(arena, item, graded):
    nothing_was_reached(arena, item, graded)
    assert "Function not implemented" in "\n".join(shown_texts(graded[0]))


def new_run_reads_the_same_bytes(arena, item, graded):
    """Read back from inside another run, through the page cache that all share."""
    nothing_was_reached(arena, item, graded)
    library = SAMPLE[0]
    source = (
        "import hashlib, os, torch\n\n\ndef row_softmax(x):\n"
        f"    library = os.path.join(os.path.dirname(torch.__file__), 'lib', {library.name!r})\n"
        "    with open(library, 'rb') as file:\n"
        "        print(hashlib.file_digest(file, 'sha256').hexdigest())\n"
        "    return torch.softmax(x, dim=1)\n"
    )
    told = arena.grade(item.files[0], item.exercise, source=source)
    assert set(told.report.stdout.split()) == {checksum(library)}


def descriptors_are_the_listed_ones(arena, item, graded):
    lines = [
        "descriptor 0 ['device']",
        *(f"descriptor {number} ['pipe']" for number in (1, 2, 3, 4)),
    ]
    said = graded[0].report.stdout.splitlines()
    assert [line for line in said if line.startswith("descriptor")] == lines * said.count(lines[0])


def environment_is_the_fixed_one(arena, item, graded):
    said = graded[0].report.stdout
    assert "reached" not in said
    assert said.splitlines()[0] == str(sorted(TEMPLATE_ENVIRONMENT.items()))
    block = {line for line in said.splitlines() if "=" in line}
    assert block == {f"{name}={value}" for name, value in TEMPLATE_ENVIRONMENT.items()}


def seeded_numbers_are_equal_and_others_are_not(arena, item, graded):
    seeded, entropy = ([_lines(each, word) for each in graded] for word in ("seeded", "entropy"))
    assert seeded[0] == seeded[1]
    assert not set(entropy[0]) & set(entropy[1])


def _lines(graded, word):
    lines = [line for line in graded.report.stdout.splitlines() if line.startswith(word)]
    assert lines
    return lines


def second_run_finds_pristine_settings(arena, item, graded):
    said = graded[1].report.stdout.splitlines()[:3]
    assert said == [
        "torch.float32 cpu False",
        "tensor(0.3333) True softmax warn",
        "0.3333333333333333 False 1000 False",
    ]


def traceback_is_the_students_alone(arena, item, graded):
    traces = [case.feedback.details.get("traceback", "") for case in graded[0].outcome.cases if case.feedback.details]
    frames = [line for trace in traces for line in trace.splitlines() if line.lstrip().startswith("File")]
    assert frames
    assert all('File "solution.py"' in line for line in frames)


def visible_inputs_alone_are_shown(arena, item, graded):
    """Hidden numbers are searched for in every run; here it is counted too."""
    visible = sum(case.visible for case in prepared(item.exercise, arena).key.cases)
    assert graded[0].printed.count("input") == 2 * visible


# The grade


def nothing_is_scored(arena, item, graded):
    assert all(each.outcome.score == 0 for each in graded)


def candidates_were_found_zero_times(arena, item, graded):
    nothing_was_reached(arena, item, graded)
    nothing_is_scored(arena, item, graded)


def printed_text_is_text(arena, item, graded):
    nothing_is_scored(arena, item, graded)
    assert graded[0].report.stdout


def score_is_the_published_share(arena, item, graded):
    outcome = graded[0].outcome
    assert {case.verdict.value for case in outcome.cases if case.visible} == {"accepted"}
    assert {case.verdict.value for case in outcome.cases if not case.visible} == {"wrong_answer"}
    assert outcome.score == sum(case.max_points for case in outcome.cases if case.visible)


def time_came_from_outside(arena, item, graded):
    cpu_time_is_capped(arena, item, graded)
    assert graded[0].report.cpu_seconds >= limits_of(item).cpu_seconds


# The wire and the comparison


def no_case_was_graded(arena, item, graded):
    for each in graded:
        assert {case.verdict.value for case in each.outcome.cases} == {"invalid_output"}
        assert each.outcome.score == 0


def mark_is_absent(arena, item, graded):
    no_case_was_graded(arena, item, graded)
    assert not Path("/tmp/unpickled-marker").exists()


def message_says(*words):
    """A claim: each hand-in is told all of these words."""
    return _Says(words)


class _Says:
    def __init__(self, words):
        self._words = words

    def __call__(self, arena, item, graded):
        for each in graded:
            text = "\n".join(shown_texts(each))
            assert [word for word in self._words if word not in text] == []


def stage_is(stage):
    """A claim: that is the check that failed."""
    return _Stage(stage)


class _Stage:
    def __init__(self, stage):
        self._stage = stage

    def __call__(self, arena, item, graded):
        for each in graded:
            failed = [case for case in each.outcome.cases if case.verdict.value != "accepted"]
            assert {case.feedback.stage for case in failed} == {self._stage}


def no_address_is_told(arena, item, graded):
    assert not [text for each in graded for text in shown_texts(each) if "0x" in text]


def full_score(arena, item, graded):
    assert all(each.outcome.score == each.outcome.max_score for each in graded)


def chat_is_intact(arena, item, graded):
    report = graded[0].report
    assert not report.stdout_truncated
    assert "ソフトマックス" in report.stdout
    assert "🎉🧮" in report.stdout
    assert "\ufffd" not in report.stdout


AFTERWARDS = {
    "R01": cpu_time_is_capped,
    "R03": own_group_counted_the_kill,
    "R05": cpu_time_and_tasks_are_capped,
    "R07": refused_tasks_were_counted,
    "R08": printed_text_is_cut,
    "R12": scratch_was_charged_to_the_run,
    "R14": writing_was_stopped,
    "R18": signal_is_named_and_no_core_is_left,
    "R19": cpu_time_is_capped,
    "R24": cpu_time_and_tasks_are_capped,
    "R25": result_was_refused_before_it_was_read,
    "R28": twenty_of_twenty_are_accepted,
    "E01": nothing_was_reached,
    "E04": filter_killed,
    "E05": filter_killed,
    "E08": ring_is_not_implemented,
    "E11": new_run_reads_the_same_bytes,
    "E13": nothing_was_reached,
    "E14": new_run_reads_the_same_bytes,
    "E15": nothing_was_reached,
    "E16": nothing_was_reached,
    "E18": nothing_was_reached,
    "E20": nothing_was_reached,
    "E24": nothing_was_reached,
    "E25": nothing_was_reached,
    "C01": nothing_is_scored,
    "C03": printed_text_is_text,
    "C05": nothing_is_scored,
    "C07": nothing_is_scored,
    "C08": candidates_were_found_zero_times,
    "C11": score_is_the_published_share,
    "C16": time_came_from_outside,
    "C20": candidates_were_found_zero_times,
    "S01": environment_is_the_fixed_one,
    "S03": nothing_was_reached,
    "S05": descriptors_are_the_listed_ones,
    "S06": nothing_was_reached,
    "S09": seeded_numbers_are_equal_and_others_are_not,
    "S10": second_run_finds_pristine_settings,
    "S11": traceback_is_the_students_alone,
    "S12": visible_inputs_alone_are_shown,
    "S16": nothing_was_reached,
    "P01": nothing_is_scored,
    "P02": no_case_was_graded,
    "P05": no_case_was_graded,
    "P08": no_case_was_graded,
    "P10": no_case_was_graded,
    "P11": mark_is_absent,
    "P14": no_case_was_graded,
    "P16": no_case_was_graded,
    "P18": no_case_was_graded,
    "P26": message_says("row_softmax"),
    "K01": stage_is(Stage.SHAPE),
    "K02": stage_is(Stage.SHAPE),
    "K04": stage_is(Stage.NAN),
    "K12": stage_is(Stage.DTYPE),
    "K13": stage_is(Stage.DTYPE),
    "K16": result_was_refused_before_it_was_read,
    "K17": message_says("dense tensor"),
    "K23": message_says("mean", "var"),
    "K26": no_address_is_told,
    "L01": full_score,
    "L15": chat_is_intact,
    "L31": full_score,
}
