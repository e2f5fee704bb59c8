"""The matching of pasted lines of teams with the players on the club's list. It writes nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clubs.answers import MatchedLine
from clubs.matching import NEW, Candidate, KnownNames, LineState, judge
from clubs.names import words_of
from clubs.players import known_of
from clubs.roster import NameOrder, RosterError, RosterLine
from clubs.teams import TeamError, TeamRow, read_teams, require_teams
from clubs.teams.reading import say_name
from tournaments.errors import ActionRefused
from tournaments.models import Tournament
from tournaments.teams.common import size_of_teams


@dataclass(frozen=True, slots=True)
class MatchedPlayer:
    """A player of a pasted team, and the players of the club's list whom the line may mean.

    `given` is the answer: the id of a candidate, or NEW; "" if there is none yet.
    """

    key: str
    line: RosterLine
    state: LineState
    candidates: Sequence[Candidate]
    suggested: int | None
    given: str

    @property
    def values(self) -> list[str]:
        return [*(str(each.who.id) for each in self.candidates), NEW]

    @property
    def answer(self) -> str:
        """The given answer if it is possible, else ""."""
        return self.given if self.given in self.values else ""

    @property
    def checked(self) -> str:
        """The answer that a page shows as chosen."""
        return self.answer or (str(self.suggested) if self.suggested else "")

    @property
    def asks(self) -> bool:
        """True if the club's list has somebody with nearly this name, so that somebody has to choose."""
        return self.state not in (LineState.SURE, LineState.NEW)

    @property
    def settled(self) -> bool:
        return not self.asks or bool(self.answer)

    @property
    def means(self) -> int | None:
        """The id of the player whom the line means, None for a new player, or as long as an answer is missing."""
        chosen = self.answer if self.asks else str(self.suggested or "")
        return int(chosen) if chosen.isdigit() else None

    @property
    def taken(self) -> MatchedLine:
        return MatchedLine(self.line, self.means)


@dataclass(frozen=True, slots=True)
class MatchedTeam:
    """A pasted line of a team with its players. `error`: why no team can be made of it, or None."""

    row: TeamRow
    players: tuple[MatchedPlayer, ...]
    error: RosterError | ActionRefused | None = None

    @property
    def settled(self) -> bool:
        return self.error is None and self.row.settled and all(player.settled for player in self.players)


def match_teams(
    tournament: Tournament, text: str, answers: Mapping[str, str], order: NameOrder = NameOrder.SEEN
) -> list[MatchedTeam]:
    """Return the teams of a pasted text. Each player comes with the players of the club's list who may be the same.

    This takes three queries. `answers` has the answers by key: of a line (`TeamRow.key`), of two players nearly alike
    (`AlikePlayers.key`), of a player (`MatchedPlayer.key`). Raise TeamError if there are too many lines.
    """
    rows = read_teams(text, size_of_teams(tournament), order, answers)
    known = KnownNames(known_of(tournament.club))
    members = tournament.team_members.filter(ended_at=None, team__left_at=None).select_related("player", "team")
    there = {member.player_id: member for member in members}
    names = {tuple(words_of(team.name)): team for team in tournament.teams.exclude(name="")}
    teams, first = [], dict[int, int]()
    for row in rows:
        players = tuple(
            match_player(known, line, f"{row.key}.{place}", answers) for place, line in enumerate(row.people)
        )
        error: RosterError | ActionRefused | None = row.error
        if error is None and row.name and (named := names.get(tuple(words_of(row.name)))) is not None:
            error = ActionRefused("team_name_taken", "text", name=named.name, number=named.number)
        for player in players if error is None else ():
            if player.means in there:
                member = there[player.means]
                told = {"name": member.player.name, "team": member.team.shown_name}
                error = error or ActionRefused("player_in_a_team", "text", **told)
            elif player.means in first:
                error = error or find_twice(row, player, first[player.means])
            elif player.means is not None:
                first[player.means] = row.number
        teams.append(MatchedTeam(row, players, error))
    return teams


def match_player(known: KnownNames, line: RosterLine, key: str, answers: Mapping[str, str]) -> MatchedPlayer:
    candidates = known.find(line)
    state, suggested = judge(line, candidates)
    return MatchedPlayer(key, line, state, candidates, suggested, answers.get(key, ""))


def find_twice(row: TeamRow, player: MatchedPlayer, first: int) -> TeamError:
    """Return the error of a line that names a player of an earlier line, or of the same one, in another spelling."""
    who = next(each.who for each in player.candidates if each.who.id == player.means)
    told = {"line": row.number, "name": say_name(player.line), "other": f"{who.first_name} {who.last_name}".strip()}
    if first == row.number:
        return TeamError("team_player_again", **told)
    return TeamError("team_player_twice", **told, first=first)


def require_matched(teams: Sequence[MatchedTeam]) -> None:
    """Raise the error of the first line that is not a team, or for which an answer is missing."""
    for team in teams:
        if team.error is not None:
            raise team.error
    require_teams([team.row for team in teams])
    for team in teams:
        for player in team.players:
            if not player.settled:
                raise RosterError("roster_doubt", line=team.row.number, text=team.row.text.strip(), key=player.key)
