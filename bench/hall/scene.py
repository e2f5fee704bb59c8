"""The evenings in the database: one that is played, with half of its results, and a published one before it.

A session has at most MOST_TABLES tables. A hall with more tables has several sessions of about the same size, which are
played at the same time.
"""

from collections import deque
from typing import Any, cast

from django.db import connection
from django.db.models import Exists, OuterRef
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import User
from evenings.plans.choosing import choose_plan, proposals_for, shape_of
from evenings.plans.starting import start_session
from evenings.plans.teams.choosing import choose_team_plan, propose_for_teams, team_shape
from evenings.plans.teams.seating import seat_teams
from scoring.formats import FREE_DEALS, INDIVIDUAL, find_format
from tests.etui_games import start_etui_session
from tests.evenings.tables.phones import command, tokens_of
from tests.evenings.teams.evening import make_teams
from tests.evenings.teams.test_starting import prepare as prepare_teams
from tests.factories import draft_session, enter_all, make_director, make_tournament, plausible, publish
from tests.free_evenings import plausible_deal, start_free_session
from tests.short_searches import SHORT, search_with
from tournaments.models import Play, ResultEntry, Session
from tournaments.rules.entry import Entry, taker_of

POSITIONS, ETUIS = 10, 2
GAMES, DEALS = 5, 4  # where the tables deal
MOST_TABLES = 150  # the limit of a session


def start_evening(tournament: Any, director: User, *, tables: int, positions: int) -> Session:
    """Start a session with the first proposed plan, and return it. Teams play on two lines.

    Where the tables deal, four players sit at each table, and all games are known at the start. Étuis for three or five
    have as many étuis as an evening for four.
    """
    format = find_format(tournament.format)
    if tournament.format == FREE_DEALS.name:
        shape = {"games": positions, "deals": DEALS, "seating": "fixed"}
        return cast(Session, start_free_session(4 * tables, tournament=tournament, **shape))
    if format.has_games:
        shape = {"positions": positions, "etuis": ETUIS, "tournament": tournament}
        return cast(Session, start_etui_session(format.size, tables, by=director, **shape))
    if format.is_for_teams:
        return start_teams(tournament, director, tables=tables, positions=positions)
    draft = draft_session(tournament, tables=tables, positions=positions, etuis_per_position=ETUIS)
    now = timezone.now()
    with search_with(SHORT):  # how good the plan is does not matter here
        # the proposals are remembered: on a busy machine, a search may take longer than a transaction may
        proposals_for(draft)
        choose_plan(session_id=draft.pk, choice=0, shape=shape_of(draft), by=director, now=now)
    return start_session(session_id=draft.pk, now=now)


def start_teams(tournament: Any, director: User, *, tables: int, positions: int) -> Session:
    """Start a session of the tournament's teams on two lines, with teams made for the tables that lack them."""
    missing = 2 * tables - tournament.teams.count()
    if missing > 0:
        make_teams(tournament, missing, first=tournament.teams.count() + 1)
    teams = list(tournament.teams.order_by("number").values_list("pk", flat=True)[: 2 * tables])
    draft = prepare_teams(tournament, positions=positions, etuis=ETUIS, count=ETUIS * max(tables, positions))
    told = {"session_id": draft.pk, "by": director, "now": timezone.now()}
    seat_teams(teams=teams, **told)
    rules = [each.plan.rule for each in propose_for_teams(draft)]
    choose_team_plan(choice=rules.index("two_lines"), shape=team_shape(draft), **told)
    return start_session(session_id=draft.pk, now=timezone.now())


class Scene:
    """The sessions that are played, with `tables` tables in all, and a published session before them.

    `format` is "individual"; or "triplettes": then two teams of three sit at each table; or "donnes_libres".
    With "free_auction_3" or "free_auction_5", all tables have so many players.

    The first half of their results is entered, unless `empty` is true. Tables are numbered through the whole hall.
    There are at most as many positions as tables, because each table has one set of étuis.
    """

    def __init__(self, tables: int, format: str = INDIVIDUAL.name, *, empty: bool = False) -> None:
        count = -(-tables // MOST_TABLES)
        sizes = [tables // count + (number < tables % count) for number in range(count)]
        self.is_free = format == FREE_DEALS.name
        self.has_games = find_format(format).has_games
        positions = min(GAMES if self.is_free else POSITIONS, sizes[-1])
        tournament = make_tournament(name="Salle comble")
        if format != INDIVIDUAL.name:
            tournament.format, tournament.first_badge = format, 1
            tournament.save(update_fields=["format", "first_badge"])
        self.place = tournament.club.slug, tournament.slug
        self.director: User = make_director(tournament.club)
        published = self.play(tournament, sizes[0], positions, played=positions)
        publish(published, by=self.director)
        self.ranking = reverse("ranking", args=(*self.place, published.number))
        half = 0 if empty else positions // 2
        self.sessions = [self.play(tournament, size, positions, played=half) for size in sizes]
        self.session = self.sessions[0]
        # The next position is called here, so that the tables can play it without a director.
        Session.objects.filter(pk__in=[session.pk for session in self.sessions]).update(position=half + 1)
        self.tokens: dict[int, str] = {}
        self.left: dict[int, deque[Play]] = {}
        for session in self.sessions:
            self.seat(session, half)
        client = Client()
        client.force_login(self.director)
        self.cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # PostgreSQL itself does this after some minutes

    def seat(self, session: Session, half: int) -> None:
        """Add the tables of a session to the hall, with their codes and the plays that they have not played."""
        before = len(self.tokens)
        self.tokens |= {before + number: token for number, token in tokens_of(session).items()}
        plays = Play.objects.filter(session=session, position__gt=half).select_related("etui", "table")
        for play in plays.order_by("position", "etui__number"):
            self.left.setdefault(before + play.table.number, deque()).append(play)

    @property
    def tables(self) -> list[int]:
        """The tables of the first session."""
        return sorted(self.tokens)[: self.session.tables.count()]

    def play(self, tournament: Any, tables: int, positions: int, *, played: int) -> Session:
        session = start_evening(tournament, self.director, tables=tables, positions=positions)
        plays = session.plays.select_related("etui").filter(position__lte=played)
        enter_all(session, by=self.director, plays=plays, choose=self.choose)
        return session

    def choose(self, play: Play) -> Entry:
        """Return the result that a play gets."""
        return cast(Entry, plausible_deal(play) if self.has_games else plausible(play))

    def count_missing(self) -> int:
        """Return how many plays have no result."""
        plays = Play.objects.filter(session__in=self.sessions)
        return plays.exclude(Exists(ResultEntry.objects.filter(play=OuterRef("pk"), current=True))).count()

    def address(self, name: str, session: Session | None = None) -> str:
        """Return the address of a page of a session. Without `session`, it is the first one that is played."""
        return reverse(name, args=(*self.place, (session or self.session).number))

    def state(self, table: int) -> str:
        return reverse("table_state", args=(self.tokens[table],))

    def send(self, table: int) -> str:
        return reverse("table_send", args=(self.tokens[table],))

    def next_result(self, table: int) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        """Return three commands of a table for its next play: start, result, check by the other side."""
        play = self.left[table].popleft()
        entry = self.choose(play)
        taker = play.etui.taker or taker_of(entry)
        check = {"version": 1, "seat": "S" if taker == "N" else taker, "agrees": True}
        sent = (
            command("start", play=play),
            command("enter", play=play, seat="N", entry=entry),
            command("check", play=play, **check),
        )
        return cast(tuple[dict[str, Any], dict[str, Any], dict[str, Any]], sent)
