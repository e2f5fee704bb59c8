"""The site's icon at /favicon.ico, where browsers look for it if a page does not name an icon."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

DAY = 86_400


@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    response = redirect(static("img/favicon.ico"))
    patch_cache_control(response, public=True, max_age=DAY)
    return response
