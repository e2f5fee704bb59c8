"""The views of the cut between two rounds: who goes on to a session, from which published ranking."""

from typing import Any

from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Shape, View, operation, read_shape
from api.sessions import author_and_time
from registration.people.cuts import (
    CutGiven,
    change_cut_player,
    fill_session_cut,
    find_cut_change,
    list_cut,
    list_earlier_cuts,
    list_sources,
    make_session_cut,
    show_session_cut,
    undo_session_cut,
)
from registration.people.registration import MOST
from tournaments.models import Cut, Session
from tournaments.permissions import Can, get_session_for
from tournaments.rules.cut import CutState, CutTies


class CutIn(Shape):
    ranking = serializers.CharField(max_length=20, help_text="the key of one of the `sources` of the answer to GET")
    places = serializers.IntegerField(min_value=1, max_value=MOST, help_text="how many players go on")
    equals = serializers.ChoiceField(
        [each.value for each in CutTies],
        default=CutTies.ALL.value,
        help_text="equal players at the last place: all go on; by the last result; or lots are drawn",
    )
    here = serializers.BooleanField(default=False, help_text="whether all of them are marked as present")


class CutPlayerIn(Shape):
    comes = serializers.BooleanField(help_text="false if the player withdraws, true if the player comes back")


class CutSourceOut(serializers.Serializer[Any]):
    key = serializers.CharField()
    session = serializers.IntegerField(
        allow_null=True, help_text="the number of the session; null: the tournament’s ranking, or a consolation"
    )
    version = serializers.IntegerField(allow_null=True)
    consolation = serializers.BooleanField(help_text="whether it takes the players who do not go on by another cut")


class CutLineOut(serializers.Serializer[Any]):
    player = serializers.IntegerField(source="player.pk")
    name = serializers.CharField(source="player.name")
    rank = serializers.IntegerField(source="line.rank")
    state = serializers.ChoiceField([each.value for each in CutState])
    equal = serializers.BooleanField(source="line.is_equal", help_text="whether the line of the cut divides this rank")


class CutMadeOut(serializers.Serializer[Any]):
    places = serializers.IntegerField()
    equals = serializers.CharField(source="ties")
    made_at = serializers.DateTimeField()
    shown_at = serializers.DateTimeField(allow_null=True, help_text="since when everybody sees who is qualified")
    newer_version = serializers.IntegerField(allow_null=True, help_text="a newer version of the ranking, or null")
    lines = CutLineOut(many=True)


class CutOut(serializers.Serializer[Any]):
    level = serializers.IntegerField(help_text="how many cuts the players of the session have passed")
    cut = CutMadeOut(allow_null=True)
    sources = CutSourceOut(many=True, help_text="the rankings that a cut can read; none where a cut is made")


class CountOut(serializers.Serializer[Any]):
    count = serializers.IntegerField(help_text="how many players moved up")


class CutView(View):
    @operation("cuts_read", "Read who goes on to a session, or which rankings a cut can read", answer=CutOut)
    def get(self, request: Request, pk: int) -> Response:
        return answer_cut(get_session_for(request.user, Can.DIRECT, pk=pk))

    @operation(
        "cuts_make",
        "Make the cut of a session in preparation: its players are put on the session’s list."
        " The same request twice has one effect",
        request=CutIn,
        answer=CutOut,
    )
    def put(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        body = read_shape(CutIn, request.data)
        key: str = body["ranking"]
        out_of = int(key[1:]) if key.startswith("c") and key[1:].isdecimal() else None
        cut = CutGiven(key, body["places"], CutTies(body["equals"]), out_of, body["here"])
        make_session_cut(session_id=pk, given=cut, **author_and_time(request))
        return answer_cut(get_session_for(request.user, Can.DIRECT, pk=pk))

    @operation("cuts_undo", "Undo the cut of a session in preparation", answer=None, statuses=(204,))
    def delete(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        undo_session_cut(session_id=pk, **author_and_time(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class CutFillView(View):
    @operation("cuts_fill", "Put the players who move up on the session’s list", answer=CountOut)
    def post(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        return Response({"count": fill_session_cut(session_id=pk, **author_and_time(request))})


class CutShowView(View):
    @operation("cuts_show", "Let everybody see who is qualified", answer=CutOut)
    def post(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        show_session_cut(session_id=pk, **author_and_time(request))
        return answer_cut(get_session_for(request.user, Can.DIRECT, pk=pk))


class CutPlayerView(View):
    @operation(
        "cuts_player", "Note that a player of the cut withdraws, or comes back", request=CutPlayerIn, answer=CutOut
    )
    def put(self, request: Request, pk: int, player: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        comes = read_shape(CutPlayerIn, request.data)["comes"]
        change_cut_player(session_id=pk, player_id=player, comes=comes, **author_and_time(request))
        return answer_cut(get_session_for(request.user, Can.DIRECT, pk=pk))


def answer_cut(session: Session) -> Response:
    """Return the cut of a session with its lines, or the rankings that a cut can read."""
    cuts = Cut.objects.select_related("publication__session", "tournament_publication", "out_of")
    cut = cuts.filter(session=session).first()
    if cut is None:
        return Response(CutOut({"level": session.level, "cut": None, "sources": describe_sources(session)}).data)
    change = find_cut_change(session, cut)
    made = {name: getattr(cut, name) for name in ("places", "ties", "made_at", "shown_at")}
    made |= {"newer_version": change and change.version, "lines": list_cut(session, cut)}
    return Response(CutOut({"level": session.level, "cut": made, "sources": []}).data)


def describe_sources(session: Session) -> list[dict[str, Any]]:
    """Return the rankings that a cut can read, and then the cuts that leave players for a consolation."""
    rankings = [
        {"key": each.key, "session": each.session, "version": each.version, "consolation": False}
        for each in list_sources(session)
    ]
    others = [
        {"key": f"c{cut.pk}", "session": None, "version": None, "consolation": True}
        for cut in list_earlier_cuts(session)
    ]
    return [*rankings, *others]
