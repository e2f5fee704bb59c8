"""The answers about a plan and its changes: their serializers, and the functions that fill them."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers

from api.plans.movements import FiguresOut, NamesField, NumbersField, PlanOut
from deals.domain.cards import LINES
from evenings.changes.preview import ChangePreview, OperationNames, Spot, say_plan_version
from evenings.plans.current import SessionPlan
from evenings.plans.data import exempt_data, figures_data
from movements import Member, write_plays
from tournaments.models import PlanVersion


class SpotOut(serializers.Serializer[Any]):
    table = serializers.IntegerField(allow_null=True, help_text="null: the player rests")
    etuis = NumbersField()


class StopOut(SpotOut):
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
    moves = MoveOut(many=True, help_text="everybody else keeps the same table and étuis")
    resting = serializers.ListField(child=serializers.CharField())


class NewcomerOut(SeatOut):
    way = StopOut(many=True)


class UnplayedOut(serializers.Serializer[Any]):
    position = serializers.IntegerField()
    table = serializers.IntegerField()
    etui = serializers.IntegerField()
    names = serializers.ListField(
        child=serializers.CharField(), help_text="the players who have already played the étui"
    )
    counted = serializers.BooleanField(help_text="whether it has a result, which no longer counts")


class OutcomeOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    text = serializers.CharField()
    worth = serializers.ListField(child=serializers.CharField(), help_text="the figures, as sentences")
    figures = FiguresOut()
    consequences = serializers.ListField(
        child=serializers.CharField(), help_text="who stops completing a table and who will be ranked, as sentences"
    )
    etuis_short = serializers.IntegerField(help_text="the number of étuis that must be added to the session's set")
    unplayed = UnplayedOut(
        many=True, help_text="plays that are left out, because somebody at the table has already played the étui"
    )
    newcomers = NewcomerOut(many=True)
    positions = ChangedPositionOut(many=True)
    exempt = NamesField(help_text="the players who rest in each position")
    plan = PlanOut()


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
    entrant = serializers.IntegerField()
    name = serializers.CharField()
    ranked = serializers.BooleanField()
    first_position = serializers.IntegerField()
    last_position = serializers.IntegerField(allow_null=True)


class CurrentPlanOut(serializers.Serializer[Any]):
    version = serializers.IntegerField(help_text="0: the plan was neither chosen nor changed")
    announcement = serializers.CharField(
        allow_null=True, help_text="what the arbiter announces; null: players need guide cards"
    )
    worth = serializers.ListField(child=serializers.CharField(), help_text="the figures, as sentences")
    figures = FiguresOut()
    exempt = NamesField(help_text="the players who rest in each position")
    first_etui = serializers.IntegerField(help_text="the number, in the set, of the plan's étui 1")
    seats = HolderOut(many=True)
    plan = PlanOut()


def seats_data(evening: SessionPlan, *, public: bool) -> list[dict[str, Any]]:
    """Return who holds each starting number, in the shape of `HolderOut`.

    A player who left and came back has an entry for each stay. With `public`, the names are those that everybody may
    see.
    """
    stays = [
        (Member(LINES.index(entrant.line), number), first, entrant.pk, last, entrant)
        for entrant in evening.entrants
        for number, first, last in entrant.stays
    ]
    return [
        {
            "seat": member.name,
            "entrant": pk,
            "name": entrant.public_name if public else entrant.name,
            "ranked": entrant.ranked,
            "first_position": first,
            "last_position": last,
        }
        for member, first, pk, last, entrant in sorted(stays, key=lambda stay: stay[:3])
    ]


def outcome_data(preview: ChangePreview) -> dict[str, Any]:
    """Return one possible outcome of a change, in the shape of `OutcomeOut`."""
    plan = preview.way.plan
    return {
        "code": preview.way.code,
        "text": preview.text,
        "worth": preview.worth,
        "figures": figures_data(preview.way.figures),
        "consequences": preview.consequences,
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
        "plan": write_plays(plan),
    }


def spot_data(spot: Spot) -> dict[str, Any]:
    return {"table": spot.table or None, "etuis": list(spot.etuis)}


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
