"""The model of the sealed files with which a simultaneous is played on several sites."""

from django.db import models
from django.db.models import Q

from deals.secret import SecretTextField
from tournaments.models.simultaneous.rows import Simultaneous


class SealedEtuis(models.Model):
    """The sealed étuis of a simultaneous that several sites play.

    `key` names the simultaneous on every site. On the organiser's site, `secret` is the key that opens the sealed
    cards. On another site, `content` is the sealed file, `organiser` the club that sent it, and `address` its page on
    the organiser's site.
    """

    simultaneous = models.OneToOneField(Simultaneous, on_delete=models.CASCADE, related_name="sealed", primary_key=True)
    key = models.UUIDField()
    secret = SecretTextField(blank=True)
    content = models.BinaryField(null=True, blank=True)
    organiser = models.CharField(max_length=120, blank=True)
    address = models.CharField(max_length=300, blank=True)
    made_at = models.DateTimeField()
    opened_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "sealed étuis"
        constraints = [
            models.CheckConstraint(
                condition=Q(~Q(secret=""), content=None) | Q(secret="", content__isnull=False),
                name="sealed_etuis_sent_or_received",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.simultaneous_id}: {self.key}"
