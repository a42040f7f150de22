"""Second factors as an authenticator app has them, for tests."""

from allauth.mfa.totp.internal import auth

PASSWORD = "correct-horse-battery"


def give_password(user):
    user.set_password(PASSWORD)
    user.save()


def give_second_factor(user):
    """The user's secret, as their app would keep it."""
    give_password(user)
    secret = auth.generate_totp_secret()
    auth.TOTP.activate(user, secret)
    return secret


def code_of(secret):
    counter = next(auth.yield_hotp_counters_from_time())
    return auth.format_hotp_value(auth.hotp_value(secret, counter))
