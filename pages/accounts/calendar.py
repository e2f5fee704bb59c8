"""The secret address of an account's evenings, for its owner's own calendar."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from pages.doors import FORM, author
from pages.parts.own_calendar import addresses_of
from registration.agenda.files import ask_calendar_link, find_calendar_link


@never_cache
@login_required
@require_http_methods(FORM)
def account_calendar(request: HttpRequest) -> HttpResponse:
    user = author(request)
    if request.method == "POST":
        ask_calendar_link(request.POST.get("do", ""), user=user, now=timezone.now())
        return redirect("account_calendar")
    return render(request, "agenda/account.html", addresses_of(request, find_calendar_link(user=user)))
