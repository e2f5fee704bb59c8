"""The middleware for a site without an account. Every page leads to the page that creates one.

Programs, and devices at the tables, get the answer 503: try again later.

As soon as there is an account, the process remembers this and no longer asks the database.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.accounts import founding
from config.patience import wants_json

API, TABLES = "/api/", "/t/"


class FirstRunMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        begin = reverse("first_run")
        if founding.over.is_set() or request.path in (begin, reverse("choose_language")) or founding.is_over():
            return self.get_response(request)
        if request.method in ("GET", "HEAD") and not request.path.startswith((API, TABLES)):
            return redirect(begin)
        return tell_to_wait(request)


def tell_to_wait(request: HttpRequest) -> HttpResponse:
    answer: HttpResponse
    if wants_json(request):
        message = _("This site has no club yet: open its home page in a browser to make one.")
        error = {"code": "site_not_set_up", "field": "", "message": message, "params": {}}
        answer = JsonResponse({"error": error}, status=503)
    else:
        answer = HttpResponse(render_to_string("account/not_set_up.html"), status=503)
    answer["Retry-After"], answer["Cache-Control"] = "60", "no-store"
    return answer
