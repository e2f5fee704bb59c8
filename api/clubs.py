"""The views of clubs, the players on their lists, and their tournaments."""

from collections.abc import Sequence
from typing import Any, cast

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, prefetch_related_objects
from django.utils import timezone
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Id, PublicView, Shape, View, operation, read_shape
from api.errors import MalformedBody
from api.kept import READ
from api.public.lists import LongPaged, PageShape, SomeId, SomeLetters, cut_page, read_filters
from clubs.answers import RowQuestion, require_settled, take_likely, take_settled
from clubs.house import listed_clubs, season_of_club, settings_of
from clubs.lists import Column, ColumnKind, PastedList, read_pasted
from clubs.matching import Likeness, LineState, MatchRow, match_rows
from clubs.models import Club, Player, User, validate_name
from clubs.players import ListCounts, add_players, foresee_list, known_of, take_counted
from clubs.roles import roles_of
from clubs.roster import MAX_NAME, Doubt, NameOrder, RosterLine
from evenings.sessions.lists import sessions_to_come
from evenings.sessions.ranking_rules import change_rules
from evenings.sessions.setup import create_tournament
from registration.agenda.search import match_words, read_asked
from scoring.formats import OFFERED, choose_format, find_format
from tournaments.models import Session, Tournament
from tournaments.permissions import Can, get_club_for, get_tournament_for
from tournaments.published import select_newest_version, standing_now
from tournaments.words.messages import say

MOST_PLAYERS = 1000


class ClubOut(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()
    role = serializers.CharField(allow_null=True, help_text="director or helper; null if you are neither")


class SeasonOut(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    starts_on = serializers.DateField()
    ends_on = serializers.DateField()


class ClubInFullOut(ClubOut):
    """A club as on its page. The address and the contact are empty if the page does not show them."""

    time_zone = serializers.CharField(allow_blank=True, help_text="time zone of the club’s hours; empty: the site’s")
    address = serializers.CharField(allow_blank=True)
    contact = serializers.CharField(allow_blank=True)
    seasons = SeasonOut(many=True, help_text="newest first")


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
    roster = serializers.CharField(
        max_length=1_000_000,
        help_text="a pasted list, one player on each line, or a table as CSV or with tabs, whose heading names columns",
    )
    order = serializers.ChoiceField(
        [NameOrder.FAMILY_FIRST.value, NameOrder.FIRST_NAME_FIRST.value],
        required=False,
        default="",
        help_text="the order in which names are written; if left out, capitals and commas show it",
    )
    answers = serializers.DictField(
        child=serializers.CharField(max_length=20),
        required=False,
        default=dict,
        help_text="for each key of a line: the id of a candidate, “new”, “whole” (new, with the remark in the name),"
        " “same” (the person on the line `first`), or “out” to leave the line out",
    )


class CountsShape(Shape):
    """The numbers that a list writes."""

    rows = serializers.IntegerField(min_value=0, help_text="how many players the list means")
    new = serializers.IntegerField(min_value=0, help_text="how many of them are added to the club’s list")
    completed = serializers.IntegerField(
        min_value=0, help_text="how many players on the club’s list get data that they lacked, or are back on it"
    )


class AnsweredRosterIn(RosterIn):
    told = CountsShape(
        required=False, help_text="`counts` as you were told: if other numbers would be written, nothing is"
    )


class CandidateOut(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="who.id")
    last_name = serializers.CharField(source="who.last_name")
    first_name = serializers.CharField(source="who.first_name")
    licence = serializers.CharField(source="who.licence")
    why = serializers.ChoiceField([why.value for why in Likeness])


class RosterLineOut(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    text = serializers.CharField()
    key = serializers.CharField(help_text="the key of the line in `answers`")
    state = serializers.ChoiceField([state.value for state in LineState])
    last_name = serializers.CharField(source="line.last_name", default=None, allow_null=True)
    first_name = serializers.CharField(source="line.first_name", default=None, allow_null=True)
    licence = serializers.CharField(source="line.licence", default=None, allow_null=True)
    candidates = CandidateOut(many=True)
    suggested = serializers.IntegerField(allow_null=True, help_text="the most likely candidate")
    may_be_new = serializers.BooleanField()
    category = serializers.CharField(
        source="line.category", default="", help_text="the player’s category; “” if the list has none"
    )
    origin = serializers.CharField(
        source="line.origin", default="", help_text="the club of origin, from a column of the file"
    )
    series = serializers.CharField(source="line.series", default="", help_text="the player’s class; “” if none is told")
    ladies = serializers.CharField(source="line.ladies", default="", help_text="“ladies” if the list says so")
    doubt = serializers.ChoiceField(
        [doubt.value for doubt in Doubt], allow_null=True, help_text="why a `doubtful` line needs an answer"
    )
    note = serializers.CharField(help_text="text beside the name, which is not part of the name")
    first = serializers.IntegerField(
        source="first.number", default=None, allow_null=True, help_text="an earlier line that may be the same person"
    )
    likely = serializers.CharField(help_text="the suggested answer; “” if there is none")
    error = serializers.SerializerMethodField(help_text="what is wrong with the line; “” if nothing is")

    def get_error(self, row: MatchRow) -> str:
        return say(row.error) if row.error else ""


class ColumnOut(serializers.Serializer[Any]):
    place = serializers.SerializerMethodField(help_text="from 1")
    heading = serializers.CharField()
    kind = serializers.ChoiceField(
        [kind.value for kind in ColumnKind], allow_null=True, help_text="what is read there; null: it is not read"
    )
    seat = serializers.IntegerField(help_text="the person of a row that names several, from 1; 0: all of them")

    def get_place(self, column: Column) -> int:
        return column.place + 1


class UnreadRowOut(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    text = serializers.CharField()


class ReadListOut(serializers.Serializer[Any]):
    """A list as the site reads it. Without a heading `columns` is empty, and each line is free text."""

    columns = ColumnOut(many=True, help_text="all columns of a table, also those that are not read")
    above = UnreadRowOut(many=True, help_text="the rows above the heading and those that repeat it, which are not read")
    order = serializers.ChoiceField(
        [order.value for order in NameOrder], help_text="the order of names that the heading says; “” if it says none"
    )
    rows = RosterLineOut(many=True)
    counts = CountsShape(
        allow_null=True,
        help_text="what is written with your answers and, for other lines, the likely ones; null if a line has neither",
    )


class SessionBrief(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    number = serializers.IntegerField()
    date = serializers.DateField()
    status = serializers.CharField(help_text="draft or running")
    published = serializers.IntegerField(
        allow_null=True, help_text="the newest published version; null if there is none"
    )
    standing = serializers.CharField(
        allow_null=True, help_text="provisional, official or withdrawn; null before the first publication"
    )


class TournamentOut(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    club = serializers.CharField(source="club.slug")
    season = serializers.IntegerField(source="season_id", allow_null=True)
    slug = serializers.CharField()
    name = serializers.CharField()
    format = serializers.SerializerMethodField(
        help_text="individual: everybody plays for themselves; triplettes: teams of three; quadrettes: teams of four;"
        " team_match: teams of four to six in matches"
    )
    auction = serializers.CharField(help_text="imposed (a Garde by the étui's taker) or free")
    sessions = SessionBrief(many=True, source="in_order")

    def get_format(self, tournament: Tournament) -> str:
        return find_format(tournament.format).kind


def make_format_field(told: str) -> serializers.ChoiceField:
    """Return the field for the kind of a tournament: one of those that are offered."""
    kinds = list(dict.fromkeys(each.kind for each in OFFERED.values()))
    return serializers.ChoiceField(kinds, required=False, help_text=told)


class TournamentIn(Shape):
    name = serializers.CharField(max_length=120, validators=[validate_name])
    auction = serializers.ChoiceField(
        Tournament.Auction.values, required=False, help_text="if left out, as in the club’s usual evening"
    )
    season = Id(required=False, allow_null=True, help_text="id of one of the club’s seasons; null: none")
    federation = serializers.BooleanField(
        default=False, help_text="an official FFT event: tables see no results before the publication"
    )

    def get_fields(self) -> Any:
        return super().get_fields() | {"format": make_format_field("if left out, as in the club’s usual evening")}


class TournamentChangeIn(Shape):
    """The changes of a tournament. Fields that are left out stay as they are."""

    name = serializers.CharField(max_length=120, validators=[validate_name], required=False)
    season = Id(required=False, allow_null=True, help_text="id of one of the club’s seasons; null: none")
    auction = serializers.ChoiceField(
        Tournament.Auction.values, required=False, help_text="fixed once a session has begun"
    )
    federation = serializers.BooleanField(
        required=False, help_text="an official FFT event: tables see no results before the publication"
    )

    def get_fields(self) -> Any:
        return super().get_fields() | {"format": make_format_field("fixed once players or teams are there")}


class ClubFilters(PageShape):
    name = SomeLetters(help_text="words that begin words of the name; accents do not matter")


class TournamentFilters(ClubFilters):
    season = SomeId(help_text="id of one of the club’s seasons")
    upcoming = serializers.BooleanField(
        required=False, help_text="true: tournaments with a session to come or under way; false: all others"
    )


class ClubsView(PublicView):
    @operation(
        "clubs_list",
        "List the public clubs and your own, by name, with your role in each",
        answer=ClubOut(many=True),
        query=[ClubFilters],
        statuses=READ,
    )
    def get(self, request: Request) -> Response:
        roles, filters = roles_of(request.user), read_filters(ClubFilters, request)
        clubs = Club.objects.filter(Q(pk__in=listed_clubs().values("pk")) | Q(pk__in=roles), match_name(filters))
        page = cut_page(request, clubs.order_by("name", "pk"), filters)
        return page.answer([ClubOut(club_data(club, roles)).data for club in page.rows])


class ClubView(PublicView):
    @operation("clubs_read", "Read a club and its seasons", answer=ClubInFullOut, statuses=READ)
    def get(self, request: Request, slug: str) -> Response:
        club = get_club_for(request.user, Can.READ, slug=slug)
        house, seasons = settings_of(club), club.seasons.order_by("-starts_on", "-pk")
        shown = {name: getattr(house, name) if house.shows_address else "" for name in ("address", "contact")}
        data = club_data(club, roles_of(request.user)) | {"time_zone": club.time_zone, "seasons": seasons} | shown
        return Response(ClubInFullOut(data).data)


def club_data(club: Club, roles: dict[int, str]) -> dict[str, Any]:
    return {"slug": club.slug, "name": club.name, "role": roles.get(club.pk)}


class PlayersView(View):
    @operation("players_list", "List the players of a club", answer=PlayerOut(many=True), query=[LongPaged])
    def get(self, request: Request, slug: str) -> Response:
        club = get_club_for(request.user, Can.DIRECT, slug=slug)
        page = cut_page(request, club.players.keep_listed(), read_filters(LongPaged, request))
        return page.answer(PlayerOut(page.rows, many=True).data)

    @operation(
        "players_add",
        "Add players: one, a list, or a pasted text. Players who are already on the list are found, not added twice",
        request=PolymorphicProxySerializer(
            "PlayersRequest",
            [PlayerIn, PlayerIn(many=True), AnsweredRosterIn],
            resource_type_field_name=None,
            many=False,
        ),
        answer=PlayerOut(many=True),
        statuses=(201,),
    )
    def post(self, request: Request, slug: str) -> Response:
        club = get_club_for(request.user, Can.DIRECT, slug=slug)
        if isinstance(request.data, dict) and "roster" in request.data:
            body = read_shape(AnsweredRosterIn, request.data)
            questions = ask_about_lines(club, read_pasted(body["roster"]), body)
            require_settled(questions)
            told = ListCounts(**body["told"]) if "told" in body else None
            players, _counts = take_counted(club=club, taken=[*take_settled(questions).values()], told=told)
        else:
            players = add_players(club=club, lines=read_players(request.data))
        return Response(PlayerOut(players, many=True).data, status=status.HTTP_201_CREATED)


class ReadPlayersView(View):
    @operation(
        "players_read",
        "Read a pasted list: which of its columns are read, and which lines are known players, probable ones, new,"
        " repeated, or without a name. Changes nothing",
        request=RosterIn,
        answer=ReadListOut,
    )
    def post(self, request: Request, slug: str) -> Response:
        club = get_club_for(request.user, Can.DIRECT, slug=slug)
        body = read_shape(RosterIn, request.data)
        pasted = read_pasted(body["roster"])
        questions = ask_about_lines(club, pasted, body)
        rows = [each.row for each in questions]
        is_told = all(each.checked or not each.asks for each in questions)
        counts = foresee_list(club, [*take_likely(questions).values()]).counts._asdict() if is_told else None
        return Response(ReadListOut({**pasted._asdict(), "rows": rows, "counts": counts}).data)


def ask_about_lines(club: Club, pasted: PastedList, body: dict[str, Any]) -> list[RowQuestion]:
    """Return a question for each row of a list, with the order of names and the answers of the body."""
    rows = match_rows(pasted, known_of(club), NameOrder(body["order"]))
    return [RowQuestion(row, body["answers"].get(row.key, "")) for row in rows]


def read_players(data: Any) -> list[RosterLine]:
    """Return the players in a body as lines of a roster. The body is one player, or a list of at most MOST_PLAYERS."""
    if isinstance(data, list):
        if len(data) > MOST_PLAYERS:
            raise MalformedBody("too_many_players", most=MOST_PLAYERS, found=len(data))
        reader = PlayerIn(data=data, many=True)
        reader.is_valid(raise_exception=True)
        return [RosterLine(**line) for line in reader.validated_data]
    return [RosterLine(**read_shape(PlayerIn, data))]


class TournamentsView(PublicView):
    @operation(
        "tournaments_list",
        "List the tournaments of a club, newest first",
        answer=TournamentOut(many=True),
        query=[TournamentFilters],
        statuses=READ,
    )
    def get(self, request: Request, slug: str) -> Response:
        club = get_club_for(request.user, Can.READ, slug=slug)
        filters = read_filters(TournamentFilters, request)
        page = cut_page(request, find_tournaments(club, filters), filters)
        return page.answer(TournamentOut(with_sessions(page.rows), many=True).data)

    @operation("tournaments_create", "Create a tournament", request=TournamentIn, answer=TournamentOut, statuses=(201,))
    def post(self, request: Request, slug: str) -> Response:
        club = get_club_for(request.user, Can.DIRECT, slug=slug)
        body = with_format(read_shape(TournamentIn, request.data), settings_of(club).format)
        if body.get("season") is not None:
            body["season"] = season_of_club(club, body["season"])
        tournament = create_tournament(club=club, now=timezone.now(), **body)
        return Response(tournament_data(tournament), status=status.HTTP_201_CREATED)


class TournamentView(PublicView):
    @operation("tournaments_read", "Read a tournament and its sessions", answer=TournamentOut, statuses=READ)
    def get(self, request: Request, pk: int) -> Response:
        return Response(tournament_data(get_tournament_for(request.user, Can.READ, pk=pk)))

    @operation(
        "tournaments_change",
        "Change the name, season or contract of a tournament. Its slug and everything published stay as they are",
        request=TournamentChangeIn,
        answer=TournamentOut,
    )
    def patch(self, request: Request, pk: int) -> Response:
        tournament = get_tournament_for(request.user, Can.DIRECT, pk=pk)
        changes = with_format(read_shape(TournamentChangeIn, request.data), tournament.format)
        if changes.get("season") is not None:
            changes["season"] = season_of_club(tournament.club, changes["season"])
        change_rules(tournament_id=pk, by=cast(User, request.user), now=timezone.now(), **changes)
        return Response(tournament_data(get_tournament_for(request.user, Can.DIRECT, pk=pk)))


def with_format(given: dict[str, Any], present: str) -> dict[str, Any]:
    """Return the values with the format's name as `format`, in place of a kind and an auction.

    `present` is the name of the format that stays if neither is given.
    """
    kind, auction = given.pop("format", None), given.pop("auction", None)
    return given | {"format": choose_format(kind, auction, present).name}


def match_name(asked: dict[str, Any]) -> Q:
    """Return the condition for the filter `name`."""
    return match_words(read_asked(asked["name"])) if "name" in asked else Q()


def find_tournaments(club: Club, asked: dict[str, Any]) -> QuerySet[Tournament]:
    """Return the club's tournaments that match the filters."""
    tournaments = club.tournaments.filter(match_name(asked), put_away_at=None).select_related("club")
    if "season" in asked:
        tournaments = tournaments.filter(season=asked["season"])
    if "upcoming" in asked:
        coming = Exists(sessions_to_come(timezone.now()).filter(tournament=OuterRef("pk")))
        tournaments = tournaments.filter(coming if asked["upcoming"] else ~coming)
    return tournaments


def tournament_data(tournament: Tournament) -> dict[str, Any]:
    """Return a tournament in the shape of `TournamentOut`."""
    data: dict[str, Any] = TournamentOut(*with_sessions([tournament])).data
    return data


def with_sessions(tournaments: Sequence[Tournament]) -> Sequence[Tournament]:
    """Return the tournaments with their sessions as `in_order`. This takes one query.

    The sessions' publications are not read, because they are large.
    """
    listed = Session.objects.filter(put_away_at=None).order_by("number")
    sessions = listed.annotate(published=select_newest_version(), standing=standing_now())
    prefetch_related_objects(tournaments, Prefetch("sessions", queryset=sessions, to_attr="in_order"))
    return tournaments
