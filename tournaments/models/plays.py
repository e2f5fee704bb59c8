"""The models of the plan of an evening: entrants, the étuis that they play, and the versions of the plan.

Fields and constraints, and one function that reads the players of plays. The start of a session makes a `Play` for
each étui at each table. A later change of the plan adds a `PlanVersion`.
"""

from collections.abc import Iterable

from django.conf import settings
from django.db import models
from django.db.models import Q

from clubs.models import Player
from clubs.names import simplify_name
from clubs.shown import public_name
from deals.models import LINE_CHOICES, SEAT_CHOICES, Etui
from scoring.plays import SEATS
from tournaments.models.evening import Session, Table
from tournaments.models.seats import ALL_SEAT_FIELDS, find_taker_seat, name_seats_by_line, read_seats, seat_entrants
from tournaments.models.teams import Team


class Entrant(models.Model):
    """A player or a team in a session: the line, the starting number, and the first and last position.

    Exactly one of `player` and `team` is set. A player keeps the line for the whole evening. A team that always sits
    North-South has the line N, one that always sits East-West has E, and one that changes sides has none.

    A substitute, who gets percentages of their own, is another entrant on the same seat, from a later position on. A
    `stand_in` plays for the entrant, who keeps the percentages. An entrant who left and came back has the times before
    in `earlier`. An entrant who is not `ranked` completes a table and is in no ranking.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="entrants")
    player = models.ForeignKey(Player, null=True, blank=True, on_delete=models.PROTECT, related_name="entries")
    team = models.ForeignKey(Team, null=True, blank=True, on_delete=models.PROTECT, related_name="entries")
    line = models.CharField(max_length=1, choices=LINE_CHOICES, blank=True)
    number = models.PositiveSmallIntegerField()
    ranked = models.BooleanField(default=True)
    first_position = models.PositiveSmallIntegerField(default=1)
    last_position = models.PositiveSmallIntegerField(null=True, blank=True)
    earlier = models.JSONField(default=list, blank=True, help_text="[number, first position, last position], in order")
    stand_in = models.ForeignKey(Player, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    stand_in_from = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["number", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "line", "number"],
                condition=Q(last_position=None),
                name="entrant_seat_once_at_a_time",
            ),
            models.UniqueConstraint(fields=["session", "player"], name="entrant_player_once_per_session"),
            models.UniqueConstraint(fields=["session", "team"], name="entrant_team_once_per_session"),
            models.CheckConstraint(
                condition=Q(player__isnull=False, team=None) & ~Q(line="") | Q(player=None, team__isnull=False),
                name="entrant_is_a_player_or_a_team",
            ),
            models.CheckConstraint(condition=Q(team=None) | Q(stand_in=None), name="entrant_team_has_no_stand_in"),
            models.CheckConstraint(
                condition=Q(stand_in=None, stand_in_from=None) | Q(stand_in__isnull=False, stand_in_from__isnull=False),
                name="entrant_stand_in_from_a_position",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.line}{self.number} {self.player}"

    @property
    def stays(self) -> list[tuple[int, int, int | None]]:
        """Each stay as (starting number, first position, last position), in order.

        The last position is None for a stay until the end.
        """
        return [*map(tuple, self.earlier), (self.number, self.first_position, self.last_position)]

    def is_there(self, position: int) -> bool:
        """Return whether the entrant takes part in the evening in that position."""
        return any(first <= position and (last is None or position <= last) for _number, first, last in self.stays)

    def number_at(self, position: int) -> int:
        """Return the entrant's starting number in that position.

        If the entrant is away then, return the number that the entrant has at the next return.
        """
        for number, _first, last in self.stays:
            if last is None or position <= last:
                return number
        return self.number

    @property
    def single(self) -> Player:
        """The player of an entrant that is not a team. Raise `ValueError` for a team."""
        if self.player is None:
            raise ValueError(f"entrant {self.pk} is a team, and no single player")
        return self.player

    @property
    def competitor(self) -> int:
        """The id of the entrant in rankings over several sessions: the player's id, or minus the team's number.

        The query must have joined the team.
        """
        return self.single.pk if self.team is None else -self.team.number

    def person_at(self, position: int) -> Player:
        """Return the person who plays in that position: the stand-in from `stand_in_from` on, else the player.

        Raise `ValueError` for a team.
        """
        stands_in = self.stand_in_from is not None and self.stand_in_from <= position
        return self.stand_in if stands_in and self.stand_in else self.single

    @property
    def own_name(self) -> str:
        """The name of the player or of the team, without a stand-in."""
        return self.single.name if self.team is None else self.team.shown_name

    @property
    def name_order(self) -> tuple[str, str]:
        """The key by which entrants are sorted by name: family name and first name, or the name of the team."""
        if self.team is not None:
            return simplify_name(self.team.shown_name), ""
        return simplify_name(self.single.last_name), simplify_name(self.single.first_name)

    @property
    def name(self) -> str:
        """The name of the player or of the team. A stand-in's name follows the player's: "Ada Roux / Léo Petit"."""
        return f"{self.own_name} / {self.stand_in.name}" if self.stand_in else self.own_name

    @property
    def public_name(self) -> str:
        """The public name of the player, followed by the stand-in's. The query must have joined PUBLIC_PEOPLE.

        For a team: its number, or its name once `teams.naming.join_public_names` has read whether readers may see it.
        """
        if self.team is not None:
            return self.team.public_name
        own = public_name(self.single)
        return f"{own} / {public_name(self.stand_in)}" if self.stand_in else own

    def get_name(self, *, by_name: bool) -> str:
        return self.name if by_name else self.public_name

    @property
    def listed(self) -> str:
        """The name with the family name first, as in a sorted list."""
        if self.team is not None:
            return self.team.shown_name
        return f"{self.single.listed} / {self.stand_in.listed}" if self.stand_in else self.single.listed


# The joins that a query of entrants needs for their public names. A merged player is shown under the name of the
# remaining player.
PUBLIC_PEOPLE = ("player__person", "stand_in__person", "team")


class Play(models.Model):
    """An étui at one table in one position, with the four players.

    Where the tables deal (`DealSet.free`), the étui is only a deal's number. Then three to five sit at the table: West
    is empty at three, and the `fifth` is there at five. `resting` is the seat that does not play the deal, or "".

    If two teams play, the attacking team is in the taker's seat, and the defending team in the three other seats.
    `badge` is then the place, in the attacking team, of the member whose turn it is to attack (1 blue, 2 white, 3 red).
    It is 0 if the rules name nobody.

    It is a *replay* if somebody at the table has already played the étui, because of a mistake in play. Nobody plays a
    replay, and if it was played, its result does not count.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="plays")
    position = models.PositiveSmallIntegerField()
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="plays")
    etui = models.ForeignKey(Etui, on_delete=models.PROTECT, related_name="plays")
    north = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    east = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    south = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    west = models.ForeignKey(Entrant, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    fifth = models.ForeignKey(Entrant, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    resting = models.CharField(max_length=1, choices=SEAT_CHOICES, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    is_replay = models.BooleanField(default=False)
    badge = models.PositiveSmallIntegerField(default=0, help_text="place of the team member whose turn it is to attack")

    class Meta:
        ordering = ["position", "table__number", "etui__number"]
        constraints = [
            models.UniqueConstraint(fields=["session", "position", "table", "etui"], name="play_planned_once"),
            *(
                models.UniqueConstraint(
                    fields=["session", "etui", "badge", seat],
                    condition=Q(is_replay=False),
                    name=f"play_etui_once_per_{seat}",
                )
                for seat in ALL_SEAT_FIELDS
            ),
            models.CheckConstraint(condition=Q(fifth=None) | Q(west__isnull=False), name="play_fifth_beside_west"),
            models.CheckConstraint(
                condition=Q(resting="") | Q(resting__in=[*map(str, SEATS)], fifth__isnull=False),
                name="play_one_of_five_rests",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.position} · {self.table_id} · {self.etui_id}"

    @property
    def seats(self) -> dict[str, Entrant]:
        """The entrants who sit at the table, by seat, also the one who rests. Empty seats are left out."""
        seats_and_players = zip(SEATS, ALL_SEAT_FIELDS, read_seats(self), strict=True)
        return {line: getattr(self, seat) for line, seat, pk in seats_and_players if pk is not None}

    @property
    def seat_ids(self) -> dict[str, int]:
        """The ids of the entrants who sit at the table, by seat. Reading them takes no query."""
        return name_seats_by_line(read_seats(self))

    @property
    def playing(self) -> dict[str, Entrant]:
        """The entrants who play the deal, by seat: those who sit at the table, without the one who rests."""
        return {seat: entrant for seat, entrant in self.seats.items() if seat != self.resting}

    @property
    def playing_seats(self) -> tuple[str, ...]:
        """The seats of those who play the deal, in the order of SEATS. Reading them takes no query."""
        return tuple(seat for seat in self.seat_ids if seat != self.resting)

    @property
    def taker(self) -> str:
        """The seat of the attacking team if two teams play, else the seat that the étui names. Empty if it names none.

        The query must have joined the étui.
        """
        return find_taker_seat(self.seat_ids, self.etui.taker)

    @property
    def people(self) -> dict[str, Player | Entrant]:
        """The players who sit at the table, by line: the player or stand-in of each entrant, or the team's entrant."""
        return {
            line: entrant.person_at(self.position) if entrant.team_id is None else entrant
            for line, entrant in self.seats.items()
        }


def seat_people(plays: Iterable[Play], related: Iterable[str] = ("player", "stand_in", "team")) -> list[Play]:
    """Return the plays as a list, with their players set. This takes one query after that of the plays.

    `related` names what is read with each entrant. Each entrant is read only once. A join would read the same entrant
    again for each play, and PostgreSQL plans a join of so many tables for longer than it reads.
    """
    rows = list(plays)
    wanted = {pk for play in rows for pk in play.seat_ids.values()}
    seat_entrants(rows, Entrant.objects.select_related(*related).in_bulk(wanted))
    return rows


class PlanVersion(models.Model):
    """A version of a session's plan, with its figures and its cause. The newest version not undone is in force.

    `data` is the plan and `figures` says how good it is. `code` and `params` make the sentence that describes it.
    `operation` names the change that made this version, with its arguments. `before` has the plays that the change
    removed or altered, as they were. `after` has those that it altered or added, as they became. `newest_entry` and
    `newest_ruling` are the highest ids of entries and rulings at that moment: newer ones may depend on the change.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="plans")
    number = models.PositiveSmallIntegerField()
    data = models.JSONField()
    figures = models.JSONField()
    code = models.CharField(max_length=20)
    params = models.JSONField(default=dict)
    operation = models.JSONField(default=dict)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    newest_entry = models.PositiveBigIntegerField(default=0)
    newest_ruling = models.PositiveBigIntegerField(default=0)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["session", "number"]
        constraints = [models.UniqueConstraint(fields=["session", "number"], name="plan_number_once_per_session")]

    def __str__(self) -> str:
        return f"{self.session_id} plan {self.number}"
