"""The files of a course: pictures and data, and the whole of it as a zip."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from exercises import services
from exercises.content import ContentError
from exercises.content.zips import read_zip, write_zip
from exercises.errors import ExerciseError
from exercises.learn.access import for_members, member
from exercises.models import Course
from exercises.queries import course_files
from exercises.teach.authoring.access import course_of_staff, course_to_change
from exercises.teach.authoring.answers import back_with, course_page

BAD_REQUEST = 400
LARGEST_FILE_BYTES = 1024 * 1024


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def files(request: HttpRequest, course: str) -> HttpResponse:
    """The assets; a POST adds some."""
    if request.method != "POST":
        found = course_of_staff(request, course)
        assets = [(asset, f"{len(asset.content) / 1024:.3g} KiB") for asset in found.assets.order_by("path")]
        return course_page(request, found, "files.html", assets=assets)
    found = course_to_change(request, course)
    uploads = request.FILES.getlist("upload")
    if not uploads:
        messages.error(request, _("Choose a file first."))
    for upload in uploads:
        name = str(upload.name)
        try:
            services.add_asset(found, name, content=upload.read(LARGEST_FILE_BYTES + 1), author=member(request))
        except ExerciseError as error:
            return back_with(request, error, _address(found))
        messages.success(request, _("%(name)s is there: ![description](assets/%(name)s)") % {"name": name})
    return redirect(_address(found))


@for_members
@require_POST
def remove(request: HttpRequest, course: str) -> HttpResponse:
    found = course_to_change(request, course)
    services.remove_asset(found.assets.get(path=request.POST.get("path", "")), author=member(request))
    return redirect(_address(found))


@for_members
@require_GET
def download(request: HttpRequest, course: str) -> HttpResponse:
    """The course folder as a zip, with the working copies of its exercises."""
    found = course_of_staff(request, course)
    response = HttpResponse(
        write_zip(course_files(found, heads=True), folder=found.slug), content_type="application/zip"
    )
    response["Content-Disposition"] = f'attachment; filename="{found.slug}.zip"'
    return response


@for_members
@require_POST
def upload(request: HttpRequest, course: str) -> HttpResponse:
    """Takes a zip of the course folder: all of it, or says everything that is wrong with it."""
    found = course_to_change(request, course)
    sent = request.FILES.get("zip")
    if sent is None:
        messages.error(request, _("Choose a zip file first."))
        return redirect("authoring:course", found.slug)
    try:
        taken, _is_new = services.push_course(found.slug, files=read_zip(sent), pusher=member(request))
    except ContentError as error:
        return course_page(request, found, "upload_refused.html", problems=error.problems, status=BAD_REQUEST)
    except ExerciseError as error:
        return back_with(request, error, reverse("authoring:course", args=(course,)))
    return course_page(request, found, "uploaded.html", taken=taken)


def _address(course: Course) -> str:
    return reverse("authoring:files", args=(course.slug,))
