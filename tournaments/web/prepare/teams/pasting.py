"""The form for pasted teams. It shows how each team is read before anything is saved."""

from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.lists.reading import read_pasted
from clubs.teams import PastedTeam
from clubs.teams.reading import WANTED
from tournaments.models import Tournament
from tournaments.teams.common import size_of_teams
from tournaments.teams.pasted import match_teams
from tournaments.web.prepare.roster_forms import RosterForm
from tournaments.web.roster_rows import RowChoice, RowGroup, RowsToAsk
from tournaments.words.messages import say

EXAMPLES = {
    True: gettext_lazy(
        "“Name of the team: Marie Petit, Jean Grand, Léo Brun”, or the players alone. Semicolons and tabs work too."
    ),
    False: gettext_lazy(
        "“Name of the team: Marie Petit, Jean Grand, Léo Brun, Zoé Roux”, or the players alone. Semicolons and tabs "
        "work too."
    ),
}


class TeamsForm(RosterForm):
    """A form for a list of teams. `teams` has the teams as they are read."""

    def __init__(self, tournament: Tournament, *given: Any) -> None:
        super().__init__(tournament.club, *given, auto_id="teams-%s")
        self.tournament = tournament
        self.teams: list[PastedTeam] = []
        self.fields["text"].label = _("Teams, one on each line")
        self.fields["text"].help_text = EXAMPLES[size_of_teams(tournament).least == 3]
        self.fields["file"].help_text = _("A first line may name the columns: team; player 1; player 2 …")

    def read_text(self, text: str) -> None:
        self.pasted = read_pasted(text, WANTED)
        answers = {name.removeprefix("who-"): value for name, value in self.data.items() if isinstance(value, str)}
        self.teams = match_teams(self.tournament, self.pasted, answers, self.written)
        self.questions = [RowsToAsk(each.row, each.given) for team in self.teams for each in team.players]

    @property
    def settled(self) -> bool:
        return all(team.settled for team in self.teams)

    @property
    def proposed(self) -> int:
        return super().proposed + sum(team.asks for team in self.teams)

    @property
    def digest(self) -> str:
        """A hash of the teams as the preview shows them. It proves that a director saw them."""
        shown = [(team.key, team.name, [(each.row.line, each.means) for each in team.players]) for team in self.teams]
        return sha256(repr(shown).encode()).hexdigest()

    @property
    def groups(self) -> list[RowGroup]:
        """The teams, those with errors and questions first."""
        teams = sorted(self.teams, key=lambda team: (team.error is None, team.settled, team.number))
        return [self.show_team(team) for team in teams]

    def show_team(self, team: PastedTeam) -> RowGroup:
        ways = team.ways if len(team.ways) > 1 or team.doubtful else ()
        return RowGroup(
            [RowsToAsk(each.row, each.given) for each in team.players],
            team.name or _("Line %(number)s") % {"number": team.number},
            team.text if team.error else "",
            say(team.error) if team.error else "",
            f"who-{team.key}",
            [RowChoice(str(place), " · ".join(way.players), way.name) for place, way in enumerate(ways)],
            str(team.answer or 0),
        )
