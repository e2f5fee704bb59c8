"""The base model of links that work once."""

from django.conf import settings
from django.db import models


class OneUseLink(models.Model):
    """A link that works once for the person who has its token, until a certain time, unless it is revoked.

    Only a digest of the token is stored.
    """

    digest = models.CharField(max_length=64, unique=True, editable=False)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    by_site = models.BooleanField(
        default=False, editable=False, help_text="made for the site, by its administrator or a command of its server"
    )
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
        ordering = ["-made_at"]
