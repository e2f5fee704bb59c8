"""The models of the hall: the tables' own devices, calls for the arbiter, directors who play, and the log.

Fields and constraints only.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.evening import Session, Table
from tournaments.models.plays import Entrant, Play


class TableToken(models.Model):
    """The secret code on a table's card: it opens the table's screen without an account, until revoked or expired.

    `token` is the code that a camera reads. `number` is a shorter code to type, which opens the same screen. Both
    expire a day after the session's newest publication (`permissions.open_codes`), and at `expires_at` at the latest.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="tokens")
    token = models.CharField(max_length=43, unique=True)
    number = models.CharField(max_length=12, blank=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["table"], condition=Q(revoked_at=None), name="token_one_open_per_table"),
            models.UniqueConstraint(fields=["number"], condition=~Q(number=""), name="token_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} token {self.pk}"


class TableDevice(models.Model):
    """A device that has opened a table's screen. One device of a table enters results (`writes`); the others follow.

    `label` is the device's name for people, also in the log and in entries. It has the table, the make, and the
    device's number at the table. A device that comes back keeps its label.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="devices")
    device = models.CharField(max_length=32)
    name = models.CharField(max_length=60, blank=True)
    label = models.CharField(max_length=120, blank=True)
    writes = models.BooleanField(default=False)
    joined_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["table", "device"], name="device_once_per_table"),
            models.UniqueConstraint(fields=["table"], condition=Q(writes=True), name="device_one_writes_per_table"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} {self.device}"


MOST_WRONG = 50  # wrong codes that may be typed before an arbiter's code ends


class ArbiterCode(models.Model):
    """A code shown on the desk. A director types it on a table's own device to rule there without a password.

    `code` is emptied once it has been typed. From then on `grant`, the digest of a secret that the device keeps,
    identifies the device. Both expire at `expires_at`. The director who made the code is the author of everything that
    is done with it.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="arbiter_codes")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    code = models.CharField(max_length=8, blank=True)
    grant = models.CharField(max_length=64, blank=True)
    tries_left = models.PositiveSmallIntegerField()
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    came_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(ended_at=None), name="arbiter_code_one_open_per_table"
            )
        ]

    def __str__(self) -> str:
        return f"{self.table_id} arbiter {self.pk}"

    @property
    def wrong_tries(self) -> int:
        """The number of wrong codes that were typed in place of this one."""
        return MOST_WRONG - self.tries_left


class ArbiterCall(models.Model):
    """A table's call for the arbiter. The desk rings until a director answers. `reason` is "" if none was given."""

    class CallReason(models.TextChoices):
        RULES = "rules", _("a question about the rules")
        CARDS = "cards", _("the étui or its cards")
        IRREGULARITY = "irregularity", _("an irregularity: a revoke, a card seen")
        RESULT = "result", _("the result or how it is entered")
        DEVICE = "device", _("the phone or the screen")

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="calls")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="calls")
    play = models.ForeignKey(Play, null=True, blank=True, on_delete=models.SET_NULL, related_name="calls")
    key = models.UUIDField(unique=True)
    called_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=12, choices=CallReason, blank=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.table_id} call {self.pk}"


class PlayingDirector(models.Model):
    """A director who also plays in the session.

    The results of étuis that the director has still to play are hidden from them, until `lifted_at` is set.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="playing_directors")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="+")
    lifted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "user"], name="director_plays_once_per_session")]

    def __str__(self) -> str:
        return f"{self.user_id} plays {self.entrant_id}"


class LogEntry(models.Model):
    """A line of a session's log: time, author, device, and the action as a code with params. Rows are only added.

    `words` has the names and numbers that the action is about. The search of the log looks there.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="log")
    at = models.DateTimeField()
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    device = models.CharField(max_length=120, blank=True)
    action = models.CharField(max_length=30)
    params = models.JSONField(default=dict)
    words = models.CharField(max_length=400, blank=True)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "log entries"

    def __str__(self) -> str:
        return f"{self.session_id} {self.action}"
