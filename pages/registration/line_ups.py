"""The page on which a captain who signed up a team hands in its line-up, by the link of the registration."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_http_methods

from pages.parts.own_line_ups import hand_in_posted, list_own_line_ups
from pages.registration.public import TOKEN
from registration.people.links import find_by_link
from tournaments.models import Applicant
from tournaments.permissions import require_found


@require_http_methods(["GET", "HEAD", "POST"])
def registered_line_up(request: HttpRequest, token: str) -> HttpResponse:
    applicant = require_found(find_by_link(token) if TOKEN.fullmatch(token) else None)
    players, status, late = find_players(applicant), 200, ""
    shown = list_own_line_ups(players, applicant.session.tournament_id)
    if request.method == "POST":
        shown, stored, late = hand_in_posted(request, shown, players, now=timezone.now())
        if stored:
            return redirect(f"{reverse('registered_line_up', args=[token])}?stored")
        status = 409
    context = {"applicant": applicant, "session": applicant.session, "line_ups": shown, "late": late}
    response = render(request, "sign_up/line_up.html", context | {"stored": "stored" in request.GET}, status=status)
    add_never_cache_headers(response)
    return response


def find_players(applicant: Applicant) -> set[int]:
    """Return the id of the player whom the directors know the applicant to be. Empty while they do not know yet."""
    return set() if applicant.player is None or applicant.withdrawn_at else {applicant.player.is_now.pk}
