"""The names of teams for pages.

Publications store only the teams' numbers. The names are read from the database when a page is shown.
"""

from collections.abc import Collection, Iterable

from evenings.teams.naming import read_public_names
from tournaments.models import Publication, Team, TournamentPublication, Version


def name_teams_of_entrants(entrants: Collection[int], *, in_public: bool) -> dict[int, str]:
    """Return the names of the teams of these entrants (ids), by the team's number. This takes no query without ids."""
    found = Team.objects.filter(entries__in=entrants) if entrants else ()
    return name_teams(found, in_public=in_public)


def name_summed_teams(numbers: Collection[int], entrant: int, *, in_public: bool) -> dict[int, str]:
    """Return the names of the teams with these numbers in the tournament in which this entrant (id) plays alone."""
    return name_teams(
        Team.objects.filter(tournament__sessions__entrants=entrant, number__in=numbers), in_public=in_public
    )


def name_teams_beside(session_id: int, numbers: Collection[int], *, in_public: bool) -> dict[int, str]:
    """Return the names of the teams with these numbers in the tournament of this session, by number.

    There is no query without numbers.
    """
    found = Team.objects.filter(tournament__sessions=session_id, number__in=numbers) if numbers else ()
    return name_teams(found, in_public=in_public)


def name_teams_in_tournaments(numbers: Collection[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """Return the public names of teams, each given as (tournament id, number)."""
    places, wanted = {place for place, _number in numbers}, {number for _place, number in numbers}
    found = list(Team.objects.filter(tournament__in=places, number__in=wanted)) if numbers else []
    names = read_public_names(found)
    return {(team.tournament_id, team.number): names[team.pk] for team in found}


def name_teams_told(version: Version, numbers: Collection[int]) -> dict[int, str]:
    """Return the public names of the teams with these numbers in the tournament of a published version."""
    if not numbers:
        return {}
    found = Team.objects.filter(number__in=numbers)
    if isinstance(version, Publication):
        found = found.filter(tournament__sessions=version.session_id)
    elif isinstance(version, TournamentPublication):
        found = found.filter(tournament=version.tournament_id)
    return name_teams(found, in_public=True)


def name_teams(teams: Iterable[Team], *, in_public: bool) -> dict[int, str]:
    """Return the names of teams by their numbers: as readers see them, or as directors do."""
    found = list(teams)
    names = read_public_names(found) if in_public else {}
    return {team.number: names.get(team.pk, team.shown_name) for team in found}


def name_number(number: int) -> str:
    """Return the name of a team of which only the number is known: "Team 7"."""
    return Team(number=number).numbered
