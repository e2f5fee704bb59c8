"""The file of a club's members, for its directors: those on the list, or with `?away` those removed from it."""

from django.http import Http404, HttpRequest, HttpResponse

from clubs.models import Club
from tournaments.permissions import Can
from tournaments.sheets.files import CSV, XLSX, write_file
from tournaments.sheets.people_tables import make_members
from tournaments.web.doors import READING, club_page
from tournaments.web.downloads import send_file


def read_kind(request: HttpRequest) -> str:
    """Return the kind of file that a director asks for, XLSX by default."""
    kind = (request.POST or request.GET).get("kind", XLSX)
    if kind not in (CSV, XLSX):
        raise Http404
    return kind


@club_page(Can.DIRECT, READING)
def members_file(request: HttpRequest, club: Club) -> HttpResponse:
    away = "away" in request.GET
    players = [each for each in club.players.real() if away == (each.put_away_at is not None)]
    return send_file(write_file([make_members(players)], read_kind(request), club.slug, "members"))
