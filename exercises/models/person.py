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
