"""The data stored about the owner of an account, who can download all of it or have it erased."""

from allauth.account.decorators import reauthentication_required
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from archives.privacy.erasing import asked_by_confirmed_account, check_erasure, erase
from archives.privacy.whom import whom_of_account
from clubs.models import Player
from pages.acting import done
from pages.doors import FORM, author
from pages.downloads import hand_out
from tournaments.words.messages import say
from wording import Refusal


@never_cache
@login_required
@require_POST
def account_export(request: HttpRequest) -> HttpResponseBase:
    user = author(request)
    told = _("Account: %(name)s. Made by its owner.") % {"name": user.username}
    return hand_out(request, whom_of_account(user), told=told, whose=f"account-{user.pk}")


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
@require_http_methods(FORM)
def account_erase(request: HttpRequest) -> HttpResponse:
    """Show what erasing means. After the user confirms it, erase the user's data and log the user out."""
    user = author(request)
    whom, refused = whom_of_account(user), ""
    try:
        check_erasure(whom, account=True)
        if request.method == "POST" and "understood" in request.POST:
            erase(whom, by=user, now=timezone.now())
            logout(request)
            return done(request, _("Your data has been erased: a number replaces your name."), "home")
    except Refusal as refusal:
        refused = say(refusal)
    players = Player.objects.real().filter(pk__in=whom.players).select_related("club").order_by("club__name")
    missing = request.method == "POST" and not refused
    context = {"players": players, "refused": refused, "missing": missing, "own": True, "account": True}
    context |= {"confirmed": asked_by_confirmed_account(whom)}
    return render(request, "account/erase.html", context, status=409 if refused and request.method == "POST" else 200)
