"""The sums of teams whose players play alone: the players of each team with their results, as data for JSON.

In donnes libres a place in a team brings the marks of all its players. In doublettes it brings the mean of their
percentages, weighted by the deals that each of them has played.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from evenings.teams.membership import JOINS, find_span
from scoring.formats import find_format
from scoring.free import PlacedResult, join_percentages, rank_team_sums
from scoring.ties import UnrankedReason
from tournaments.models import TeamMember, Tournament

Places = dict[int, list[int]]  # the ids of the players of each place in a team
Row = Mapping[str, Any]


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


def total_session(tournament: Tournament, rows: Mapping[int, Row], *, number: int) -> list[dict[str, Any]]:
    """Return the teams of a session with their sums, best first. One query.

    `rows` has the row of each player in the standings, by player id. `number` is that of the session. In doublettes a
    place brings 0 if its players have played less than the least share of the deals. A filler brings nothing.
    """
    teams = read_team_places(tournament.pk, number)
    if not find_format(tournament.format).partners:
        marks = {pk: Fraction(row["overall"] or 0) for pk, row in rows.items()}
        return add_up(teams, marks, partial(sum_marks, marks), drops_worst=tournament.drops_worst)
    played = {
        pk: PlacedResult(Fraction(row["overall"]), row["deals"])
        for pk, row in rows.items()
        if row["overall"] is not None and row["unranked"] != UnrankedReason.FILLER
    }
    least = Fraction(tournament.least_share * max((each.deals for each in played.values()), default=0), 100)
    figures = {pk: each.total for pk, each in played.items()}
    return add_up(teams, figures, lambda players: join_percentages([played[pk] for pk in players], least=least))


def total_teams(tournament: Tournament, marks: Mapping[int, Fraction]) -> list[dict[str, Any]]:
    """Return the teams with a player in `marks` (by player id), best first, over all sessions. One query."""
    teams = read_team_places(tournament.pk)
    return add_up(teams, marks, partial(sum_marks, marks), drops_worst=tournament.drops_worst)


def sum_marks(marks: Mapping[int, Fraction], players: Sequence[int]) -> Fraction:
    return sum((marks[pk] for pk in players), Fraction())


def add_up(
    teams: Mapping[int, Places],
    results: Mapping[int, Fraction],
    join: Callable[[Sequence[int]], Fraction | None],
    *,
    drops_worst: bool = False,
) -> list[dict[str, Any]]:
    """Return the teams with a player in `results` (by player id), best first.

    `join` returns what the players of a place bring together, None if it does not count. The keys of a team are those
    of `reports.teams.ReportedTeam`.
    """
    there = {
        team: {place: [pk for pk in players if pk in results] for place, players in places.items()}
        for team, places in teams.items()
    }
    there = {team: places for team, places in there.items() if any(places.values())}
    brought = {team: [join(players) for players in places.values()] for team, places in there.items()}
    sums = rank_team_sums(
        {team: [figure or Fraction() for figure in figures] for team, figures in brought.items()},
        drops_worst=drops_worst,
    )
    return [
        {
            "team": team,
            "rank": told.rank,
            "total": str(told.total),
            "absent": sum(not players for players in there[team].values()),
            "members": [
                {
                    "player": pk,
                    "total": str(results[pk]),
                    "counts": place != told.dropped and brought[team][place] is not None,
                }
                for place, players in enumerate(there[team].values())
                for pk in players
            ],
        }
        for team, told in sums.items()
    ]
