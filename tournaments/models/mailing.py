"""The models of feuilles de route by mail: the accounts that want them, and the letters already sent.

Fields and constraints only.
"""

from django.conf import settings
from django.db import models

from tournaments.models.published import Publication


class FeuilleMail(models.Model):
    """A subscription: the account gets the feuilles of its players by mail, from `asked_at` on.

    The row is deleted when the subscription ends. Each letter has a link to end it, and `token` is part of that link.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="feuille_mail")
    token = models.CharField(max_length=43, unique=True)
    asked_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.user_id)


class SentFeuille(models.Model):
    """A record that an account has got the feuilles of a published version by mail. Each version is sent once."""

    publication = models.ForeignKey(Publication, on_delete=models.CASCADE, related_name="sent_feuilles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sent_feuilles")
    sent_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["publication", "user"], name="feuille_sent_once_a_version")]

    def __str__(self) -> str:
        return f"{self.publication_id} {self.user_id}"
