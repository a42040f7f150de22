from __future__ import annotations

from collections.abc import Iterator, Mapping

from exercises.content.certificate import CERTIFICATE_FILE, write_certificate
from exercises.content.course import CourseFields
from exercises.content.values import CertificateFile
from exercises.content.writing import course_yaml, exercise_files, files_of_stored
from exercises.models import Certificate, Course, Exercise, ExerciseVersion, Revision

Files = dict[str, bytes]


def course_files(course: Course, *, heads: bool = False) -> Files:
    """The course folder, `{path: content}`: what students see, byte by byte as it was loaded where it still says so.

    Of an exercise that was never published the working copy is taken; with `heads` of every exercise that has one.
    Retired lessons and exercises are left out.
    """
    files = _own_files(course)
    certificates = _certificates(course)
    exercises = course.exercises.filter(is_retired=False).select_related("published")
    for exercise in exercises:
        own = dict(_exercise_files(exercise, certificates, heads=heads))
        files |= {f"exercises/{exercise.slug}/{path}": content for path, content in own.items()}
    return dict(sorted(files.items()))


def version_files(version: ExerciseVersion) -> Files:
    """The files of one version, `{path: content}` within its folder, with the certificate that it has."""
    certificate = Certificate.objects.filter(exercise=version.exercise_id, grading_hash=version.grading_hash).first()
    return exercise_files(version.definition, certificate_file(certificate) if certificate else None)


def certificate_file(certificate: Certificate) -> CertificateFile:
    """The certificate as it stands in a folder."""
    return CertificateFile(
        grading_hash=certificate.grading_hash,
        mutation_score=certificate.mutation_score,
        mutants=certificate.mutants,
        torch_version=certificate.torch_version,
        checked_at=certificate.checked_at,
    )


def _own_files(course: Course) -> Files:
    """course.yaml, lessons and assets."""
    lessons = list(course.lessons.filter(is_retired=False))
    fields = CourseFields.model_construct(
        title=course.title,
        summary=course.summary,
        lessons=tuple(lesson.slug for lesson in lessons),
        self_paced=course.self_paced,
        time_zone=course.time_zone,
        mutation_score=course.required_score,
    )
    files = {"course.yaml": course_yaml(fields, course.source).encode()}
    files |= {f"lessons/{lesson.slug}.md": lesson.source.encode() for lesson in lessons}
    return files | {f"assets/{asset.path}": bytes(asset.content) for asset in course.assets.all()}


def _exercise_files(
    exercise: Exercise, certificates: Mapping[tuple[int, str], CertificateFile], *, heads: bool
) -> Iterator[tuple[str, bytes]]:
    version = exercise.published
    if heads or version is None:
        head = exercise.revisions.filter(is_set_aside=False).first()
        if head is not None:
            yield from _head_files(head, certificates).items()
            return
    if version is not None:
        yield from exercise_files(version.definition, certificates.get((exercise.pk, version.grading_hash))).items()


def _head_files(head: Revision, certificates: Mapping[tuple[int, str], CertificateFile]) -> Files:
    certificate = certificates.get((head.exercise_id, head.grading_hash))
    proof = {CERTIFICATE_FILE: write_certificate(certificate)} if certificate else {}
    return files_of_stored(head.files) | proof


def _certificates(course: Course) -> dict[tuple[int, str], CertificateFile]:
    found = Certificate.objects.filter(exercise__course=course).defer("report")
    return {(row.exercise_id, row.grading_hash): certificate_file(row) for row in found}
