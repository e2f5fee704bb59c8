"""The views of a running session's plan and its changes: read the plan, preview a change, carry it out, undo it.

Everybody may read the plan. The rest is for directors.
"""

from collections.abc import Mapping
from typing import Any, cast

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Id, PublicView, Shape, View, operation, read_shape
from api.clubs import MOST_PLAYERS
from api.errors import describe_error
from api.plans.answers import (
    CurrentPlanOut,
    PlanVersionOut,
    PreviewOut,
    show_session_plan,
    version_data,
)
from api.plans.movements import CsvIn, PlanIn, read_body
from clubs.models import User
from evenings.changes.carry_out import change_session, number_of_plan, undo_change
from evenings.changes.outcomes import outcomes, running_evening
from evenings.changes.preview import ChangePreview, OperationNames, say_exchange, say_operation
from evenings.plans.choosing import choose_plan, import_plan, shape_of
from movements import PlanError
from tournaments.models import MOST_POSITIONS
from tournaments.permissions import Can, get_session_for, power_of
from tournaments.rules.operations import Operation, read_operation_data

MOST_NAMED = 60


def kind_field(kind: str) -> serializers.Field[Any, Any, Any, Any]:
    """Return a field that accepts only the name of one kind of operation."""
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
    """The operation by which players of the club join after a position. 0 means from the first position on."""

    kind = kind_field("arrive")
    players = IdsField()
    after = PositionField(min_value=0)


class LeaveIn(Shape):
    """The operation by which entrants leave after a position.

    With `unplayed`, plays of their tables up to that position that have no result count as not played.
    """

    kind = kind_field("leave")
    entrants = IdsField()
    after = PositionField(min_value=0)
    unplayed = serializers.BooleanField(required=False, default=False)


class ReturnIn(Shape):
    """The operation by which entrants who had left come back after a position. They keep what they played before."""

    kind = kind_field("return")
    entrants = IdsField()
    after = PositionField(min_value=0)


class SubstituteIn(Shape):
    """The operation by which a player of the club takes an entrant's seat.

    With `own`, the player gets percentages of their own, otherwise the plays count for the entrant. A player with `own`
    is also `ranked`, if the étuis suffice, or else only completes the table.
    """

    kind = kind_field("substitute")
    entrant = Id()
    player = Id()
    position = PositionField()
    own = serializers.BooleanField(required=False, default=True)
    ranked = serializers.BooleanField(required=False, default=True)


class SwapIn(Shape):
    """The operation that records two entrants on each other's seats in a position."""

    kind = kind_field("swap")
    position = PositionField()
    one = Id()
    other = Id()


@extend_schema_field({"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 2, "maxItems": 2})
class PairField(serializers.ListField):
    def __init__(self, **options: Any) -> None:
        super().__init__(child=Id(), min_length=2, max_length=2, **options)


class WrongEtuisIn(Shape):
    """The operation for a table that played other étuis than planned.

    `pairs` holds the number of the planned étui and of the played one. With `exchange`, the table that should have
    played the other étui got the planned one in return. With `later`, the table plays the missed étuis later. Otherwise
    it does not play them.
    """

    kind = kind_field("wrong_etuis")
    position = PositionField()
    table = serializers.IntegerField(min_value=1, max_value=999)
    pairs = serializers.ListField(child=PairField(), min_length=1, max_length=MOST_NAMED)
    exchange = serializers.BooleanField(required=False, default=True)
    later = serializers.BooleanField(required=False, default=False)


class ResizeIn(Shape):
    """The operation that changes the number of positions of the evening."""

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
    """An operation of any kind; its `kind` names the shape."""

    def to_internal_value(self, data: Any) -> Operation:
        kind = data.get("kind") if isinstance(data, Mapping) else None
        if not isinstance(kind, str) or kind not in SHAPES:
            kinds = ", ".join(SHAPES)
            raise serializers.ValidationError(
                {"kind": [_("The kind of an operation is one of these: %(known)s.") % {"known": kinds}]}
            )
        return read_operation_data(read_shape(SHAPES[kind], data))


class PreviewIn(Shape):
    operation = OperationField()


class ChangeIn(PreviewIn):
    choice = serializers.IntegerField(
        min_value=0, max_value=99, help_text="the index of the outcome in the list, from 0"
    )
    seen = serializers.IntegerField(min_value=0, max_value=9999, help_text="the version of the plan that you have seen")


class UndoIn(Shape):
    seen = serializers.IntegerField(min_value=0, max_value=9999, help_text="the version to undo")


class ChoiceIn(Shape):
    """The choice of a proposal for a number of ranked players, by its place in the list of proposals.

    The best has the place 0.
    """

    choice = serializers.IntegerField(min_value=0, max_value=100)
    players = serializers.IntegerField(min_value=1, max_value=MOST_PLAYERS)


class PlanView(PublicView):
    @operation("plan_read", "Read the plan of a session under way, with who sits where", answer=CurrentPlanOut)
    def get(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.READ, pk=pk)
        public = power_of(request.user, session.tournament.club) < Can.ENTER
        shown = show_session_plan(running_evening(session), public=public)
        return Response(CurrentPlanOut(shown | {"first_etui": session.first_etui}).data)

    @operation(
        "plan_choose",
        "Before the start: choose one of the proposals, or your own plan, which is verified",
        request=PolymorphicProxySerializer("PlanToPlay", [ChoiceIn, PlanIn, CsvIn], resource_type_field_name=None),
        answer=PlanVersionOut,
    )
    def put(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        chosen: dict[str, Any] = {"session_id": pk, "by": cast(User, request.user), "now": timezone.now()}
        if isinstance(request.data, Mapping) and "choice" in request.data:
            wish = read_shape(ChoiceIn, request.data)
            version = choose_plan(choice=wish["choice"], shape=shape_of(session, wish["players"]), **chosen)
        else:
            try:
                plan = read_body(request.data)
            except PlanError as error:
                return Response({"error": describe_error(error)}, status=status.HTTP_400_BAD_REQUEST)
            version = import_plan(plan=plan, **chosen)
        return Response(version_data(version, OperationNames(session)))


class PreviewView(View):
    @operation(
        "changes_preview", "Preview what an operation would mean. Changes nothing", request=PreviewIn, answer=PreviewOut
    )
    def post(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        change: Operation = read_shape(PreviewIn, request.data)["operation"]
        seen = number_of_plan(session)
        evening = running_evening(session)
        ways = outcomes(session, change)
        answers = [ChangePreview(evening, change, outcome, choice) for choice, outcome in enumerate(ways)]
        shown = {
            "seen": seen,
            "text": " ".join(
                [say_operation(change, OperationNames(session)), *say_exchange(evening.plan, session, change)]
            ),
            "outcomes": answers,
        }
        return Response(PreviewOut(shown).data)


class ChangesView(View):
    @operation("changes_list", "List every version of the plan, newest first", answer=PlanVersionOut(many=True))
    def get(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        names = OperationNames(session)
        return Response([version_data(version, names) for version in session.plans.order_by("-number")])

    @operation(
        "changes_make",
        "Carry out an operation with one of its outcomes; 409 if the plan has changed in the meantime",
        request=ChangeIn,
        answer=PlanVersionOut,
        statuses=(201,),
    )
    def post(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        by = cast(User, request.user)
        version = change_session(session_id=pk, by=by, now=timezone.now(), **read_shape(ChangeIn, request.data))
        return Response(version_data(version, OperationNames(session)), status=status.HTTP_201_CREATED)


class UndoView(View):
    @operation(
        "changes_undo", "Undo the newest change, unless results depend on it", request=UndoIn, answer=PlanVersionOut
    )
    def post(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        by = cast(User, request.user)
        version = undo_change(session_id=pk, by=by, now=timezone.now(), **read_shape(UndoIn, request.data))
        return Response(version_data(version, OperationNames(session)))
