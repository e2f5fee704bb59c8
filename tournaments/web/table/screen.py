"""The table's own screen: one page, the same for everybody. What it shows it asks for, by the table's code."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments.permissions import get_table_for_token


@require_safe
def screen(request: HttpRequest, token: str) -> HttpResponse:
    try:
        get_table_for_token(token, timezone.now())
    except Http404:
        response = render(request, "table/unknown.html", status=404)
    else:
        response = render(request, "table/screen.html")
    response["Cache-Control"] = "no-store"
    return response


@require_safe
@never_cache
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, served from here so that the tables' screens are all that it reaches."""
    return render(request, "table/sw.js", content_type="text/javascript")
