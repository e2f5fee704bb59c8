"""The evenings of donnes libres that tests make, start and play.

`lay_out_games` and `lay_out_tables` write the rows of a session in play, with the tables that the test names.
`draft_free_session` and `start_free_session` go through the services, as the pages do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils import timezone

from clubs.models import Club, Player, User
from clubs.players import add_players
from clubs.roster import RosterLine
from deals.sets import create_free_set
from evenings.plans.free.settings import edit_free_deals
from evenings.plans.starting import start_session
from evenings.plays.entering import enter_result
from evenings.sessions.seating import seat_players
from evenings.sessions.setup import create_session, create_tournament
from scoring.formats import FREE_DEALS
from scoring.free import find_dealer, find_turn
from scoring.plays import SEATS
from tests.factories import DATE, garde, make_club
from tests.worlds import kept_world
from tournaments.models import Entrant, Play, Session, SessionStandings, Table, Tournament
from tournaments.models.seats import name_seat_columns
from tournaments.rules.entry import Entry, Fiche, GameSheet

NAMES = ("Anne", "Bruno", "Claire", "Denis", "Élise", "Farid", "Gaëlle", "Hugo", "Inès", "Jules", "Karine", "Louis")

Games = Sequence[Sequence[Sequence[int]]]


def make_free_tournament(club: Club | None = None) -> Tournament:
    now = timezone.now()
    return create_tournament(club=club or make_club(), name="Donnes libres", format=FREE_DEALS.name, now=now)


def add_named_players(club: Club, count: int) -> list[Player]:
    """Add players with the family names Nom001, Nom002 … to a club, and return them."""
    lines = [RosterLine(f"Nom{place:03}", NAMES[(place - 1) % len(NAMES)]) for place in range(1, count + 1)]
    return add_players(club=club, lines=lines)


def lay_out_games(
    games: Games,
    *,
    deals: int = 2,
    tournament: Tournament | None = None,
    rests: Mapping[tuple[int, int, int], str] | None = None,
    **fields: Any,
) -> Session:
    """Return a session in play. `games` has a list of tables for each game, and a table is a list of places from 0.

    A game without tables is not seated yet. `rests` gives the seat that does not play a deal, by (game, table, deal);
    all of them count from 1. `fields` are fields of the session.
    """
    tournament, now = tournament or make_free_tournament(), timezone.now()
    club = tournament.club
    session = create_session(tournament=tournament, date=DATE, positions=len(games), etuis_per_position=deals)
    count = 1 + max(place for tables in games for table in tables for place in table)
    entrants = [
        Entrant.objects.create(session=session, player=player, line="N", number=number)
        for number, player in enumerate(add_named_players(club, count), start=1)
    ]
    deal_set = create_free_set(club=club, name="Donnes libres", count=deals * len(games), now=now, by=None)
    etuis = {etui.number: etui for etui in deal_set.etuis.all()}
    rows = [Table.objects.create(session=session, number=n) for n in range(1, 1 + max(map(len, games)))]
    Play.objects.bulk_create(
        Play(
            session=session,
            position=game,
            table=row,
            etui=etuis[(game - 1) * deals + deal],
            resting=(rests or {}).get((game, row.number, deal), ""),
            **name_seat_columns({seat: entrants[place].pk for seat, place in zip(SEATS, places, strict=False)}),
        )
        for game, tables in enumerate(games, start=1)
        for row, places in zip(rows, tables, strict=False)
        for deal in range(1, deals + 1)
    )
    known = {"status": Session.Status.RUNNING, "started_at": now, "deal_set": deal_set, "position": 1}
    Session.objects.filter(pk=session.pk).update(**(known | fields))
    SessionStandings.objects.get_or_create(session=session, defaults={"results_version": 0, "data": {}})
    return Session.objects.select_related("tournament__club").get(pk=session.pk)


def lay_out_tables(
    sizes: Sequence[int] = (4, 3), *, games: int = 2, seated: int | None = None, mort: bool = False, **shape: Any
) -> Session:
    """Return a session in play. `sizes` are the numbers of people at the tables, and `seated` the games with seats.

    From game to game, everybody moves on by one seat. With `mort`, the dealer rests at tables of five. `shape`: as
    in `lay_out_games`.
    """
    order, laid = list(range(sum(sizes))), []
    for _ in range(seated or games):
        left = iter(order)
        laid.append([[next(left) for _ in range(size)] for size in sizes])
        order = order[1:] + order[:1]
    laid += [[]] * (games - len(laid))
    rests = {
        (game, table, deal): find_dealer(SEATS, deal)
        for game in range(1, games + 1)
        for table, size in enumerate(sizes, start=1)
        for deal in range(1, shape.get("deals", 2) + 1)
        if mort and size == len(SEATS)
    }
    return lay_out_games(laid, rests=rests, **shape)


def plays_at(session: Session, game: int = 1, table: int = 1) -> list[Play]:
    """Return the plays of a table in a game, by the number of the deal."""
    plays = session.plays.filter(position=game, table__number=table).select_related("etui", "table")
    return list(plays.order_by("etui__number"))


def plausible_deal(play: Play) -> Entry:
    """Return a result that differs from play to play and is the same in every run. Every fifth one is a base score.

    The players of the deal take in turn. Where five play, each fourth taker plays alone.
    """
    deal, table = play.etui.number, play.table.number
    turn = find_turn(play.playing_seats)
    taker = turn[(deal + table) % len(turn)]
    partner = turn[(deal + table + deal % 4) % len(turn)] if len(turn) == len(SEATS) else None
    points = 30 + (7 * deal + 11 * table) % 31
    if (deal + table) % 5 == 0:
        return Fiche(taker, 2 * points if points > 40 else -2 * points, partner=partner)
    return replace(garde("N", points=points), taker=taker, partner=partner)


@kept_world
def draft_free_session(
    people: int, *, games: int = 3, deals: int = 4, tournament: Tournament | None = None, **settings: Any
) -> Session:
    """Return a session in preparation with this number of players. `settings`: those of free deals."""
    tournament = tournament or make_free_tournament()
    session = create_session(tournament=tournament, date=DATE, positions=games, etuis_per_position=deals)
    edit_free_deals(session_id=session.pk, now=timezone.now(), **settings)
    players = add_named_players(tournament.club, people)
    seat_players(session_id=session.pk, player_ids=[player.pk for player in players])
    return Session.objects.get(pk=session.pk)


@kept_world
def start_free_session(people: int, **shape: Any) -> Session:
    session = draft_free_session(people, **shape)
    start_session(session_id=session.pk, by=None, now=timezone.now())
    return Session.objects.select_related("tournament__club").get(pk=session.pk)


def seats_in(session: Session, game: int) -> dict[int, tuple[int, ...]]:
    """Return the starting numbers at each table of a game, by the table's number."""
    numbers = dict(session.entrants.values_list("pk", "number"))
    plays = session.plays.filter(position=game).select_related("table")
    return {play.table.number: tuple(numbers[pk] for pk in play.seat_ids.values()) for play in plays}


def enter_sheets(session: Session, game: int, by: User) -> None:
    """Enter the sheet of each table of a game: at each table, the lowest starting number has won."""
    numbers = dict(session.entrants.values_list("pk", "number"))
    first: dict[int, Play] = {}
    for play in session.plays.filter(position=game).order_by("etui__number"):
        first.setdefault(play.table_id, play)
    for play in first.values():
        best = min(play.seat_ids, key=lambda seat: numbers[play.seat_ids[seat]])
        others = len(play.seat_ids) - 1
        marks = tuple((seat, 10 * others if seat == best else -10) for seat in SEATS if seat in play.seat_ids)
        enter_result(play_id=play.pk, entry=GameSheet(marks), by=by, now=timezone.now())
