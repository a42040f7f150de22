import pytest
from allauth.mfa.models import Authenticator
from django.urls import reverse

from exercises.services import create_sign_in_link, erase_account
from exercises.sign_in.second_factor import SecondFactorAdapter
from tests.exercises.api.client import Caller
from tests.exercises.sign_in.apps import PASSWORD, code_of, give_password, give_second_factor
from tests.factories import make_exercise, make_graded


def sign_in(client, user):
    return client.post("/account/login/", {"login": user.username, "password": PASSWORD})


def is_signed_in(client):
    return "_auth_user_id" in client.session


def test_keys_are_stored_encrypted_and_readable_after_a_change_of_secret(settings, people):
    secret = give_second_factor(people["teacher"])
    stored = Authenticator.objects.get(type="totp").data["secret"]

    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another" * 8

    assert secret not in stored
    assert SecondFactorAdapter().decrypt(stored) == secret


def test_password_alone_does_not_sign_in_whoever_has_a_second_factor(client, people):
    secret = give_second_factor(people["teacher"])

    asked = sign_in(client, people["teacher"])

    assert asked["Location"] == "/account/second-factor/authenticate/"
    assert not is_signed_in(client)
    client.post(asked["Location"], {"code": "000000" if code_of(secret) != "000000" else "111111"})
    assert not is_signed_in(client)
    client.post(asked["Location"], {"code": code_of(secret)})
    assert is_signed_in(client)


def test_link_alone_does_not_either(client, people):
    give_second_factor(people["teacher"])

    client.post(f"/sign-in/{create_sign_in_link(people['teacher'])}/")

    assert not is_signed_in(client)


def test_password_alone_makes_no_token_for_them(people):
    give_second_factor(people["teacher"])
    give_password(people["owner"])

    refused = Caller().post("token/", {"username": people["teacher"].username, "password": PASSWORD})
    made = Caller().post("token/", {"username": people["owner"].username, "password": PASSWORD})

    assert (refused.status_code, made.status_code) == (403, 200)
    assert "account page" in refused.json()["detail"]


@pytest.fixture
def asked_of_staff(settings):
    settings.STAFF_SECOND_FACTOR = True


@pytest.mark.usefixtures("asked_of_staff")
def test_staff_without_one_are_led_to_set_it_up(client, people, course):
    client.force_login(people["teacher"])

    page = client.get(reverse("teach:class", args=[course.slug]))
    call = client.get(f"/api/v1/courses/{course.slug}/gradebook/")

    assert page["Location"] == "/account/second-factor/totp/activate/"
    assert (call.status_code, "second factor" in call.json()["detail"]) == (403, True)
    assert client.get("/").status_code == 200


@pytest.mark.usefixtures("asked_of_staff")
def test_staff_with_one_and_students_go_on(client, people, course):
    give_second_factor(people["teacher"])
    client.force_login(people["teacher"])
    assert client.get(reverse("teach:class", args=[course.slug])).status_code == 200

    client.force_login(people["owner"])
    assert client.get(reverse("teach:class", args=[course.slug])).status_code == 404
    assert client.get("/api/v1/courses/").status_code == 200


@pytest.mark.usefixtures("asked_of_staff")
def test_what_pages_of_students_show_to_staff_takes_one_too(client, people, course):
    graded = make_graded(people["owner"], make_exercise(course))
    elsewhere = make_graded(people["teacher"], make_exercise())
    pages = (
        *(reverse(f"learn:{name}", args=[graded.pk]) for name in ("submission", "submission-panel", "compare")),
        reverse("learn:course", args=[course.slug]),
        reverse("learn:exercise", args=[course.slug, graded.exercise.slug]),
        reverse("learn:search"),
        reverse("learn:download-own-data"),
    )
    client.force_login(people["teacher"])

    led = {client.get(page).get("Location") for page in pages}
    own = client.get(reverse("learn:submission", args=[elsewhere.pk]))

    assert led == {"/account/second-factor/totp/activate/"}
    assert own.status_code == 200
    client.force_login(people["owner"])
    assert client.get(pages[0]).status_code == 200


@pytest.mark.usefixtures("asked_of_staff")
def test_token_of_before_is_no_way_around(people, course):
    caller, of_student = Caller(people["teacher"]), Caller(people["owner"])

    refused = caller.get(f"courses/{course.slug}/gradebook/")
    give_second_factor(people["teacher"])

    assert (refused.status_code, "second factor" in refused.json()["detail"]) == (403, True)
    assert caller.get(f"courses/{course.slug}/gradebook/").status_code == 200
    assert of_student.get("courses/").status_code == 200


@pytest.mark.usefixtures("asked_of_staff")
def test_staff_without_one_make_no_token(client, people):
    give_password(people["teacher"])
    client.force_login(people["teacher"])

    by_page = client.post("/account/tokens/make/")
    by_password = Caller().post("token/", {"username": people["teacher"].username, "password": PASSWORD})

    assert by_page["Location"] == "/account/second-factor/totp/activate/"
    assert by_password.status_code == 403


def test_app_is_set_up_with_its_code_and_recovery_codes_sign_in_once(client, people):
    give_password(people["teacher"])
    sign_in(client, people["teacher"])
    asked = client.get("/account/second-factor/totp/activate/")
    client.post(asked["Location"], {"password": PASSWORD})
    page = client.get("/account/second-factor/totp/activate/")
    secret = page.context["form"].secret

    client.post("/account/second-factor/totp/activate/", {"code": code_of(secret)})
    shown = client.get("/account/second-factor/recovery-codes/")
    code = shown.context["unused_codes"][0]

    assert shown.status_code == 200
    assert [spent_recovery_code(client, people["teacher"], code) for _ in range(2)] == [True, False]


def test_whoever_has_no_password_sets_one_up_without(client, people):
    people["teacher"].set_unusable_password()
    people["teacher"].save()
    client.post(f"/sign-in/{create_sign_in_link(people['teacher'])}/")

    assert client.get("/account/second-factor/totp/activate/").status_code == 200


def spent_recovery_code(client, user, code):
    client.logout()
    client.post(sign_in(client, user)["Location"], {"code": code})
    return is_signed_in(client)


def test_erasure_takes_the_second_factor_along(people):
    give_second_factor(people["owner"])

    erase_account(people["owner"], proof=PASSWORD)

    assert not Authenticator.objects.exists()
