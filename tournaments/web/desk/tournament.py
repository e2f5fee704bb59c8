"""The director's pages of a tournament of several sessions: its ranking as it stands, and the publication of it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.events.computing import has_several, is_fresh
from tournaments.events.report import read_report
from tournaments.models import PlayingDirector, Session, Tournament, TournamentStandings
from tournaments.permissions import Can
from tournaments.plays.desk_state import hidden_etuis
from tournaments.web.doors import READING, author, tournament_page
from tournaments.web.event_pages import tournament_ranking


@tournament_page(Can.DIRECT, READING)
def tournament_standings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """As it stands by the results entered so far; of none, why."""
    session = find_hidden(request, tournament)
    if session is not None:
        return render(request, "desk/hidden.html", {"session": session})
    kept = TournamentStandings.objects.filter(tournament=tournament).exclude(computed_at=None).first()
    context = {"tournament": tournament, "club": tournament.club, "several": has_several(tournament.pk)}
    if kept is not None and kept.data["players"]:
        report = read_report(kept.data)
        context |= {"kept": kept, "fresh": is_fresh(tournament, kept), **tournament_ranking(report, request.GET)}
    return render(request, "desk/tournament.html", context)


def find_hidden(request: HttpRequest, tournament: Tournament) -> Session | None:
    """The session of which the director, who plays in it, has étuis to play yet."""
    playing = PlayingDirector.objects.filter(session__tournament=tournament, user=author(request), lifted_at=None)
    sessions = [row.session for row in playing.select_related("session__tournament__club")]
    return next((session for session in sessions if hidden_etuis(session, author(request))), None)
