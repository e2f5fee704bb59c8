"""The page of a player over all sessions, by the personal link, if the player is shown by name in public.

Everybody may read about such a player. For a hidden player, the link shows its own evening and no more: directors print
the link, and anybody who finds it can open it.
"""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.careers.reading import Career
from tournaments.careers.subjects import look_at, subject_of
from tournaments.web.numbers import MOST_PAGES, read_number
from tournaments.web.personal.pages import Mine, personal_page


@personal_page("GET", "HEAD")
def personal_career(request: HttpRequest, mine: Mine) -> HttpResponse:
    subject = subject_of(mine.entrant.player.is_now)
    if subject is None:
        raise Http404
    if not subject.is_public:
        return render(request, "personal/career_closed.html", {"mine": mine, "session": mine.session})
    season, page = (min(max(read_number(request.GET, name), 0), MOST_PAGES) for name in ("season", "page"))
    career = Career(subject, look_at(subject), season=season, page=page or 1)
    context = {"mine": mine, "session": mine.session, "subject": subject, "career": career}
    return render(request, "personal/career.html", context | {"linked": True})
