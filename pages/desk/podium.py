"""A published ranking as the screen in the hall shows it: the first places, then everybody.

A QR code leads to the ranking.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import segno
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe

from clubs.shown import call_in_public
from evenings.plays.common import Common, SessionOutcome
from evenings.teams.naming import read_public_names
from pages.doors import session_url
from pages.parts.ranking_rows import decimals
from rankings.publication.teams import name_number, name_teams_where
from tournaments.addresses import is_only_here, link_to
from tournaments.models import Session
from tournaments.reports.session import RankedPlayer, ReportedTeam

PLACES = 3


@dataclass(frozen=True, slots=True)
class PodiumPlace:
    """A player or a team in the ranking. `overall` is the percentage, shown with `decimals`. Equal ones share a rank.

    `members` has the names of a team's members as text, "" for a player.
    """

    rank: int
    name: str
    overall: Any
    decimals: int
    members: str = ""


def list_hall_places(common: Common, outcome: SessionOutcome, last: int | None = None) -> list[PodiumPlace]:
    """Return a place for each player or team, in the order of the session's reference ranking, with their public names.

    Unranked players come last, with rank 0. `last` is the last rank to list, or None to list everybody.
    """
    if outcome.teams:
        return places_of_teams([team for team in outcome.teams if last is None or team.rank <= last], common)
    if last is not None:
        first = [player for player in outcome.players if (outcome.rank(player) or 0) <= last]
        return places_of(first, common, outcome)
    unranked = [player for player in outcome.by_entrant.values() if not outcome.rank(player)]
    return places_of([*outcome.players, *unranked], common, outcome)


def places_of(players: Sequence[RankedPlayer], common: Common, outcome: SessionOutcome) -> list[PodiumPlace]:
    figures = [player.overall for player in players]
    entrants = common.people
    teams = read_public_names(team for each in players if each.id in entrants and (team := entrants[each.id].team))
    called = call_in_public({one.player for player in players for one in player.members}) if teams else {}
    return [
        PodiumPlace(
            outcome.rank(player) or 0,
            teams.get(entrants[player.id].team_id or 0) or entrants[player.id].public_name,
            figure,
            digits,
            ", ".join(called[one.player].name for one in player.members),
        )
        for player, figure, digits in zip(players, figures, decimals(figures), strict=True)
        if player.id in entrants
    ]


def places_of_teams(teams: Sequence[ReportedTeam], common: Common) -> list[PodiumPlace]:
    """Return the places of teams that add up the results of their players."""
    session = next(iter(common.people.values())).session_id
    named = name_teams_where([team.team for team in teams], tournament__sessions=session)
    called = call_in_public({one.player for team in teams for one in team.members})
    return [
        PodiumPlace(
            team.rank,
            named.get(team.team) or name_number(team.team),
            team.total,
            digits,
            ", ".join(called[one.player].name for one in team.members),
        )
        for team, digits in zip(teams, decimals([team.total for team in teams]), strict=True)
    ]


def draw_ranking_code(request: HttpRequest, session: Session) -> SafeString:
    """Return the QR code that opens the ranking, as SVG.

    Return "" if a phone could not open the ranking. This is so in a practice club, or if the site's address works only
    on this computer ("localhost").
    """
    if session.tournament.club.is_practice or is_only_here(request):
        return mark_safe("")
    address = link_to(request, session_url("ranking", session))
    return mark_safe(segno.make_qr(address, error="m").svg_inline(border=2, omitsize=True, light="#fff"))
