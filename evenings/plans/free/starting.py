"""The start of an evening in games: starting numbers by lot, the free set, and the plays of the first games."""

import datetime as dt
import secrets
from collections.abc import Sequence

from clubs.models import User
from deals.domain.cards import LINES
from deals.domain.dealing import numbers, shuffle
from evenings.plans.by_format import find_odd_tables
from evenings.plans.free.laying import count_own_deals, lay_games, prepare_free_set, store_games
from evenings.plans.free.refusals import GamesRefused
from evenings.plans.laying import write_new_rows
from movements import ALIKE, Plan, PlanError
from movements.games import NextGame, plan_games, seat_next_game, start_games, turn_seats
from scoring.formats import find_format
from tournaments.models import Entrant, Session, TeamMember

_MANY = 10_000  # above every starting number


def lay_free_start(session: Session, *, by: User | None, now: dt.datetime) -> Plan[int]:
    """Draw the starting numbers, lay out the plays of the games that can be seated, and return the games.

    All games are seated if the session's seating is fixed or étuis are played, else the first one by the numbers
    drawn. Raise `ActionRefused` if the players cannot be divided into tables.
    """
    session.plans.all().delete()
    entrants = list(session.entrants.order_by("pk"))
    teams = find_teams(session, entrants)
    try:
        games = make_games(session, len(entrants), list(map(len, teams)))
    except PlanError as error:
        raise GamesRefused("games_impossible", "players", problem=error) from error
    give_numbers(entrants, teams, games.mates)
    write_new_rows(session, lay_games(session, games))
    store_games(session, games, kind="choice", game=games.seated, by=by, now=now)
    return games


def lay_free_deals(session: Session, *, by: User | None, now: dt.datetime) -> Plan[int]:
    """Give the session a number for each deal of each game, and start it as `lay_free_start` does."""
    prepare_free_set(session, by=by, now=now)
    return lay_free_start(session, by=by, now=now)


def find_teams(session: Session, entrants: Sequence[Entrant]) -> list[list[Entrant]]:
    """Return the entrants of each team of the tournament that has two or more of them in the session."""
    by_player = {entrant.player_id: entrant for entrant in entrants}
    teams: dict[int, list[Entrant]] = {}
    members = TeamMember.objects.filter(tournament=session.tournament_id, ended_at=None).order_by("team", "place")
    for team, player in members.values_list("team", "player"):
        if player in by_player:
            teams.setdefault(team, []).append(by_player[player])
    return [team for team in teams.values() if len(team) > 1]


def make_games(session: Session, people: int, teams: Sequence[int]) -> Plan[int]:
    """Return the games with all of them seated, or the first one. Raise `PlanError` if it cannot be done.

    `teams`: the sizes of the teams. With étuis all games are seated, because all tables play the same étuis in each.
    """
    deals, odd = count_own_deals(session), find_odd_tables(find_format(session.tournament.format), session.odd_tables)
    if odd in ALIKE:
        return turn_seats(plan_games(people, session.positions, deals, odd))
    if session.seating == Session.GameSeating.FIXED:
        return plan_games(people, session.positions, deals, odd, teams=teams)
    first = plan_games(people, 1, deals, odd, teams=teams)
    empty = start_games(people, session.positions, deals, odd, mates=first.mates)
    return seat_next_game(empty, range(1, people + 1), NextGame.RANKING)


def give_numbers(
    entrants: Sequence[Entrant],
    teams: Sequence[Sequence[Entrant]],
    mates: Sequence[Sequence[int]],
) -> None:
    """Give the entrants starting numbers by lot. The members of a team get the numbers of a team of that size."""
    draw = numbers(secrets.randbits(64), "starting numbers")
    drawn: dict[int, int] = {}
    for size in sorted(set(map(len, teams))):
        own = [team for team in teams if len(team) == size]
        groups = [group for group in mates if len(group) == size]
        for team, place in zip(own, shuffle(draw, list(range(len(groups)))), strict=True):
            drawn |= dict(zip((one.pk for one in team), shuffle(draw, list(groups[place])), strict=True))
    free = [number for number in range(1, len(entrants) + 1) if number not in set(drawn.values())]
    alone = [entrant.pk for entrant in entrants if entrant.pk not in drawn]
    drawn |= dict(zip(alone, shuffle(draw, free), strict=True))
    for entrant in entrants:
        entrant.line, entrant.number = LINES[0], _MANY + drawn[entrant.pk]
    Entrant.objects.bulk_update(entrants, ["line", "number"])  # numbers that nobody has yet
    for entrant in entrants:
        entrant.number -= _MANY
    Entrant.objects.bulk_update(entrants, ["number"])
