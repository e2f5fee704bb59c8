"""The public page of the matches of a tournament: the table of its league, or the tree of its knock-out.

Directors see here also the matches of closed sessions that are not published, and seat the next round.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _

from scoring.teams import TreeNode
from tournaments.events.matches import (
    MatchesOfTournament,
    PlayedMatch,
    has_matches,
    list_draft_sessions,
    read_matches,
)
from tournaments.models import Tournament
from tournaments.permissions import Can, power_of
from tournaments.web.doors import READING, tournament_page


class ShownSide(NamedTuple):
    """A team of a match. `points` and `bonus` are match points, or None. `state` is "won", "drawn", "lost" or ""."""

    number: int | None
    name: str
    points: Any = None
    bonus: Any = None
    state: str = ""


@dataclass(frozen=True, slots=True)
class ShownMatch:
    """A match as the page shows it. `session` is the number of its session, or None. `played`: it has a result.

    `decided` has the reason of a director's decision, or "". `to_decide`: a director can decide who goes on.
    """

    sides: tuple[ShownSide, ShownSide]
    session: int | None
    played: bool
    bye: bool = False
    decided: str = ""
    to_decide: bool = False


@dataclass(frozen=True, slots=True)
class ShownRoundOfMatches:
    """A round with its matches. `resting` has the names of the teams that rest.

    `to_seat` has the ids of the teams of the matches without a session, in the order of their starting numbers.
    """

    name: str
    matches: list[ShownMatch]
    resting: list[str]
    to_seat: list[int]


@tournament_page(Can.READ, READING)
def matches(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the league or the knock-out. For a tournament without matches, say that there are none."""
    directs = power_of(request.user, tournament.club) >= Can.DIRECT
    tree = has_matches(tournament) and tournament.meeting == Tournament.MeetingKind.TREE
    context: dict[str, Any] = {
        "tournament": tournament,
        "club": tournament.club,
        "heading": _("The knock-out") if tree else _("The league"),
        "directs": directs,
        "unused": True,
    }
    if has_matches(tournament):
        found = read_matches(tournament, in_public=not directs)
        context |= {
            "unused": False,
            "found": found,
            "table": [(row, found.names[int(str(row.team))]) for row in found.table],
            "rounds": list_rounds(found),
            "drafts": list_draft_sessions(tournament) if directs else [],
        }
    response = render(request, "public/matches/matches.html", context)
    patch_cache_control(response, no_cache=True)
    return response


def list_rounds(found: MatchesOfTournament) -> list[ShownRoundOfMatches]:
    """Return the rounds of the league, or of the knock-out."""
    if found.is_league:
        return [
            ShownRoundOfMatches(
                name=_("Round %(number)s") % {"number": each.number},
                matches=[
                    show_match(found, fixture.home, fixture.away, fixture.session, fixture.played)
                    for fixture in each.fixtures
                ],
                resting=[found.names[team] for team in each.resting],
                to_seat=[found.ids[team] for pair in each.fixtures if pair.session is None for team in pair[:2]],
            )
            for each in found.rounds
        ]
    return [
        ShownRoundOfMatches(
            name=name_round(place, len(found.tree)),
            matches=[show_node(found, node) for node in nodes],
            resting=[],
            to_seat=list_ready(found, nodes),
        )
        for place, nodes in enumerate(found.tree, start=1)
    ]


def name_round(place: int, rounds: int) -> str:
    """Return the name of a round of a knock-out: the last ones have names of their own."""
    named = {0: _("Final"), 1: _("Semi-finals"), 2: _("Quarter-finals")}
    return named.get(rounds - place, _("Round %(number)s") % {"number": place})


def list_ready(found: MatchesOfTournament, nodes: Iterable[TreeNode]) -> list[int]:
    """Return the ids of the teams of the matches that can be played and have no session yet."""
    ready = [node for node in nodes if node.is_open and (node.match or not found.find_session(node.home, node.away))]
    return [found.ids[team] for node in ready for team in (node.home, node.away)]


def show_node(found: MatchesOfTournament, node: TreeNode) -> ShownMatch:
    """Return a match of the tree. A team that is not known yet has no number."""
    if node.home is None or node.away is None:
        sides = tuple(show_side(found, team, None, "won" if node.bye and team else "") for team in node[:2])
        return ShownMatch((sides[0], sides[1]), None, played=False, bye=node.bye)
    session = found.find_session(node.home, node.away)
    met = [one for one in found.played if {one.result.home, one.result.away} == {node.home, node.away}]
    shown = show_match(found, node.home, node.away, session, met[-1] if met else None, winner=node.winner)
    loser = node.away if node.winner == node.home else node.home
    reason = found.reasons.get((node.winner, loser), "") if node.decided else ""
    return ShownMatch(shown.sides, session, shown.played, decided=reason, to_decide=node.is_open)


def show_match(
    found: MatchesOfTournament,
    home: int,
    away: int,
    session: int | None,
    played: PlayedMatch | None,
    *,
    winner: int | None = None,
) -> ShownMatch:
    """Return the match of two teams. `winner` goes on in a knock-out, whatever the result is."""
    won = winner or (played.result.winner if played else None)
    states = ["" if won is None and not played else "drawn" if won is None else "lost"] * 2
    states = ["won" if won == team else state for team, state in zip((home, away), states, strict=True)]
    sides = [show_side(found, team, played, state) for team, state in zip((home, away), states, strict=True)]
    return ShownMatch((sides[0], sides[1]), session, played is not None)


def show_side(found: MatchesOfTournament, team: int | None, played: PlayedMatch | None, state: str) -> ShownSide:
    if team is None:
        return ShownSide(None, "–")
    if played is None:
        return ShownSide(team, found.names[team], state=state)
    result = played.result
    points = result.home_points if result.home == team else result.away_points
    return ShownSide(team, found.names[team], points, played.bonuses.get(team), state)
