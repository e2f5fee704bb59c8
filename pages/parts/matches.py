"""The matches of an étui, and of a session of team matches: two teams, their scores and their match points."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from rankings.events.matches import TeamMeeting, pair_rows
from rankings.publication.report import PlayedEvening, ShownPlay
from rankings.ranking import RankedRow


@dataclass(frozen=True, slots=True)
class EtuiMatch:
    """A match of two teams on an étui. `other` is the half in which the second team attacks, None if it is missing.

    `points` are the match points of the team that attacks in `own`; the other team has the opposite. They are None if a
    half has no score, or if the étui was altered between the halves. `fixed` is True if the arbiter fixed them.
    """

    own: ShownPlay
    other: ShownPlay | None
    points: Fraction | None
    fixed: bool

    @property
    def teams(self) -> list[RankedRow]:
        """The team that attacks in `own`, then the other team."""
        first = self.own.players[self.own.taker or "S"]
        both = {team.id: team for team in self.own.players.values()}
        return [first, *(team for pk, team in both.items() if pk != first.id)]

    @property
    def sides(self) -> list[tuple[RankedRow, int | None]]:
        """Each team with the base score of its attacker, in the same order."""
        scores = (self.own.base_score, None if self.other is None else self.other.base_score)
        return list(zip(self.teams, scores, strict=True))


def list_matches(plays: Sequence[ShownPlay]) -> list[EtuiMatch]:
    """Return the matches of an étui, the one with the largest gain first. Those without points come last.

    The team that gains stands first.
    """
    halves: dict[tuple[int, frozenset[int]], list[ShownPlay]] = {}
    for play in plays:
        halves.setdefault((play.part, frozenset(play.seats.values())), []).append(play)
    found = []
    for own, *rest in halves.values():
        match = _make_match(own, rest[0] if rest else None)
        if match.points is not None and match.points < 0 and rest:
            match = _make_match(rest[0], own)
        found.append(match)
    return sorted(found, key=lambda match: (match.points is None, -(match.points or 0), match.own.table))


def _make_match(own: ShownPlay, other: ShownPlay | None) -> EtuiMatch:
    seat = own.taker or "S"
    points = own.notes.get(seat) if own.notes else None
    return EtuiMatch(own, other, points, seat in own.fixed)


class ShownSide(NamedTuple):
    """A team of a match. `points` and `bonus` are match points, or None. `state` is "won", "drawn", "lost" or ""."""

    number: int | None
    name: str
    points: Any = None
    bonus: Any = None
    state: str = ""


def show_side(names: Mapping[Any, str], team: int | None, meeting: TeamMeeting | None, state: str) -> ShownSide:
    """Return a team of a match. `team` is its number, or None if it is not known yet; `names` has the teams' names."""
    if team is None:
        return ShownSide(None, "–")
    if meeting is None:
        return ShownSide(team, names[team], state=state)
    return ShownSide(team, names[team], meeting.points_of(team), meeting.bonuses.get(team), state)


def list_team_matches(report: PlayedEvening) -> list[list[ShownSide]]:
    """Return the two sides of each match of a session. Return [] if no matches are played in this format.

    Only the state "won" is told.
    """
    if not report.data.format.has_matches:
        return []
    names = {player.team: player.name for player in report.players}
    return [
        [show_side(names, team, each, "won" if team == each.winner else "") for team in (each.home, each.away)]
        for each in pair_rows(report.data.session, report.data.players)
    ]
