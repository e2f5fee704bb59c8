"""The page of a personal link that was replaced, and the way from the old link to the new one.

The new link is shown to nobody who has only the old one, because the captain of the team has the old link too. The
browser in which the player said yes keeps the new link in a cookie that only the old address gets.
"""

import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.crypto import constant_time_compare

from registration.people.links import find_renewed, replace_token
from tournaments.models import Applicant

COOKIE = "own_link"
LIFE = 120 * 24 * 60 * 60  # seconds


def read_once(request: HttpRequest) -> str:
    """Return the random text of the posted form, or a new one."""
    return request.POST.get("once", "")[:64] or secrets.token_urlsafe(32)


def find_own_renewed(token: str, once: str) -> Applicant | None:
    """Return the applicant whose link `token` was replaced by an earlier posting of the same form, else None.

    `once` is the random text of the form, which shows that the form is the same.
    """
    applicant = find_renewed(token)
    return applicant if applicant is not None and applicant.token == replace_token(token, once) else None


def lead_to(token: str, *, old: str) -> HttpResponse:
    """Redirect to the page of a personal link.

    If the link has replaced the link `old`, set a cookie. With it, this browser is later led from the old link to the
    new one.
    """
    response = redirect("registered", token)
    if token != old:
        path = reverse("registered", args=[old])
        response.set_cookie(COOKIE, token, LIFE, path=path, secure=settings.HTTPS, httponly=True, samesite="Lax")
    return response


def show_replaced(request: HttpRequest, applicant: Applicant, old: str) -> HttpResponse:
    """Lead the player from the old link to the new one. Tell everybody else that the link was replaced."""
    kept = request.COOKIES.get(COOKIE, "")
    by_form = replace_token(old, request.POST.get("once", "")[:64])
    own = request.user.is_authenticated and applicant.user_id == request.user.pk
    if own or any(constant_time_compare(each, applicant.token) for each in (kept, by_form)):
        return lead_to(applicant.token, old=old)
    context = {"session": applicant.session, "agreed": applicant.agreed_at is not None}
    response = render(request, "sign_up/replaced.html", context, status=410)
    add_never_cache_headers(response)
    return response
