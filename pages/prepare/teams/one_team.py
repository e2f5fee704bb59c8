"""The page of one team in preparation and in play: its name, number, captain and members, substitutes, its leaving."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Club
from clubs.roster.lines import MOST_LETTERS
from evenings.teams.changing import (
    add_member,
    choose_captain,
    dissolve_team,
    leave_tournament,
    remove_member,
    rename_team,
    renumber_team,
    return_to_tournament,
)
from evenings.teams.common import SomePlayer, free_players, has_played, list_members, size_of_teams
from evenings.teams.substitutes import replace_member, undo_substitute
from pages.acting import done, refusals_told
from pages.doors import TOP, author
from pages.roster_rows import TypedNames, read_typed_names
from tournaments.errors import ActionRefused
from tournaments.models import Session, Team, Tournament
from tournaments.numbers import read_number
from tournaments.words.team_plans import badges_of


def show_team(request: HttpRequest, tournament: Tournament, team_id: int, back: str) -> HttpResponse:
    """Show a team. A POST carries out its `action`. `back` is the address of the list of teams."""
    team = tournament.teams.select_related("captain").filter(pk=team_id).first()
    if team is None:
        raise Http404
    typed: dict[str, Any] = {}
    if request.method == "POST":
        typed = {"typed": request.POST, "which": request.POST.get("member") or "add"}
        with refusals_told(request):
            names = change_team(request, tournament, team)
            if names is None:
                gone = request.POST.get("action") == "dissolve"
                text = _("The team is dissolved.") if gone else _("The team is changed.")
                return done(request, text, back + TOP if gone else f"{back}?team={team.pk}")
            typed["names"] = names
    context = describe_team(tournament, team) | typed | {"badges": badges_of(tournament.format), "back": back}
    return render(request, "prepare/teams/team.html", context, status=409 if typed else 200)


def describe_team(tournament: Tournament, team: Team) -> dict[str, Any]:
    members = list_members(team)
    former = team.members.filter(ended_at__isnull=False).select_related("player", "until_session").order_by("place")
    running = Session.objects.filter(entrants__team=team, closed_at=None, status=Session.Status.RUNNING).first()
    return {
        "club": tournament.club,
        "tournament": tournament,
        "team": team,
        "members": members,
        "former": list(former),
        "missing": size_of_teams(tournament).least - len(members),
        "full": len(members) >= size_of_teams(tournament).most,
        "played": has_played(team),
        "running": running,
        "positions": range(1, running.positions + 1) if running else (),
        "free": free_players(tournament),
    }


def change_team(request: HttpRequest, tournament: Tournament, team: Team) -> TypedNames | None:
    """Carry out the posted action. Raise `ActionRefused` if it is unknown or refused.

    Return the typed name, and do nothing, if it is not clear whom it means.
    """
    asked: dict[str, Any] = {"tournament_id": tournament.pk, "by": author(request), "now": timezone.now()}
    one = asked | {"team_id": team.pk}
    post, player = request.POST, read_number(request.POST, "player")
    who: SomePlayer = player
    if post.get("action") in ("add", "replace"):
        names = read_name(post.get("text", ""), tournament.club, post)
        if names is None and not player:
            names = TypedNames([], [_("Choose somebody, or write a name.")], [])
        if names and names.errors:
            return names
        who = names.taken[0] if names else player
    match post.get("action"):
        case "rename":
            rename_team(name=post.get("name", "")[:60], **one)
        case "number":
            renumber_team(number=read_number(post, "number"), **one)
        case "captain":
            choose_captain(player_id=player, **one)
        case "add":
            add_member(player=who, **one)
        case "remove":
            remove_member(player_id=player, **one)
        case "dissolve":
            dissolve_team(**one)
        case "leave":
            leave_tournament(reason=post.get("reason", "")[:300], **one)
        case "return":
            return_to_tournament(**one)
        case "replace":
            replace(request, who, asked)
        case "undo":
            undo_substitute(member_id=read_number(post, "member"), **asked)
        case _:
            raise ActionRefused("team_unknown", "team", team=team.number)
    return None


def read_name(text: str, club: Club, answers: Mapping[str, str]) -> TypedNames | None:
    """Return the person whose name is typed, or None if none is. It is an error to name several people."""
    if not text.strip():
        return None
    names = read_typed_names(text[:MOST_LETTERS], club, answers)
    return names if names.errors or len(names.taken) == 1 else names._replace(errors=[_("Write one name.")])


def replace(request: HttpRequest, who: SomePlayer, asked: dict[str, Any]) -> None:
    """Replace a member: by a player of the club's list, or by a new one whose name is typed."""
    post = request.POST
    position = read_number(post, "position")
    replace_member(
        member_id=read_number(post, "member"),
        player=who,
        session_id=read_number(post, "session") if position else None,
        position=position or None,
        reason=post.get("reason", "")[:300],
        **asked,
    )
