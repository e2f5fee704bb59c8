"""The models of records: the cards that were played, and what bots make of an étui. Fields and constraints."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from deals.models import LINE_CHOICES, SEAT_CHOICES, Etui
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


class BotSpread(models.Model):
    """The plays of an étui by four bots of one level, each with its own random choices.

    `taker`: the seat that plays an imposed garde; "" if there is an auction. `digest`: a digest of the cards, the
    dealer and the taker, by which pages find the row. `plays` has the base score of each play so far and 1 if the
    contract was made, 0 if not. `count` is their number, and `wanted` the number at the end. `took` and `contract` are
    the same in all plays, because bots bid without chance; they are "" if everybody passed. `asked_at`: when a director
    asked.
    """

    etui = models.ForeignKey(Etui, on_delete=models.CASCADE, related_name="bot_spreads")
    taker = models.CharField(max_length=1, choices=SEAT_CHOICES, blank=True)
    digest = models.CharField(max_length=64, db_index=True)
    level = models.PositiveSmallIntegerField()
    bots_version = models.CharField(max_length=20)
    took = models.CharField(max_length=1, choices=SEAT_CHOICES, blank=True)
    contract = models.CharField(max_length=20, blank=True)
    plays = models.JSONField(default=list)
    count = models.PositiveSmallIntegerField(default=0)
    wanted = models.PositiveSmallIntegerField()
    asked_at = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["etui", "taker"], name="bot_spread_once_per_etui_and_taker"),
            models.CheckConstraint(condition=Q(count__lte=F("wanted")), name="bot_spread_within_its_number"),
            models.CheckConstraint(
                condition=Q(made_at=None, count__lt=F("wanted")) | Q(made_at__isnull=False, count=F("wanted")),
                name="bot_spread_made_at_its_end",
            ),
        ]
        indexes = [models.Index(fields=["asked_at"], condition=Q(made_at=None), name="bot_spread_to_make")]

    def __str__(self) -> str:
        return f"{self.etui_id} {self.taker or '–'}"
