"""The views of the arbiter's rulings on an étui: annul it, split it where it was altered, or restore it.

Each ruling is stored with its reason.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, cast

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Id, Shape, View, operation, read_shape
from api.rulings.plays import WORDS, RankingPreviewOut, RulingIn, answer_preview
from api.sessions import MOST_NUMBER
from clubs.models import User
from evenings.plays.ruling import annul_etui, restore_etui, split_etui
from tournaments.models import EtuiRuling, Session
from tournaments.permissions import Can, get_session_for


class SplitIn(RulingIn):
    from_position = serializers.IntegerField(min_value=1, max_value=MOST_NUMBER)
    before = serializers.ListField(
        child=Id(),
        required=False,
        default=list,
        max_length=1000,
        help_text="ids of the plays of that position that came before the étui was altered",
    )


class EtuiWordIn(SplitIn):
    """A ruling on an étui, of any kind. For a split, `from_position` and `before` tell where the étui was altered."""

    kind = serializers.ChoiceField(["annulled", "split", "restored"])

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        fields["from_position"].required = False
        return fields


class EtuiRulingOut(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    kind = serializers.CharField(help_text="annulled, split or restored")
    from_position = serializers.IntegerField(allow_null=True)
    played_before = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="tables that had played the étui in from_position before it was altered",
    )
    reason = serializers.CharField()
    article = serializers.CharField(allow_blank=True)
    author = serializers.CharField(source="author.username")
    ruled_at = serializers.DateTimeField()


class EtuiRulingsOut(serializers.Serializer[Any]):
    """The rulings on an étui. The newest one is in force."""

    etui = serializers.IntegerField()
    rulings = EtuiRulingOut(many=True)


class EtuiRulingsView(View):
    @operation("etuis_rulings", "List the rulings on an étui of a session, newest first", answer=EtuiRulingsOut)
    def get(self, request: Request, pk: int, etui: int) -> Response:
        return answer_rulings(get_session_for(request.user, Can.DIRECT, pk=pk), etui)


class EtuiAnnulmentView(View):
    @operation("etuis_annul", "Annul an étui: it counts for nobody", request=RulingIn, answer=EtuiRulingsOut)
    def put(self, request: Request, pk: int, etui: int) -> Response:
        return rule(request, (pk, etui), annul_etui, RulingIn)

    @operation(
        "etuis_restore",
        "Restore an annulled or split étui: it counts as a whole again. Send the reason in the address, or in"
        " a body if your client can send one",
        answer=EtuiRulingsOut,
        query=WORDS,
    )
    def delete(self, request: Request, pk: int, etui: int) -> Response:
        return rule(request, (pk, etui), restore_etui, RulingIn)


class EtuiSplitView(View):
    @operation(
        "etuis_split",
        "Split an étui that was altered: compare the plays before and after separately",
        request=SplitIn,
        answer=EtuiRulingsOut,
    )
    def put(self, request: Request, pk: int, etui: int) -> Response:
        return rule(request, (pk, etui), split_etui, SplitIn)


class EtuiPreviewView(View):
    @operation(
        "etuis_rulings_preview",
        "Preview how a ruling on an étui would change the ranking. Changes nothing",
        request=EtuiWordIn,
        answer=RankingPreviewOut,
    )
    def post(self, request: Request, pk: int, etui: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        body = read_shape(EtuiWordIn, request.data)
        kind, split = body.pop("kind"), {"from_position": body.pop("from_position", 0), "before": body.pop("before")}
        services: dict[str, Callable[..., object]] = {
            "annulled": annul_etui,
            "restored": restore_etui,
            "split": partial(split_etui, **split),
        }
        said = {"session_id": pk, "etui": etui, "by": cast(User, request.user), "now": timezone.now()} | body
        return answer_preview(request, session, partial(services[kind], **said))


def rule(request: Request, which: tuple[int, int], service: Callable[..., object], shape: type[Shape]) -> Response:
    """Carry out a ruling by this service, for a director. Return the rulings on the étui."""
    pk, etui = which
    session = get_session_for(request.user, Can.DIRECT, pk=pk)
    body = read_shape(shape, request.query_params.dict() or request.data)
    service(session_id=pk, etui=etui, by=cast(User, request.user), now=timezone.now(), **body)
    return answer_rulings(session, etui)


def answer_rulings(session: Session, etui: int) -> Response:
    """Return the response with the rulings on an étui, the newest first."""
    rulings = EtuiRuling.objects.filter(session=session, etui__number=etui).select_related("author").order_by("-id")
    return Response(EtuiRulingsOut({"etui": etui, "rulings": rulings}).data)
