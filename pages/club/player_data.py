"""The pages on which a director exports or erases a player's data, because the player wishes it.

Everybody but the directors of the club gets a 404 page.
"""

from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from archives.privacy.erasing import check_erasure, decline_erasure, erase, takes_account
from archives.privacy.whom import whom_of_player
from clubs.log import log_club_action
from clubs.models import Club, Player
from pages.acting import done, signed
from pages.doors import ACTION, FORM, author, club_page
from pages.downloads import hand_out
from tournaments.permissions import Can, power_of, require_found
from tournaments.words.messages import say
from wording import Refusal

View = Callable[[HttpRequest, Club, Player], HttpResponseBase]


def players_page(methods: tuple[str, ...]) -> Callable[[View], Callable[..., HttpResponseBase]]:
    """Return a decorator for `view(request, club, player)`, a page for directors. It fetches the player of the address.

    Raise Http404 if the club has no such player, or if the user is not a director.
    """

    def decorate(view: View) -> Callable[..., HttpResponseBase]:
        @club_page(Can.READ, methods, back="players")
        @wraps(view)
        def page(request: HttpRequest, club: Club, player: int) -> HttpResponseBase:
            if power_of(request.user, club) < Can.DIRECT:
                raise Http404
            found = club.players.real().select_related("club", "account").filter(pk=player).first()
            return view(request, club, require_found(found))

        return page

    return decorate


@players_page(ACTION)
def player_export(request: HttpRequest, club: Club, player: Player) -> HttpResponseBase:
    by = author(request)
    told = _("%(name)s, as kept by %(club)s. Made by a director of the club.")
    told %= {"name": player.name, "club": club.name}
    response = hand_out(request, whom_of_player(player), told=told, whose=f"account-{by.pk}")
    if response.status_code == 200:
        log_club_action(club, "player_exported", now=timezone.now(), by=by, whom=player.name)
    return response


@players_page(FORM)
def player_erase(request: HttpRequest, club: Club, player: Player) -> HttpResponse:
    """Show what erasing the player means. After the director confirms it, erase the player's data.

    The action `decline` refuses the player's wish to be erased.
    """
    whom, refused = whom_of_player(player), ""
    if request.method == "POST" and request.POST.get("action") == "decline":
        decline_erasure(player, **signed(request))
        return redirect("club_player", club.slug, player.pk)
    account = takes_account(whom)
    try:
        check_erasure(whom, account=account)
        if request.method == "POST" and "understood" in request.POST:
            erase(whom, **signed(request))
            return done(request, _("Erased: a number replaces the name."), "players", club.slug)
    except Refusal as refusal:
        refused = say(refusal)
    missing = request.method == "POST" and not refused
    context = {"club": club, "player": player, "players": [player], "refused": refused, "missing": missing}
    context |= {"account": account}
    refuses = bool(refused) and request.method == "POST"
    return render(request, "prepare/player_erase.html", context, status=409 if refuses else 200)
