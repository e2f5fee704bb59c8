"""The page of a personal link on which the captain of a team hands in the line-up of the tournament's next session.

It works as soon as the link exists, whether the link's own session is published or not.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from pages.parts.own_line_ups import hand_in_posted, list_own_line_ups
from pages.personal.pages import Mine, personal_page


@personal_page("GET", "HEAD", "POST", always=True)
def personal_line_up(request: HttpRequest, mine: Mine, *, error: str = "", status: int = 200) -> HttpResponse:
    players = {mine.person.is_now.pk} if mine.member is not None else set[int]()
    shown, late = list_own_line_ups(players, mine.session.tournament_id), ""
    if request.method == "POST" and not error:
        shown, stored, late = hand_in_posted(request, shown, players, now=timezone.now())
        if stored:
            return redirect(f"{reverse('personal_line_up', args=[mine.link.token])}?stored")
        status = 409
    context = {
        "mine": mine,
        "session": mine.session,
        "line_ups": shown,
        "late": late,
        "stored": "stored" in request.GET,
    }
    return render(request, "personal/line_up.html", context | {"error": error}, status=status)
