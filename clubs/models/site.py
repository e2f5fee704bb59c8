"""The model of the site as a whole."""

from django.db import models


class FirstRun(models.Model):
    """The one row whose lock lets only one of several people set up the site. It has the key that a server asks for."""

    THE_ONE = 1

    key_digest = models.CharField(max_length=64, blank=True, editable=False)

    def __str__(self) -> str:
        return "first run"
