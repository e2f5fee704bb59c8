"""The views of a session's penalties, bonuses and warnings, and of a club's list of usual ones."""

from decimal import Decimal
from functools import partial
from typing import Any, cast

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import MAX_ID, Id, View, operation, query, read_shape
from api.results import ReasonShape
from api.rulings.plays import RankingPreviewOut, answer_preview
from api.sessions import MOST_NUMBER
from clubs.models import Club, User, validate_name
from evenings.plays.penalties import Sanction, give_penalty, keep_usual, remove_usual, take_back_penalty
from tournaments.errors import ActionRefused
from tournaments.models import Penalty
from tournaments.permissions import Can, get_club_for, get_session_for


class SanctionIn(ReasonShape):
    kind = serializers.ChoiceField(Penalty.PenaltyKind.values)
    points = serializers.DecimalField(
        max_digits=5,
        decimal_places=2,
        min_value=0,
        max_value=100,
        required=False,
        default=Decimal(0),
        help_text="percentage points, or match points or marks where those are added up, above 0; none for a warning",
    )
    article = serializers.CharField(
        max_length=60, required=False, default="", allow_blank=True, validators=[validate_name]
    )


class PenaltyIn(SanctionIn):
    entrant = Id()
    position = serializers.IntegerField(
        min_value=1,
        max_value=MOST_NUMBER,
        required=False,
        allow_null=True,
        default=None,
        help_text="the position it applies to: percentage points are divided by the number of positions, match points"
        " count in full; null: the whole session",
    )
    seen = serializers.IntegerField(
        min_value=0,
        max_value=MAX_ID,
        required=False,
        allow_null=True,
        default=None,
        help_text="id of the newest penalty, bonus or warning that you have seen, 0 for none; a newer one for this"
        " player is a conflict (409)",
    )


class PenaltyPreviewIn(PenaltyIn):
    """A penalty, bonus or warning to preview, or the id of one to `take_back`."""

    take_back = Id(required=False)

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        for name in ("entrant", "kind"):
            fields[name].required = False
        return fields


class UsualIn(SanctionIn):
    for_position = serializers.BooleanField(required=False, default=False)


class SanctionOut(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    kind = serializers.CharField(help_text="penalty, bonus or warning")
    points = serializers.CharField(
        help_text="percentage points, or match points or marks where those are added up: 2.50"
    )
    article = serializers.CharField(allow_blank=True)
    reason = serializers.CharField()


class UsualOut(SanctionOut):
    for_position = serializers.BooleanField()


class TakenBackOut(serializers.Serializer[Any]):
    reason = serializers.CharField()
    author = serializers.CharField(source="author.username")
    given_at = serializers.DateTimeField()


class PenaltyOut(SanctionOut):
    entrant = serializers.IntegerField(source="entrant_id")
    name = serializers.CharField(source="entrant.name")
    position = serializers.IntegerField(allow_null=True)
    author = serializers.CharField(source="author.username")
    given_at = serializers.DateTimeField()
    taken_back = TakenBackOut(source="reversal", allow_null=True)


class PenaltiesView(View):
    @operation(
        "penalties_list",
        "List the penalties, bonuses and warnings of a session, newest first",
        answer=PenaltyOut(many=True),
    )
    def get(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        return Response(PenaltyOut(given_in(pk), many=True).data)

    @operation(
        "penalties_give",
        "Give a penalty, a bonus or a warning",
        request=PenaltyIn,
        answer=PenaltyOut,
        statuses=(200, 201),
    )
    def post(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        body, now = read_shape(PenaltyIn, request.data), timezone.now()
        penalty = give_penalty(**word_of(request, pk, body) | {"now": now})
        created = status.HTTP_201_CREATED if penalty.given_at == now else status.HTTP_200_OK
        return Response(PenaltyOut(given_in(pk).get(pk=penalty.pk)).data, status=created)


class PenaltyView(View):
    @operation(
        "penalties_take_back",
        "Withdraw a penalty, bonus or warning. Send the reason in the address, or in a body if your client"
        " can send one",
        answer=PenaltyOut,
        query=[query("reason", OpenApiTypes.STR)],
    )
    def delete(self, request: Request, pk: int, penalty: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        body = read_shape(ReasonShape, request.query_params.dict() or request.data)
        take_back_penalty(session_id=pk, penalty_id=penalty, by=cast(User, request.user), now=timezone.now(), **body)
        return Response(PenaltyOut(given_in(pk).get(pk=penalty)).data)


class PenaltyPreviewView(View):
    @operation(
        "penalties_preview",
        "Preview how a penalty or a bonus, or withdrawing one, would change the ranking. Changes nothing",
        request=PenaltyPreviewIn,
        answer=RankingPreviewOut,
    )
    def post(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        body = read_shape(PenaltyPreviewIn, request.data)
        if "take_back" in body:
            said = {"by": cast(User, request.user), "now": timezone.now(), "reason": body["reason"]}
            rule = partial(take_back_penalty, session_id=pk, penalty_id=body["take_back"], **said)
            return answer_preview(request, session, rule)
        if "entrant" not in body:
            raise ActionRefused("entrant_unknown", "entrant")
        return answer_preview(request, session, partial(give_penalty, **word_of(request, pk, body)))


class UsualPenaltiesView(View):
    @operation("usual_penalties_list", "List the usual penalties of a club", answer=UsualOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        club = get_club_for(request.user, Can.DIRECT, slug=slug)
        return Response(UsualOut(club.usual_penalties.all(), many=True).data)

    @operation("usual_penalties_add", "Add a usual penalty", request=UsualIn, answer=UsualOut, statuses=(201,))
    def post(self, request: Request, slug: str) -> Response:
        return keep(request, get_club_for(request.user, Can.DIRECT, slug=slug), None, status.HTTP_201_CREATED)


class UsualPenaltyView(View):
    @operation("usual_penalties_change", "Change a usual penalty", request=UsualIn, answer=UsualOut)
    def put(self, request: Request, slug: str, usual: int) -> Response:
        return keep(request, get_club_for(request.user, Can.DIRECT, slug=slug), usual, status.HTTP_200_OK)

    @operation(
        "usual_penalties_remove", "Remove a usual penalty. Penalties already given stay", answer=None, statuses=(204,)
    )
    def delete(self, request: Request, slug: str, usual: int) -> Response:
        club = get_club_for(request.user, Can.DIRECT, slug=slug)
        remove_usual(club=club, usual_id=usual, by=cast(User, request.user), now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


def given_in(session_id: int) -> Any:
    """Return the penalties, bonuses and warnings of a session, the newest first, with players and withdrawals."""
    people = ("entrant__player", "entrant__stand_in", "author", "reversal__author")
    return Penalty.objects.filter(session=session_id, reverses=None).select_related(*people).order_by("-id")


def word_of(request: Request, pk: int, given: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments for `give_penalty`."""
    sanction = Sanction(given.get("kind", ""), given["points"], given["position"] or 0, given["article"])
    said = {"by": cast(User, request.user), "now": timezone.now(), "reason": given["reason"], "seen": given["seen"]}
    return said | {"session_id": pk, "entrant_id": given["entrant"], "sanction": sanction}


def keep(request: Request, club: Club, usual: int | None, code: int) -> Response:
    """Store a usual penalty of the club: a new one if `usual` is None, else the one with this id.

    Return the response.
    """
    body = read_shape(UsualIn, request.data)
    sanction = Sanction(body["kind"], body["points"], int(body["for_position"]), body["article"])
    said = {"reason": body["reason"], "by": cast(User, request.user), "now": timezone.now()}
    return Response(UsualOut(keep_usual(club=club, usual_id=usual, sanction=sanction, **said)).data, status=code)
