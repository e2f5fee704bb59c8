"""The director's page of the personal links: it shows which players have one, and revokes or renews links.

A director sees neither the address nor the code of a link. Only the player's papers have them.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.contrib import messages
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from clubs.names import simplify_name
from evenings.requests.links import renew_link, revoke_link
from evenings.teams.membership import list_playing_members
from pages.acting import signed
from pages.doors import ACTION, Phase, session_page, session_url
from scoring.formats import MEETING_TEAMS
from tournaments.models import Entrant, PersonalLink, Session, TeamMember
from tournaments.numbers import read_number
from tournaments.permissions import Can
from tournaments.words.team_plans import badges_of, say_badge


@session_page(Can.DIRECT, phase=Phase.BEGUN)
def links(request: HttpRequest, session: Session) -> HttpResponse:
    return PAGES.get(session.tournament.format, show_players)(request, session)


def show_players(request: HttpRequest, session: Session) -> HttpResponse:
    made = Prefetch("links", queryset=newest_links())
    entrants = session.entrants.select_related("player", "stand_in", "team").prefetch_related(made)
    rows = [(entrant, next(iter(entrant.links.all()), None)) for entrant in entrants]
    rows.sort(key=lambda row: simplify_name(row[0].listed))
    return render(request, "requests/links.html", {"session": session, "rows": rows})


class LinkRow(NamedTuple):
    """A member of a team with their newest link, or None, and the colour of their badge."""

    entrant: Entrant
    member: TeamMember
    link: PersonalLink | None
    badge: str


def list_members(session: Session) -> list[LinkRow]:
    """Return the members of the session's teams by family name, with their newest links. This takes three queries."""
    newest = newest_links().filter(entrant__session=session)
    links = {link.member_id: link for link in reversed(newest)}
    badges = badges_of(session.tournament.format)
    rows = [
        LinkRow(one.entrant, one.member, links.get(one.member.pk), say_badge(one.member.place, badges))
        for one in list_playing_members(session)
    ]
    return sorted(rows, key=lambda row: simplify_name(row.member.player.listed))


def show_members(request: HttpRequest, session: Session) -> HttpResponse:
    return render(request, "requests/links_of_teams.html", {"session": session, "rows": list_members(session)})


PAGES: Mapping[str, Callable[[HttpRequest, Session], HttpResponse]] = dict.fromkeys(MEETING_TEAMS, show_members)


def newest_links() -> QuerySet[PersonalLink]:
    """Return the links, the newest first, without their tokens and codes."""
    return PersonalLink.objects.defer("token", "code").order_by("-pk")


@session_page(Can.DIRECT, ACTION, back="personal_links")
def renew(request: HttpRequest, session: Session, entrant: int) -> HttpResponse:
    link = renew_link(**read_owner(request, session, entrant), **signed(request))
    told = _("%(name)s has a new link: print the guide card again.")
    messages.success(request, told % {"name": link.name})
    return back(request, session, entrant)


@session_page(Can.DIRECT, ACTION, back="personal_links")
def revoke(request: HttpRequest, session: Session, entrant: int) -> HttpResponse:
    revoke_link(**read_owner(request, session, entrant), **signed(request))
    messages.success(request, _("The link no longer works."))
    return back(request, session, entrant)


def read_owner(request: HttpRequest, session: Session, entrant: int) -> dict[str, Any]:
    """Return the owner of a link, as arguments of a service.

    The posted form names the member if the link is that of a member of a team.
    """
    return {"session_id": session.pk, "entrant_id": entrant, "member_id": read_number(request.POST, "member") or None}


def back(request: HttpRequest, session: Session, entrant: int) -> HttpResponse:
    member = read_number(request.POST, "member")
    place = f"member-{member}" if member else f"entrant-{entrant}"
    return redirect(f"{session_url('personal_links', session)}#{place}")
