"""The line-ups of team matches: in each quarter of a match another member of a team attacks, and three others defend.

A line-up is secret until the other team has handed in its own, or until the quarter is called. This module only reads;
`evenings.changes.quarters` stores line-ups, and `evenings.plans.teams.quarters` opens them.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from django.db.models import F, Q

from deals.domain.cards import LINES
from evenings.teams.lineups import SEATS, SOUTH, TeamLineUp, follow_substitutes
from evenings.teams.membership import list_entrants_of_members
from scoring.formats import TEAM_MATCH, find_format
from tournaments.models import Entrant, LineUp, Session, Team, TeamMember


class QuarterTeam(NamedTuple):
    """A team of a session of matches: its starting number, its members by place, and its line-ups by quarter.

    `members` are those who belong to the team now. A quarter without a line-up is left out of `quarters`.
    """

    team: Team
    number: int
    members: tuple[TeamMember, ...]
    quarters: Mapping[int, TeamLineUp]
    last: int | None = None  # the last quarter that the team plays, or None if it plays them all

    def is_there(self, quarter: int) -> bool:
        """Return whether the team has not left before the quarter."""
        return self.last is None or quarter <= self.last

    def propose(self, quarter: int) -> TeamLineUp:
        """Return the line-up of a quarter: the one that was handed in, else a proposal.

        In a proposal, a member attacks who attacks in no other quarter, the first one by place. The next three defend.
        """
        if quarter in self.quarters:
            return self.quarters[quarter]
        attackers = {line_up.attacker.pk for line_up in self.quarters.values()}
        free = [member for member in self.members if member.pk not in attackers] or [*self.members]
        others = [member for member in self.members if member != free[0]]
        return TeamLineUp(self.team, dict(zip(SEATS, (free[0], *others), strict=False)), chosen=False)

    def seat_in_turn(self, quarter: int) -> dict[str, TeamMember]:
        """Return the members by seat as long as no line-up is known: they attack in the order of their places."""
        attacker = self.members[(quarter - 1) % len(self.members)]
        others = [member for member in self.members if member != attacker]
        return dict(zip(SEATS, (attacker, *others), strict=False))


def find_opponent(number: int) -> int:
    """Return the starting number of the other team of a match: 1 meets 2, 3 meets 4, and so on."""
    return number + 1 if number % 2 else number - 1


def list_quarters(session: Session) -> range:
    """Return the quarters of a match in the session's format. There are none where no matches are played."""
    return range(1, find_format(session.tournament.format).quarters + 1)


def read_quarters(session: Session) -> dict[int, QuarterTeam]:
    """Return the teams of a session of matches by starting number. Teams without four members are left out.

    Teams that leave after a later quarter are among them, teams that have gone are not.

    Three queries.
    """
    return read_quarters_of_sessions([session])[session.pk]


def read_quarters_of_sessions(sessions: Collection[Session]) -> dict[int, dict[int, QuarterTeam]]:
    """Return the teams of several sessions with their quarters, by the session's id and the starting number.

    It takes three queries for any number of sessions.
    """
    found: dict[int, dict[int, QuarterTeam]] = {session.pk: {} for session in sessions}
    here = Q(last_position=None) | Q(last_position__gte=F("session__position"))  # or it leaves later
    playing = Entrant.objects.filter(here, session__in=found, team__isnull=False)
    entrants = list(playing.select_related("team").order_by("number"))
    teams = {entrant.team.pk: entrant.team for entrant in entrants if entrant.team}
    members: dict[int, list[TeamMember]] = {pk: [] for pk in teams}
    for member in TeamMember.objects.filter(team__in=teams).select_related("player").order_by("place", "id"):
        members[member.team_id].append(member)
    rows: dict[tuple[int, int], list[LineUp]] = {}
    for row in LineUp.objects.filter(session__in=found, team__in=teams, quarter__isnull=False).order_by("pk"):
        rows.setdefault((row.session_id, row.team_id), []).append(row)
    for entrant in entrants:
        if entrant.team is None:
            continue
        team, number, own = entrant.team, entrant.number, members[entrant.team.pk]
        there = tuple(member for member in own if member.ended_at is None)
        if len(there) >= len(LINES):
            newest = find_newest(team, rows.get((entrant.session_id, team.pk), []), own)
            found[entrant.session_id][number] = QuarterTeam(team, number, there, newest, entrant.last_position)
    return found


def find_newest(team: Team, rows: Iterable[LineUp], members: Iterable[TeamMember]) -> dict[int, TeamLineUp]:
    """Return the newest line-up of each quarter. A substitute has the seat of the member whom they replace.

    A line-up is left out if one of its players has left the team and has no substitute.
    """
    named = {member.pk: member for member in members}
    heirs = {member.replaces_id: member for member in named.values() if member.replaces_id}
    found = {}
    for row in rows:
        seats = {seat: follow_substitutes(named[pk], heirs) for seat, pk in row.members.items()}
        if all(member.ended_at is None for member in seats.values()):
            found[row.quarter or 0] = TeamLineUp(team, seats, chosen=True)
    return found


def is_open(teams: Mapping[int, QuarterTeam], number: int, quarter: int) -> bool:
    """Return whether both teams of this team's match have handed in their line-ups for the quarter."""
    both = [teams.get(each) for each in (number, find_opponent(number))]
    return all(each is not None and quarter in each.quarters for each in both)


def list_match_entrants(players: Collection[int], tournament: int | None = None) -> list[Entrant]:
    """Return the teams in sessions of matches that are not closed, of which one of these players (ids) is a member.

    With `tournament` (an id), only its sessions count. The next session comes first. One query.
    """
    open_sessions = Q(session__closed_at=None, session__put_away_at=None)
    return list_entrants_of_members(players, [TEAM_MATCH.name], open_sessions, tournament)


def list_attack_places(session: Session) -> dict[tuple[int, int], int]:
    """Return the place of the member who attacks, by (team id, quarter), as the tables may know it.

    A line-up counts once both teams have handed in theirs. Before that, the members attack in the order of their
    places, so that nobody can see a line-up.
    """
    teams = read_quarters(session)
    found = {}
    for number, each in teams.items():
        for quarter in list_quarters(session):
            member = each.seat_in_turn(quarter)[SOUTH]
            if is_open(teams, number, quarter):
                member = each.quarters[quarter].attacker
            found[each.team.pk, quarter] = member.place
    return found
