"""The actions on a session or a tournament made by mistake: delete it, remove it from the lists, list it again.

The practice evening of a club, with invented players, is made and deleted here too.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from clubs.models import Club
from evenings.practice import delete_practice, make_practice
from evenings.sessions.put_away import delete_session, delete_tournament, put_session_away, put_tournament_away
from pages.acting import done, signed
from pages.doors import ACTION, author, club_page, session_page, session_url, tournament_page
from tournaments.models import Session, Tournament
from tournaments.permissions import Can


@session_page(Can.DIRECT, ACTION, back="session_edit")
def session_delete(request: HttpRequest, session: Session) -> HttpResponse:
    delete_session(session_id=session.pk, by=author(request))
    text = _("Session %(number)s is deleted.") % {"number": session.number}
    return done(request, text, "tournament", session.tournament.club.slug, session.tournament.slug)


@session_page(Can.DIRECT, ACTION)
def session_put_away(request: HttpRequest, session: Session) -> HttpResponse:
    """Remove the session from the lists or, with `back`, list it again."""
    back = "back" in request.POST
    put_session_away(session_id=session.pk, **signed(request), back=back)
    return redirect(session_url("session", session))


@tournament_page(Can.DIRECT, ACTION)
def tournament_delete(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    delete_tournament(tournament_id=tournament.pk, by=author(request))
    text = _("The tournament “%(name)s” is deleted.") % {"name": tournament.name}
    return done(request, text, "club", tournament.club.slug)


@tournament_page(Can.DIRECT, ACTION)
def tournament_put_away(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Remove the tournament from the lists or, with `back`, list it again."""
    back = "back" in request.POST
    put_tournament_away(tournament_id=tournament.pk, **signed(request), back=back)
    return redirect("tournament", tournament.club.slug, tournament.slug)


@club_page(Can.DIRECT, ACTION)
def practice(request: HttpRequest, club: Club) -> HttpResponse:
    """Redirect to the practice evening of the club, and make it if there is none."""
    return redirect(session_url("session", make_practice(club=club.real, **signed(request))))


@club_page(Can.DIRECT, ACTION)
def practice_delete(request: HttpRequest, club: Club) -> HttpResponse:
    real = club.real
    delete_practice(club=real)
    return done(request, _("The practice evening is deleted, with its invented players."), "club", real.slug)
