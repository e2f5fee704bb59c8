"""The arbiter's words on an étui of a session: annulled, or altered on the way; each with its reason, and kept."""

from collections.abc import Callable
from typing import Any, cast

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.models import User
from tournaments.api.base import Id, Shape, View, operation, query, read
from tournaments.api.results import Reasoned
from tournaments.api.sessions import MOST_NUMBER
from tournaments.models import EtuiRuling, Session
from tournaments.permissions import Can, get_session_for
from tournaments.plays.ruling import annul_etui, restore_etui, split_etui


class SplitIn(Reasoned):
    from_position = serializers.IntegerField(min_value=1, max_value=MOST_NUMBER)
    before = serializers.ListField(
        child=Id(), required=False, default=list, max_length=1000, help_text="plays of that position that were over"
    )


class EtuiRulingOut(serializers.Serializer[Any]):
    kind = serializers.CharField(help_text="annulled, split or restored")
    from_position = serializers.IntegerField(allow_null=True)
    played_before = serializers.ListField(
        child=serializers.IntegerField(), help_text="tables of from_position that had played it before it was altered"
    )
    reason = serializers.CharField()
    author = serializers.CharField(source="author.username")
    ruled_at = serializers.DateTimeField()


class EtuiRulingsOut(serializers.Serializer[Any]):
    """The newest is in force."""

    etui = serializers.IntegerField()
    rulings = EtuiRulingOut(many=True)


class EtuiRulingsView(View):
    @operation("etuis_rulings", "What was ruled on an étui of a session, newest first", answer=EtuiRulingsOut)
    def get(self, request: Request, pk: int, etui: int) -> Response:
        return answer_rulings(get_session_for(request.user, Can.DIRECT, pk=pk), etui)


class EtuiAnnulmentView(View):
    @operation("etuis_annul", "Annul an étui: it counts for nobody", request=Reasoned, answer=EtuiRulingsOut)
    def put(self, request: Request, pk: int, etui: int) -> Response:
        return rule(request, (pk, etui), annul_etui, Reasoned)

    @operation(
        "etuis_restore",
        "Let an étui count as a whole again, annulled or split. The reason stands in the address, or in a body where"
        " the client can send one",
        answer=EtuiRulingsOut,
        query=[query("reason", OpenApiTypes.STR)],
    )
    def delete(self, request: Request, pk: int, etui: int) -> Response:
        return rule(request, (pk, etui), restore_etui, Reasoned)


class EtuiSplitView(View):
    @operation(
        "etuis_split",
        "Compare an étui's plays before and after it was altered apart",
        request=SplitIn,
        answer=EtuiRulingsOut,
    )
    def put(self, request: Request, pk: int, etui: int) -> Response:
        return rule(request, (pk, etui), split_etui, SplitIn)


def rule(request: Request, which: tuple[int, int], service: Callable[..., object], shape: type[Shape]) -> Response:
    pk, etui = which
    session = get_session_for(request.user, Can.DIRECT, pk=pk)
    given = read(shape, request.query_params.dict() or request.data)
    service(session_id=pk, etui=etui, by=cast(User, request.user), now=timezone.now(), **given)
    return answer_rulings(session, etui)


def answer_rulings(session: Session, etui: int) -> Response:
    rulings = EtuiRuling.objects.filter(session=session, etui__number=etui).select_related("author").order_by("-id")
    return Response(EtuiRulingsOut({"etui": etui, "rulings": rulings}).data)
