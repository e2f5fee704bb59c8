"""The imprint: the people who run the site, how to write to them, the licence and the source of the site."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from pages.everybody import answer_everybody


@require_safe
def imprint(request: HttpRequest) -> HttpResponse:
    context = {"imprint": settings.IMPRINT}
    return answer_everybody(
        request, settings.IMPRINT, lambda request: render(request, "public/about/imprint.html", context)
    )
