"""What is kept of people, how long and why, and how they have it shown, handed out or erased."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import condition, require_safe
from django.views.decorators.vary import vary_on_headers

from tournaments.privacy.periods import PERIODS
from tournaments.web.public.published import is_known
from tournaments.words.stamps import site_version


def stamp(request: HttpRequest) -> str | None:
    """The page says the same to everybody who is not logged in until the site itself changes."""
    return None if is_known(request) else f'"privacy-{site_version()}-{get_language()}"'


@require_safe
@vary_on_headers("Accept-Language", "Cookie")
@condition(etag_func=stamp)
def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "public/privacy.html", {"periods": PERIODS})
