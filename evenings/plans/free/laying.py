"""The plays of games: rows for each deal at each table, from starting numbers and the deal set.

Where the tables deal, the free set of the session has a number for each deal. Otherwise all tables play the same étuis
in a game.
"""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from clubs.models import User
from deals.sets import create_free_set
from evenings.plans.by_format import find_odd_tables
from evenings.plans.current import current_version
from evenings.plans.storing import store_plan
from movements import Plan, read_plan
from movements.games import count_dealt
from movements.games.plan import MOST_AT_TABLE, MOST_DEALS
from movements.plan.notation import is_games
from scoring.formats import find_format
from scoring.plays import SEATS
from tournaments.models import PlanVersion, Play, Session, Table
from tournaments.models.seats import name_seat_columns


def find_games(session: Session) -> Plan[int] | None:
    """Return the games of a session that is seated in games and has started, or None."""
    version = current_version(session)
    return read_plan(version.data) if version is not None and is_games(version.data) else None


def count_own_deals(session: Session) -> int:
    """Return how many deals a player plays in a game. If the time decides, return the most that a game may have."""
    return MOST_DEALS if session.fits_deals else session.etuis_per_position


def count_timed_deals(session: Session, *, has_five: bool) -> int:
    """Return the number of deals for which a game has time. A table of five with a mort deals more than the others.

    `has_five` says whether five people sit at some table. If the time decides, there is time for the usual number.
    """
    deals = session.etuis_per_position
    if session.fits_deals or not has_five:
        return deals
    odd = find_odd_tables(find_format(session.tournament.format), session.odd_tables)
    return count_dealt(MOST_AT_TABLE, deals, odd)


def find_stride(session: Session) -> int:
    """Return how many deal numbers or étuis each game has: as many as its largest tables need."""
    deals, format = count_own_deals(session), find_format(session.tournament.format)
    odd = find_odd_tables(format, session.odd_tables)
    least, most = format.people
    return max(count_dealt(people, deals, odd) for people in range(least, most + 1))


def prepare_free_set(session: Session, *, by: User | None, now: dt.datetime) -> None:
    """Give the session a free set with a number for each deal of each game, unless it has one of this size."""
    count = find_stride(session) * session.positions
    own = session.deal_set
    if own is None or not own.free or own.etuis.count() != count:
        name = f"{session.tournament.name} {session.number}"[:80]
        session.deal_set = create_free_set(club=session.tournament.club, name=name, count=count, now=now, by=by)
        session.first_etui = 1
        session.save(update_fields=["deal_set", "first_etui"])


def number_entrants(session: Session, games: Plan[int]) -> dict[int, int]:
    """Return the id of each entrant by starting number. Entrants whom the games do not have yet are left out."""
    return {entrant.number: entrant.pk for entrant in session.entrants.all() if entrant.number <= games.competitors}


def lay_game(session: Session, games: Plan[int], game: int, entrants: Mapping[int, int]) -> list[Play]:
    """Store and return the plays of a game. Tables that are needed and not there yet are added."""
    assert session.deal_set is not None
    parts = games.at(game)
    tables = {table.number: table for table in session.tables.all()}
    missing = sorted({part.table for part in parts} - tables.keys())
    new = Table.objects.bulk_create(Table(session=session, number=number) for number in missing)
    tables |= {table.number: table for table in new}
    etuis = dict(session.deal_set.etuis.values_list("number", "pk"))
    before = session.first_etui - 1 + (game - 1) * find_stride(session)
    return Play.objects.bulk_create(
        Play(
            session=session,
            position=game,
            table=tables[table],
            etui_id=etuis[before + deal],
            **columns,
        )
        for (table, deal), columns in describe_game(games, game, entrants).items()
    )


def describe_game(games: Plan[int], game: int, entrants: Mapping[int, int]) -> dict[tuple[int, int], dict[str, Any]]:
    """Return the columns of who sits and rests in each deal of a game, by the numbers of the table and the deal."""
    found: dict[tuple[int, int], dict[str, Any]] = {}
    for part in games.at(game):
        seats = {seat: entrants[number] for seat, number in zip(SEATS, part.people, strict=False)}
        for place, deal in enumerate(range(part.start, part.end + 1)):
            resting = SEATS[part.people.index(part.rests[place])] if part.rests else ""
            found[part.table, deal] = {"resting": resting, **name_seat_columns(seats)}
    return found


def number_all_entrants(session: Session) -> dict[int, int]:
    """Return the ids of all entrants by their starting numbers, also of those who have left."""
    return dict(session.entrants.values_list("number", "pk"))


def store_games(
    session: Session, games: Plan[int], *, kind: str, game: int, by: User | None, now: dt.datetime
) -> PlanVersion:
    """Store and return a new version of the session's games. Raise `ActionRefused` if they have a fault."""
    return store_plan(
        session,
        games,
        code="free_games",
        params={"players": games.competitors, "games": games.seated},
        operation={"kind": kind, "game": game, "positions": session.positions},
        by=by,
        now=now,
    )
