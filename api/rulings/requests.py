"""The views of the corrections that players ask for in a session: list them, and decide on them.

Players ask only on the page of their personal link, not by the API.
"""

from typing import Any, cast

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import LineField, Shape, View, operation, read_shape
from clubs.models import User, validate_name
from evenings.plays.desk_state import hidden_etuis
from evenings.requests.deciding import accept_request, refuse_request
from evenings.requests.reading import STATES, RequestWithVoices, requests_of
from tournaments.models import Session
from tournaments.permissions import MOST_NUMBER, Can, get_session_for, require_found


class VoiceOut(serializers.Serializer[Any]):
    line = LineField()
    entrant = serializers.IntegerField()
    name = serializers.CharField()
    agrees = serializers.BooleanField(allow_null=True, help_text="null before the player answers")
    silent = serializers.BooleanField(help_text="whether there has been no answer for a day")
    at = serializers.DateTimeField(allow_null=True)
    device = serializers.CharField(allow_blank=True, help_text="the table’s device, if the answer came from there")


class RequestOut(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    play = serializers.IntegerField()
    etui = serializers.IntegerField()
    position = serializers.IntegerField()
    table = serializers.IntegerField()
    entrant = serializers.IntegerField()
    name = serializers.CharField(help_text="the player who asks")
    text = serializers.CharField(
        allow_null=True,
        help_text="null for a director who has not played the étui yet; the list of voices is then empty",
    )
    asked_at = serializers.DateTimeField()
    state = serializers.ChoiceField(STATES)
    voices = VoiceOut(many=True)
    answer = serializers.CharField(allow_blank=True)
    decided_at = serializers.DateTimeField(allow_null=True)
    decided_by = serializers.CharField(allow_null=True)
    version = serializers.IntegerField(
        allow_null=True, help_text="the version of the play's result that followed from it"
    )


class DecisionIn(Shape):
    accepted = serializers.BooleanField()
    answer = serializers.CharField(
        max_length=300,
        required=False,
        validators=[validate_name],
        help_text="the answer that the player reads; required for a refusal",
        default="",
    )
    version = serializers.IntegerField(
        min_value=1,
        max_value=MOST_NUMBER,
        required=False,
        help_text="the version of the result, if you corrected it first",
    )


class RequestsView(View):
    @operation(
        "requests_list",
        "List the corrections that players ask for by their personal links: open ones first, oldest first",
        answer=RequestOut(many=True),
    )
    def get(self, request: Request, pk: int) -> Response:
        return Response(list_requests(request, get_session_for(request.user, Can.DIRECT, pk=pk)))


class DecisionView(View):
    @operation(
        "requests_decide",
        "Grant a correction, once the result is corrected or settled another way, or refuse it with a reason",
        request=DecisionIn,
        answer=RequestOut,
    )
    def post(self, request: Request, pk: int, asked: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        listed = next((each for each in list_requests(request, session) if each["id"] == asked), None)
        require_found(listed)
        decision = read_shape(DecisionIn, request.data)
        options: dict[str, Any] = {"session_id": pk, "request_id": asked}
        options |= {"by": cast(User, request.user), "now": timezone.now()}
        if decision["accepted"]:
            accept_request(**options, answer=decision["answer"], version=decision.get("version"))
        else:
            refuse_request(**options, reason=decision["answer"])
        return Response(next(each for each in list_requests(request, session) if each["id"] == asked))


def list_requests(request: Request, session: Session) -> list[dict[str, Any]]:
    """Return the session's requests in the shape of `RequestOut`."""
    hidden = hidden_etuis(session, request.user)
    return [
        RequestOut(request_data(each, hidden=each.play.etui_id in hidden)).data
        for each in requests_of(session, now=timezone.now())
    ]


def request_data(asked: RequestWithVoices, *, hidden: bool) -> dict[str, Any]:
    """Return a request in the shape of `RequestOut`. With `hidden`, its texts and voices are left out."""
    row, play = asked.request, asked.play
    return {
        "id": row.pk,
        "play": play.pk,
        "etui": play.etui.number,
        "position": play.position,
        "table": play.table.number,
        "entrant": row.entrant_id,
        "name": row.asker,
        "text": None if hidden else row.text,
        "asked_at": row.asked_at,
        "state": asked.state,
        "voices": [
            {
                "line": voice.line,
                "entrant": voice.entrant.pk,
                "name": voice.entrant.name,
                "agrees": voice.agrees,
                "silent": voice.silent,
                "at": voice.word and voice.word.answered_at,
                "device": voice.word.device if voice.word else "",
            }
            for voice in ([] if hidden else asked.voices)
        ],
        "answer": "" if hidden else row.answer,
        "decided_at": row.decided_at,
        "decided_by": row.decided_by and row.decided_by.get_username(),
        "version": row.entry and row.entry.version,
    }
