"""The marks of teams where the tables deal: the players of each team with their marks, added up, as data for JSON."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from evenings.teams.membership import JOINS, find_span
from scoring.free import rank_team_sums
from tournaments.models import TeamMember, Tournament

Places = dict[int, list[int]]  # the ids of the players of each place in a team


def read_team_places(tournament_id: int, number: int | None = None) -> dict[int, Places]:
    """Return the players of each place of each team, by the team's number. One query.

    With `number`, only the players who belonged to the team in the tournament's session with this number are returned.
    A player who was merged into another one is returned with both ids.
    """
    found: dict[int, Places] = {}
    members = TeamMember.objects.filter(tournament=tournament_id).select_related("team", "player", *JOINS)
    for member in members.order_by("team__number", "place", "pk"):
        if number is None or find_span(member, number) is not None:
            players = found.setdefault(member.team.number, {}).setdefault(member.place, [])
            players += [pk for pk in (member.player_id, member.player.merged_into_id) if pk and pk not in players]
    return found


def total_teams(
    tournament: Tournament, marks: Mapping[int, Fraction], *, number: int | None = None
) -> list[dict[str, Any]]:
    """Return the teams with a player in `marks` (by player id), best first. One query.

    Their keys are those of `reports.teams.ReportedTeam`. `number` is that of a session, None for all sessions.
    """
    there = {
        team: {place: [pk for pk in players if pk in marks] for place, players in places.items()}
        for team, places in read_team_places(tournament.pk, number).items()
    }
    there = {team: places for team, places in there.items() if any(places.values())}
    sums = rank_team_sums(
        {
            team: [sum((marks[pk] for pk in players), Fraction()) for players in places.values()]
            for team, places in there.items()
        },
        drops_worst=tournament.drops_worst,
    )
    return [
        {
            "team": team,
            "rank": told.rank,
            "total": str(told.total),
            "absent": sum(not players for players in there[team].values()),
            "members": [
                {"player": pk, "total": str(marks[pk]), "counts": place != told.dropped}
                for place, players in enumerate(there[team].values())
                for pk in players
            ],
        }
        for team, told in sums.items()
    ]
