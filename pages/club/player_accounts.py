"""The directors' pages about the accounts of their club's players: personal links and claims.

A personal link creates an account for one player. With a claim, the owner of an account says: I am a player of this
club. A director decides which player it is.
"""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.accounts.one_use import digest
from clubs.accounts.players import (
    answer_claim,
    find_open_player_links,
    gives_accounts,
    make_player_link,
    revoke_player_link,
    untie,
)
from clubs.matching import KnownNames
from clubs.models import Club, Player
from clubs.players import known_of, sort_by_name
from clubs.roster import RosterLine
from pages.acting import done, signed
from pages.doors import ACTION, club_page
from pages.form_fields import MailField
from pages.letters import queue_letter
from tournaments.addresses import link_to
from tournaments.models import QueuedMail
from tournaments.numbers import read_number
from tournaments.permissions import Can, require_found

MOST_CLAIMS = 20  # claims shown at a time; each has a list of all players to choose from


class LetterForm(forms.Form):
    email = MailField(
        gettext_lazy("E-mail address, to send the link there"),
        autocomplete="off",
        required=False,
        help_text=gettext_lazy("If it is empty, you give the link yourself."),
    )


@club_page(Can.DIRECT)
def player_account(request: HttpRequest, club: Club, player: int) -> HttpResponse:
    """Show the account of a player. A POST makes a personal link, revokes it, or removes the player from the account.

    The new link is shown on this page and never again.
    """
    found = require_found(club.players.real().select_related("account", "club").filter(pk=player).first())
    action = request.POST.get("action")
    form = LetterForm(request.POST if action == "link" else None)
    told: dict[str, Any] = {}
    if action == "link" and form.is_valid():
        token = make_player_link(found, **signed(request))
        told["link"] = link_to(request, reverse("player_link", args=[token]))
        if settings.MAIL and (email := form.cleaned_data["email"]):
            row = found.account_links.get(digest=digest(token)).pk
            queue_letter(QueuedMail(kind=QueuedMail.PageMailKind.PLAYER, email=email, row=row), club=club)
            told["email"] = email
        form = LetterForm()
    elif action in ("revoke", "untie"):
        if action == "revoke":
            revoke_player_link(found, **signed(request))
        else:
            untie(found, **signed(request))
        return redirect("player_account", club.slug, found.pk)
    context = {"club": club, "player": found, "form": form, "mail": settings.MAIL, "gives": gives_accounts(club)}
    context["waiting"] = find_open_player_links(found).filter(expires_at__gt=timezone.now()).first()
    return render(request, "club/player_account.html", context | told)


@club_page(Can.DIRECT)
def player_claims(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the claims, each with a list of the club's players. The player with the most similar name is preselected."""
    names = KnownNames(known_of(club))
    claims = list(club.claims.select_related("user")[:MOST_CLAIMS])
    for each in claims:
        near = names.find(RosterLine(each.user.last_name or each.user.shown_name, each.user.first_name))
        each.near = near[0].who.id if near else None  # type: ignore[attr-defined]
    free = sort_by_name(club.players.keep_listed().filter(account=None)) if claims else []
    return render(request, "club/player_claims.html", {"club": club, "claims": claims, "players": free})


@club_page(Can.DIRECT, ACTION, back="player_claims")
def claim_answer(request: HttpRequest, club: Club, claim: int) -> HttpResponse:
    player: Player | None = None
    if request.POST.get("action") == "tie":
        player = club.players.real().filter(pk=read_number(request.POST, "player")).select_related("club").first()
        if player is None:
            messages.error(request, _("Choose which player it is."))
            return redirect("player_claims", club.slug)
    answer_claim(claim, player, club=club, **signed(request))
    if player is None:
        return redirect("player_claims", club.slug)
    return done(request, _("%(name)s is linked to the account.") % {"name": player.name}, "player_claims", club.slug)
