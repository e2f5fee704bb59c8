"""What the API says of a plan, of its changes, and of whom they touch: the shapes of the answers, and their making."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers

from deals.domain.cards import LINES
from movements import Member, to_data
from tournaments.api.plans.movements import FiguresOut, NamesField, NumbersField, PlanOut
from tournaments.changes.preview import Names, Preview, Spot, say_version
from tournaments.models import PlanVersion
from tournaments.plans.current import SessionPlan
from tournaments.plans.data import exempt_data, figures_data, name_of


class SpotOut(serializers.Serializer[Any]):
    table = serializers.IntegerField(allow_null=True, help_text="null: rests")
    etuis = NumbersField()


class StopOut(SpotOut):
    position = serializers.IntegerField()


class SeatOut(serializers.Serializer[Any]):
    name = serializers.CharField()
    line = serializers.CharField()
    number = serializers.IntegerField()


class MoveOut(SeatOut):
    before = SpotOut(allow_null=True, help_text="null: not there")
    after = SpotOut(allow_null=True, help_text="null: not there")


class ChangedPositionOut(serializers.Serializer[Any]):
    position = serializers.IntegerField()
    added = serializers.BooleanField()
    dropped = serializers.BooleanField()
    moves = MoveOut(many=True, help_text="all others keep table and étuis")
    resting = serializers.ListField(child=serializers.CharField())


class NewcomerOut(SeatOut):
    way = StopOut(many=True)


class UnplayedOut(serializers.Serializer[Any]):
    position = serializers.IntegerField()
    table = serializers.IntegerField()
    etui = serializers.IntegerField()
    names = serializers.ListField(child=serializers.CharField(), help_text="who has had the étui")
    counted = serializers.BooleanField(help_text="it has a result, which no longer counts")


class OutcomeOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    text = serializers.CharField()
    worth = serializers.ListField(child=serializers.CharField(), help_text="the figures in words")
    figures = FiguresOut()
    etuis_short = serializers.IntegerField(help_text="étuis that the session's set lacks for it")
    unplayed = UnplayedOut(many=True, help_text="plays left out, since somebody there has had the étui")
    newcomers = NewcomerOut(many=True)
    positions = ChangedPositionOut(many=True)
    exempt = NamesField(help_text="who rests in each position")
    plan = PlanOut()


class PreviewOut(serializers.Serializer[Any]):
    seen = serializers.IntegerField(help_text="version of the plan that this starts from")
    text = serializers.CharField()
    outcomes = OutcomeOut(many=True, help_text="the best first")


class PlanVersionOut(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    kind = serializers.CharField(help_text="choice, or the operation's")
    text = serializers.CharField()
    made_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True)


class HolderOut(serializers.Serializer[Any]):
    """Who holds a starting number, from one position to another; null: to the end."""

    seat = serializers.CharField(help_text="as in the plan: N8")
    entrant = serializers.IntegerField()
    name = serializers.CharField()
    ranked = serializers.BooleanField()
    first_position = serializers.IntegerField()
    last_position = serializers.IntegerField(allow_null=True)


class CurrentPlanOut(serializers.Serializer[Any]):
    version = serializers.IntegerField(help_text="0: nobody chose or changed it")
    announcement = serializers.CharField(allow_null=True, help_text="what the arbiter says; null: guide cards")
    worth = serializers.ListField(child=serializers.CharField(), help_text="the figures in words")
    figures = FiguresOut()
    exempt = NamesField(help_text="who rests in each position")
    first_etui = serializers.IntegerField(help_text="the étui of the set that is the plan's étui 1")
    seats = HolderOut(many=True)
    plan = PlanOut()


def seats_data(evening: SessionPlan, *, public: bool) -> list[dict[str, Any]]:
    """Who holds each starting number, one after the other; who went and came back holds one each time. `public`: as
    everybody may know them."""
    stays = [
        (Member(LINES.index(entrant.line), number), first, entrant.pk, last, entrant)
        for entrant in evening.entrants
        for number, first, last in entrant.stays
    ]
    return [
        {
            "seat": name_of(member),
            "entrant": pk,
            "name": entrant.public_name if public else entrant.name,
            "ranked": entrant.ranked,
            "first_position": first,
            "last_position": last,
        }
        for member, first, pk, last, entrant in sorted(stays, key=lambda stay: stay[:3])
    ]


def outcome_data(preview: Preview) -> dict[str, Any]:
    plan = preview.way.plan
    return {
        "code": preview.way.code,
        "text": preview.text,
        "worth": preview.worth,
        "figures": figures_data(preview.way.figures),
        "etuis_short": preview.way.etuis_short,
        "unplayed": [asdict(one) for one in preview.way.unplayed],
        "newcomers": [
            {
                "name": new.name,
                "line": new.line,
                "number": new.number,
                "way": [{"position": position, **spot_data(spot)} for position, spot in new.stops],
            }
            for new in preview.newcomers
        ],
        "positions": [
            {
                "position": change.position,
                "added": change.added,
                "dropped": change.dropped,
                "moves": [
                    {
                        "name": shift.name,
                        "line": shift.line,
                        "number": shift.number,
                        "before": spot_data(shift.before) if shift.before else None,
                        "after": spot_data(shift.after) if shift.after else None,
                    }
                    for shift in change.shifts
                ],
                "resting": change.resting,
            }
            for change in preview.positions
        ],
        "exempt": exempt_data(plan),
        "plan": to_data(plan),
    }


def spot_data(spot: Spot) -> dict[str, Any]:
    return {"table": spot.table or None, "etuis": list(spot.etuis)}


def version_data(version: PlanVersion, names: Names) -> Any:
    return PlanVersionOut(
        {
            "version": version.number,
            "kind": version.operation.get("kind", ""),
            "text": say_version(version, names),
            "made_at": version.made_at,
            "undone_at": version.undone_at,
        }
    ).data
