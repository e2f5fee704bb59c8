"""The views of a session before play: create it, change its settings, seat its players, prepare its étuis, start it.

The view that reads a session also shows its progress during play.
"""

from typing import Any, cast

from django.db import models
from django.db.models import Q
from django.db.models.aggregates import Count
from django.utils import timezone
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Id, LineField, PublicView, Shape, View, operation, read_shape
from api.errors import MalformedBody
from api.kept import READ
from api.public.calendar import HourField, SessionFilters, by_filters
from api.public.lists import cut_page, read_filters
from clubs.models import User
from clubs.session_settings import SETTINGS
from deals.domain.cards import LINES
from deals.domain.dealing import seed_from_hex
from deals.models import DealSet
from deals.sets import MAX_ETUIS
from evenings.plans.deal_sets import add_etuis_to
from evenings.plans.starting import start_session, unstart_session
from evenings.sessions.checklist import preparation_of
from evenings.sessions.lists import progress_of
from evenings.sessions.setup import (
    SeatGiven,
    create_session,
    edit_session,
    prepare_deals,
    seats_in_order,
    set_entrants,
)
from tournaments.errors import ActionRefused
from tournaments.models import Entrant, Session
from tournaments.permissions import Can, get_session_for, get_tournament_for, power_of

MOST_NUMBER = 32_767
Field = serializers.Field[Any, Any, Any, Any]
KINDS: dict[Any, Any] = serializers.ModelSerializer.serializer_field_mapping | {models.TimeField: HourField}


def make_setting_field(name: str, **options: Any) -> Field:
    """Return the field that reads one setting of a session.

    Its type and limits come from the column in the database.
    """
    setting, column = SETTINGS[name], cast("models.Field[Any, Any]", Session._meta.get_field(name))
    options["help_text"] = setting.means
    if column.choices:
        return serializers.ChoiceField(column.choices, **options)
    if isinstance(column, models.DecimalField):
        options |= {"max_digits": column.max_digits, "decimal_places": column.decimal_places}
    if setting.least is not None and not isinstance(column, models.DateField):  # `check_settings` checks dates
        options |= {"min_value": setting.least, "max_value": setting.most}
    return cast(Field, KINDS[type(column)](**options))


def make_setting_answer(name: str) -> Field:
    """Return the field that shows one setting. It is null while the public may not see the setting."""
    column = cast("models.Field[Any, Any]", Session._meta.get_field(name))
    options: dict[str, Any] = {} if SETTINGS[name].is_public else {"allow_null": True}
    if not column.choices:
        return make_setting_field(name, **options)
    values = ", ".join(value or "empty" for value, _label in column.flatchoices)
    meaning = f"{SETTINGS[name].means} ({values})"
    return serializers.CharField(allow_blank=column.blank, help_text=meaning, **options)


class SessionIn(Shape):
    """A new session. Fields that are left out are as in the club's usual evening."""

    def get_fields(self) -> Any:
        settings = {name: make_setting_field(name, required=each.default is None) for name, each in SETTINGS.items()}
        return settings | super().get_fields()


class SessionChanges(Shape):
    """The changes of a session. Fields that are left out stay as they are."""

    def get_fields(self) -> Any:
        return {name: make_setting_field(name, required=False) for name in SETTINGS}


class ClockOut(serializers.Serializer[Any]):
    """The clock of the called position. It runs until a moment, or is stopped with some seconds left."""

    ends_at = serializers.DateTimeField(allow_null=True)
    left = serializers.IntegerField(allow_null=True)


class ProgressOut(serializers.Serializer[Any]):
    """The progress of the evening and its results. `fresh` tells whether the standings hold all results."""

    position = serializers.IntegerField(help_text="the newest position that was called; 0 before the first")
    clock = ClockOut()
    plays = serializers.IntegerField()
    missing = serializers.IntegerField(help_text="including étuis to be played later")
    later = serializers.IntegerField()
    not_played = serializers.IntegerField()
    annulled = serializers.IntegerField()
    adjusted = serializers.IntegerField(help_text="plays on which the arbiter has ruled")
    results_version = serializers.IntegerField()
    computed_at = serializers.DateTimeField(allow_null=True)
    fresh = serializers.BooleanField()


class SessionOut(serializers.Serializer[Any]):
    """A session. While it is in preparation, the public sees its date but not its progress."""

    id = serializers.IntegerField()
    tournament = serializers.IntegerField(source="tournament_id")
    number = serializers.IntegerField()
    status = serializers.CharField(help_text="draft or running")
    started_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(
        allow_null=True, help_text="when the evening was closed; null if tables can enter results"
    )
    progress = ProgressOut(allow_null=True)

    def get_fields(self) -> Any:
        return super().get_fields() | {name: make_setting_answer(name) for name in SETTINGS}


class EntrantOut(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    player = serializers.IntegerField(source="player_id", allow_null=True, help_text="null for a team")
    team = serializers.IntegerField(source="team_id", allow_null=True, help_text="null for a single player")
    name = serializers.CharField()
    line = serializers.CharField(allow_blank=True, help_text="of a team: N or E if it keeps its side, else empty")
    number = serializers.IntegerField(help_text="the starting number, which is the table in position 1")
    ranked = serializers.BooleanField(help_text="false for a player who only completes a table")


class SeatIn(Shape):
    player = Id()
    line = LineField()
    number = serializers.IntegerField(min_value=1, max_value=MOST_NUMBER)
    ranked = serializers.BooleanField(default=True, help_text="false for a player who only completes a table")


class DealSetIn(Shape):
    cards = serializers.BooleanField(help_text="false if the tables deal the cards")
    count = serializers.IntegerField(
        min_value=1, max_value=MAX_ETUIS, required=False, help_text="if left out, as many as the players need"
    )
    seed = serializers.CharField(
        max_length=80,
        required=False,
        help_text="64 hexadecimal digits that the site mixes with its own 32 random bytes, so that nobody chooses the"
        " draw",
    )


class MoreEtuisIn(Shape):
    count = serializers.IntegerField(
        min_value=1,
        max_value=MAX_ETUIS,
        help_text="the number of étuis that the session will have, counted from its first étui",
    )


class DealSetOut(serializers.Serializer[Any]):
    """A deal set without its secrets: never the secret draw, never a card."""

    name = serializers.CharField()
    count = serializers.IntegerField()
    cards = serializers.BooleanField()
    commitment = serializers.CharField(allow_blank=True)
    sealed_at = serializers.DateTimeField(allow_null=True)
    warning = serializers.CharField(
        allow_blank=True, help_text="étuis that name another taker than South although South takes every étui, or empty"
    )


class SessionsView(PublicView):
    @operation(
        "sessions_list",
        "List the sessions of a tournament by number",
        answer=SessionOut(many=True),
        query=[SessionFilters],
        statuses=READ,
    )
    def get(self, request: Request, pk: int) -> Response:
        tournament = get_tournament_for(request.user, Can.READ, pk=pk)
        power, filters = power_of(request.user, tournament.club), read_filters(SessionFilters, request)
        sessions = by_filters(tournament.sessions.filter(put_away_at=None), filters).order_by("number")
        page = cut_page(request, sessions, filters)
        return page.answer([session_data(session, power, progress=None) for session in page.rows])

    @operation("sessions_create", "Create a session", request=SessionIn, answer=SessionOut, statuses=(201,))
    def post(self, request: Request, pk: int) -> Response:
        tournament = get_tournament_for(request.user, Can.DIRECT, pk=pk)
        session = create_session(tournament=tournament, **read_shape(SessionIn, request.data))
        return Response(session_data(session, Can.DIRECT, progress=None), status=status.HTTP_201_CREATED)


class SessionView(PublicView):
    @operation(
        "sessions_read",
        "Read a session and, for its helpers and directors, its progress",
        answer=SessionOut,
        statuses=READ,
    )
    def get(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.READ, pk=pk)
        power = power_of(request.user, session.tournament.club)
        return Response(session_data(session, power, progress=progress_of(session) if power >= Can.ENTER else None))

    @operation(
        "sessions_edit",
        "Change the settings of a session. While it is under way, only settings that need no other plan can change",
        request=SessionChanges,
        answer=SessionOut,
    )
    def patch(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        session = edit_session(session_id=pk, **author_and_time(request), **read_shape(SessionChanges, request.data))
        return Response(session_data(session, Can.DIRECT, progress=None))


def session_data(session: Session, power: Can, *, progress: dict[str, Any] | None) -> dict[str, Any]:
    """Return a session in the shape of `SessionOut`, with the fields that a user with the rights `power` may see."""
    hidden = power < Can.DIRECT and session.status == Session.Status.DRAFT
    shown = {
        "id": session.pk,
        "tournament_id": session.tournament_id,
        "number": session.number,
        "status": session.status,
        **{name: None if hidden and not each.is_public else getattr(session, name) for name, each in SETTINGS.items()},
        "started_at": session.started_at,
        "closed_at": session.closed_at,
        "progress": progress,
    }
    data: dict[str, Any] = SessionOut(shown).data
    return data


class EntrantsView(View):
    @operation("entrants_list", "List the players, and where they start", answer=EntrantOut(many=True))
    def get(self, request: Request, pk: int) -> Response:
        return Response(entrants_data(get_session_for(request.user, Can.DIRECT, pk=pk)))

    @operation(
        "entrants_set",
        "Seat the players: their ids in order (N, E, S, W of table 1, then of table 2 …), or a seat for each player",
        request=PolymorphicProxySerializer(
            "EntrantsRequest",
            [SeatIn(many=True), cast(Any, serializers.ListSerializer(child=Id()))],
            resource_type_field_name=None,
            many=False,
        ),
        answer=EntrantOut(many=True),
    )
    def put(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        set_entrants(session_id=pk, seats=read_seats(request.data))
        return Response(entrants_data(session))


def entrants_data(session: Session) -> Any:
    entrants = Entrant.objects.filter(session=session).select_related("player", "stand_in", "team")
    order = sorted(entrants, key=lambda entrant: (entrant.number, entrant.line and LINES.index(entrant.line)))
    return EntrantOut(order, many=True).data


def read_seats(data: Any) -> list[SeatGiven]:
    """Return the seats in a body, given as a list of player ids or as a list of seats."""
    if isinstance(data, list) and data and all(isinstance(item, int) for item in data):
        return seats_in_order(serializers.ListField(child=Id()).run_validation(data))
    reader = SeatIn(data=data, many=True)
    reader.is_valid(raise_exception=True)
    return [SeatGiven(seat["player"], seat["line"], seat["number"], seat["ranked"]) for seat in reader.validated_data]


class DealSetView(View):
    @operation("deal_set_read", "Read the session's étuis, without their secrets", answer=DealSetOut)
    def get(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        if session.deal_set is None:
            if needed := preparation_of(session).needed:
                raise ActionRefused("no_deal_set", "deal_set", needed=needed)
            raise ActionRefused("no_deal_set_nor_plan", "deal_set")
        return Response(deal_set_data(session, session.deal_set))

    @operation(
        "deal_set_prepare",
        "Prepare étuis for the session. The answer has the fingerprint of the secret draw, never the draw",
        request=DealSetIn,
        answer=DealSetOut,
        statuses=(201,),
    )
    def post(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        body = read_shape(DealSetIn, request.data)
        if "seed" in body and not body["cards"]:
            raise MalformedBody("seed_without_cards", "seed")
        count = body.get("count") or etuis_needed(session)
        deal_set = prepare_deals(
            session_id=pk,
            with_cards=body["cards"],
            count=count,
            given=seed_from_hex(body["seed"]) if "seed" in body else b"",
            **author_and_time(request),
        )
        session.refresh_from_db()
        return Response(deal_set_data(session, deal_set), status=status.HTTP_201_CREATED)

    @operation(
        "deal_set_extend",
        "Add étuis to the session's set, before or after the start: from its secret draw, or without cards",
        request=MoreEtuisIn,
        answer=DealSetOut,
    )
    def patch(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        body = read_shape(MoreEtuisIn, request.data)
        add_etuis_to(session_id=pk, by=cast(User, request.user), now=timezone.now(), **body)
        assert session.deal_set is not None
        return Response(deal_set_data(session, session.deal_set))


def etuis_needed(session: Session) -> int:
    """Return the number of étuis that the session's plan needs.

    Raise `ActionRefused` if the session has no players or no plan yet.
    """
    preparation = preparation_of(session)
    if not preparation.players:
        raise ActionRefused("no_players", "players")
    if not preparation.needed:
        raise ActionRefused("plan_to_choose", "plan", count=preparation.players)
    return preparation.needed


def deal_set_data(session: Session, deal_set: DealSet) -> Any:
    """Return a deal set without its secrets, in the shape of `DealSetOut`."""
    etuis = deal_set.etuis.aggregate(count=Count("pk"), without=Count("pk", filter=Q(cards="")))
    return DealSetOut(
        {
            "name": deal_set.name,
            "count": etuis["count"],
            "cards": not etuis["without"],
            "commitment": deal_set.commitment,
            "sealed_at": deal_set.sealed_at,
            "warning": preparation_of(session).other_takers,
        }
    ).data


class StartView(View):
    @operation(
        "sessions_start",
        "Start the session: seal the étuis and lay out every play. Changes nothing if it has started",
        answer=SessionOut,
    )
    def post(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        start_session(session_id=pk, **author_and_time(request))
        return answer_session_state(request, pk)


class UnstartView(View):
    @operation("sessions_unstart", "Undo the start, as long as nothing has been entered", answer=SessionOut)
    def post(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        unstart_session(session_id=pk, **author_and_time(request))
        return answer_session_state(request, pk)


def author_and_time(request: Request) -> dict[str, Any]:
    """Return the user of the request and the present time, as arguments `by` and `now` of a service."""
    return {"by": cast(User, request.user), "now": timezone.now()}


def answer_session_state(request: Request, pk: int) -> Response:
    """Return the session with its progress, for a director."""
    session = get_session_for(request.user, Can.DIRECT, pk=pk)
    return Response(session_data(session, Can.DIRECT, progress=progress_of(session)))
