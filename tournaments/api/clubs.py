"""Clubs, the players on their lists, and their tournaments."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Max, Prefetch, QuerySet
from django.utils import timezone
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.models import Club, Membership, Player, validate_name
from clubs.players import add_players
from clubs.roster import MAX_NAME, RosterLine, read_roster
from tournaments.api.base import Shape, View, operation, read
from tournaments.api.errors import Malformed
from tournaments.models import Session, Tournament
from tournaments.permissions import Can, get_club_for, get_tournament_for
from tournaments.sessions.setup import create_tournament

MOST_PLAYERS = 1000


class ClubOut(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()
    role = serializers.CharField(allow_null=True, help_text="director or helper, null where you are neither")


class PlayerOut(serializers.ModelSerializer[Player]):
    class Meta:
        model = Player
        fields = ("id", "last_name", "first_name", "licence")


class PlayerIn(Shape):
    last_name = serializers.CharField(max_length=MAX_NAME, validators=[validate_name])
    first_name = serializers.CharField(
        max_length=MAX_NAME, required=False, default="", allow_blank=True, validators=[validate_name]
    )
    licence = serializers.CharField(
        max_length=20, required=False, default="", allow_blank=True, validators=[validate_name]
    )


class RosterIn(Shape):
    roster = serializers.CharField(max_length=100_000, help_text="a pasted list, one player a line")


class SessionBrief(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    number = serializers.IntegerField()
    date = serializers.DateField()
    status = serializers.CharField(help_text="draft or running")
    published = serializers.IntegerField(allow_null=True, help_text="the newest version published, null before")


class TournamentOut(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    club = serializers.CharField(source="club.slug")
    slug = serializers.CharField()
    name = serializers.CharField()
    format = serializers.CharField()
    auction = serializers.CharField(help_text="imposed (a Garde by the étui's taker) or free")
    sessions = SessionBrief(many=True, source="in_order")


class TournamentIn(Shape):
    name = serializers.CharField(max_length=120, validators=[validate_name])
    auction = serializers.ChoiceField(Tournament.Auction.values, default=Tournament.Auction.IMPOSED)


class ClubsView(View):
    open_to_all = frozenset({"GET"})

    @operation("clubs_list", "Every club, with your role in it", answer=ClubOut(many=True))
    def get(self, request: Request) -> Response:
        roles: dict[int, str] = {}
        if request.user.is_authenticated:
            roles = dict(Membership.objects.filter(user=request.user).values_list("club_id", "role"))
        clubs = [{"slug": club.slug, "name": club.name, "role": roles.get(club.pk)} for club in Club.objects.all()]
        return Response(ClubOut(clubs, many=True).data)


class PlayersView(View):
    @operation("players_list", "The players on the club's list", answer=PlayerOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        club = get_club_for(request.user, Can.DIRECT, slug=slug)
        return Response(PlayerOut(club.players.all(), many=True).data)

    @operation(
        "players_add",
        "Add players: one, a list, or a pasted text. Who is on the list already is found, not doubled",
        request=PolymorphicProxySerializer(
            "PlayersRequest",
            [PlayerIn, PlayerIn(many=True), RosterIn],
            resource_type_field_name=None,
            many=False,
        ),
        answer=PlayerOut(many=True),
        statuses=(201,),
    )
    def post(self, request: Request, slug: str) -> Response:
        club = get_club_for(request.user, Can.DIRECT, slug=slug)
        players = add_players(club=club, lines=read_players(request.data))
        return Response(PlayerOut(players, many=True).data, status=status.HTTP_201_CREATED)


def read_players(data: Any) -> list[RosterLine]:
    if isinstance(data, dict) and "roster" in data:
        lines = read_roster(read(RosterIn, data)["roster"])
        refuse_too_many(lines)
        return lines
    if isinstance(data, list):
        refuse_too_many(data)
        reader = PlayerIn(data=data, many=True)
        reader.is_valid(raise_exception=True)
        return [RosterLine(**line) for line in reader.validated_data]
    return [RosterLine(**read(PlayerIn, data))]


def refuse_too_many(players: list[Any]) -> None:
    if len(players) > MOST_PLAYERS:
        raise Malformed("too_many_players", most=MOST_PLAYERS, found=len(players))


class TournamentsView(View):
    open_to_all = frozenset({"GET"})

    @operation("tournaments_list", "The club's tournaments, newest first", answer=TournamentOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        club = get_club_for(request.user, Can.READ, slug=slug)
        return Response(TournamentOut(with_sessions(club.tournaments.filter(put_away_at=None)), many=True).data)

    @operation("tournaments_create", "Create a tournament", request=TournamentIn, answer=TournamentOut, statuses=(201,))
    def post(self, request: Request, slug: str) -> Response:
        club = get_club_for(request.user, Can.DIRECT, slug=slug)
        tournament = create_tournament(club=club, now=timezone.now(), **read(TournamentIn, request.data))
        return Response(tournament_data(tournament.pk), status=status.HTTP_201_CREATED)


class TournamentView(View):
    open_to_all = frozenset({"GET"})

    @operation("tournaments_read", "A tournament and its sessions", answer=TournamentOut)
    def get(self, request: Request, pk: int) -> Response:
        return Response(tournament_data(get_tournament_for(request.user, Can.READ, pk=pk).pk))


def tournament_data(pk: int) -> dict[str, Any]:
    (tournament,) = with_sessions(Tournament.objects.filter(pk=pk))
    data: dict[str, Any] = TournamentOut(tournament).data
    return data


def with_sessions(tournaments: QuerySet[Tournament]) -> Iterable[Tournament]:
    """Two queries, whatever the count; the publications, which are large, are not read."""
    listed = Session.objects.filter(put_away_at=None)
    sessions = listed.order_by("number").annotate(published=Max("publications__version"))
    return tournaments.select_related("club").prefetch_related(
        Prefetch("sessions", queryset=sessions, to_attr="in_order")
    )
