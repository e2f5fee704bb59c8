"""The page on which users hand in the line-ups of the teams of which they are the captain."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.models import Player
from pages.acting import done
from pages.doors import FORM, author
from pages.parts.own_line_ups import hand_in_posted, list_own_line_ups


@never_cache
@login_required
@require_http_methods(FORM)
def account_line_ups(request: HttpRequest) -> HttpResponse:
    players = set(Player.objects.real().filter(account=author(request)).values_list("pk", flat=True))
    shown, status, late = list_own_line_ups(players), 200, ""
    if request.method == "POST":
        shown, stored, late = hand_in_posted(request, shown, players, now=timezone.now())
        if stored:
            text = _("The line-up is handed in. You can change it until the session starts.")
            return done(request, text, "account_line_ups")
        status = 409
    return render(request, "line_ups/account.html", {"line_ups": shown, "late": late}, status=status)
