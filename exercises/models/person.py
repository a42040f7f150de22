from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """A person. `issuer` and `external_id` name them at a university log-in, where there is one."""

    issuer = models.CharField(max_length=200, blank=True)
    external_id = models.CharField(max_length=200, blank=True)

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["issuer", "external_id"],
                condition=~models.Q(external_id=""),
                name="one_user_per_external_id",
            ),
        ]

    def __str__(self) -> str:
        return self.get_full_name() or self.username


class SignInLink(models.Model):
    """A link that signs its visitor in, once. Only a hash of its token is stored."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_in_links")
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"sign-in link {self.pk} of {self.user_id}"
