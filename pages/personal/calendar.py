"""The page that shows the secret address of a player's calendar: the player's evenings in the club.

The link on the player's papers opens it.
"""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone

from pages.parts.own_calendar import addresses_of
from pages.personal.pages import Mine, personal_page
from registration.agenda.files import ask_calendar_link, find_calendar_link


@personal_page("GET", "HEAD", "POST", always=True)
def personal_calendar(request: HttpRequest, mine: Mine, *, error: str = "", status: int = 200) -> HttpResponseBase:
    if request.method == "POST" and not error:
        ask_calendar_link(request.POST.get("do", ""), personal=mine.link, now=timezone.now())
        return redirect("personal_calendar", mine.link.token)
    context = {"mine": mine, "session": mine.session, "error": error}
    context |= addresses_of(request, find_calendar_link(personal=mine.link))
    return render(request, "agenda/personal.html", context, status=status)
