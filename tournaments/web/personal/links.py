"""The director's page of the personal links: it shows which players have one, and revokes or renews links.

A director sees neither the address nor the code of a link. Only the player's papers have them.
"""

from django.contrib import messages
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.names import simplify_name
from tournaments.models import PersonalLink, Session
from tournaments.permissions import Can
from tournaments.requests.links import renew_link, revoke_link
from tournaments.web.doors import ACTION, Phase, author, session_page, session_url


@session_page(Can.DIRECT, phase=Phase.BEGUN)
def links(request: HttpRequest, session: Session) -> HttpResponse:
    made = Prefetch("links", queryset=PersonalLink.objects.defer("token", "code").order_by("-pk"))
    entrants = session.entrants.select_related("player", "stand_in", "team").prefetch_related(made)
    rows = [(entrant, next(iter(entrant.links.all()), None)) for entrant in entrants]
    rows.sort(key=lambda row: simplify_name(row[0].listed))
    return render(request, "requests/links.html", {"session": session, "rows": rows})


@session_page(Can.DIRECT, ACTION, back="personal_links")
def renew(request: HttpRequest, session: Session, entrant: int) -> HttpResponse:
    link = renew_link(session_id=session.pk, entrant_id=entrant, by=author(request), now=timezone.now())
    told = _("%(name)s has a new link: print the guide card again.")
    messages.success(request, told % {"name": link.entrant.name})
    return back(session, entrant)


@session_page(Can.DIRECT, ACTION, back="personal_links")
def revoke(request: HttpRequest, session: Session, entrant: int) -> HttpResponse:
    revoke_link(session_id=session.pk, entrant_id=entrant, by=author(request), now=timezone.now())
    messages.success(request, _("The link no longer works."))
    return back(session, entrant)


def back(session: Session, entrant: int) -> HttpResponse:
    return redirect(f"{session_url('personal_links', session)}#entrant-{entrant}")
