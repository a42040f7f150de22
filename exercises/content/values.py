"""What reading a course folder gives: frozen values, ready to be stored."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

DEFAULT_MUTATION_SCORE = 0.9

Fate = Literal["killed", "survived", "broken", "equivalent"]
FATES: tuple[Fate, ...] = get_args(Fate)


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _to_seconds(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(microsecond=0)


class CertificateFile(_Value):
    """What a check found, which proves sound whatever has this grading hash.

    `mutation_score`, 0 to 1, is None for questions, of which there are no mutants. `mutants` counts them by their fate.
    """

    format: Literal[1] = 1
    grading_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    mutation_score: Annotated[float, Field(ge=0, le=1)] | None = None
    mutants: dict[Fate, Annotated[int, Field(ge=0)]] = Field(default_factory=dict)
    torch_version: Annotated[str, Field(max_length=40)] = ""
    checked_at: Annotated[AwareDatetime, AfterValidator(_to_seconds)]


class ExerciseFolder(_Value):
    """One exercise.

    `definition` is {"exercise": exercise.yaml with all defaults filled in, "files": {path: text}}. There texts have
    plain line ends, and `data/…` is base64; "raw" holds {path: base64} of the bytes of texts that had other line ends.
    `content_hash` covers all of it, `grading_hash` only what a verdict depends on. `certificate` is that of the folder,
    which may be of another grading hash.
    """

    slug: str
    kind: str
    title: str
    points: Decimal
    definition: dict[str, Any]
    content_hash: str
    grading_hash: str
    certificate: CertificateFile | None = None


class LessonFolder(_Value):
    """One lesson. `source` is its file, with its own line ends.

    The other parts are described at `exercises.content.markdown.Rendered`.
    """

    slug: str
    title: str
    summary: str
    source: str
    html: str
    snippets: tuple[dict[str, Any], ...]
    checks: tuple[dict[str, Any], ...]
    contents: tuple[tuple[int, str, str], ...]
    search_text: str
    exercises: tuple[str, ...]


class AssetFile(_Value):
    """A picture or a small data file; `path` is within `assets/`, `digest` the SHA-256 of its content."""

    path: str
    media_type: str
    digest: str
    content: bytes


class CourseFolder(_Value):
    """A whole course. Exercises come in the order in which the lessons embed them, then the others by slug.

    `mutation_score` is what each exercise of code must reach to be published. `source` is course.yaml, with its own
    line ends.
    """

    slug: str
    title: str
    summary: str
    self_paced: bool
    time_zone: str
    mutation_score: float = DEFAULT_MUTATION_SCORE
    source: str = ""
    lessons: tuple[LessonFolder, ...]
    exercises: tuple[ExerciseFolder, ...]
    assets: tuple[AssetFile, ...]
