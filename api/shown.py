"""The players and the plays of publications in public answers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rest_framework import serializers

from api.base import MarksFigure, Percent, by_line
from api.results import MarksOut
from clubs.models import Visibility
from rankings.columns import ANSWER, RankingColumn, RankingShape, ValueKind, list_columns
from rankings.publication.report import ShownPlay
from rankings.ranking import RankedMember, RankedRow
from scoring.formats import MarkPoints
from tournaments.reports.codec import list_field_names


class ShownMemberOut(serializers.Serializer[Any]):
    """A member of a team in a ranking. `place` is the badge in triplettes: 1 blue, 2 white, 3 red."""

    player = serializers.IntegerField(allow_null=True, help_text="as for a single player")
    name = serializers.CharField()
    shown = serializers.ChoiceField(Visibility.values)
    place = serializers.IntegerField()


class ShownOut(serializers.Serializer[Any]):
    """A player in a ranking: by name, or as the player wishes to be shown.

    A player who is not shown by name has no number, so that nobody can find the same player in several evenings.
    """

    player = serializers.IntegerField(
        allow_null=True,
        help_text="the player’s number, the same in all evenings of a club; null unless the player is shown by name",
    )
    name = serializers.CharField(help_text="how the player is shown: the name, the initials, or “hidden player”")
    shown = serializers.ChoiceField(Visibility.values)
    team = serializers.IntegerField(required=False, help_text="the team’s number; only where teams play")
    members = ShownMemberOut(many=True, required=False, help_text="the team’s players; only where teams play")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        data: dict[str, Any] = super().to_representation(instance)
        if not data.get("team"):
            data.pop("team", None)
            data.pop("members", None)
        return data


class RowOut(ShownOut):
    """A row of a ranking, with the columns that answers have. A figure is null if there is no note of that kind.

    `shape` says what the ranking has.
    """

    shape: RankingShape

    def get_fields(self) -> dict[str, Any]:
        columns = list_columns(self.shape, ANSWER)
        return super().get_fields() | {column.name: make_field(column) for column in columns}


def make_field(column: RankingColumn) -> serializers.Field[Any, Any, Any, Any]:
    """Return the field that writes a column."""
    text = column.help or None
    match column.kind:
        case ValueKind.PLACE | ValueKind.RANK:
            return serializers.IntegerField(allow_null=True, help_text=text)
        case ValueKind.WHOLE:
            return serializers.IntegerField(help_text=text)
        case ValueKind.NOTE | ValueKind.RESULT | ValueKind.TOTAL | ValueKind.EXACT:
            return Percent(help_text=text)
        case ValueKind.FLAG:
            return serializers.BooleanField(help_text=text)
        case ValueKind.CODE if column.choices:
            return serializers.ChoiceField(column.choices, help_text=text)
        case _:
            return serializers.CharField(allow_null=column.kind is ValueKind.CODE, help_text=text)


PERCENTAGES = ("overall", "attack", "defence")


def put_marks_beside(shown: dict[str, Any], percentages: Sequence[str]) -> dict[str, Any]:
    """Return the figures of an answer with `marks`: the first of `percentages` if it is in marks, else None.

    If it is in marks, all percentages are None, because no figure of donnes libres is a percentage.
    """
    ranked_by = shown[percentages[0]]
    if not isinstance(ranked_by, MarkPoints):
        return shown | {"marks": None}
    return shown | {"marks": ranked_by, **dict.fromkeys(percentages)}


OF_TEAMS = "in donnes libres and doublettes: the teams that add up the results of their players"


def read_field_values(instance: Any) -> dict[str, Any]:
    """Return the fields of a value by name. They are returned unchanged if they are a dictionary already."""
    if isinstance(instance, dict):
        return instance
    return {name: getattr(instance, name) for name in list_field_names(type(instance))}


class TotalOut(serializers.Serializer[Any]):
    """An answer with a `total`, which is null where there are `marks`, or with other `percentages`."""

    percentages: Sequence[str] = ["total"]

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return super().to_representation(put_marks_beside(read_field_values(instance), self.percentages))


class SummedPlayerOut(TotalOut):
    """A player of a team that adds up marks, or percentages in doublettes."""

    player = serializers.IntegerField(allow_null=True, source="known_as", help_text="as for a single player")
    name = serializers.CharField()
    shown = serializers.ChoiceField(Visibility.values)
    total = Percent(help_text="the percentage in doublettes; else null")
    marks = MarksFigure(help_text="the marks in donnes libres; else null")
    counts = serializers.BooleanField(
        help_text="false for the lowest marks of a team, if these do not count, and for too few étuis"
    )


class SummedTeamOut(TotalOut):
    """A team of donnes libres or doublettes: everybody plays alone, and the team adds up its players' results."""

    team = serializers.IntegerField(help_text="the team’s number in the tournament")
    name = serializers.CharField()
    rank = serializers.IntegerField()
    total = Percent(help_text="the sum of the percentages in doublettes; else null")
    marks = MarksFigure(help_text="the sum of the marks in donnes libres; else null")
    absent = serializers.IntegerField(help_text="the number of its players who are missing; each brings 0")
    members = SummedPlayerOut(many=True)


def for_readers(players: Iterable[RankedRow]) -> list[dict[str, Any]]:
    """Return the players of a report for the public. Only players who are shown by name keep their number."""
    return [
        read_field_values(player)
        | {"player": player.known_as, "members": [show_member_to_readers(each) for each in player.members]}
        for player in players
    ]


def show_member_to_readers(member: RankedMember) -> dict[str, Any]:
    return {"player": member.known_as, "name": member.name, "shown": member.shown, "place": member.place}


NotesOut = by_line("NotesOut", Percent)
CountedMarksOut = by_line("CountedMarksOut", MarksFigure)
EntrantsOut = by_line("EntrantsOut", serializers.IntegerField)


def are_marks(figures: Iterable[Any]) -> bool:
    return any(isinstance(figure, MarkPoints) for figure in figures)


def move_counted_marks(shown: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the data of a play or a line with `counted_marks`: the figures of the field `name` if they are marks.

    The field `name` is then None. Otherwise `counted_marks` is None.
    """
    figures = shown[name]
    values = figures.values() if isinstance(figures, Mapping) else [figures]
    return shown | ({name: None, "counted_marks": figures} if are_marks(values) else {"counted_marks": None})


class PublishedFactsOut(serializers.Serializer[Any]):
    contract = serializers.CharField()
    bouts = serializers.IntegerField()
    half_points = serializers.IntegerField()
    petit_au_bout = serializers.CharField()
    poignees_attack = serializers.ListField(child=serializers.CharField())
    poignees_defence = serializers.ListField(child=serializers.CharField())
    chelem = serializers.CharField()
    made = serializers.BooleanField()


class PublishedPlayOut(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    position = serializers.IntegerField()
    table = serializers.IntegerField()
    seats = EntrantsOut()
    state = serializers.CharField(help_text="scored, adjusted (by the arbiter), missing, annulled or not_played")
    taker = serializers.CharField(allow_null=True)
    base_score = serializers.IntegerField(allow_null=True)
    marks = MarksOut(allow_null=True)
    notes = NotesOut(allow_null=True, help_text="null in donnes libres")
    counted_marks = CountedMarksOut(
        allow_null=True, help_text="in donnes libres the marks that count: those of the deal with its weight; else null"
    )
    fixed = serializers.DictField(
        child=serializers.CharField(), help_text="the notes that the arbiter has fixed, by line: 60, or better 60"
    )
    compared = serializers.BooleanField(help_text="false if the arbiter has excluded the score from the comparison")
    facts = PublishedFactsOut(allow_null=True)

    def to_representation(self, instance: ShownPlay) -> dict[str, Any]:
        data: dict[str, Any] = super().to_representation(move_counted_marks(read_field_values(instance), "notes"))
        return data


class PublishedEtuiOut(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    taker = serializers.CharField()
    dealer = serializers.CharField()
    cards = serializers.CharField(allow_blank=True, help_text="empty if the cards may not be shown")
    plays = PublishedPlayOut(many=True)
