"""The matching of pasted teams with the club's list and the teams that there are. It writes nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from clubs.licences.storing import offer_licences
from clubs.lists.reading import PastedList
from clubs.names import words_of
from clubs.players import known_of
from clubs.roster import NameOrder, RosterError
from clubs.teams import PastedTeam, TeamError, read_teams
from evenings.teams.common import size_of_teams
from tournaments.errors import ActionRefused
from tournaments.models import Tournament


def match_teams(
    tournament: Tournament, text: str | PastedList, answers: Mapping[str, str], order: NameOrder = NameOrder.SEEN
) -> list[PastedTeam]:
    """Return the teams of a pasted text, with the players of the club's list whom each row may mean.

    This takes five queries at most. `answers` has the answers by key: of a team (`PastedTeam.key`), of a row
    (`MatchRow.key`). Raise TeamError if there are too many teams.
    """
    club = tournament.club
    teams = read_teams(text, size_of_teams(tournament), known_of(club), answers, order)
    rows = iter(offer_licences(club, [player.row for team in teams for player in team.players]))
    teams = [replace(team, players=tuple(replace(who, row=next(rows)) for who in team.players)) for team in teams]
    members = tournament.team_members.filter(ended_at=None, team__left_at=None).select_related("player", "team")
    there = {member.player_id: member for member in members}
    names = {tuple(words_of(team.name)): team for team in tournament.teams.exclude(name="")}
    checked = []
    for team in teams:
        error = team.error
        if error is None and team.name and (named := names.get(tuple(words_of(team.name)))) is not None:
            error = ActionRefused("team_name_taken", "text", name=named.name, number=named.number)
        member = next((there[player.means] for player in team.players if player.means in there), None)
        if error is None and member is not None:
            told = {"name": member.player.name, "team": member.team.shown_name}
            error = ActionRefused("player_in_a_team", "text", **told)
        checked.append(replace(team, error=error))
    return checked


def require_matched(teams: Sequence[PastedTeam]) -> None:
    """Raise the error of the first team that cannot be made, or for which an answer is missing."""
    for team in teams:
        if team.error is not None:
            raise team.error
        if team.asks:
            raise TeamError("team_unclear", line=team.number, text=team.text.strip(), key=team.key)
        for player in team.players:
            if not player.settled:
                raise RosterError("roster_doubt", line=team.number, text=player.row.text, key=player.row.key)
