"""The search for people while a director types a name that is to be added."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubs.guard import has_tries, note_failed
from clubs.models import Club
from pages.doors import READING, author, club_page
from registration.agenda.search import find_people, read_asked
from tournaments.permissions import Can

SEARCHES, A_MINUTE = "people", 60  # the searches of one account in one minute


@club_page(Can.DIRECT, READING, hidden=True)
def find(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the people whose name begins with the typed text, as a list to choose from."""
    whose = f"account:{author(request).pk}"
    if not has_tries(SEARCHES, request, most=A_MINUTE, whose=whose):
        return render(request, "club/_found.html", {"too_often": True}, status=429)
    note_failed(SEARCHES, request, whose=whose)
    return render(request, "club/_found.html", {"found": find_people(club, read_asked(request.GET.get("q", "")))})
