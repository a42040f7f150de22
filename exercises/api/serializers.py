"""What the API answers. The fields stand here once: for the answers and for the schema."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


@extend_schema_field(float)
class NumberField(serializers.Field):
    """Points as a JSON number: exact to two decimals, which a double holds."""

    def to_representation(self, value: object) -> float:
        return float(value)  # type: ignore[arg-type]  # a Decimal or a float


class TokenAnswer(serializers.Serializer):
    token = serializers.CharField()
    expires_at = serializers.DateTimeField()


class BestAnswer(serializers.Serializer):
    verdict = serializers.CharField()
    score = NumberField()
    max_score = NumberField()
    solved_at = serializers.DateTimeField(allow_null=True)


class ExerciseLine(serializers.Serializer):
    """An exercise in a list."""

    slug = serializers.CharField()
    kind = serializers.CharField()
    title = serializers.CharField()
    points = NumberField()
    best = BestAnswer(allow_null=True)


class LessonLine(serializers.Serializer):
    slug = serializers.CharField()
    title = serializers.CharField()
    summary = serializers.CharField()


class CourseLine(serializers.Serializer):
    """A course in a list."""

    slug = serializers.CharField()
    title = serializers.CharField()
    summary = serializers.CharField()
    role = serializers.CharField(allow_null=True)


class AssignmentLine(serializers.Serializer):
    """An assignment with the caller's own dates."""

    slug = serializers.CharField()
    title = serializers.CharField()
    is_quiz = serializers.BooleanField()
    opens_at = serializers.DateTimeField(allow_null=True)
    due_at = serializers.DateTimeField(allow_null=True)
    closes_at = serializers.DateTimeField(allow_null=True)


class CourseAnswer(CourseLine):
    assignments = AssignmentLine(many=True)
    lessons = LessonLine(many=True)
    exercises = ExerciseLine(many=True)


class ProblemAnswer(serializers.Serializer):
    """What is wrong with a file of a course; `field` is dotted, empty where there is none."""

    file = serializers.CharField()
    line = serializers.IntegerField(allow_null=True)
    field = serializers.CharField(allow_blank=True)
    message = serializers.CharField()


class ProblemsAnswer(serializers.Serializer):
    problems = ProblemAnswer(many=True)


class LessonChange(serializers.Serializer):
    slug = serializers.CharField()
    change = serializers.CharField(help_text="added, changed, unchanged or retired")


class ExerciseChange(serializers.Serializer):
    slug = serializers.CharField()
    change = serializers.CharField(help_text="added, changed, unchanged, retired, or saved: kept, but not published")
    message = serializers.CharField(allow_blank=True, help_text="Why it is not proven sound")


class PushAnswer(serializers.Serializer):
    course = serializers.CharField()
    lessons = LessonChange(many=True)
    exercises = ExerciseChange(many=True)


class OptionAnswer(serializers.Serializer):
    id = serializers.CharField()
    text = serializers.CharField()


class PieceAnswer(serializers.Serializer):
    """Of a text with gaps: either text or the name of a gap."""

    text = serializers.CharField(required=False)
    gap = serializers.CharField(required=False)


class CriterionAnswer(serializers.Serializer):
    criterion = serializers.CharField()
    points = NumberField()


class ForbiddenAnswer(serializers.Serializer):
    names = serializers.ListField(child=serializers.CharField())
    operators = serializers.ListField(child=serializers.CharField())
    loops = serializers.BooleanField()


class PropertyAnswer(serializers.Serializer):
    property = serializers.CharField()
    points = NumberField()


class DemandsAnswer(serializers.Serializer):
    """What code is asked for beside values."""

    inputs_unchanged = serializers.BooleanField(help_text="Whether a call must leave its arguments as they are")
    gradients = serializers.ListField(child=serializers.CharField(), help_text="Arguments whose gradients are judged")
    forbid = ForbiddenAnswer()
    properties = PropertyAnswer(many=True)
    training = serializers.DictField(allow_null=True, help_text="How predictions are measured, and within which steps")
    words = serializers.ListField(child=serializers.CharField(), help_text="All of it in sentences")


class ExerciseAnswer(ExerciseLine):
    course = serializers.CharField()
    version = serializers.IntegerField()
    difficulty = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField())
    prompt = serializers.CharField(help_text="Markdown")
    starter = serializers.CharField(allow_null=True)
    entry = serializers.CharField(allow_null=True)
    limits = serializers.DictField(allow_null=True)
    demands = DemandsAnswer()
    response_schema = serializers.DictField()
    options = OptionAnswer(many=True, required=False, help_text="Of a choice; the ids are the caller's own")
    multiple = serializers.BooleanField(required=False)
    pieces = PieceAnswer(many=True, required=False, help_text="Of blanks: the template, cut at its gaps")
    gaps = serializers.ListField(child=serializers.CharField(), required=False)
    lines = OptionAnswer(many=True, required=False, help_text="Of an ordering, those among them that do not belong")
    indent = serializers.BooleanField(required=False, help_text="Whether lines are to be indented, in levels")
    left = OptionAnswer(many=True, required=False, help_text="Of a matching")
    right = OptionAnswer(many=True, required=False)
    rubric = CriterionAnswer(many=True, required=False, help_text="Of an explanation")
    cases = serializers.ListField(child=serializers.DictField(), help_text="Visible ones: inputs and expected output")
    attempts_left = serializers.IntegerField(allow_null=True, help_text="null: as many as one likes")
    is_solution_open = serializers.BooleanField(help_text="Whether its page shows the caller the solution by now")


class CaseAnswer(serializers.Serializer):
    name = serializers.CharField()
    visible = serializers.BooleanField()
    verdict = serializers.CharField()
    points = NumberField()
    max_points = NumberField()
    feedback = serializers.DictField()


class SubmissionAnswer(serializers.Serializer):
    id = serializers.IntegerField()
    receipt = serializers.CharField()
    course = serializers.CharField()
    exercise = serializers.CharField()
    assignment = serializers.CharField(allow_null=True, help_text="Slug of the one that it was handed in to")
    counted = serializers.BooleanField(help_text="false for practice: judged, and in no score")
    version = serializers.IntegerField()
    state = serializers.CharField(help_text="queued, running, graded, or superseded (replaced, taken back)")
    awaiting = serializers.CharField(allow_null=True, help_text="What it waits for: worker, review or release")
    verdict = serializers.CharField(allow_null=True)
    score = NumberField(allow_null=True)
    max_score = NumberField(allow_null=True)
    feedback = serializers.DictField(allow_null=True)
    cases = CaseAnswer(many=True, help_text="Those judged so far")
    hidden_case = serializers.DictField(
        allow_null=True, help_text="The smallest hidden case that failed, where the exercise reveals it by now"
    )
    stdout = serializers.CharField(allow_null=True)
    error = serializers.DictField(allow_null=True)
    created_at = serializers.DateTimeField()
    graded_at = serializers.DateTimeField(allow_null=True)
    events_url = serializers.CharField(allow_null=True, help_text="Server-sent events; null when graded")


class RunAnswer(serializers.Serializer):
    id = serializers.IntegerField()
    kind = serializers.CharField()
    state = serializers.CharField()
    verdict = serializers.CharField(allow_null=True)
    stdout = serializers.CharField(allow_null=True)
    error = serializers.DictField(allow_null=True)
    value = serializers.CharField(allow_null=True, help_text="Of the last expression, as text")
    value_tensor = serializers.DictField(
        allow_null=True, help_text="The last expression's, as in `tensors`, if it is a tensor that no variable holds"
    )
    tensors = serializers.ListField(child=serializers.DictField(), help_text="Those that variables hold at the end")
    cases = serializers.ListField(child=serializers.DictField())
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    events_url = serializers.CharField(allow_null=True)


class LessonProgressAnswer(serializers.Serializer):
    slug = serializers.CharField()
    title = serializers.CharField()
    is_solved = serializers.BooleanField()
    exercises = serializers.ListField(child=serializers.CharField(), help_text="Slugs")


class ProgressAnswer(serializers.Serializer):
    course = serializers.CharField()
    title = serializers.CharField()
    solved = serializers.IntegerField(help_text="How many of the exercises")
    exercises = ExerciseLine(many=True)
    lessons = LessonProgressAnswer(many=True)
