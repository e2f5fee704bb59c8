"""The model of records: the cards that were played in a play. Fields and constraints only."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from deals.models import LINE_CHOICES
from tournaments.models.plays import Play


class PlayRecord(models.Model):
    """A record of the cards of a play, complete or in part, without the hands of the étui.

    `text` is the text of docs/records.md. It names seats and no people. Rows are only added: a correction is a new
    version. `current` marks the version that counts, and is the only field that changes. A `contested` record arrived
    when somebody else had already recorded something different: it is stored for the director, and does not count.
    `author` is the account that stored the record. It is None for a record from a table's own device; `seat` then says
    who recorded it. `key` is a number that the sender chose: a record sent twice with the same key is stored once.
    `typed_at` is the time on the sender's clock, which may be wrong.
    """

    play = models.ForeignKey(Play, on_delete=models.PROTECT, related_name="records")
    version = models.PositiveSmallIntegerField()
    current = models.BooleanField(default=True)
    text = models.CharField(max_length=2000)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    device = models.CharField(max_length=120, blank=True)
    seat = models.CharField(max_length=1, choices=LINE_CHOICES, blank=True)
    key = models.UUIDField(null=True, blank=True, unique=True)
    contested = models.BooleanField(default=False)
    typed_at = models.DateTimeField(null=True, blank=True)
    recorded_at = models.DateTimeField()
    reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["play", "version"]
        constraints = [
            models.UniqueConstraint(fields=["play"], condition=Q(current=True), name="record_one_current_per_play"),
            models.UniqueConstraint(fields=["play", "version"], name="record_version_once_per_play"),
            models.CheckConstraint(
                condition=Q(version=1) | Q(author=None) | ~Q(reason=""), name="record_correction_has_reason"
            ),
            models.CheckConstraint(
                condition=Q(author__isnull=False) | Q(key__isnull=False), name="record_has_a_sender"
            ),
            models.CheckConstraint(condition=Q(contested=False) | Q(current=False), name="record_contested_counts_not"),
        ]

    def __str__(self) -> str:
        return f"{self.play_id} record {self.version}"

    @property
    def sender_name(self) -> str:
        """The shown name of the person who stored the record, or the name of the table's device."""
        return self.author.shown_name if self.author else self.device
