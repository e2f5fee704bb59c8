"""The privacy page: which personal data are stored, how long and why, and how people see, export or erase theirs."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import condition, require_safe
from django.views.decorators.vary import vary_on_headers

from archives.privacy.periods import PERIODS
from pages.everybody import is_known
from tournaments.words.stamps import site_version


def stamp(request: HttpRequest) -> str | None:
    """Return the page's ETag, or None for users who are logged in. The page stays the same until the site changes."""
    return None if is_known(request) else f'"privacy-{site_version()}-{get_language()}"'


@require_safe
@vary_on_headers("Accept-Language", "Cookie")
@condition(etag_func=stamp)
def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "public/privacy.html", {"periods": PERIODS})
