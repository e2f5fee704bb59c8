"""The page on which users choose the e-mails that they get, and the pages of the links that stop them.

A feuille de route is the list of a player's scores in a session, étui by étui. Other e-mails tell people who signed up
for an evening that it is moved, for example.
"""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from outgoing.mailing.wishes import (
    allow_evening_mails,
    confirmed_address,
    end_feuilles,
    find_stop_link_by_token,
    find_wish,
    stop_evening_mails,
    want_feuilles,
    wants_evening_mails,
)
from pages.doors import FORM, author
from tournaments.models import FeuilleMail


@never_cache
@login_required
@require_http_methods(FORM)
def account_feuilles(request: HttpRequest) -> HttpResponse:
    user = author(request)
    if request.method == "POST":
        if request.POST.get("do") == "stop_evenings":
            stop_evening_mails(user.pk, now=timezone.now())
            messages.success(request, _("You will receive no more e-mails about evenings."))
        elif request.POST.get("do") == "allow_evenings":
            allow_evening_mails(user.pk)
            messages.success(request, _("You will receive e-mails about the evenings for which you sign up."))
        elif request.POST.get("do") == "end":
            end_feuilles(user)
            messages.success(request, _("You will receive no more feuilles de route."))
        elif want_feuilles(user, now=timezone.now()):
            messages.success(request, _("You will receive your feuille de route for everything published from now on."))
        return redirect("account_feuilles")
    context = {"address": confirmed_address(user), "wanted": FeuilleMail.objects.filter(user=user).exists()}
    context["has_evening_mails"] = wants_evening_mails(user.pk)
    return render(request, "mailing/account.html", context)


@never_cache
@csrf_exempt
@require_http_methods(FORM)
def feuilles_end(request: HttpRequest, token: str) -> HttpResponse:
    """Stop the e-mails with feuilles de route. Each of these e-mails has the link to this page.

    Opening the page stops nothing: people press a button, which sends a POST. An e-mail program sends the same POST
    without showing the page (RFC 8058). If the e-mails were stopped before, the page says so.
    """
    wish = find_wish(token)
    if request.method == "POST" and wish is not None:
        end_feuilles(wish.user)
        wish = None
    response = render(request, "mailing/end.html", {"wanted": wish is not None})
    response["Referrer-Policy"] = "no-referrer"
    return response


@never_cache
@csrf_exempt
@require_http_methods(FORM)
def mails_end(request: HttpRequest, token: str) -> HttpResponse:
    """Stop the e-mails about evenings. Each of them has the link to this page, which works as that of the feuilles."""
    link = find_stop_link_by_token(token)
    if request.method == "POST" and link is not None:
        stop_evening_mails(link.user_id, now=timezone.now())
        link.refresh_from_db()
    response = render(request, "mailing/end_evenings.html", {"wanted": link is not None and link.stopped_at is None})
    response["Referrer-Policy"] = "no-referrer"
    return response
