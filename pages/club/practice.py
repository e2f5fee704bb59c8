"""The practice evening of a club: a session with invented players, with which directors can practise.

A director can delete the session together with its players.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from clubs.models import Club
from evenings.practice.evening import delete_practice, make_practice
from pages.acting import done, signed
from pages.doors import ACTION, club_page, session_url
from tournaments.permissions import Can


@club_page(Can.DIRECT, ACTION)
def practice(request: HttpRequest, club: Club) -> HttpResponse:
    """Redirect to the practice evening of the club, and make it if there is none."""
    return redirect(session_url("session", make_practice(club=club.real, **signed(request))))


@club_page(Can.DIRECT, ACTION)
def practice_delete(request: HttpRequest, club: Club) -> HttpResponse:
    real = club.real
    delete_practice(club=real)
    return done(request, _("The practice evening is deleted, with its invented players."), "club", real.slug)
