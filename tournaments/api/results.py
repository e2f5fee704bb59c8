"""One play's result as JSON: read into an entry, told with everything that explains it. Writes nothing."""

from collections.abc import Mapping
from typing import Any, cast

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from clubs.models import validate_name
from scoring.contract import ScoringRules, score_deal
from scoring.errors import ScoringError
from scoring.notation import read_name, read_result, result_to_data
from scoring.plausibility import Question
from scoring.ranking import Line
from tournaments.api.base import LineField, Shape, by_line, read
from tournaments.api.errors import Malformed, plain
from tournaments.api.score import FactsIn, LineOut, line_data
from tournaments.models import Play
from tournaments.rules.entry import (
    Auction,
    Bout,
    Entry,
    EntryError,
    Facts,
    Fiche,
    Passed,
    base_score,
    questions,
    seat_marks,
    taker_of,
)
from tournaments.rules.entry_data import bouts_from_data, bouts_to_data, read_whole
from tournaments.words.messages import say_question, sign

FICHE_FIELDS = ("base_score", "taker")
PASSED_FIELDS = ("passed",)

MarksOut = by_line("MarksOut", serializers.IntegerField)


class TakenFactsIn(FactsIn):
    """The facts of a play. `taker` and `contract` go without saying where the étui names the one and a Garde is
    imposed."""

    taker = LineField(required=False)
    attack_bouts = serializers.ListField(
        child=serializers.ChoiceField(choices=list(Bout)),
        required=False,
        allow_null=True,
        help_text="which bouts the attack has, as many as `bouts` counts; null or left out where they are only counted",
    )

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        fields["contract"].required = False
        return fields


class FicheIn(serializers.Serializer[Any]):
    """The signed base score alone, as on a paper fiche."""

    base_score = serializers.IntegerField()
    taker = LineField(required=False)


class PassedIn(serializers.Serializer[Any]):
    """Four passes, in a free auction."""

    passed = serializers.BooleanField()


class Reasoned(Shape):
    reason = serializers.CharField(
        max_length=300, required=False, default="", allow_blank=True, validators=[validate_name]
    )


class CorrectionIn(Reasoned):
    """What a correction says beside the result: why, and which version its author had before his eyes."""

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


RESULT_IN = PolymorphicProxySerializer(
    "ResultRequest", [TakenFactsIn, FicheIn, PassedIn], resource_type_field_name=None
)
CORRECTION_IN = PolymorphicProxySerializer(
    "CorrectionRequest", [CorrectedFactsIn, CorrectedFicheIn, CorrectedPassedIn], resource_type_field_name=None
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
    """What a result comes to. `facts` is null, and `lines` empty, where only the base score is known."""

    kind = serializers.CharField(help_text="facts, fiche or passed")
    taker = serializers.CharField(allow_null=True)
    facts = FactsOut(allow_null=True)
    base_score = serializers.IntegerField()
    fiche = serializers.CharField(help_text="the base score as the fiche has it: +106")
    marks = MarksOut()
    lines = LineOut(many=True)


class QuestionOut(serializers.Serializer[Any]):
    """Something possible but unlikely. The result is kept all the same: ask the table, and correct it if need be."""

    code = serializers.CharField()
    field = serializers.CharField()
    text = serializers.CharField()
    params = serializers.DictField()


class EnteredOut(ResultOut):
    play = serializers.IntegerField()
    version = serializers.IntegerField()
    questions = QuestionOut(many=True)


def read_entry(data: Any, play: Play) -> Entry:
    """The entry of a body. Null stands for a field not given; the game's own checks are `plays.entering`'s."""
    if not isinstance(data, Mapping):
        raise Malformed("not_a_result")
    given = {name: value for name, value in data.items() if value is not None}
    if "passed" in given:
        only(given, PASSED_FIELDS)
        if given["passed"] is not True:
            raise ScoringError("unknown_value", "passed", {"value": plain(given["passed"]), "choices": "true"})
        return Passed()
    imposed = play.session.tournament.auction == "imposed"
    taker = read_taker(given.get("taker", play.etui.taker if imposed else None))
    if "base_score" in given:
        only(given, FICHE_FIELDS)
        return Fiche(taker, read_whole("base_score", given["base_score"]))
    named = bouts_from_data(given.get("attack_bouts"))
    facts = {name: value for name, value in given.items() if name not in ("taker", "attack_bouts")}
    return Facts(taker, read_result({"contract": "garde"} | facts if imposed else facts), named)


def read_correction(data: Any, play: Play) -> tuple[Entry, dict[str, Any]]:
    """The entry of a body, and the `reason` and `seen_version` beside it."""
    if not isinstance(data, Mapping):
        raise Malformed("not_a_result")
    beside = CorrectionIn().fields
    correction = read(CorrectionIn, {name: value for name, value in data.items() if name in beside})
    return read_entry({name: value for name, value in data.items() if name not in beside}, play), correction


def only(given: Mapping[str, Any], fields: tuple[str, ...]) -> None:
    for name in given:
        if name not in fields:
            raise Malformed("result_mixed", str(name), choices=", ".join(fields))


def read_taker(value: object) -> Line:
    if value is None:
        raise EntryError("taker_missing", "taker")
    return read_name("taker", value, Line)


def result_data(entry: Entry, rules: ScoringRules) -> dict[str, Any]:
    """An entry with its score, as `ResultOut` documents it."""
    taker = taker_of(entry)
    scored = score_deal(entry.result, rules) if isinstance(entry, Facts) else None
    score = scored.base_score if scored else base_score(entry, rules)
    return {
        "kind": entry.kind,
        "taker": taker and str(taker),
        "facts": facts_data(entry, made=scored.made) if isinstance(entry, Facts) and scored else None,
        "base_score": score,
        "fiche": sign(score),
        "marks": {str(line): mark for line, mark in seat_marks(taker, score).items()},
        "lines": [line_data(line) for line in scored.lines] if scored else [],
    }


def facts_data(facts: Facts, *, made: bool) -> dict[str, Any]:
    told = result_to_data(facts.result)
    points = told.pop("half_points") / 2
    return told | {"attack_bouts": bouts_to_data(facts.attack_bouts), "points": points, "made": made}


def questions_data(entry: Entry, auction: str) -> list[dict[str, Any]]:
    return [question_data(question) for question in questions(entry, auction=cast(Auction, auction))]


def question_data(question: Question) -> dict[str, Any]:
    return {
        "code": question.code,
        "field": question.field,
        "text": say_question(question),
        "params": {name: plain(value) for name, value in question.params.items()},
    }
