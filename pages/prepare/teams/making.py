"""The page of a tournament's teams: a list, pasted lines with a preview and questions, the teams of last time.

With the number of a team in the query, the page shows this team and what can change (`one_team`).

The form for pasted teams shows how each team is read before anything is saved.
"""

from typing import Any

from django.contrib import messages
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy

from clubs.lists import read_pasted
from clubs.teams import WANTED, PastedTeam, is_no_team
from evenings.teams.common import active_members, can_have_teams, free_players, size_of_teams
from evenings.teams.making import find_last_tournament, make_pasted_teams, make_team, match_teams, take_last_teams
from pages.acting import refusals_told
from pages.doors import TOP, author, tournament_page
from pages.prepare.teams.one_team import show_team
from pages.roster_forms import RosterForm, answer_list
from pages.roster_rows import RowChoice, RowGroup, RowsToAsk, done_counted
from tournaments.models import Tournament
from tournaments.numbers import read_number, read_numbers
from tournaments.permissions import Can
from tournaments.words.formats import say_word
from tournaments.words.messages import say
from tournaments.words.team_plans import badges_of


class TeamsForm(RosterForm):
    """A form for a list of teams. `teams` has the teams as they are read."""

    target, action = "pasted", "paste"
    saves = ngettext_lazy("make %(n)s team", "make %(n)s teams", "n")

    def __init__(self, tournament: Tournament, *given: Any) -> None:
        super().__init__(tournament.club, *given, auto_id="teams-%s")
        self.tournament = tournament
        self.teams: list[PastedTeam] = []
        self.fields["text"].label = _("Teams, one on each line")
        self.fields["text"].help_text = _(
            "“Name of the team: Marie Petit, Jean Grand, …”, or the players alone. Semicolons and tabs work too."
        )
        self.fields["file"].help_text = _("A first line may name the columns: team; player 1; player 2 …")

    def read_text(self, text: str) -> None:
        pasted = read_pasted(text, WANTED)
        self.pasted = pasted._replace(above=[*pasted.above, *filter(is_no_team, pasted.rows)])
        answers = {name.removeprefix("who-"): value for name, value in self.data.items() if isinstance(value, str)}
        self.teams = match_teams(self.tournament, self.pasted, answers, self.written)
        self.questions = [RowsToAsk(each.row, each.given) for team in self.teams for each in team.players]

    @property
    def settled(self) -> bool:
        return all(team.settled for team in self.teams)

    @property
    def proposed(self) -> int:
        return super().proposed + sum(team.asks for team in self.teams)

    def foresee(self) -> None:
        super().foresee()
        self.counts = self.counts._replace(rows=len(self.teams))

    @property
    def shown(self) -> str:
        return "" if any(team.error for team in self.teams) else super().shown

    def list_shown(self) -> list[object]:
        return [(team.key, team.name, [(each.row.line, each.means) for each in team.players]) for team in self.teams]

    @property
    def groups(self) -> list[RowGroup]:
        """The teams, those with errors and questions first."""
        teams = sorted(self.teams, key=lambda team: (team.error is None, team.settled, team.number))
        rows = {question.row.key: question for question in self.questions}
        return [
            RowGroup(
                [rows[each.row.key] for each in team.players],
                team.name or _("Line %(number)s") % {"number": team.number},
                team.text if team.error else "",
                say(team.error) if team.error else "",
                f"who-{team.key}",
                list_choices(team) if team.doubtful else (),
                str(team.answer or 0),
                _("Which words are one player?"),
            )
            for team in teams
        ]


def list_choices(team: PastedTeam) -> list[RowChoice]:
    return [
        RowChoice(str(place), " · ".join(player.text for player in way.players), way.name)
        for place, way in enumerate(team.ways)
    ]


def teams_url(tournament: Tournament, team_id: int | None = None) -> str:
    url = reverse("prepare_teams", args=[tournament.club.slug, tournament.slug])
    return url if team_id is None else f"{url}?team={team_id}"


@tournament_page(Can.DIRECT)
def prepare_teams(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the teams, or one of them. A POST carries out its `action`: see the functions that it calls."""
    context: dict[str, Any] = {"club": tournament.club, "tournament": tournament}
    if not can_have_teams(tournament):
        return render(request, "prepare/teams/none.html", context)
    if "team" in request.GET:
        return show_team(request, tournament, read_number(request.GET, "team"), teams_url(tournament))
    status = 200
    if request.method == "POST":
        status = 409
        with refusals_told(request):
            if (answer := carry_out(request, tournament, context)) is not None:
                return answer
            status = 200
    context |= list_teams(tournament) | {"badges": badges_of(tournament.format)}
    context.setdefault("form", TeamsForm(tournament))
    return render(request, "prepare/teams/list.html", context, status=status)


def list_teams(tournament: Tournament) -> dict[str, Any]:
    """Return the template values of the list. This takes five queries, for any number of teams.

    `sums` says which results of its players a team adds up, "" if it adds up none.
    """
    size = size_of_teams(tournament)
    sums = say_word(tournament.format, "worst_dropped" if tournament.drops_worst else "all_count")
    there = Prefetch("members", queryset=active_members(), to_attr="active_members")
    teams = list(tournament.teams.order_by("number").select_related("captain").prefetch_related(there))
    waiting = [team for team in teams if team.left_at is None and len(team.active_members) < size.least]
    sizes = sorted({len(team.active_members) for team in teams if team.left_at is None} - {0})
    return {
        "teams": teams,
        "mixed": sizes if sums and len(sizes) > 1 and size.most > size.least else [],
        "sums": sums,
        "waiting": len(waiting),
        "least": size.least,
        "places": range(1, size.most + 1),
        "last": find_last_tournament(tournament),
        "free": free_players(tournament),
        "session": tournament.sessions.filter(status="draft").order_by("number").first(),
    }


def carry_out(request: HttpRequest, tournament: Tournament, context: dict[str, Any]) -> HttpResponse | None:
    """Carry out the posted action. Return the redirect, or None if the page has to be shown again."""
    asked: dict[str, Any] = {"tournament_id": tournament.pk, "by": author(request), "now": timezone.now()}
    action = request.POST.get("action")
    if action == "last":
        return tell_made(request, tournament, len(take_last_teams(**asked)))
    if action == "make":
        context["typed"] = {"name": request.POST.get("name", ""), "players": request.POST.getlist("player")}
        make_team(players=read_numbers(request.POST, "player"), name=request.POST.get("name", "")[:60], **asked)
        return tell_made(request, tournament, 1)
    form = context["form"] = TeamsForm(tournament, request.POST, request.FILES)

    def make() -> HttpResponse:
        return tell_made(request, tournament, len(make_pasted_teams(teams=form.teams, told=form.promised, **asked)))

    return answer_list(request, form, make)


def tell_made(request: HttpRequest, tournament: Tournament, count: int) -> HttpResponse:
    if count:
        text = ngettext("%(count)s team is made.", "%(count)s teams are made.", count)
        return done_counted(request, text, count, teams_url(tournament) + TOP)
    messages.info(request, _("All these teams, or some of their players, are here already."))
    return redirect(teams_url(tournament) + TOP)
