"""The page about the bots of the site: what they know, their levels, and how strong each level is."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from pages.everybody import answer_everybody


@require_safe
def bots_help(request: HttpRequest) -> HttpResponse:
    return answer_everybody(request, "bots", lambda request: render(request, "public/about/bots.html"))
