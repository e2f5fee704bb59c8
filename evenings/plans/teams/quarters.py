"""The opening of line-ups of a quarter: once both teams of a match have one, its tables know who attacks."""

import datetime as dt

from clubs.models import User
from evenings.teams.lineups import SOUTH, TeamLineUp
from evenings.teams.quarters import QuarterTeam, is_open, read_quarters
from tournaments.log import log_action
from tournaments.models import LineUp, Play, Session
from tournaments.models.seats import read_with_seats


def open_quarter(session: Session, quarter: int) -> None:
    """Let the tables know the attackers of each match in which both teams have handed in line-ups for the quarter.

    The caller has locked the plays of the quarter and the session. Plays with a result stay as they are.
    """
    teams = read_quarters(session)
    places = {
        each.team.pk: each.quarters[quarter].attacker.place
        for number, each in teams.items()
        if is_open(teams, number, quarter)
    }
    entrants: dict[int, int | None] = dict(session.entrants.values_list("pk", "team_id"))
    plays = Play.objects.filter(session=session, position=quarter, entries=None).order_by("pk")
    for (pk, badge), seats in read_with_seats(plays, "pk", "badge"):
        place = places.get(entrants[seats[SOUTH]] or 0, badge)
        if place != badge:
            Play.objects.filter(pk=pk).update(badge=place)


def settle_quarter(session: Session, quarter: int, *, by: User | None, now: dt.datetime) -> list[int]:
    """Let the quarter be played with the line-ups that were handed in.

    A team without one plays with the proposed line-up, which is stored and logged.

    Return the starting numbers of these teams. The caller has locked the plays of the quarter and the session.
    """
    there = [each for each in read_quarters(session).values() if each.is_there(quarter)]
    missing = [each for each in there if quarter not in each.quarters]
    for each in missing:
        store_line_up(session, each, quarter, each.propose(quarter), by=by, now=now)
        log_action(session, "quarter_without_line_up", now=now, by=by, team=each.number, quarter=quarter)
    open_quarter(session, quarter)
    return [each.number for each in missing]


def store_line_up(
    session: Session,
    team: QuarterTeam,
    quarter: int,
    line_up: TeamLineUp,
    *,
    by: User | None,
    now: dt.datetime,
    reason: str = "",
) -> LineUp:
    """Store and return a row of the line-up of a team for a quarter."""
    seats = line_up.members
    return LineUp.objects.create(
        session=session,
        team=team.team,
        quarter=quarter,
        attacker=seats[SOUTH],
        in_north=seats["N"],
        in_east=seats["E"],
        in_west=seats["W"],
        reason=reason,
        made_at=now,
        author=by,
    )
