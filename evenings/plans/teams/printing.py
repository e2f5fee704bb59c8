"""The plan of a session of teams, read from its plays as the values that papers print. It reads no result."""

from collections import defaultdict

from deals.domain.cards import Seat
from evenings.plans.evening_plan import EveningPaper, Position, SessionHeading
from evenings.plans.teams.evening_plan import (
    PrintedMember,
    PrintedTeam,
    PrintedTurn,
    TeamSitting,
    TeamsPaper,
)
from evenings.teams.lineups import SeatPlaces, read_session_line_ups
from evenings.teams.membership import JOINS, find_span
from evenings.teams.quarters import is_open, list_quarters, read_quarters
from scoring.formats import TEAM_MATCH, find_format
from scoring.teams import TeamTable, find_parted, order_teams
from tournaments.models import Entrant, Session, TeamMember
from tournaments.models.seats import find_taker_seat, read_with_seats


def read_printed_plan(session: Session, heading: SessionHeading) -> TeamsPaper:
    """Return the plan of a session under way. This takes three queries, and two more for line-ups.

    Étuis that a team has already played are left out.
    """
    entrants = {entrant.pk: entrant for entrant in session.entrants.select_related("team")}
    teams = read_printed_teams(session, list(entrants.values()))
    turns: dict[tuple[int, int], list[PrintedTurn]] = defaultdict(list)
    meetings: dict[tuple[int, int], tuple[int, int, str]] = {}  # the attacking and the defending team, and the taker
    positions: set[int] = set()
    plays = session.plays.order_by("position", "table__number", "etui__number")
    columns = "position", "table__number", "etui__number", "etui__taker", "badge", "is_replay"
    for (position, table, etui, named, badge, left_out), seats in read_with_seats(plays, *columns):
        positions.add(position)
        if not left_out:
            taker = find_taker_seat(seats, named)
            attacking = seats[taker]
            turns[position, table].append(PrintedTurn(etui, Seat(taker), attacking, badge))
            defending = next(pk for pk in seats.values() if pk != attacking)
            meetings.setdefault((position, table), (attacking, defending, taker))
    parted = find_parted(TeamTable(*place, frozenset(both)) for place, (*both, _taker) in meetings.items())
    found: dict[int, list[TeamSitting]] = {position: [] for position in sorted(positions)}
    for (position, table), mine in turns.items():
        attacking, defending, taker = meetings[position, table]
        first, second = order_teams(teams[attacking], teams[defending], taker, parted=position in parted)
        found[position].append(TeamSitting(table, (first, second), tuple(mine), position in parted))
    return EveningPaper(
        heading,
        find_format(session.tournament.format),
        tuple(
            Position(position, tuple(sittings), find_resting(position, sittings, entrants, teams))
            for position, sittings in found.items()
        ),
    )


def find_resting(
    position: int, sittings: list[TeamSitting], entrants: dict[int, Entrant], teams: dict[int, PrintedTeam]
) -> tuple[PrintedTeam, ...]:
    """Return the teams that are there in that position and at no table, by number."""
    seated = {team.id for sitting in sittings for team in sitting.teams}
    resting = [teams[pk] for pk, entrant in entrants.items() if pk not in seated and entrant.is_there(position)]
    return tuple(sorted(resting, key=lambda team: team.number))


def read_quarter_seats(session: Session) -> dict[int, tuple[SeatPlaces, ...]]:
    """Return who sits where in each quarter, by the team's id. A quarter whose line-ups are still secret has no seats.

    This takes three queries.
    """
    teams = read_quarters(session)
    return {
        each.team.pk: tuple(
            SeatPlaces(
                quarter,
                {seat: member.place for seat, member in each.quarters[quarter].members.items()}
                if is_open(teams, number, quarter)
                else {},
            )
            for quarter in list_quarters(session)
        )
        for number, each in teams.items()
    }


def read_printed_teams(session: Session, entrants: list[Entrant]) -> dict[int, PrintedTeam]:
    """Return the teams with their members of the session, by the entrant's id.

    This takes one query, and two more for line-ups.
    """
    rows = TeamMember.objects.filter(team__entries__session=session).select_related("player", *JOINS)
    members: defaultdict[int, list[PrintedMember]] = defaultdict(list)
    for member in rows.order_by("place", "pk"):
        if span := find_span(member, session.number):
            player = member.player
            members[member.team_id].append(PrintedMember(member.pk, player.name, member.place, player.listed, span))
    read = {TEAM_MATCH.name: read_quarter_seats}.get(session.tournament.format, read_session_line_ups)
    seating = read(session)
    return {
        entrant.pk: PrintedTeam(
            entrant.pk,
            entrant.number,
            entrant.own_name,
            tuple(members[entrant.team_id or 0]),
            seating.get(entrant.team_id or 0, ()),
        )
        for entrant in entrants
    }
