"""The JSON form of a play's result: read it into an entry, and write an entry with its score.

An entry is a result as reported by a table: with all facts, with the base score alone, or "everyone passed". This
module stores nothing.
"""

from collections.abc import Collection, Mapping
from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from api.base import Shape, TakerField, by_line, read_shape
from api.errors import MalformedBody, plain_value
from api.score import FactsIn, LineOut, line_data
from clubs.models import validate_name
from evenings.plays.attackers import find_by_place
from evenings.plays.entries import name_attacker
from scoring.contract import ScoringRules, score_deal
from scoring.errors import ScoringError
from scoring.formats import Format, find_format
from scoring.notation import read_result, result_to_data
from scoring.plausibility import Question
from scoring.plays import LINES
from scoring.teams import Badge
from tournaments.models import Play
from tournaments.rules.entry import (
    AllPassed,
    Bout,
    Entry,
    EntryError,
    Facts,
    Fiche,
    GameSheet,
    ask_about_entry,
    attacker_of,
    base_score,
    bouts_from_data,
    bouts_to_data,
    marks_from_data,
    partner_of,
    read_partner,
    read_seat_name,
    read_whole,
    seat_marks,
    taker_of,
)
from tournaments.words.messages import say_question, show_signed
from tournaments.words.team_plans import read_badge

FICHE_FIELDS = ("base_score", "taker", "attacker", "partner")
PASSED_FIELDS = ("passed",)
SHEET_FIELDS = ("marks",)
BESIDE_FACTS = ("taker", "attack_bouts", "attacker", "partner")

PARTNER_HELP = "only where the tables deal, and five play: the seat that the taker called; the taker’s own seat: alone"

MarksOut = by_line("MarksOut", serializers.IntegerField)


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string", "enum": list(Badge)}]})
class AttackerField(serializers.Field[Any, Any, Any, Any]):
    """The member of the attacking team who attacked: the member's id, or the colour of the badge."""

    def __init__(self) -> None:
        help_text = "only for teams; null or left out: the member whom the rules name, or in a correction the same one"
        super().__init__(required=False, allow_null=True, help_text=help_text)


class TakenFactsIn(FactsIn):
    """The facts of a play.

    `taker` and `contract` may be left out if the étui names the taker and a Garde is imposed.
    """

    taker = TakerField(required=False)
    attack_bouts = serializers.ListField(
        child=serializers.ChoiceField(choices=list(Bout)),
        required=False,
        allow_null=True,
        help_text="the bouts of the attack, as many as `bouts` says; null or left out if only their number is known",
    )
    attacker = AttackerField()
    partner = TakerField(required=False, allow_null=True, help_text=PARTNER_HELP)

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        fields["contract"].required = False
        return fields


class FicheIn(serializers.Serializer[Any]):
    """A result by its signed base score alone, as on a paper fiche."""

    base_score = serializers.IntegerField()
    taker = TakerField(required=False)
    attacker = AttackerField()
    partner = TakerField(required=False, allow_null=True, help_text=PARTNER_HELP)


class SheetIn(serializers.Serializer[Any]):
    """The sheet of a game, where the tables deal: the marks of each seat, in this deal and in the later ones."""

    marks = serializers.DictField(child=serializers.IntegerField(), help_text="by seat; they sum to zero")


class PassedIn(serializers.Serializer[Any]):
    """A play in which all four players passed, in a free auction."""

    passed = serializers.BooleanField()


class ReasonShape(Shape):
    reason = serializers.CharField(
        max_length=300, required=False, default="", allow_blank=True, validators=[validate_name]
    )


class CorrectionIn(ReasonShape):
    """The fields of a correction besides the result: the reason, and the version that the author has seen."""

    seen_version = serializers.IntegerField(min_value=1, max_value=32_767)


class CorrectedFactsIn(TakenFactsIn):
    reason = serializers.CharField(max_length=300, validators=[validate_name])
    seen_version = serializers.IntegerField(min_value=1)


class CorrectedFicheIn(FicheIn):
    reason = serializers.CharField(max_length=300, validators=[validate_name])
    seen_version = serializers.IntegerField(min_value=1)


class CorrectedPassedIn(PassedIn):
    reason = serializers.CharField(max_length=300, validators=[validate_name])
    seen_version = serializers.IntegerField(min_value=1)


class CorrectedSheetIn(SheetIn):
    reason = serializers.CharField(max_length=300, validators=[validate_name])
    seen_version = serializers.IntegerField(min_value=1)


RESULT_IN = PolymorphicProxySerializer(
    "ResultRequest", [TakenFactsIn, FicheIn, PassedIn, SheetIn], resource_type_field_name=None
)
CORRECTION_IN = PolymorphicProxySerializer(
    "CorrectionRequest",
    [CorrectedFactsIn, CorrectedFicheIn, CorrectedPassedIn, CorrectedSheetIn],
    resource_type_field_name=None,
)


class FactsOut(serializers.Serializer[Any]):
    contract = serializers.CharField()
    bouts = serializers.IntegerField()
    attack_bouts = serializers.ListField(child=serializers.CharField(), allow_null=True)
    points = serializers.FloatField()
    petit_au_bout = serializers.CharField()
    poignees_attack = serializers.ListField(child=serializers.CharField())
    poignees_defence = serializers.ListField(child=serializers.CharField())
    chelem = serializers.CharField()
    made = serializers.BooleanField()


class ResultOut(serializers.Serializer[Any]):
    """A result with its score. `facts` is null and `lines` is empty if only the base score is known."""

    kind = serializers.CharField(help_text="facts, fiche, passed or sheet")
    taker = serializers.CharField(allow_null=True)
    facts = FactsOut(allow_null=True)
    base_score = serializers.IntegerField()
    fiche = serializers.CharField(help_text="the base score as written on the fiche: +106")
    marks = MarksOut()
    lines = LineOut(many=True)
    attacker = serializers.IntegerField(
        required=False, help_text="the member of the attacking team who attacked out of turn; left out if nobody did"
    )
    partner = serializers.CharField(
        required=False, help_text="the seat that the taker called among five; left out if not five play"
    )


class QuestionOut(serializers.Serializer[Any]):
    """A question about a result that is possible but unlikely.

    The result is stored all the same: ask the table, and correct it if necessary.
    """

    code = serializers.CharField()
    field = serializers.CharField()
    text = serializers.CharField()
    params = serializers.DictField()


class EnteredOut(ResultOut):
    play = serializers.IntegerField()
    version = serializers.IntegerField()
    questions = QuestionOut(many=True)


def read_entry(data: Any, play: Play) -> Entry:
    """Return the entry in a body. A field with null counts as left out.

    Raise `ScoringError`, `EntryError` or `MalformedBody` if it cannot be read. `plays.entering` checks the rules of the
    game.
    """
    if not isinstance(data, Mapping):
        raise MalformedBody("not_a_result")
    fields = {name: value for name, value in data.items() if value is not None}
    if "passed" in fields:
        only(fields, PASSED_FIELDS)
        if fields["passed"] is not True:
            raise ScoringError("unknown_value", "passed", {"value": plain_value(fields["passed"]), "choices": "true"})
        return AllPassed()
    if "marks" in fields:
        only(fields, SHEET_FIELDS)
        return GameSheet(marks_from_data(fields["marks"]))
    format = find_format(play.session.tournament.format)
    taker = read_taker(fields.get("taker", format.find_taker(play.etui.taker)))
    attacker = read_attacker(fields["attacker"], play) if "attacker" in fields else None
    partner = read_partner(fields.get("partner"))
    if "base_score" in fields:
        only(fields, FICHE_FIELDS)
        return Fiche(taker, read_whole("base_score", fields["base_score"]), attacker, partner)
    named = bouts_from_data(fields.get("attack_bouts"))
    facts = {name: value for name, value in fields.items() if name not in BESIDE_FACTS}
    result = read_result(({"contract": format.contract} if format.contract else {}) | facts)
    return Facts(taker, result, named, attacker, partner)


def read_attacker(value: object, play: Play) -> int | None:
    """Return the id of the member who attacked, from an id or a colour. Return None if the rules name that member."""
    place = read_badge(value)
    return read_whole("attacker", value) if place is None else find_by_place(play, place)


def read_correction(data: Any, play: Play) -> tuple[Entry, dict[str, Any]]:
    """Return the entry in a body, and the values `reason` and `seen_version`.

    If the body names no attacker, the correction keeps the attacker of the result.
    """
    if not isinstance(data, Mapping):
        raise MalformedBody("not_a_result")
    beside = CorrectionIn().fields
    correction = read_shape(CorrectionIn, {name: value for name, value in data.items() if name in beside})
    fields = {name: value for name, value in data.items() if name not in beside}
    entry = read_entry(fields, play)
    if play.badge and fields.get("attacker") is None:
        stored = play.entries.filter(current=True).values_list("attacker", flat=True).first()
        entry = name_attacker(entry, stored)
    return entry, correction


def only(given: Mapping[str, Any], fields: tuple[str, ...]) -> None:
    """Raise `MalformedBody` if a field is given that does not fit this kind of result."""
    for name in given:
        if name not in fields:
            raise MalformedBody("result_mixed", str(name), choices=", ".join(fields))


def read_taker(value: object) -> str:
    """Return the taker's seat. Raise `EntryError` if it is missing."""
    if value is None:
        raise EntryError("taker_missing", "taker")
    return read_seat_name("taker", value)


def result_data(entry: Entry, rules: ScoringRules, playing: Collection[str] = LINES) -> dict[str, Any]:
    """Return an entry with its score, in the shape of `ResultOut`. `playing` are the seats of those who play."""
    taker, attacker, partner = taker_of(entry), attacker_of(entry), partner_of(entry)
    shared = entry.by_seat if isinstance(entry, GameSheet) else None
    scored = score_deal(entry.result, rules) if isinstance(entry, Facts) else None
    score = scored.base_score if scored else base_score(entry, rules)
    return {
        "kind": entry.kind,
        "taker": taker and str(taker),
        "facts": facts_data(entry, made=scored.made) if isinstance(entry, Facts) and scored else None,
        "base_score": score,
        "fiche": show_signed(score),
        "marks": shared or {str(seat): mark for seat, mark in seat_marks(taker, score, playing, partner).items()},
        "lines": [line_data(line) for line in scored.lines] if scored else [],
        **({} if attacker is None else {"attacker": attacker}),
        **({} if partner is None else {"partner": partner}),
    }


def facts_data(facts: Facts, *, made: bool) -> dict[str, Any]:
    """Return the facts of a result in the shape of `FactsOut`."""
    data = result_to_data(facts.result)
    data.pop("partner", None)
    points = data.pop("half_points") / 2
    return data | {"attack_bouts": bouts_to_data(facts.attack_bouts), "points": points, "made": made}


def questions_data(entry: Entry, format: Format, players: int) -> list[dict[str, Any]]:
    """Return the questions about an unlikely result, in the shape of `QuestionOut`. `players` play the deal."""
    return [question_data(question) for question in ask_about_entry(entry, format=format, players=players)]


def question_data(question: Question) -> dict[str, Any]:
    return {
        "code": question.code,
        "field": question.field,
        "text": say_question(question),
        "params": {name: plain_value(value) for name, value in question.params.items()},
    }
