"""The plays of a publication in answers: their results, their notes or marks, and the étuis with their plays."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from api.base import MarksFigure, Percent, by_line
from api.results import MarksOut
from rankings.publication.report import ShownPlay
from scoring.formats import MarkPoints
from tournaments.reports.codec import list_field_names

NotesOut = by_line("NotesOut", Percent)
CountedMarksOut = by_line("CountedMarksOut", MarksFigure)
EntrantsOut = by_line("EntrantsOut", serializers.IntegerField)


def move_counted_marks(shown: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the data of a play or a line with `counted_marks`: the figures of the field `name` if they are marks.

    The field `name` is then None. Otherwise `counted_marks` is None.
    """
    figures = shown[name]
    values = figures.values() if isinstance(figures, Mapping) else [figures]
    in_marks = any(isinstance(value, MarkPoints) for value in values)
    return shown | ({name: None, "counted_marks": figures} if in_marks else {"counted_marks": None})


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
        shown = {name: getattr(instance, name) for name in list_field_names(type(instance))}
        told: dict[str, Any] = super().to_representation(move_counted_marks(shown, "notes"))
        return told


class PublishedEtuiOut(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    taker = serializers.CharField()
    dealer = serializers.CharField()
    cards = serializers.CharField(allow_blank=True, help_text="empty if the cards may not be shown")
    plays = PublishedPlayOut(many=True)
