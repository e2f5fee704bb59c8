"""The model of a site's first run."""

from django.db import models


class FirstRun(models.Model):
    """The only row of its table. It has the digest of the key that a server asks for when a site is set up.

    It is locked while somebody sets up the site, so that only one person does.
    """

    THE_ONE = 1

    key_digest = models.CharField(max_length=64, blank=True, editable=False)

    def __str__(self) -> str:
        return "first run"
