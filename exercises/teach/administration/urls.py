"""What runs a course beside its exercises: grades and people. Part of `exercises.teach.urls`."""

from django.urls import path

from exercises.teach.administration import copying, gradebook, invitations, research, roster, viewing

_COURSE = "teach/<slug:course>/"
_ROSTER = f"{_COURSE}roster/"
_MEMBER = f"{_ROSTER}members/<int:member_id>/"

urlpatterns = [
    path(f"{_COURSE}gradebook/", gradebook.gradebook, name="gradebook"),
    path(f"{_COURSE}gradebook/csv/", gradebook.as_csv, name="gradebook-csv"),
    path(f"{_COURSE}gradebook/xlsx/", gradebook.as_xlsx, name="gradebook-xlsx"),
    path(f"{_COURSE}gradebook/rules/", gradebook.set_rules, name="grade-rules"),
    path(_ROSTER, roster.roster, name="roster"),
    path(f"{_ROSTER}csv/", roster.as_csv, name="roster-csv"),
    path(f"{_ROSTER}import/", invitations.look, name="roster-import"),
    path(f"{_ROSTER}import/take/", invitations.take, name="take-roster"),
    path(f"{_ROSTER}links/csv/", invitations.links_csv, name="roster-links-csv"),
    path(f"{_ROSTER}join-link/", roster.make_link, name="roster-link"),
    path(f"{_ROSTER}join-link/<int:link_id>/revoke/", roster.revoke_link, name="revoke-roster-link"),
    path(f"{_ROSTER}sections/", roster.move, name="move-to-section"),
    path(_MEMBER, roster.one_member, name="member"),
    path(f"{_MEMBER}remove/", roster.remove, name="remove-member"),
    path(f"{_MEMBER}reset/", roster.reset, name="reset-member"),
    path(f"{_COURSE}research/", research.research, name="research"),
    path(f"{_COURSE}research/export/", research.export, name="research-export"),
    path(f"{_COURSE}copy/", copying.copy, name="copy-course"),
    path(f"{_COURSE}view-as-student/", viewing.view_as_student, name="view-as-student"),
    path(f"{_COURSE}view-as-student/leave/", viewing.leave_view, name="leave-view"),
    path(f"{_COURSE}view-as-student/afresh/", viewing.forget, name="forget-preview"),
]
