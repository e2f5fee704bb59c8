"""A session before its plays: creating it, its players, its étuis, its start; and how far it has come."""

from decimal import Decimal
from typing import Any, cast

from django.db.models import Q
from django.db.models.aggregates import Count
from django.utils import timezone
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.models import User
from deals.domain.cards import LINES
from deals.domain.dealing import seed_from_hex
from deals.models import DealSet
from deals.sets import MAX_ETUIS
from tournaments.api.base import Id, LineField, Shape, View, operation, read
from tournaments.api.errors import Malformed
from tournaments.api.public.calendar import SessionFilters, by_filters
from tournaments.api.public.kept import READ
from tournaments.api.public.lists import cut_page, read_filters
from tournaments.errors import Refused
from tournaments.models import MOST_POSITIONS, Entrant, Session
from tournaments.permissions import Can, get_session_for, get_tournament_for, power_of
from tournaments.plans.deal_sets import add_etuis_to
from tournaments.plans.starting import start_session, unstart_session
from tournaments.sessions.checklist import Preparation
from tournaments.sessions.progress import progress_of
from tournaments.sessions.setup import (
    SeatGiven,
    create_session,
    edit_session,
    prepare_deals,
    seats_in_order,
    set_entrants,
)

MOST_NUMBER = 32_767
SETTINGS = (
    *("positions", "etuis_per_position", "minutes_per_etui", "check_by", "shows_after", "hidden_positions"),
    *("coefficient", "stage"),
)
LEAST_COEFFICIENT, MOST_COEFFICIENT = Decimal("0.01"), Decimal(100)


class Coefficient(serializers.DecimalField):
    def __init__(self, **options: Any) -> None:
        options |= {"min_value": LEAST_COEFFICIENT, "max_value": MOST_COEFFICIENT}
        super().__init__(max_digits=5, decimal_places=2, **options)


class SessionIn(Shape):
    date = serializers.DateField()
    positions = serializers.IntegerField(min_value=1, max_value=MOST_POSITIONS, default=5)
    etuis_per_position = serializers.IntegerField(min_value=1, max_value=12, default=4)


class SessionChanges(Shape):
    """The last six may change while the session is under way, for what comes from then on."""

    date = serializers.DateField(required=False)
    positions = serializers.IntegerField(min_value=1, max_value=MOST_POSITIONS, required=False)
    etuis_per_position = serializers.IntegerField(min_value=1, max_value=12, required=False)
    minutes_per_etui = serializers.IntegerField(min_value=1, max_value=60, required=False)
    check_by = serializers.ChoiceField(
        Session.Check.choices, required=False, help_text="how the other side checks an entry"
    )
    shows_after = serializers.ChoiceField(
        Session.Shown.choices,
        required=False,
        help_text="what a table sees after its entry: in an event of the federation nothing",
    )
    hidden_positions = serializers.IntegerField(
        min_value=0, max_value=60, required=False, help_text="last positions without the running ranking"
    )
    coefficient = Coefficient(required=False, help_text="of its percentages in the ranking of the tournament")
    stage = serializers.ChoiceField(
        Session.Stage.choices, required=False, help_text="who plays a final is ranked before all others"
    )


class ClockOut(serializers.Serializer[Any]):
    """Of the position called: it runs until a moment, or is stopped with some seconds left."""

    ends_at = serializers.DateTimeField(allow_null=True)
    left = serializers.IntegerField(allow_null=True)


class ProgressOut(serializers.Serializer[Any]):
    """How far the evening and its results have come, and whether the standings hold them all already."""

    position = serializers.IntegerField(help_text="the one called last, 0 before the first")
    clock = ClockOut()
    plays = serializers.IntegerField()
    missing = serializers.IntegerField(help_text="those for later included")
    later = serializers.IntegerField()
    not_played = serializers.IntegerField()
    annulled = serializers.IntegerField()
    adjusted = serializers.IntegerField(help_text="those that the arbiter has decided")
    results_version = serializers.IntegerField()
    computed_at = serializers.DateTimeField(allow_null=True)
    fresh = serializers.BooleanField()


class SessionOut(serializers.Serializer[Any]):
    """A session; of one in preparation the public sees its date, and of its progress nothing."""

    id = serializers.IntegerField()
    tournament = serializers.IntegerField(source="tournament_id")
    number = serializers.IntegerField()
    date = serializers.DateField()
    status = serializers.CharField(help_text="draft or running")
    positions = serializers.IntegerField(allow_null=True)
    etuis_per_position = serializers.IntegerField(allow_null=True)
    minutes_per_etui = serializers.IntegerField(allow_null=True)
    check_by = serializers.CharField(allow_null=True, help_text="none, same, other or blind")
    shows_after = serializers.CharField(allow_null=True, help_text="nothing, topage or ranking")
    hidden_positions = serializers.IntegerField(allow_null=True, help_text="last ones without the running ranking")
    coefficient = serializers.DecimalField(max_digits=5, decimal_places=2, allow_null=True)
    stage = serializers.CharField(
        allow_blank=True, allow_null=True, help_text="qualifying, final, or empty: all count alike"
    )
    started_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True, help_text="since when tables enter nothing more")
    progress = ProgressOut(allow_null=True)


class EntrantOut(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField()
    line = serializers.CharField()
    number = serializers.IntegerField(help_text="the table of position 1, which is the starting number")
    ranked = serializers.BooleanField(help_text="false for who completes a table")


class SeatIn(Shape):
    player = Id()
    line = LineField()
    number = serializers.IntegerField(min_value=1, max_value=MOST_NUMBER)
    ranked = serializers.BooleanField(default=True, help_text="false for who completes a table")


class DealSetIn(Shape):
    cards = serializers.BooleanField(help_text="false where the tables deal")
    count = serializers.IntegerField(
        min_value=1, max_value=MAX_ETUIS, required=False, help_text="as many as the players need if not given"
    )
    seed = serializers.CharField(
        max_length=80,
        required=False,
        help_text="64 hexadecimal digits that the site mixes with 32 random bytes of its own: nobody chooses a seed",
    )


class MoreEtuisIn(Shape):
    count = serializers.IntegerField(
        min_value=1, max_value=MAX_ETUIS, help_text="how many the session is to have, from its first one on"
    )


class DealSetOut(serializers.Serializer[Any]):
    """A deal set without its secrets: never the seed, never a card."""

    name = serializers.CharField()
    count = serializers.IntegerField()
    cards = serializers.BooleanField()
    commitment = serializers.CharField(allow_blank=True)
    sealed_at = serializers.DateTimeField(allow_null=True)


class SessionsView(View):
    open_to_all = frozenset({"GET"})

    @operation(
        "sessions_list",
        "The tournament's sessions by their numbers",
        answer=SessionOut(many=True),
        query=[SessionFilters],
        statuses=READ,
    )
    def get(self, request: Request, pk: int) -> Response:
        tournament = get_tournament_for(request.user, Can.READ, pk=pk)
        power, asked = power_of(request.user, tournament.club), read_filters(SessionFilters, request)
        sessions = by_filters(tournament.sessions.filter(put_away_at=None), asked).order_by("number")
        page = cut_page(request, sessions, asked)
        return page.answer([session_data(session, power, progress=None) for session in page.rows])

    @operation("sessions_create", "Create a session", request=SessionIn, answer=SessionOut, statuses=(201,))
    def post(self, request: Request, pk: int) -> Response:
        tournament = get_tournament_for(request.user, Can.DIRECT, pk=pk)
        session = create_session(tournament=tournament, **read(SessionIn, request.data))
        return Response(session_data(session, Can.DIRECT, progress=None), status=status.HTTP_201_CREATED)


class SessionView(View):
    open_to_all = frozenset({"GET"})

    @operation(
        "sessions_read", "A session and, for its helpers and directors, its progress", answer=SessionOut, statuses=READ
    )
    def get(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.READ, pk=pk)
        power = power_of(request.user, session.tournament.club)
        return Response(session_data(session, power, progress=progress_of(session) if power >= Can.ENTER else None))

    @operation(
        "sessions_edit",
        "Change a session until it starts, and under way its pace and what concerns the tables",
        request=SessionChanges,
        answer=SessionOut,
    )
    def patch(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        session = edit_session(session_id=pk, **author_and_time(request), **read(SessionChanges, request.data))
        return Response(session_data(session, Can.DIRECT, progress=None))


def session_data(session: Session, power: Can, *, progress: dict[str, Any] | None) -> dict[str, Any]:
    hidden = power < Can.DIRECT and session.status == Session.Status.DRAFT
    shown = {
        "id": session.pk,
        "tournament_id": session.tournament_id,
        "number": session.number,
        "date": session.date,
        "status": session.status,
        **{name: None if hidden else getattr(session, name) for name in SETTINGS},
        "coefficient": None if hidden else session.coefficient,
        "stage": None if hidden else session.stage,
        "started_at": session.started_at,
        "closed_at": session.closed_at,
        "progress": progress,
    }
    data: dict[str, Any] = SessionOut(shown).data
    return data


class EntrantsView(View):
    @operation("entrants_list", "Who plays, and where they start", answer=EntrantOut(many=True))
    def get(self, request: Request, pk: int) -> Response:
        return Response(entrants_data(get_session_for(request.user, Can.DIRECT, pk=pk)))

    @operation(
        "entrants_set",
        "Seat the players: their ids in order (N, E, S, W of table 1, then of table 2 …), or a seat for each",
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
    entrants = Entrant.objects.filter(session=session).select_related("player", "stand_in")
    order = sorted(entrants, key=lambda entrant: (entrant.number, LINES.index(entrant.line)))
    return EntrantOut(order, many=True).data


def read_seats(data: Any) -> list[SeatGiven]:
    if isinstance(data, list) and data and all(isinstance(item, int) for item in data):
        return seats_in_order(serializers.ListField(child=Id()).run_validation(data))
    reader = SeatIn(data=data, many=True)
    reader.is_valid(raise_exception=True)
    return [SeatGiven(seat["player"], seat["line"], seat["number"], seat["ranked"]) for seat in reader.validated_data]


class DealSetView(View):
    @operation("deal_set_read", "The session's étuis, without their secrets", answer=DealSetOut)
    def get(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        if session.deal_set is None:
            if needed := Preparation(session).needed:
                raise Refused("no_deal_set", "deal_set", needed=needed)
            raise Refused("no_deal_set_nor_plan", "deal_set")
        return Response(deal_set_data(session.deal_set))

    @operation(
        "deal_set_prepare",
        "Prepare étuis for the session; the answer commits to the seed and never tells it",
        request=DealSetIn,
        answer=DealSetOut,
        statuses=(201,),
    )
    def post(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        asked = read(DealSetIn, request.data)
        if "seed" in asked and not asked["cards"]:
            raise Malformed("seed_without_cards", "seed")
        count = asked.get("count") or etuis_needed(session)
        deal_set = prepare_deals(
            session_id=pk,
            with_cards=asked["cards"],
            count=count,
            given=seed_from_hex(asked["seed"]) if "seed" in asked else b"",
            **author_and_time(request),
        )
        return Response(deal_set_data(deal_set), status=status.HTTP_201_CREATED)

    @operation(
        "deal_set_extend",
        "Add étuis to the session's set, before the start or after: from its own seed, or without cards",
        request=MoreEtuisIn,
        answer=DealSetOut,
    )
    def patch(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        asked = read(MoreEtuisIn, request.data)
        add_etuis_to(session_id=pk, by=cast(User, request.user), now=timezone.now(), **asked)
        assert session.deal_set is not None
        return Response(deal_set_data(session.deal_set))


def etuis_needed(session: Session) -> int:
    """As many as the plan takes that would be played; `Refused` where there is none yet."""
    preparation = Preparation(session)
    if not preparation.players:
        raise Refused("no_players", "players")
    if not preparation.needed:
        raise Refused("plan_to_choose", "plan", count=preparation.players)
    return preparation.needed


def deal_set_data(deal_set: DealSet) -> Any:
    etuis = deal_set.etuis.aggregate(count=Count("pk"), without=Count("pk", filter=Q(cards="")))
    return DealSetOut(
        {
            "name": deal_set.name,
            "count": etuis["count"],
            "cards": not etuis["without"],
            "commitment": deal_set.commitment,
            "sealed_at": deal_set.sealed_at,
        }
    ).data


class StartView(View):
    @operation(
        "sessions_start", "Seal the étuis and lay out every play; once under way it changes nothing", answer=SessionOut
    )
    def post(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        start_session(session_id=pk, **author_and_time(request))
        return state_of(request, pk)


class UnstartView(View):
    @operation("sessions_unstart", "Take the start back while nothing has been entered", answer=SessionOut)
    def post(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        unstart_session(session_id=pk, **author_and_time(request))
        return state_of(request, pk)


def author_and_time(request: Request) -> dict[str, Any]:
    """Who writes, and when."""
    return {"by": cast(User, request.user), "now": timezone.now()}


def state_of(request: Request, pk: int) -> Response:
    session = get_session_for(request.user, Can.DIRECT, pk=pk)
    return Response(session_data(session, Can.DIRECT, progress=progress_of(session)))
