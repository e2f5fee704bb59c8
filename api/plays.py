"""The views of a session's plays: list them, and enter, correct or withdraw their results.

Helpers see whether a play has a result, but only the results that they entered themselves. Directors see all results,
except those of étuis that they have still to play.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, cast

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import View, by_line, operation, query, read_shape
from api.public.lists import LongPaged, cut_page, read_filters
from api.results import (
    CORRECTION_IN,
    RESULT_IN,
    CorrectionIn,
    EnteredOut,
    ResultOut,
    questions_data,
    read_correction,
    read_entry,
    result_data,
)
from clubs.models import Scope, User
from evenings.plays.desk_state import hidden_etuis
from evenings.plays.entering import correct_result, enter_into, has_result, withdraw_result
from evenings.plays.entries import entry_of
from evenings.plays.session_plays import ListedPlay, find_plays, history_of, plays_of, rulings_of
from scoring.contract import find_rules
from scoring.formats import find_format
from tournaments.errors import Conflict
from tournaments.models import Play, ResultEntry
from tournaments.permissions import Can, get_play_for, get_play_to_enter, get_session_for, may_see_result, power_of
from tournaments.words.messages import say_reason
from tournaments.words.team_plans import BADGES

NAMED = {"position": "position", "table": "table__number"}
STATES = ("missing", "later", "not_played", "entered", "adjusted", "annulled")
DEVICE = ResultEntry._meta.get_field("device").max_length or 0


class SeatedOut(serializers.Serializer[Any]):
    entrant = serializers.IntegerField()
    name = serializers.CharField()


SeatsOut = by_line("SeatsOut", SeatedOut)


class PlayOut(serializers.Serializer[Any]):
    """A play. `version` and `result` are null if the play has no result, or if you may not see it."""

    id = serializers.IntegerField()
    position = serializers.IntegerField()
    table = serializers.IntegerField()
    etui = serializers.IntegerField()
    taker = serializers.CharField(help_text="the line that the étui names as taker")
    dealer = serializers.CharField()
    seats = SeatsOut()
    state = serializers.CharField(help_text=", ".join(STATES))
    version = serializers.IntegerField(allow_null=True)
    result = ResultOut(allow_null=True)
    badge = serializers.CharField(
        required=False, help_text="only for teams: the badge of the member whose turn it is to attack, such as blue"
    )
    resting = serializers.CharField(
        required=False, help_text="only where the tables deal: the seat that does not play this deal"
    )


class VersionOut(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    current = serializers.BooleanField()
    author = serializers.CharField()
    device = serializers.CharField(allow_blank=True)
    entered_at = serializers.DateTimeField()
    reason = serializers.CharField(allow_blank=True)
    result = ResultOut()


class ReasonField(serializers.CharField):
    def to_representation(self, value: str) -> str:
        return say_reason(value)


class RulingOut(serializers.Serializer[Any]):
    kind = serializers.CharField(help_text="annulled, adjusted, not_played, later, withdrawn or restored")
    id = serializers.IntegerField()
    reason = ReasonField()
    article = serializers.CharField(allow_blank=True)
    score = serializers.IntegerField(
        allow_null=True, help_text="the score that the arbiter assigned, signed for the taker"
    )
    taker = serializers.CharField(allow_blank=True)
    notes = serializers.DictField(
        child=serializers.CharField(), help_text="the notes that the arbiter has fixed, by line"
    )
    compared = serializers.BooleanField(help_text="whether its score counts in the topage of the other plays")
    author = serializers.CharField(source="sender")
    ruled_at = serializers.DateTimeField()


class PlayInFullOut(PlayOut):
    """A play with its history, newest first. For helpers the history is empty."""

    entries = VersionOut(many=True)
    rulings = RulingOut(many=True)


class PlayFilters(LongPaged):
    state = serializers.ChoiceField(STATES, required=False)
    position = serializers.IntegerField(min_value=1, max_value=32_767, required=False)
    table = serializers.IntegerField(min_value=1, max_value=32_767, required=False)


class PlaysView(View):
    @operation(
        "plays_list",
        "List the plays of a session by position, table and étui",
        answer=PlayOut(many=True),
        query=[PlayFilters],
    )
    def get(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.ENTER, pk=pk)
        filters = read_filters(PlayFilters, request)
        where = {NAMED[name]: value for name, value in filters.items() if name in NAMED}
        power = power_of(request.user, session.tournament.club)
        page = cut_page(request, find_plays(session, filters.get("state"), **where), filters)
        listed = plays_of(session, pk__in=page.rows)
        rules = session.tournament.rules
        hidden = hidden_etuis(session, request.user) if power >= Can.DIRECT else frozenset()
        # The rows have the shape of `PlayOut`, but are not serialized by it: with thousands of plays that would take
        # most of the time.
        rows = [play_data(state, rules, request.user, power, hidden) for state in listed]
        return page.answer(rows)


class PlayView(View):
    @operation("plays_read", "Read a play and, for directors, its history", answer=PlayInFullOut)
    def get(self, request: Request, pk: int) -> Response:
        return full_answer(request, get_play_for(request.user, Can.ENTER, pk=pk))


class ResultView(View):
    scopes: ClassVar[Mapping[str, Scope]] = {"POST": Scope.ENTER, "PUT": Scope.ENTER}

    @operation(
        "results_enter",
        "Enter the result of a play. The same result again changes nothing (200); a different one is a conflict (409)",
        request=RESULT_IN,
        answer=EnteredOut,
        statuses=(200, 201),
    )
    def post(self, request: Request, pk: int) -> Response:
        play = get_play_to_enter(request.user, pk)
        if has_result(pk) and play.etui_id in hidden_etuis(play.session, request.user):
            raise Conflict("result_already_entered")  # do not tell whether the two results are equal
        now = timezone.now()
        row = enter_into(play, read_entry(request.data, play), now=now, **author_of(request))
        created = row.entered_at == now
        return answer_entry(play, row, status.HTTP_201_CREATED if created else status.HTTP_200_OK)

    @operation(
        "results_correct",
        "Correct the result of a play by a new version. Send the reason, and the version that you have seen",
        request=CORRECTION_IN,
        answer=EnteredOut,
    )
    def put(self, request: Request, pk: int) -> Response:
        play = get_play_for(request.user, Can.ENTER, pk=pk)
        current = play.entries.filter(current=True).first()
        power = power_of(request.user, play.session.tournament.club)
        if current is not None and not may_see_result(request.user, power, current.author_id):
            raise PermissionDenied
        if play.etui_id in hidden_etuis(play.session, request.user):
            raise PermissionDenied
        entry, correction = read_correction(request.data, play)
        row = correct_result(play_id=pk, entry=entry, now=timezone.now(), **correction, **author_of(request))
        return answer_entry(play, row, status.HTTP_200_OK)

    @operation(
        "results_withdraw",
        "Withdraw a result that belongs to another play. Send the reason and the version that you have seen"
        " in the address, or in a body if your client can send one",
        answer=PlayInFullOut,
        query=[query("reason", OpenApiTypes.STR), query("seen_version")],
    )
    def delete(self, request: Request, pk: int) -> Response:
        play = get_open_play(request, pk)
        body = read_shape(CorrectionIn, request.query_params.dict() or request.data)
        withdraw_result(play_id=pk, by=cast(User, request.user), now=timezone.now(), **body)
        return full_answer(request, play)


def author_of(request: Request) -> dict[str, Any]:
    """Return the user and the device (the user agent), as arguments of a service."""
    return {"by": cast(User, request.user), "device": request.headers.get("User-Agent", "")[:DEVICE]}


def answer_entry(play: Play, row: ResultEntry, code: int) -> Response:
    """Return the response for a stored result, in the shape of `EnteredOut`."""
    tournament = play.session.tournament
    entry = entry_of(row)
    # The data has the shape of `EnteredOut`.
    data = {
        "play": play.pk,
        "version": row.version,
        **result_data(entry, find_rules(tournament.rules), play.playing_seats),
        "questions": questions_data(entry, find_format(tournament.format), len(play.playing_seats)),
    }
    return Response(data, status=code)


def full_answer(request: Request, play: Play) -> Response:
    """Return the response with a play and, for a director who may see it, its history."""
    power = power_of(request.user, play.session.tournament.club)
    rules = play.session.tournament.rules
    (state,) = plays_of(play.session, pk=play.pk)
    hidden = hidden_etuis(play.session, request.user) if power >= Can.DIRECT else frozenset()
    data = play_data(state, rules, request.user, power, hidden) | {"entries": [], "rulings": []}
    if power >= Can.DIRECT and play.etui_id not in hidden:
        data |= {"entries": [version_data(play, row, rules) for row in history_of(play)], "rulings": rulings_of(play)}
    return Response(PlayInFullOut(data).data)


def play_data(state: ListedPlay, rules: str, user: Any, power: Can, hidden: frozenset[int]) -> dict[str, Any]:
    """Return a play in the shape of `PlayOut`.

    `hidden` has the ids of étuis that the director has still to play. Their results are left out.
    """
    play, entry = state.play, state.entry
    shown = entry is not None and play.etui_id not in hidden and may_see_result(user, power, entry.author_id)
    seen = entry if shown else None
    return {
        "id": play.pk,
        "position": play.position,
        "table": play.table.number,
        "etui": play.etui.number,
        "taker": play.taker,
        "dealer": play.etui.dealer,
        "seats": {line: {"entrant": seat.pk, "name": seat.name} for line, seat in play.seats.items()},
        "state": state.state,
        "version": seen and seen.version,
        "result": seen and result_data(entry_of(seen), find_rules(rules), play.playing_seats),
        **({"resting": play.resting} if play.resting else {}),
        **({"badge": BADGES[play.badge].value} if play.badge in BADGES else {}),
    }


def version_data(play: Play, row: ResultEntry, rules: str) -> dict[str, Any]:
    """Return a version of the result of a play in the shape of `VersionOut`."""
    return {
        "version": row.version,
        "current": row.current,
        "author": row.sender,
        "device": row.device,
        "entered_at": row.entered_at,
        "reason": say_reason(row.reason),
        "result": result_data(entry_of(row), find_rules(rules), play.playing_seats),
    }


def get_open_play(request: Request, pk: int) -> Play:
    """Return the play, or raise `PermissionDenied` if the director has still to play its étui."""
    play = get_play_for(request.user, Can.DIRECT, pk=pk)
    if play.etui_id in hidden_etuis(play.session, request.user):
        raise PermissionDenied
    return play
