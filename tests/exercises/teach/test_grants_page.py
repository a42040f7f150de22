"""One form after an outage: who, what, why."""

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from exercises.models import AuditEntry, Extension, Membership
from tests.factories import make_assignment, make_exercise


def test_section_or_everyone_gets_the_same(client, people, course):
    client.force_login(people["teacher"])
    assignment = make_assignment(make_exercise(course), due_at=timezone.now(), title="Week 1")
    Membership.objects.filter(course=course, user=people["owner"]).update(section="Monday")
    address = reverse("teach:grants", args=(course.slug,))
    form = {"assignment": assignment.slug, "minutes": "30", "reason": "The site was down."}

    shown = client.get(address).content.decode()
    one = client.post(address, {**form, "who": "section:Monday"}, follow=True).content.decode()
    both = client.post(address, {**form, "who": "everyone"}, follow=True).content.decode()

    assert "Monday" in shown
    assert "Granted to 1 student, who is told." in one
    assert "Granted to 2 students, who are told." in both
    later = dict(Extension.objects.values_list("student", "due_at"))
    assert later[people["owner"].pk] == assignment.due_at + timedelta(hours=1)
    assert later[people["classmate"].pk] == assignment.due_at + timedelta(minutes=30)
    assert [entry.target for entry in AuditEntry.objects.all()] == ["everyone", "Monday"]


def test_form_says_what_is_missing(client, people, course):
    client.force_login(people["teacher"])

    answer = client.post(reverse("teach:grants", args=(course.slug,)), {"who": "everyone", "reason": "So."})

    assert answer.status_code == 400
    assert "Say what you grant" in answer.content.decode()
