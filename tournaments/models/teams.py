"""The models of teams: the teams of a tournament, who is a member of each from when until when, and their line-ups.

Fields and constraints only. A team takes part in a session as an `Entrant`, as a single player does.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Player, validate_name
from tournaments.models.evening import Session, Tournament


class Team(models.Model):
    """A team of a tournament, known by its number. A team without a name is shown by its number: "Team 7".

    A team that has left the tournament has `left_at`. Its members and its results stay.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="teams")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=60, blank=True, validators=[validate_name])
    captain = models.ForeignKey(Player, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True, blank=True, help_text="since when it takes part no more")
    left_reason = models.CharField(max_length=300, blank=True)

    # The name that readers may see, once `teams.naming.join_public_names` has set it. It is in no column.
    name_for_readers: str = ""

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="team_number_once_per_tournament"),
            models.UniqueConstraint(
                "tournament", Lower("name"), condition=~Q(name=""), name="team_name_once_per_tournament"
            ),
        ]

    def __str__(self) -> str:
        return self.name or f"{self.tournament_id} team {self.number}"

    @property
    def numbered(self) -> str:
        """The name of a team without a name of its own: "Team 7"."""
        return gettext("Team %(number)d") % {"number": self.number}

    @property
    def shown_name(self) -> str:
        """The name for directors and for the team itself: its own, or its number. Readers may see less of it."""
        return self.name or self.numbered

    @property
    def public_name(self) -> str:
        """The name that readers may see: the team's number, unless `join_public_names` has set another name."""
        return self.name_for_readers or self.numbered


class TeamMember(models.Model):
    """A player's membership in a team, from a position of a session on, and perhaps until another one.

    `place` is the member's place in the team, from 1. In triplettes it is the badge: 1 blue, 2 white, 3 red. A
    substitute takes over the place of the member in `replaces`. Without a session the membership begins with the
    tournament. It is active while `ended_at` is empty. `until_session` and `until_position` name the last position
    that a former member played; without a session they played none.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="team_members")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="members")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="memberships")
    place = models.PositiveSmallIntegerField()
    from_session = models.ForeignKey(Session, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    from_position = models.PositiveSmallIntegerField(default=1)
    until_session = models.ForeignKey(Session, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    until_position = models.PositiveSmallIntegerField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    replaces = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="replaced_by")
    reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["team", "place", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "player"],
                condition=Q(ended_at=None),
                name="member_of_one_team_per_tournament",
            ),
            models.UniqueConstraint(
                fields=["team", "place"], condition=Q(ended_at=None), name="member_place_once_per_team"
            ),
            models.CheckConstraint(condition=Q(place__gte=1), name="member_place_from_1"),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=False) | Q(until_session=None, until_position=None),
                name="member_until_once_ended",
            ),
            models.CheckConstraint(
                condition=Q(until_session=None, until_position=None)
                | Q(until_session__isnull=False, until_position__isnull=False),
                name="member_until_a_position",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team_id} {self.place} {self.player_id}"


class LineUp(models.Model):
    """A team's line-up for a session: who attacks, and in which seat each of the three others defends.

    It is for quadrettes and team matches, in which the attacker always sits South. Rows are only added: the newest one
    of a team in a session counts. It is secret until the session starts. `position` is empty for the whole session.
    Otherwise a director has changed the line-up from that position on, for the `reason`. A substitute takes over the
    seat of the member whom they replace. A row of a team match is for one `quarter`, and secret until the other team
    has one for it too.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="line_ups")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="line_ups")
    position = models.PositiveSmallIntegerField(null=True, blank=True)
    quarter = models.PositiveSmallIntegerField(null=True, blank=True)
    attacker = models.ForeignKey(TeamMember, on_delete=models.PROTECT, related_name="+")
    in_north = models.ForeignKey(TeamMember, on_delete=models.PROTECT, related_name="+")
    in_east = models.ForeignKey(TeamMember, on_delete=models.PROTECT, related_name="+")
    in_west = models.ForeignKey(TeamMember, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=300, blank=True)
    made_at = models.DateTimeField()
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["session", "team", "id"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(attacker=F("in_north"))
                & ~Q(attacker=F("in_east"))
                & ~Q(attacker=F("in_west"))
                & ~Q(in_north=F("in_east"))
                & ~Q(in_north=F("in_west"))
                & ~Q(in_east=F("in_west")),
                name="line_up_of_four_members",
            ),
            models.CheckConstraint(
                condition=Q(position=None) | (Q(position__gte=1) & ~Q(reason="")), name="line_up_change_with_reason"
            ),
            models.CheckConstraint(
                condition=Q(quarter=None) | Q(quarter__gte=1, position=None), name="line_up_of_a_quarter"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session_id} {self.team_id} {self.attacker_id}"

    @property
    def members(self) -> dict[str, int]:
        """The ids of the members by seat. The attacker sits South, at the other team's table."""
        return {"S": self.attacker_id, "N": self.in_north_id, "E": self.in_east_id, "W": self.in_west_id}


class MatchDecision(models.Model):
    """A director's decision which of two teams goes on in a knock-out: after a draw, or if the match is not played.

    Rows are only added: the newest one of a pair of teams counts.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="match_decisions")
    winner = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="+")
    loser = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=300)
    made_at = models.DateTimeField()
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["tournament", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(winner=F("loser")), name="match_decision_of_two_teams"),
            models.CheckConstraint(condition=~Q(reason=""), name="match_decision_with_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.winner_id} beats {self.loser_id}"
