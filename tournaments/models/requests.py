"""The models of players' requests for corrections and personal links, and the secret addresses of calendars.

Fields and constraints only.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q

from clubs.models import Player
from tournaments.models.plays import Entrant, Play
from tournaments.models.results import ResultEntry
from tournaments.models.teams import TeamMember


class PersonalLink(models.Model):
    """A player's personal link, printed on their papers with a code that can be typed instead.

    If the entrant is a team, each member has a link of their own: `member` is the owner of the link. The link and the
    code identify the player, who needs no account. A paper printed again has the same link. A link is not valid once it
    is revoked.
    """

    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="links")
    member = models.ForeignKey(TeamMember, null=True, blank=True, on_delete=models.CASCADE, related_name="links")
    token = models.CharField(max_length=43, unique=True)
    code = models.CharField(max_length=12)
    made_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["entrant"], condition=Q(revoked_at=None, member=None), name="link_once_per_entrant"
            ),
            models.UniqueConstraint(
                fields=["entrant", "member"],
                condition=Q(revoked_at=None, member__isnull=False),
                name="link_once_per_member",
            ),
            models.UniqueConstraint(fields=["code"], name="link_code_once"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id}"

    @property
    def person(self) -> Player:
        """The player whose link it is: the member of a team, or the entrant's player."""
        return self.entrant.single if self.member is None else self.member.player

    @property
    def name(self) -> str:
        """The name of the member if the entrant is a team, otherwise the name of the entrant."""
        return self.entrant.name if self.member is None else self.member.player.name


class CorrectionRequest(models.Model):
    """A player's request to correct one of their plays. A director decides it once.

    If the entrant is a team, `member` is the member who asks.

    `entry` is the corrected result, if there is one. A play has at most one open request. `results_version` is the
    results version of the session when the request was granted: it shows which publications contain the correction. It
    is None for requests granted before the site stored it.
    """

    play = models.ForeignKey(Play, on_delete=models.PROTECT, related_name="requests")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="requests")
    member = models.ForeignKey(TeamMember, null=True, blank=True, on_delete=models.PROTECT, related_name="requests")
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

    @property
    def asker(self) -> str:
        """The name of the player who asks. For a team it has the name of the member and that of the team."""
        if self.member is None:
            return self.entrant.name
        return f"{self.member.player.name} ({self.entrant.name})"


class RequestAnswer(models.Model):
    """An answer of one of the three other players to a request. The newest row of a player counts.

    If teams play, the other team answers: its newest row counts, and `member` is the member who gave it.

    `device` is the table's device if the answer came from there, and "" if it came by the player's own link.
    """

    request = models.ForeignKey(CorrectionRequest, on_delete=models.CASCADE, related_name="answers")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    member = models.ForeignKey(TeamMember, null=True, blank=True, on_delete=models.PROTECT, related_name="answers")
    agrees = models.BooleanField()
    device = models.CharField(max_length=120, blank=True)
    answered_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.request_id} {self.entrant_id} {self.agrees}"


class CalendarLink(models.Model):
    """A secret address of a calendar, which belongs either to an account or to a player's personal link.

    With `user`, the calendar shows the evenings of the account's players in all their clubs. With `personal`, it shows
    the player's evenings in the club of that link. The address is no longer valid once it or its personal link is
    revoked.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="calendar_links"
    )
    personal = models.ForeignKey(PersonalLink, null=True, on_delete=models.CASCADE, related_name="calendar_links")
    token = models.CharField(max_length=43, unique=True)
    made_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user"], condition=Q(revoked_at=None), name="calendar_once_per_account"),
            models.UniqueConstraint(fields=["personal"], condition=Q(revoked_at=None), name="calendar_once_per_link"),
            models.CheckConstraint(
                condition=Q(user=None, personal__isnull=False) | Q(user__isnull=False, personal=None),
                name="calendar_of_an_account_or_a_link",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id or ''} {self.personal_id or ''}".strip()
