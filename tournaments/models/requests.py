"""What a player says once the evening is over: his own link, what he finds wrong, what the three others say of it.

Fields and constraints only.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournaments.models.evening import Entrant, Play
from tournaments.models.results import ResultEntry


class PersonalLink(models.Model):
    """The link, and the code to be typed, that a player's papers carry; a reprint keeps them, a revoked one opens
    nothing. It says who asks, without an account."""

    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="links")
    token = models.CharField(max_length=43, unique=True)
    code = models.CharField(max_length=12)
    made_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entrant"], condition=Q(revoked_at=None), name="link_once_per_entrant"),
            models.UniqueConstraint(fields=["code"], name="link_code_once"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id}"


class CorrectionRequest(models.Model):
    """A player points at a play of his and says what was wrong with it. Decided once, by a director; `entry` is the
    result that came of it. One is open per play at a time. `results_version`: that of the session when it was granted,
    by which a publication is known to contain it; None for those granted before it was kept."""

    play = models.ForeignKey(Play, on_delete=models.PROTECT, related_name="requests")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="requests")
    text = models.CharField(max_length=500)
    asked_at = models.DateTimeField()
    accepted = models.BooleanField(null=True)
    answer = models.CharField(max_length=300, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    entry = models.ForeignKey(ResultEntry, null=True, on_delete=models.PROTECT, related_name="+")
    results_version = models.PositiveIntegerField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["play"], condition=Q(decided_at=None, withdrawn_at=None), name="request_one_open_per_play"
            ),
            models.CheckConstraint(condition=~Q(text=""), name="request_says_what"),
        ]

    def __str__(self) -> str:
        return f"{self.play_id} {self.entrant_id}"


class RequestAnswer(models.Model):
    """What one of the three others says of a request; the newest row of his is his word. `device` is the table's, where
    it was said there, and empty where it came by his own link."""

    request = models.ForeignKey(CorrectionRequest, on_delete=models.CASCADE, related_name="answers")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    agrees = models.BooleanField()
    device = models.CharField(max_length=120, blank=True)
    answered_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.request_id} {self.entrant_id} {self.agrees}"
