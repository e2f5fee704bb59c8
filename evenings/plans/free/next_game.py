"""The next game of an evening of free deals: proposed, changed by hand, taken, and undone.

Results that come in later, and corrections, move nobody.
"""

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from django.db import transaction

from clubs.models import User
from evenings.plans.current import current_version
from evenings.plans.free.laying import find_games, lay_games, lock_games, store_games
from evenings.plans.free.length import follow_end
from evenings.plans.free.refusals import GamesRefused
from evenings.plans.laying import write_new_rows
from evenings.plans.storing import require_right_plan
from evenings.plays.entering import raise_results_version
from evenings.plays.state import WAITED_FOR, with_states
from evenings.standings.computing import compute
from evenings.tables.devices import open_tables
from movements import Plan, PlanError, PlanFigures, compute_figures
from movements.games import NextGame, seat_next_game
from movements.games.plan import lay_tables
from tournaments.errors import ActionRefused
from tournaments.locks import lock_plan
from tournaments.log import log_action
from tournaments.models import Play, ResultEntry, Ruling, Session

Tables = Sequence[Sequence[int]]


@dataclass(frozen=True)
class GameProposal:
    """The tables that the site proposes for the next game.

    `missing`: the tables of the game before with the number of results that are missing. `repeated`: how many meetings
    of this game are not the first one of a pair. `problem`: why tables that the director made by hand cannot be taken.
    """

    game: int
    games: Plan[int]
    figures: PlanFigures
    repeated: int
    missing: dict[int, int]
    problem: ActionRefused | None = None

    @property
    def tables(self) -> list[tuple[int, ...]]:
        """The starting numbers of each table."""
        return [part.people for part in self.games.at(self.game)]


def propose_next_game(session: Session, tables: Tables | None = None) -> GameProposal | None:
    """Return the proposal for the next game, or None if all games are seated or the session has not started.

    `tables`: tables that the director has made by hand, by starting numbers. Raise `ActionRefused` if the players
    cannot be divided, or if the tables by hand have more or fewer people than are there.
    """
    before = find_games(session)
    if before is None or before.seated >= before.positions:
        return None
    game = before.seated + 1
    games = seat_by_hand(before, tables) if tables is not None else seat_by_site(session, before)
    problem = None
    try:
        figures = require_right_plan(games)
    except ActionRefused as error:
        if tables is None:
            raise
        figures, problem = compute_figures(games), error
    repeated = figures.repeated - compute_figures(before).repeated
    return GameProposal(game, games, figures, repeated, find_missing(session, before.seated), problem)


def find_missing(session: Session, game: int) -> dict[int, int]:
    """Return how many results of a game are missing, by the number of the table."""
    waiting = with_states(session.plays.filter(position=game)).filter(state__in=WAITED_FOR)
    missing: dict[int, int] = {}
    for table in waiting.order_by("table__number").values_list("table__number", flat=True):
        missing[table] = missing.get(table, 0) + 1
    return missing


def rank_numbers(session: Session, there: Collection[int]) -> list[int]:
    """Return the starting numbers of those who are there, by the ranking. Equal ones are in the order of numbers."""
    computed = compute(session.pk)
    ranks = {each["id"]: each["rank_general"] for each in computed.figures["players"]} if computed else {}
    numbers = [
        (ranks.get(entrant.pk) or len(ranks) + 1, entrant.number)
        for entrant in session.entrants.all()
        if entrant.number in there
    ]
    return [number for _rank, number in sorted(numbers)]


def seat_by_site(session: Session, games: Plan[int]) -> Plan[int]:
    """Return the games with the next one as the session's setting says."""
    seating = session.seating
    way = NextGame.RANKING if seating == Session.GameSeating.FIXED else NextGame(seating)
    order = rank_numbers(session, set(games.present(games.seated + 1)))
    try:
        return seat_next_game(games, order, way, seed=session.pk)
    except PlanError as error:
        raise GamesRefused("games_impossible", "players", problem=error) from error


def seat_by_hand(games: Plan[int], tables: Tables) -> Plan[int]:
    """Return the games with these tables as the next one. Raise `ActionRefused` if somebody has not one place."""
    game = games.seated + 1
    people = sorted(number for table in tables for number in table)
    if people != sorted(games.present(game)) or any(not 3 <= len(table) <= 5 for table in tables):
        raise GamesRefused("tables_not_whole", "tables")
    laid = lay_tables([[tuple(table) for table in tables]], games.etuis_per_position, games.odd, after=game - 1)
    return replace(games, stops=(*games.stops, *laid), rule="by hand")


@transaction.atomic
def take_next_game(
    *, session_id: int, game: int, tables: Tables | None = None, by: User | None, now: dt.datetime
) -> Plan[int]:
    """Seat this game with the tables that the director saw, and return the games. The call is idempotent.

    Without `tables`, the proposal of this moment is taken. Raise `ActionRefused` if the game is not the next one.
    """
    session, before = lock_games(session_id)
    if game == before.seated:
        return before
    if game != before.seated + 1 or game > before.positions:
        raise GamesRefused("game_not_next", "game", game=game, next=before.seated + 1)
    games = seat_by_site(session, before) if tables is None else seat_by_hand(before, tables)
    store_games(session, games, kind="game", game=game, by=by, now=now)
    with follow_end(session, now):
        rows = lay_games(session, games, after=game - 1)
        write_new_rows(session, rows)
    open_tables(session, now=now)
    raise_results_version(session_id, etuis=sorted({row["etui_id"] for row in rows}))
    return games


@transaction.atomic
def undo_next_game(*, session_id: int, game: int, by: User | None, now: dt.datetime) -> Plan[int]:
    """Undo the seating of the last game, and return the games without it. The call is idempotent.

    Raise `ActionRefused` if it is not the last one, or came with the start. Also raise it if a deal of it has a result
    or a ruling, or has begun.
    """
    session = lock_plan(session_id)
    games, version = find_games(session), current_version(session)
    if games is None or version is None:
        raise ActionRefused("session_not_started")
    if game == games.seated + 1:
        return games
    if game != games.seated or version.operation.get("kind") != "game":
        raise GamesRefused("game_not_last", "game", game=game)
    plays = Play.objects.filter(session=session, position=game)
    begun = plays.exclude(started_at=None).exists() or session.position >= game
    if begun or ResultEntry.objects.filter(play__in=plays).exists() or Ruling.objects.filter(play__in=plays).exists():
        raise GamesRefused("game_begun", "game", game=game)
    etuis = sorted(set(plays.values_list("etui_id", flat=True)))
    with follow_end(session, now):
        plays.delete()
    version.undone_at, version.undone_by = now, by
    version.save(update_fields=["undone_at", "undone_by"])
    log_action(session, "game_undone", by=by, now=now, position=game)
    raise_results_version(session_id, etuis=etuis)
    left = find_games(session)
    assert left is not None
    return left
