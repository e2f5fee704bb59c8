"""The answers about plans and their changes. Programs read one value, of which each answer declares the parts it has.

A `ShownPlan` has the words and figures of a plan of four lines or of teams. The tables are the stops of the plan, in
every format.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from deals.domain.cards import LINES
from evenings.changes.preview import OperationNames, say_plan_version
from evenings.plans.current import SessionPlan
from evenings.plans.data import exempt_data, figures_data
from evenings.teams.naming import join_public_names
from movements import LinePlan, Member, Plan, PlanFigures, write_plays
from tournaments.models import Entrant, PlanVersion

NUMBERS = {"type": "array", "items": {"type": "integer"}}


@extend_schema_field(NUMBERS)
class NumbersField(serializers.ListField):
    child = serializers.IntegerField()


@extend_schema_field({"type": "array", "items": NUMBERS})
class RowsField(serializers.ListField):
    child = NumbersField()


@extend_schema_field({"type": "array", "items": {"type": "array", "items": {"type": "string", "example": "N8"}}})
class NamesField(serializers.ListField):
    child = serializers.ListField(child=serializers.CharField())


class RestingField(NamesField):
    """The names of the seats that rest in a plan, such as "N8", position by position."""

    def to_representation(self, plan: Any) -> list[list[str]]:
        return exempt_data(plan)


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string", "example": "N3"}], "nullable": True})
class SeatField(serializers.JSONField):
    """A starting number, or the name of a floating player from another line."""


class SeatingOut(serializers.Serializer[Any]):
    """A table in a position.

    If the value of a line is null, nobody sits there. Players who are at no table rest. A floating player from
    another line is named with their own line: "N3".
    """

    position = serializers.IntegerField()
    table = serializers.IntegerField()
    etuis = NumbersField()

    def get_fields(self) -> Any:
        return super().get_fields() | {str(line): SeatField(allow_null=True) for line in LINES}


class PlanOut(serializers.Serializer[Any]):
    tables = serializers.IntegerField()
    positions = serializers.IntegerField()
    etuis_per_position = serializers.IntegerField()
    lines = NumbersField(help_text="the number of starting numbers of N, E, S and W")
    rule = serializers.CharField(help_text="the method that made the plan")
    barometer_after = serializers.IntegerField(
        allow_null=True, help_text="all tables play the same étuis after this position; null: never"
    )
    shifts = NumbersField(allow_null=True, help_text="how many tables N, E, S, W and the étuis move up each time")
    fillers = RowsField(help_text="line (0 to 3) and number of each unranked player")
    spans = RowsField(help_text="line, number, first and last position of each player who is not there all evening")
    rovers = RowsField(help_text="line and number of each player who may sit on any line")
    plays = SeatingOut(many=True)

    def to_representation(self, plan: LinePlan) -> dict[str, Any]:
        return write_plays(plan)


class FiguresOut(serializers.Serializer[Any]):
    perfect = serializers.BooleanField(help_text="true if no players meet twice and nobody plays an étui twice")
    most_meetings = serializers.IntegerField(
        help_text="the largest number of positions in which two players sit together"
    )
    repeated = serializers.IntegerField(help_text="all meetings after the first one, added up")
    replays = serializers.IntegerField(help_text="the number of times that somebody plays an étui again")
    exempt = NumbersField(help_text="the number of players who rest in each position")
    least_exempt = serializers.IntegerField()
    most_exempt = serializers.IntegerField()
    balance = serializers.IntegerField(
        help_text="0 to 100: how equally the players of a line are compared with one another"
    )
    missing = serializers.IntegerField(help_text="the largest number of étuis that one player does not play")
    bound = serializers.IntegerField(help_text="the smallest possible number of repeated meetings")
    etuis = serializers.IntegerField(help_text="the number of étuis to fill")
    copies = serializers.IntegerField(help_text="copies of each étui that are needed so that no table waits")
    least_played = serializers.IntegerField(help_text="the smallest number of étuis that a player plays")
    most_played = serializers.IntegerField()
    least_attacks = serializers.IntegerField(
        help_text="the smallest number of étuis that a player takes, with an imposed Garde"
    )
    most_attacks = serializers.IntegerField()

    def to_representation(self, figures: PlanFigures) -> dict[str, Any]:
        return figures_data(figures)


class ProposalOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    text = serializers.CharField()
    announcement = serializers.CharField(
        allow_null=True, help_text="what the arbiter announces; null: players need guide cards"
    )
    worth = serializers.ListField(
        child=serializers.CharField(), help_text="what the plan needs and how good it is, as sentences"
    )
    figures = FiguresOut()
    exempt = RestingField(source="plan", help_text="the players who rest in each position")
    plan = PlanOut()


class ProposalsOut(serializers.Serializer[Any]):
    proposals = ProposalOut(many=True, help_text="best first")


class TeamNumberField(serializers.IntegerField):
    """The number of a team at a table, 0 if it is missing."""

    def get_attribute(self, instance: Any) -> Any:
        return super().get_attribute(instance) or 0


class TeamStopOut(serializers.Serializer[Any]):
    """The two teams of a table in a position, by their numbers in the plan.

    A number of 0 means that a team is missing: the other team rests.
    """

    position = serializers.IntegerField()
    table = serializers.IntegerField()
    first = TeamNumberField(help_text="the team North-South")
    second = TeamNumberField(help_text="the team East-West")
    etuis = NumbersField()


class TeamSeatOut(serializers.Serializer[Any]):
    number = serializers.IntegerField(source="competitor", help_text="the number in the plan")
    entrant = serializers.IntegerField(source="holder.pk")
    team = serializers.IntegerField(source="holder.team_id")
    name = serializers.CharField()
    first_position = serializers.IntegerField()
    last_position = serializers.IntegerField(allow_null=True)


class TeamProposalOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    text = serializers.CharField()
    worth = serializers.ListField(child=serializers.CharField(), help_text="the figures, as sentences")


class TeamPlanOut(serializers.Serializer[Any]):
    """The plan of a session of teams. Before the choice, `version` is 0 and `stops` is empty.

    `proposals` is for directors before the start: the plans that the teams can play, the best first.
    """

    version = serializers.IntegerField()
    code = serializers.CharField(allow_blank=True)
    text = serializers.CharField(allow_blank=True)
    worth = serializers.ListField(child=serializers.CharField(), help_text="the figures, as sentences")
    first_etui = serializers.IntegerField(help_text="the number, in the set, of the plan's étui 1")
    teams = TeamSeatOut(source="seats", many=True)
    stops = TeamStopOut(source="plan.stops", many=True)
    proposals = TeamProposalOut(many=True)


class GameTableOut(serializers.Serializer[Any]):
    table = serializers.IntegerField()
    first = serializers.IntegerField(
        source="start", help_text="the first deal of the game that these players play at the table"
    )
    last = serializers.IntegerField(source="end")
    people = NumbersField(help_text="the starting numbers on the seats N, E, S, W and F")
    rests = NumbersField(help_text="for each of these deals the number that rests; empty if nobody does")


class SeatedGameOut(serializers.Serializer[Any]):
    game = serializers.IntegerField()
    tables = GameTableOut(many=True)


class SpotOut(serializers.Serializer[Any]):
    table = serializers.IntegerField(allow_null=True, help_text="null: the player rests")
    etuis = NumbersField()


class StopOut(serializers.Serializer[Any]):
    table = serializers.IntegerField(source="spot.table", allow_null=True, help_text="null: the player rests")
    etuis = NumbersField(source="spot.etuis")
    position = serializers.IntegerField()


class SeatOut(serializers.Serializer[Any]):
    name = serializers.CharField()
    line = serializers.CharField()
    number = serializers.IntegerField()


class MoveOut(SeatOut):
    before = SpotOut(allow_null=True, help_text="null: the player is not there")
    after = SpotOut(allow_null=True, help_text="null: the player is not there")


class ChangedPositionOut(serializers.Serializer[Any]):
    position = serializers.IntegerField()
    added = serializers.BooleanField()
    dropped = serializers.BooleanField()
    moves = MoveOut(source="shifts", many=True, help_text="everybody else keeps the same table and étuis")
    resting = serializers.ListField(child=serializers.CharField())


class NewcomerOut(SeatOut):
    way = StopOut(source="stops", many=True)


class UnplayedOut(serializers.Serializer[Any]):
    position = serializers.IntegerField()
    table = serializers.IntegerField()
    etui = serializers.IntegerField()
    names = serializers.ListField(
        child=serializers.CharField(), help_text="the players who have already played the étui"
    )
    counted = serializers.BooleanField(help_text="whether it has a result, which no longer counts")


class OutcomeOut(serializers.Serializer[Any]):
    code = serializers.CharField(source="way.code")
    text = serializers.CharField()
    worth = serializers.ListField(child=serializers.CharField(), help_text="the figures, as sentences")
    figures = FiguresOut(source="way.figures")
    consequences = serializers.ListField(
        child=serializers.CharField(), help_text="who stops completing a table and who will be ranked, as sentences"
    )
    etuis_short = serializers.IntegerField(
        source="way.etuis_short", help_text="the number of étuis that must be added to the session's set"
    )
    unplayed = UnplayedOut(
        many=True, help_text="plays that are left out, because somebody at the table has already played the étui"
    )
    newcomers = NewcomerOut(many=True)
    positions = ChangedPositionOut(many=True)
    exempt = RestingField(source="way.plan", help_text="the players who rest in each position")
    plan = PlanOut(source="way.plan")


class PreviewOut(serializers.Serializer[Any]):
    seen = serializers.IntegerField(help_text="the version of the plan that this starts from")
    text = serializers.CharField()
    outcomes = OutcomeOut(many=True, help_text="best first")


class PlanVersionOut(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    kind = serializers.CharField(help_text="choice, or the name of the operation")
    text = serializers.CharField()
    made_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True)


class HolderOut(serializers.Serializer[Any]):
    """The entrant who has a starting number, from one position to another. A last position of null means to the end."""

    seat = serializers.CharField(help_text="the seat as the plan writes it: N8")
    entrant = serializers.IntegerField(source="holder.pk")
    name = serializers.CharField()
    ranked = serializers.BooleanField(source="holder.ranked")
    first_position = serializers.IntegerField()
    last_position = serializers.IntegerField(allow_null=True)


class CurrentPlanOut(serializers.Serializer[Any]):
    version = serializers.IntegerField(help_text="0: the plan was neither chosen nor changed")
    announcement = serializers.CharField(
        allow_null=True, help_text="what the arbiter announces; null: players need guide cards"
    )
    worth = serializers.ListField(child=serializers.CharField(), help_text="the figures, as sentences")
    figures = FiguresOut()
    exempt = RestingField(source="plan", help_text="the players who rest in each position")
    first_etui = serializers.IntegerField(help_text="the number, in the set, of the plan's étui 1")
    seats = HolderOut(many=True)
    plan = PlanOut()


@dataclass(frozen=True)
class HeldSeat:
    """A stay of an entrant: the starting number in the plan, and the positions from the first to the last one.

    A last position of None means to the end.
    """

    competitor: Member | int
    holder: Entrant
    name: str
    first_position: int
    last_position: int | None

    @property
    def seat(self) -> str:
        return self.competitor.name if isinstance(self.competitor, Member) else str(self.competitor)


# what programs read of a session of teams before the choice of its plan
NO_PLAN: Mapping[str, Any] = {"version": 0, "code": "", "text": "", "worth": (), "seats": (), "plan": {"stops": ()}}


def show_session_plan(evening: SessionPlan, *, public: bool) -> dict[str, Any]:
    """Return the plan that a session has now, and who has its starting numbers, for the answers of every format.

    With `public`, the names are those that everybody may see.
    """
    shown = evening.show()
    return vars(shown) | {
        "version": evening.version.number if evening.version else 0,
        "announcement": shown.announcement,
        "worth": shown.worth,
        "seats": list_held_seats(evening, public=public),
    }


def tell_seated_game(games: Plan[int], game: int) -> dict[str, Any]:
    """Return a game of an evening in games. A table with a change within the game is there twice."""
    return {"game": game, "tables": games.at(game)}


def list_held_seats(evening: SessionPlan, *, public: bool) -> list[HeldSeat]:
    """Return who has each starting number. An entrant who left and came back has an entry for each stay."""
    if public:
        join_public_names(evening.entrants)
    seats = [
        HeldSeat(evening.competitor(entrant, number), entrant, entrant.get_name(by_name=not public), first, last)
        for entrant in evening.entrants
        for number, first, last in entrant.stays
    ]
    return sorted(seats, key=lambda seat: (seat.competitor, seat.first_position, seat.holder.pk))


def version_data(version: PlanVersion, names: OperationNames) -> Any:
    """Return a version of the plan as data."""
    return PlanVersionOut(
        {
            "version": version.number,
            "kind": version.operation.get("kind", ""),
            "text": say_plan_version(version, names),
            "made_at": version.made_at,
            "undone_at": version.undone_at,
        }
    ).data
