"""The middleware that marks every page of a logged-in user as private. No shared cache may then keep it."""

from collections.abc import Callable

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control


class PrivacyMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        # If the view never asked who reads the page, the page is the same for everybody. This check takes no query.
        if request.session.accessed and SESSION_KEY in request.session:
            patch_cache_control(response, private=True)
        return response
