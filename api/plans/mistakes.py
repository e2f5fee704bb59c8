"""The views of mistakes in a running session of teams: preview the correction, carry it out. For directors.

The address `changes/undo/` undoes a correction, as it undoes every other change of the plan.
"""

from collections.abc import Mapping
from typing import Any, cast

from django.utils.translation import gettext as _
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Id, Shape, View, operation, read_shape
from api.plans.answers import PlanVersionOut, version_data
from api.plans.changes import MOST_NAMED, PairField, PositionField, kind_field
from api.plans.teams import require_session_of_teams
from api.sessions import author_and_time
from evenings.changes.carry_out import number_of_plan
from evenings.changes.mistakes import Mistake, find_mended_teams, mend_teams
from evenings.changes.preview import OperationNames, say_exchange, say_operation
from tournaments.permissions import Can, get_session_for
from tournaments.rules.operations import Swap, WrongEtuis


class TeamSwapIn(Shape):
    """The mistake of two teams that exchanged their seats in a position, at one table or at two."""

    kind = kind_field("swap")
    position = PositionField()
    one = Id(help_text="the id of an entrant")
    other = Id(help_text="the id of an entrant")


class TeamWrongEtuisIn(Shape):
    """The mistake of a table of teams that played other étuis than planned.

    `pairs` holds the number of the planned étui and of the played one. With `exchange`, the table that should have
    played the other étui got the planned one in return.
    """

    kind = kind_field("wrong_etuis")
    position = PositionField()
    table = serializers.IntegerField(min_value=1, max_value=999)
    pairs = serializers.ListField(child=PairField(), min_length=1, max_length=MOST_NAMED)
    exchange = serializers.BooleanField(required=False, default=True)


SHAPES: Mapping[str, type[Shape]] = {"swap": TeamSwapIn, "wrong_etuis": TeamWrongEtuisIn}


@extend_schema_field(PolymorphicProxySerializer("TeamMistake", cast(Any, dict(SHAPES)), "kind"))
class MistakeField(serializers.Field[Any, Any, Any, Any]):
    """A mistake of either kind; its `kind` names the shape."""

    def to_internal_value(self, data: Any) -> Mistake:
        kind = data.get("kind") if isinstance(data, Mapping) else None
        if not isinstance(kind, str) or kind not in SHAPES:
            params = {"known": ", ".join(SHAPES)}
            raise serializers.ValidationError(
                {"kind": [_("The kind of an operation is one of these: %(known)s.") % params]}
            )
        shape = read_shape(SHAPES[kind], data)
        if kind == Swap.kind:
            return Swap(shape["position"], shape["one"], shape["other"])
        pairs = tuple((planned, played) for planned, played in shape["pairs"])
        return WrongEtuis(shape["position"], shape["table"], pairs, exchange=shape["exchange"])


class MistakePreviewIn(Shape):
    mistake = MistakeField()


class MistakeIn(MistakePreviewIn):
    seen = serializers.IntegerField(min_value=0, max_value=9999, help_text="the version of the plan that you have seen")


class MistakePreviewOut(serializers.Serializer[Any]):
    """The consequences of a correction. Nothing has changed yet."""

    seen = serializers.IntegerField(help_text="the version of the plan, for the correction")
    text = serializers.CharField()
    turned = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="ids of plays with a result in which another team attacks then: say who attacked",
    )
    replayed = serializers.ListField(
        child=serializers.IntegerField(), help_text="ids of plays to come that are left out: a team has had the étui"
    )


class MistakePreviewView(View):
    @operation(
        "team_mistakes_preview",
        "Preview the correction of a mistake at tables of teams. Changes nothing",
        request=MistakePreviewIn,
        answer=MistakePreviewOut,
    )
    def post(self, request: Request, pk: int) -> Response:
        session = require_session_of_teams(get_session_for(request.user, Can.DIRECT, pk=pk))
        mistake: Mistake = read_shape(MistakePreviewIn, request.data)["mistake"]
        seen, mended = number_of_plan(session), find_mended_teams(session, mistake)
        rows, before = mended.after.rows, mended.before
        data = [
            say_operation(mistake, OperationNames(session)),
            *say_exchange(mended.evening.plan, session, mistake),
        ]
        shown = {
            "seen": seen,
            "text": " ".join(data),
            "turned": sorted(mended.turned & before.entered),
            "replayed": [
                key
                for key, row in sorted(rows.items())
                if row["is_replay"] and key in before.rows and not before.rows[key]["is_replay"]
            ],
        }
        return Response(MistakePreviewOut(shown).data)


class MistakesView(View):
    @operation(
        "team_mistakes_mend",
        "Correct a mistake at tables of teams; 409 if the plan has changed in the meantime",
        request=MistakeIn,
        answer=PlanVersionOut,
        statuses=(201,),
    )
    def post(self, request: Request, pk: int) -> Response:
        session = require_session_of_teams(get_session_for(request.user, Can.DIRECT, pk=pk))
        version = mend_teams(session_id=pk, **read_shape(MistakeIn, request.data), **author_and_time(request))
        return Response(version_data(version, OperationNames(session)), status=status.HTTP_201_CREATED)
