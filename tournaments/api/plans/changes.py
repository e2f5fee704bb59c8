"""The plan of a session under way and its changes: what an operation would mean, carried out, undone.

The plan is for everybody, as its page is; the rest is for directors.
"""

from collections.abc import Mapping
from typing import Any, cast

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.models import User
from movements import PlanError, to_data
from tournaments.api.base import Id, Shape, View, operation, read
from tournaments.api.clubs import MOST_PLAYERS
from tournaments.api.errors import describe_error
from tournaments.api.plans.answers import (
    CurrentPlanOut,
    PlanVersionOut,
    PreviewOut,
    outcome_data,
    seats_data,
    version_data,
)
from tournaments.api.plans.movements import CsvIn, PlanIn, read_body
from tournaments.changes.carry_out import change_session, number_of_plan, undo_change
from tournaments.changes.outcomes import outcomes, running_evening
from tournaments.changes.preview import Names, Preview, say_exchange, say_operation
from tournaments.models import MOST_POSITIONS, Tournament
from tournaments.permissions import Can, get_session_for, power_of
from tournaments.plans.choosing import choose_plan, import_plan, shape_of
from tournaments.plans.current import figures_of
from tournaments.plans.data import exempt_data, figures_data
from tournaments.rules.operations import Operation, from_data
from tournaments.words.messages import announcement, say_worth

MOST_NAMED = 60


def kind_field(kind: str) -> serializers.Field[Any, Any, Any, Any]:
    """The name of an operation, which its shape has for its only value."""
    schema = extend_schema_field({"type": "string", "pattern": f"^{kind}$"})
    field: type[serializers.CharField] = schema(type("KindField", (serializers.CharField,), {}))
    return field()


class PositionField(serializers.IntegerField):
    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 1, "max_value": MOST_POSITIONS} | options)


class IdsField(serializers.ListField):
    def __init__(self, **options: Any) -> None:
        super().__init__(child=Id(), min_length=1, max_length=MOST_NAMED, **options)


class ArriveIn(Shape):
    """These players of the club join after that position; 0: from the first on."""

    kind = kind_field("arrive")
    players = IdsField()
    after = PositionField(min_value=0)


class LeaveIn(Shape):
    """These entrants go after that position. `unplayed`: what their tables owe up to then is not played."""

    kind = kind_field("leave")
    entrants = IdsField()
    after = PositionField(min_value=0)
    unplayed = serializers.BooleanField(required=False, default=False)


class ReturnIn(Shape):
    """These entrants, who had gone, are back after that position, with what they have played before."""

    kind = kind_field("return")
    entrants = IdsField()
    after = PositionField(min_value=0)


class SubstituteIn(Shape):
    """A player of the club takes an entrant's seat, with percentages of his `own` or for the entrant's."""

    kind = kind_field("substitute")
    entrant = Id()
    player = Id()
    position = PositionField()
    own = serializers.BooleanField(required=False, default=True)


class SwapIn(Shape):
    """In that position two entrants sat on each other's seat."""

    kind = kind_field("swap")
    position = PositionField()
    one = Id()
    other = Id()


@extend_schema_field({"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 2, "maxItems": 2})
class PairField(serializers.ListField):
    def __init__(self, **options: Any) -> None:
        super().__init__(child=Id(), min_length=2, max_length=2, **options)


class WrongEtuisIn(Shape):
    """A table played other étuis: pairs of the one planned and the one played. `exchange`: it was an exchange.
    `later`: what the table has not played it plays later, else not at all."""

    kind = kind_field("wrong_etuis")
    position = PositionField()
    table = serializers.IntegerField(min_value=1, max_value=999)
    pairs = serializers.ListField(child=PairField(), min_length=1, max_length=MOST_NAMED)
    exchange = serializers.BooleanField(required=False, default=True)
    later = serializers.BooleanField(required=False, default=False)


class ResizeIn(Shape):
    """The evening has so many positions instead."""

    kind = kind_field("resize")
    positions = PositionField()


SHAPES: Mapping[str, type[Shape]] = {
    "arrive": ArriveIn,
    "leave": LeaveIn,
    "return": ReturnIn,
    "substitute": SubstituteIn,
    "swap": SwapIn,
    "wrong_etuis": WrongEtuisIn,
    "resize": ResizeIn,
}


@extend_schema_field(PolymorphicProxySerializer("Operation", cast(Any, dict(SHAPES)), "kind"))
class OperationField(serializers.Field[Any, Any, Any, Any]):
    """One of the operations, by its `kind`."""

    def to_internal_value(self, data: Any) -> Operation:
        kind = data.get("kind") if isinstance(data, Mapping) else None
        if not isinstance(kind, str) or kind not in SHAPES:
            known = ", ".join(SHAPES)
            raise serializers.ValidationError(
                {"kind": [_("An operation has one of these kinds: %(known)s.") % {"known": known}]}
            )
        return from_data(read(SHAPES[kind], data))


class PreviewIn(Shape):
    operation = OperationField()


class ChangeIn(PreviewIn):
    choice = serializers.IntegerField(min_value=0, max_value=99, help_text="place in the list of outcomes, from 0")
    seen = serializers.IntegerField(min_value=0, max_value=9999, help_text="version of the plan that was looked at")


class UndoIn(Shape):
    seen = serializers.IntegerField(min_value=0, max_value=9999, help_text="version to be undone")


class ChoiceIn(Shape):
    """A proposal for so many ranked players, by its place in the list of proposals, the best being 0."""

    choice = serializers.IntegerField(min_value=0, max_value=100)
    players = serializers.IntegerField(min_value=1, max_value=MOST_PLAYERS)


class PlanView(View):
    open_to_all = frozenset({"GET"})

    @operation("plan_read", "The plan of a session under way, with who sits where", answer=CurrentPlanOut)
    def get(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.READ, pk=pk)
        evening = running_evening(session)
        plan = evening.plan
        found = figures_of(plan, takers=evening.takers)
        shown = {
            "version": number_of_plan(session),
            "announcement": None if plan.shifts is None else announcement(plan.shifts),
            "worth": say_worth(plan, found, imposed=session.tournament.auction == Tournament.Auction.IMPOSED),
            "figures": figures_data(found),
            "exempt": exempt_data(plan),
            "first_etui": session.first_etui,
            "seats": seats_data(evening, public=power_of(request.user, session.tournament.club) < Can.ENTER),
            "plan": to_data(plan),
        }
        return Response(CurrentPlanOut(shown).data)

    @operation(
        "plan_choose",
        "Before the start: play one of the proposals, or a plan of your own, which is verified",
        request=PolymorphicProxySerializer("PlanToPlay", [ChoiceIn, PlanIn, CsvIn], resource_type_field_name=None),
        answer=PlanVersionOut,
    )
    def put(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        chosen: dict[str, Any] = {"session_id": pk, "by": cast(User, request.user), "now": timezone.now()}
        if isinstance(request.data, Mapping) and "choice" in request.data:
            wish = read(ChoiceIn, request.data)
            version = choose_plan(choice=wish["choice"], shape=shape_of(session, wish["players"]), **chosen)
        else:
            try:
                plan = read_body(request.data)
            except PlanError as error:
                return Response({"error": describe_error(error)}, status=status.HTTP_400_BAD_REQUEST)
            version = import_plan(plan=plan, **chosen)
        return Response(version_data(version, Names(session)))


class PreviewView(View):
    @operation(
        "changes_preview", "What an operation would mean; nothing is changed", request=PreviewIn, answer=PreviewOut
    )
    def post(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        asked: Operation = read(PreviewIn, request.data)["operation"]
        seen = number_of_plan(session)
        evening = running_evening(session)
        found = outcomes(session, asked)
        told = [outcome_data(Preview(evening, asked, way, choice)) for choice, way in enumerate(found)]
        shown = {
            "seen": seen,
            "text": " ".join([say_operation(asked, Names(session)), *say_exchange(evening.plan, session, asked)]),
            "outcomes": told,
        }
        return Response(PreviewOut(shown).data)


class ChangesView(View):
    @operation("changes_list", "Every version of the plan, the newest first", answer=PlanVersionOut(many=True))
    def get(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        names = Names(session)
        return Response([version_data(version, names) for version in session.plans.order_by("-number")])

    @operation(
        "changes_make",
        "Carry an operation out as one of its outcomes; 409 where the plan is another by now",
        request=ChangeIn,
        answer=PlanVersionOut,
        statuses=(201,),
    )
    def post(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        by = cast(User, request.user)
        version = change_session(session_id=pk, by=by, now=timezone.now(), **read(ChangeIn, request.data))
        return Response(version_data(version, Names(session)), status=status.HTTP_201_CREATED)


class UndoView(View):
    @operation(
        "changes_undo", "Undo the newest change, unless results depend on it", request=UndoIn, answer=PlanVersionOut
    )
    def post(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        by = cast(User, request.user)
        version = undo_change(session_id=pk, by=by, now=timezone.now(), **read(UndoIn, request.data))
        return Response(version_data(version, Names(session)))
