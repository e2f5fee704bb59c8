"""What is kept of the site as a whole."""

from django.db import models


class FirstRun(models.Model):
    """One row, whose lock lets one of several beginners win; with the key that a server asks the first one for."""

    THE_ONE = 1

    key_digest = models.CharField(max_length=64, blank=True, editable=False)

    def __str__(self) -> str:
        return "first run"
