"""The form for pasted teams. It shows how each team is read before anything is saved."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.lists import read_pasted
from clubs.teams import WANTED, PastedTeam
from evenings.teams.common import size_of_teams
from evenings.teams.making import match_teams
from pages.roster_forms import RosterForm
from pages.roster_rows import RowChoice, RowGroup, RowsToAsk, say_numbers
from tournaments.models import Tournament
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

    target, action = "pasted", "paste"

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

    def foresee(self, questions: list[RowsToAsk]) -> None:
        super().foresee(questions)
        self.counts = self.counts._replace(rows=len(self.teams))

    @property
    def shown(self) -> str:
        return "" if any(team.error for team in self.teams) else super().shown

    def list_shown(self) -> list[object]:
        return [(team.key, team.name, [(each.row.line, each.means) for each in team.players]) for team in self.teams]

    def say_counts(self) -> list[str]:
        rows = self.counts.rows
        return say_numbers(self.counts, (rows, ngettext("make %(n)s team", "make %(n)s teams", rows)))

    @property
    def groups(self) -> list[RowGroup]:
        """The teams, those with errors and questions first."""
        teams = sorted(self.teams, key=lambda team: (team.error is None, team.settled, team.number))
        rows = {question.row.key: question for question in self.questions}
        return [self.show_team(team, [rows[each.row.key] for each in team.players]) for team in teams]

    def show_team(self, team: PastedTeam, rows: list[RowsToAsk]) -> RowGroup:
        ways = team.ways if len(team.ways) > 1 or team.doubtful else ()
        return RowGroup(
            rows,
            team.name or _("Line %(number)s") % {"number": team.number},
            team.text if team.error else "",
            say(team.error) if team.error else "",
            f"who-{team.key}",
            [RowChoice(str(place), " · ".join(way.players), way.name) for place, way in enumerate(ways)],
            str(team.answer or 0),
        )
