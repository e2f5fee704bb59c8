"""The search over players, clubs, tournaments and the pages about the game.

The query may be any text. Search engines may not list the pages with results.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.guard import has_tries, note_failed
from handbook.words import find_language, find_pages
from pages.everybody import read_page_number
from pages.public.handbook.drawing import name_page
from registration.agenda.search import KINDS, read_asked, search

MOST_PAGES = 8  # the most pages of the handbook that are listed
A_MINUTE = 60  # the most searches for one IP address, which a whole hall may share


@require_safe
def find(request: HttpRequest) -> HttpResponse:
    asked = read_asked(request.GET.get("q", ""))
    only = kind if (kind := request.GET.get("kind", "")) in KINDS else ""
    context: dict[str, Any] = {"asked": asked, "only": only}
    status = 200
    if asked.is_enough and not has_tries("search", request, most=A_MINUTE):
        context["error"] = _("There were too many searches from this address: wait a minute, then try again.")
        status = 429
    elif asked.is_enough:
        note_failed("search", request)
        page = read_page_number(request) if only else 1
        found = {each: search(asked, each, page) for each in ([only] if only else KINDS)}
        context["found"] = found
        slugs = [] if only else find_pages(asked.words, find_language())
        context["pages"] = [name_page(slug) for slug in slugs][:MOST_PAGES]
        context["count"] = sum(hits.paginator.count for hits in found.values()) + len(context["pages"])
    response = render(request, "public/search.html", context, status=status)
    patch_cache_control(response, private=True, no_cache=True)
    return response
