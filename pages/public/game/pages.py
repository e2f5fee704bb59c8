"""The page of the friendly game and its service worker. Both are the same for everybody; neither reads the database."""

import json

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import json_script
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from pages.everybody import answer_everybody
from pages.public.game import words

BLANK_ROWS = range(1, 21)  # the rows of the empty sheet that readers without JavaScript can print


@require_safe
def game(request: HttpRequest) -> HttpResponse:
    def build(request: HttpRequest) -> HttpResponse:
        told = {"version": words.version(), "words": json_script(words.catalogue(), "words"), "rows": BLANK_ROWS}
        return render(request, "game/page.html", told)

    return answer_everybody(request, words.version(), build)


@require_safe
@never_cache
def game_worker(request: HttpRequest) -> HttpResponse:
    """Return the script of the service worker. By its address, a browser uses it only for the friendly game."""
    told = {"version": words.version(), "files": mark_safe(json.dumps(words.FILES))}
    return render(request, "game/sw.js", told, content_type="text/javascript")
