"""The page of a tournament's teams: a list, pasted lines with a preview and questions, the teams of last time.

With the number of a team in the query, the page shows this team and what can change (`one_team`).
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from django.contrib import messages
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.matching import NEW
from clubs.roster import RosterError
from clubs.teams import TWO
from scoring.formats import find_format
from tournaments.errors import ActionRefused
from tournaments.models import Tournament
from tournaments.permissions import Can
from tournaments.teams.common import active_members, can_have_teams, free_players, size_of_teams
from tournaments.teams.making import find_last_tournament, make_pasted_teams, make_team, take_last_teams
from tournaments.teams.pasted import MatchedPlayer, MatchedTeam, match_teams
from tournaments.web.doors import TOP, author, tournament_page
from tournaments.web.numbers import read_number, read_numbers
from tournaments.web.prepare.teams.one_team import show_team
from tournaments.web.roster_rows import RowChoice, write
from tournaments.words.messages import say
from wording import Refusal

MOST_TEXT = 200_000


class PlayerQuestion(NamedTuple):
    """A player of a pasted line, with the answers to choose from. Without choices, nothing is asked."""

    player: MatchedPlayer
    choices: list[RowChoice]


class TeamQuestion(NamedTuple):
    """A pasted line as the page shows it.

    - `readings`: the ways to read the line, if there is a choice: (value, players). `chosen` is the value shown.
    - `answered`: answers given before that no field shows any more, by key.
    """

    team: MatchedTeam
    error: str
    readings: list[tuple[str, str]]
    chosen: str
    players: list[PlayerQuestion]
    answered: list[tuple[str, str]]


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
        try:
            if (answer := carry_out(request, tournament, context)) is not None:
                return answer
        except (Refusal, RosterError) as refusal:
            messages.error(request, say(refusal))
            status = 409
    context |= list_teams(tournament) | {
        "coloured": find_format(tournament.format).has_badges,
        "size": size_of_teams(tournament).least,
    }
    return render(request, "prepare/teams/list.html", context, status=status)


def list_teams(tournament: Tournament) -> dict[str, Any]:
    """Return the template values of the list. This takes five queries, for any number of teams."""
    size = size_of_teams(tournament)
    there = Prefetch("members", queryset=active_members(), to_attr="active_members")
    teams = list(tournament.teams.order_by("number").select_related("captain").prefetch_related(there))
    waiting = [team for team in teams if team.left_at is None and len(team.active_members) < size.least]
    sizes = sorted({len(team.active_members) for team in teams if team.left_at is None} - {0})
    return {
        "teams": teams,
        "mixed": sizes if tournament.deals_freely and len(sizes) > 1 else [],
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
    text = request.POST.get("text", "")[:MOST_TEXT]
    context["text"] = text
    if not text.strip():
        raise ActionRefused("no_team_lines", "text")
    answers = {key: value for key, value in request.POST.items() if isinstance(value, str)}
    teams = match_teams(tournament, text, answers)
    shown = fingerprint(teams)
    context |= {"questions": ask_about_teams(teams, answers), "shown": shown}
    context["settled"] = all(team.settled for team in teams)
    if context["settled"] and request.POST.get("shown") == shown:
        return tell_made(request, tournament, len(make_pasted_teams(teams=teams, **asked)))
    return None


def tell_made(request: HttpRequest, tournament: Tournament, count: int) -> HttpResponse:
    text = ngettext("%(count)s team is made.", "%(count)s teams are made.", count) % {"count": count}
    messages.success(request, text if count else _("All these teams, or some of their players, are here already."))
    return redirect(teams_url(tournament) + TOP)


def ask_about_teams(teams: Sequence[MatchedTeam], answers: Mapping[str, str]) -> list[TeamQuestion]:
    """Return the pasted lines as the page shows them, those with errors and questions first."""
    asked = [ask_about_team(team, answers) for team in teams]
    return sorted(asked, key=lambda each: (not each.error, each.team.settled, each.team.row.number))


def ask_about_team(team: MatchedTeam, answers: Mapping[str, str]) -> TeamQuestion:
    row = team.row
    several = len(row.readings) > 1 or row.doubtful
    readings = [(str(place), " · ".join(map(write, people))) for place, people in enumerate(row.readings)]
    answered = [(key, TWO) for key, value in answers.items() if key.startswith(f"{row.key}/") and value == TWO]
    return TeamQuestion(
        team,
        say(team.error) if team.error is not None else "",
        readings if several else [],
        str(row.answer or 0),
        [PlayerQuestion(player, list_choices(player) if player.asks else []) for player in team.players],
        answered,
    )


def list_choices(player: MatchedPlayer) -> list[RowChoice]:
    known = [RowChoice(str(each.who.id), write(each.who)) for each in player.candidates]
    return [*known, RowChoice(NEW, _("somebody new: %(name)s") % {"name": write(player.line)})]


def fingerprint(teams: Sequence[MatchedTeam]) -> str:
    """Return a hash of the teams as the preview shows them, which proves that a director saw them."""
    shown = [(team.row.key, team.row.name, [(each.line, each.means) for each in team.players]) for team in teams]
    return sha256(repr(shown).encode()).hexdigest()
