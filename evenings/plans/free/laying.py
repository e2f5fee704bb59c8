"""The plays of games: rows for each deal at each table, from starting numbers and the deal set.

Where the tables deal, the free set of the session has a number for each deal. Otherwise all tables play the same étuis
in a game.
"""

import datetime as dt
from collections.abc import Mapping

from clubs.models import User
from deals.sets import create_free_set
from evenings.plans.by_format import find_odd_tables
from evenings.plans.current import evening_of
from evenings.plans.laying import Fill, etui_ids, lay_plays
from evenings.plans.layout import Row
from evenings.plans.storing import store_plan
from movements import Plan, PlanStop, Seating
from movements.games import count_dealt
from movements.games.plan import MOST_AT_TABLE, MOST_DEALS
from scoring.formats import find_format
from scoring.plays import SEATS
from tournaments.errors import ActionRefused
from tournaments.locks import lock_plan
from tournaments.models import PlanVersion, Session
from tournaments.models.seats import name_seat_columns


def find_games(session: Session) -> Plan[int] | None:
    """Return the games of a session that is seated in games and has started, or None."""
    evening = evening_of(session)
    return evening.plan if evening is not None and evening.plan.seating is Seating.TABLES else None


def lock_games(session_id: int, *, closed_too: bool = False) -> tuple[Session, Plan[int]]:
    """Lock a session in games under way, and return it with its games.

    Raise `ActionRefused` if it has not started or, unless `closed_too`, if it is closed.
    """
    session = lock_plan(session_id)
    games = find_games(session)
    if session.status != Session.Status.RUNNING or games is None:
        raise ActionRefused("session_not_started")
    if session.closed_at is not None and not closed_too:
        raise ActionRefused("session_closed")
    return session, games


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


def find_deal_stride(session: Session) -> int:
    """Return by how many numbers the deals of a game follow those of the game before, 0 where étuis are played."""
    return find_stride(session) if session.tournament.deals_freely else 0


def prepare_free_set(session: Session, *, by: User | None, now: dt.datetime) -> None:
    """Give the session a free set with a number for each deal of each game, unless it has one of this size."""
    count = find_stride(session) * session.positions
    own = session.deal_set
    if own is None or not own.free or own.etuis.count() != count:
        name = f"{session.tournament.name} {session.number}"[:80]
        session.deal_set = create_free_set(club=session.tournament.club, name=name, count=count, now=now, by=by)
        session.first_etui = 1
        session.save(update_fields=["deal_set", "first_etui"])


def lay_games(session: Session, games: Plan[int], *, after: int = 0) -> list[Row]:
    """Return the plays of the seated games after game `after` as rows."""
    numbers = {stop.table for stop in games.stops}
    tables = {number: -number for number in numbers} | dict(session.tables.values_list("number", "pk"))
    fill = fill_deal_seats(number_all_entrants(session))
    return lay_plays(games, fill, tables=tables, etuis=etui_ids(session), after=after, stride=find_stride(session))


def fill_deal_seats(entrants: Mapping[int, int]) -> Fill:
    """Return the function for the columns of who sits and rests in a deal. `entrants`: ids by starting number."""

    def fill(stop: PlanStop[int], deal: int) -> Row:
        seats = {seat: entrants[number] for seat, number in zip(SEATS, stop.people, strict=False)}
        resting = SEATS[stop.people.index(stop.rests[deal - stop.start])] if stop.rests else ""
        return {"resting": resting, **name_seat_columns(seats)}

    return fill


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
