"""The page of a player's results in all sessions, opened by a personal link.

It only works for players who are shown by name, because everybody may read their results anyway. For other players, the
link shows only the evening for which it was printed: anybody who finds the paper can open the link.
"""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from pages.personal.pages import Mine, personal_page
from rankings.careers.reading import Career
from rankings.careers.subjects import look_at, subject_of
from tournaments.numbers import MOST_PAGES, read_number


@personal_page("GET", "HEAD")
def personal_career(request: HttpRequest, mine: Mine) -> HttpResponse:
    subject = subject_of(mine.person.is_now)
    if subject is None:
        raise Http404
    if not subject.is_public:
        return render(request, "personal/career_closed.html", {"mine": mine, "session": mine.session})
    season, page = (min(max(read_number(request.GET, name), 0), MOST_PAGES) for name in ("season", "page"))
    career = Career(subject, look_at(subject), season=season, page=page or 1)
    context = {"mine": mine, "session": mine.session, "subject": subject, "career": career}
    return render(request, "personal/career.html", context | {"linked": True})
