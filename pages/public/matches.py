"""The public page of the matches of a tournament: single matches, the table of its league, or its knock-out.

Directors see here also the matches of closed sessions that are not published, and seat the next round.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _

from outgoing.sheets.files import CSV, KINDS, write_file
from outgoing.sheets.ranking_tables import list_match_tables, name_round
from pages.doors import READING, tournament_page
from pages.parts.matches import ShownSide, show_side
from pages.public.all_kinds import give_file
from rankings.events.matches import (
    MatchesOfTournament,
    MatchPair,
    MatchRound,
    TeamMeeting,
    find_matches,
    list_draft_sessions,
)
from tournaments.models import Tournament
from tournaments.permissions import Can, power_of

HEADINGS = {
    Tournament.MeetingKind.SINGLE: lambda: _("The matches"),
    Tournament.MeetingKind.LEAGUE: lambda: _("The league"),
    Tournament.MeetingKind.TREE: lambda: _("The knock-out"),
}


class ShownMatch(NamedTuple):
    """A match as the page shows it. `session` is the number of its session, or None. `played`: it has a result.

    `decided` has the reason of a director's decision, or "". `to_decide`: a director can decide who goes on.
    """

    sides: Sequence[ShownSide]
    session: int | None = None
    played: bool = False
    bye: bool = False
    decided: str = ""
    to_decide: bool = False

    @property
    def teams(self) -> list[tuple[int | None, str]]:
        """The number and the name of each of the two teams."""
        return [(side.number, side.name) for side in self.sides]


class ShownRoundOfMatches(NamedTuple):
    """A round with its matches. `resting` has the names of the teams that rest.

    `to_seat` has the ids of the teams of the matches without a session, in the order of their starting numbers.
    """

    name: str
    matches: list[ShownMatch]
    resting: list[str]
    to_seat: list[int]


@tournament_page(Can.READ, READING)
def matches(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the matches. For a tournament without matches, say that there are none."""
    directs = power_of(request.user, tournament.club) >= Can.DIRECT
    found = find_matches(tournament, in_public=not directs)
    context: dict[str, Any] = {
        "tournament": tournament,
        "club": tournament.club,
        "heading": HEADINGS[Tournament.MeetingKind(tournament.meeting)](),
        "directs": directs,
        "found": found,
    }
    if found is not None:
        context |= {
            "table": [(row, found.names[int(str(row.team))]) for row in found.table],
            "rounds": [show_round(found, each) for each in found.rounds],
            "equals": [[(team, found.names[team]) for team in group] for group in found.equals],
            "told": list_told(found),
            "drafts": list_draft_sessions(tournament) if directs else [],
        }
    response = render(request, "public/matches/matches.html", context)
    patch_cache_control(response, no_cache=True)
    return response


@tournament_page(Can.READ, READING)
def matches_file(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Return the matches or the table of the league as a file, with what this reader sees on the page.

    A CSV file has the table that is asked for: the league's, else the matches. A workbook has both. A tournament
    without matches has no file: its page says so.
    """
    kind, code = request.GET.get("kind", CSV), request.GET.get("table", "")
    directs = power_of(request.user, tournament.club) >= Can.DIRECT
    found = find_matches(tournament, in_public=not directs)
    if found is None:
        return redirect("matches", tournament.club.slug, tournament.slug)
    if kind not in KINDS:
        raise Http404
    tables = list_match_tables(found)
    wanted = [each for each in tables if code in ("", each.code)]
    if not wanted:
        raise Http404
    file = write_file(wanted, kind, tournament.slug, wanted[0].code if kind == CSV else "matches")
    response = give_file(file)
    patch_cache_control(response, no_cache=True)
    return response


def list_told(found: MatchesOfTournament) -> list[str]:
    """Return the decisions that put equal teams of a league in order, as sentences, in the order of the table."""
    told = [int(str(row.team)) for row in found.table if row.told]
    return [
        _("%(first)s before %(second)s: %(reason)s")
        % {"first": found.names[first], "second": found.names[second], "reason": found.reasons[first, second]}
        for first, second in pairwise(told)
        if (first, second) in found.reasons
    ]


def show_round(found: MatchesOfTournament, each: MatchRound) -> ShownRoundOfMatches:
    return ShownRoundOfMatches(
        name=name_round(found, each),
        matches=[match for pair in each.pairs for match in show_pair(found, pair)],
        resting=[found.names[team] for team in each.resting],
        to_seat=[found.ids[team] for pair in each.pairs if waits_for_session(found, pair) for team in pair_teams(pair)],
    )


def pair_teams(pair: MatchPair) -> list[int]:
    return [team for team in (pair.home, pair.away) if team is not None]


def waits_for_session(found: MatchesOfTournament, pair: MatchPair) -> bool:
    """Return whether the match can be played and has no session for it yet. A drawn match of a tree is played again."""
    return pair.is_open and not pair.is_planned if found.is_tree else not pair.meetings


def show_pair(found: MatchesOfTournament, pair: MatchPair) -> list[ShownMatch]:
    """Return one match for each meeting of the two teams. Only the last one tells who goes on in a knock-out."""
    if pair.home is None or pair.away is None:
        sides = [
            show_side(found.names, team, None, "won" if pair.bye and team else "") for team in (pair.home, pair.away)
        ]
        return [ShownMatch(sides, bye=pair.bye)]
    meetings = pair.meetings or [TeamMeeting(0, pair.home, pair.away)]
    shown = [show_meeting(found, pair, each) for each in meetings]
    last = show_meeting(found, pair, meetings[-1], winner=pair.winner)
    return [*shown[:-1], last._replace(decided=pair.decided, to_decide=pair.is_open)]


def show_meeting(
    found: MatchesOfTournament, pair: MatchPair, meeting: TeamMeeting, *, winner: int | None = None
) -> ShownMatch:
    """Return a meeting of two teams. `winner` goes on in a knock-out, whatever the result is."""
    teams, played = pair_teams(pair), meeting.result is not None
    won = winner or meeting.winner
    states = ["won" if won == team else "lost" if won else "drawn" if played else "" for team in teams]
    sides = [show_side(found.names, team, meeting, state) for team, state in zip(teams, states, strict=True)]
    return ShownMatch(sides, meeting.session or None, played)
